import type { Outcome } from "@threadlore/client";
import type { Failure } from "./failure.ts";
import { causeOfCode } from "./failure-cause.ts";

/** An error of a client, read by its fields. */
export interface Described {
  readonly outcome: string;
  readonly message: string;
  readonly name: string;
  /** HTTP status; undefined when no reply came. */
  readonly status: number | undefined;
  /** The server may have carried the call out all the same. */
  readonly maybeProcessed: boolean;
  readonly failure: Failure;
}

/** What a client threw, as the failure an answer ends with. */
export const failureOf = (error: unknown): Failure => describe(error).failure;

/** Read by its fields, not by its class: an error can come from another copy of the client or another realm. */
export function describe(error: unknown): Described {
  const field = (key: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, key) : undefined;
  const text = (key: string): string => {
    const value = field(key);
    return typeof value === "string" ? value : "";
  };
  const outcome = text("outcome");
  const message = text("message") || String(error);
  const status = field("status");
  const retryAt = isoMoment(field("retryAt"));
  // A key that is known and may not do it is another matter than one that is not known.
  const code = text("code") || (text("name") === "PermissionError" ? "forbidden" : outcome);
  const failure: Failure = {
    message: outcome === "" ? `The answer failed for a reason this program did not expect: ${message}` : message,
    ...(code === "" ? {} : { code }),
    retryable: outcome === "retryable" || outcome === "unavailable" || outcome === "rate_limited",
    ...(retryAt === undefined ? {} : { retryAt }),
    ...(outcome === "" ? {} : { outcome: outcome as Outcome }),
    cause: causeOfCode(code),
  };
  if (outcome !== "") Object.defineProperty(failure, "error", { value: error });
  return {
    outcome,
    message,
    name: text("name"),
    status: typeof status === "number" ? status : undefined,
    maybeProcessed: field("maybeProcessed") === true,
    failure,
  };
}

/** A Date, of whichever realm, as text. */
function isoMoment(value: unknown): string | undefined {
  const moment = Object.prototype.toString.call(value) === "[object Date]" ? Number(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}
