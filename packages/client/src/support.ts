import { UnsupportedError } from "./errors.ts";

/** What a server turned out to offer: `unknown` until it was tried. */
export type Support = "yes" | "no" | "unknown";

/** Remembers, for one server, which operations it does not have, so that each is asked for once. */
export interface SupportMemory {
  /** Runs `call`; an UnsupportedError is remembered under `operation` and thrown again without a call from then on. */
  attempt<Result>(operation: string, call: () => Promise<Result>): Promise<Result>;
  of(operation: string): Support;
}

export function rememberSupport(): SupportMemory {
  const refused = new Map<string, UnsupportedError>();
  const answered = new Set<string>();
  return {
    async attempt(operation, call) {
      const known = refused.get(operation);
      if (known !== undefined) {
        throw new UnsupportedError(known.message, facts(known), { cause: known });
      }
      try {
        const result = await call();
        answered.add(operation);
        return result;
      } catch (error) {
        if (error instanceof UnsupportedError) refused.set(operation, error);
        throw error;
      }
    },
    of(operation) {
      if (refused.has(operation)) return "no";
      return answered.has(operation) ? "yes" : "unknown";
    },
  };
}

function facts({ status, code, host }: UnsupportedError): { status?: number; code?: string; host?: string } {
  return {
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(host === undefined ? {} : { host }),
  };
}
