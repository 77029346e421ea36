/** Traces of what the programs do: ids that go along with each call, and spans for a collector. */
export type { CollectorTimes } from "./collector.ts";
export type { SpanFacts, SpanKind } from "./span.ts";
export { parseTraceparent, type TraceContext } from "./trace-context.ts";
export {
  NO_TRACING,
  type OpenSpan,
  openTracing,
  type Span,
  type SpanOptions,
  type Tracing,
  type TracingOptions,
} from "./tracing.ts";
