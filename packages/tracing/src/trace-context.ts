import { randomBytes } from "node:crypto";

/** Where in a trace something stands: what goes along with a call as `traceparent` (W3C Trace Context, section 3.2). */
export interface TraceContext {
  /** 32 hexadecimal digits, the same for all that is done for one question. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether somebody up the way keeps this trace, so that all do or none. */
  readonly isSampled: boolean;
}

const TRACEPARENT =
  /^(?<version>[\da-f]{2})-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<more>-.*)?$/;

/**
 * What a `traceparent` header says; undefined where it is none: the trace then begins anew, as the recommendation asks.
 * A version that is not known yet may say more behind the fields that are.
 */
export function parseTraceparent(header: string | null | undefined): TraceContext | undefined {
  const { version, traceId, spanId, flags = "", more } = TRACEPARENT.exec(header?.trim() ?? "")?.groups ?? {};
  if (version === undefined || traceId === undefined || spanId === undefined || version === "ff") return undefined;
  if (version === "00" && more !== undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The header for calls that are made there. */
export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** A new place: in the trace of `parent`, or the first of a trace of its own. */
export function placeBelow(parent: TraceContext | undefined, isSampled: boolean): TraceContext {
  return { traceId: parent?.traceId ?? hexadecimal(16), spanId: hexadecimal(8), isSampled };
}

function hexadecimal(bytes: number): string {
  const digits = randomBytes(bytes).toString("hex");
  // Nothing but zeros means none. It comes once in 2^64 times, and would be hard to find then.
  return /^0+$/.test(digits) ? hexadecimal(bytes) : digits;
}
