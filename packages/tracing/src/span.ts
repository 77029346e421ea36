import type { TraceContext } from "./trace-context.ts";

/** What is told of a span besides its name: kinds, counts, outcomes. Never a text, a title, an address or a person. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** `server` answers a call, `client` makes one, `consumer` does what was written down before; all else is `internal`. */
export type SpanKind = "internal" | "server" | "client" | "consumer";

/** Something that was done, from its beginning to its end. */
export interface EndedSpan extends TraceContext {
  readonly parentSpanId: string | undefined;
  /** Of a small fixed set, such as `POST /chat/send-message`. */
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with a fraction. */
  readonly begun: number;
  readonly ended: number;
  readonly facts: SpanFacts;
  /** Kind of the error it ended with. An error's message may quote what somebody wrote, so it is not told. */
  readonly failure: string | undefined;
}
