import type { EndedSpan, SpanFacts, SpanKind } from "./span.ts";

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };
/** Bits 8 and 9 of a span's flags: whether its parent is of another process, which is not known here, is left open. */
const SAMPLED = 1;
const STATUS_ERROR = 2;

/**
 * Spans as an ExportTraceServiceRequest in the JSON of OTLP 1.x: ids as hexadecimal digits, 64-bit numbers as texts, kinds by
 * their numbers (OTLP specification, "JSON Protobuf Encoding").
 */
export function traceRequest(spans: readonly EndedSpan[], resource: Readonly<Record<string, string>>): unknown {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: "threadlore" }, spans: spans.map(spanOnWire) }],
      },
    ],
  };
}

function spanOnWire(span: EndedSpan): Record<string, unknown> {
  const { traceId, spanId, parentSpanId, name, kind, begun, ended, facts, failure } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(begun),
    endTimeUnixNano: nanoseconds(Math.max(begun, ended)),
    attributes: attributesOf(failure === undefined ? facts : { ...facts, "error.type": failure }),
    status: failure === undefined ? {} : { code: STATUS_ERROR },
  };
}

function attributesOf(facts: SpanFacts): { key: string; value: unknown }[] {
  return Object.entries(facts).flatMap(([key, fact]) => (fact === undefined ? [] : [{ key, value: valueOf(fact) }]));
}

function valueOf(fact: string | number | boolean): unknown {
  if (typeof fact === "string") return { stringValue: fact };
  if (typeof fact === "boolean") return { boolValue: fact };
  return Number.isSafeInteger(fact) ? { intValue: String(fact) } : { doubleValue: fact };
}

/** Milliseconds are kept to the microsecond: more is lost in a number of this size. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}
