import { UnsupportedError } from "../errors/errors.ts";

/** What a server turned out to offer: `unknown` until it was tried, and again some time after it refused. */
export type Support = "yes" | "no" | "unknown";

/** Remembers, for one server, which operations it does not have, so that each is not asked for again and again. */
export interface SupportMemory {
  /**
   * Runs `call`; an UnsupportedError is remembered under `operation` and thrown again without a call for a minute. Not
   * for a call whose path holds an id: what the server says of one path need not hold for another.
   */
  attempt<Result>(operation: string, call: () => Promise<Result>): Promise<Result>;
  /** An operation that answered, so that it is there. */
  answered(operation: string): void;
  of(operation: string): Support;
}

/** A server is upgraded, a proxy mended, a feature switched on: nothing is absent for ever. */
const REMEMBERED_MS = 60_000;

/** @param now a clock that only goes forward, in milliseconds */
export function rememberSupport(now: () => number = () => performance.now()): SupportMemory {
  const refused = new Map<string, { error: UnsupportedError; at: number }>();
  const answered = new Set<string>();
  const refusalOf = (operation: string) => {
    const known = refused.get(operation);
    return known === undefined || now() - known.at >= REMEMBERED_MS ? undefined : known.error;
  };
  const noteAnswer = (operation: string) => {
    refused.delete(operation);
    answered.add(operation);
  };
  return {
    async attempt(operation, call) {
      const known = refusalOf(operation);
      if (known !== undefined) {
        throw new UnsupportedError(known.message, known, { cause: known });
      }
      try {
        const result = await call();
        noteAnswer(operation);
        return result;
      } catch (error) {
        if (error instanceof UnsupportedError) {
          answered.delete(operation);
          refused.set(operation, { error, at: now() });
        }
        throw error;
      }
    },
    answered: noteAnswer,
    of(operation) {
      if (refusalOf(operation) !== undefined) return "no";
      return answered.has(operation) ? "yes" : "unknown";
    },
  };
}
