import { RateLimitError, UnavailableError } from "@threadlore/client";
import { backoffMs, delay } from "@threadlore/client/delay";

/** How long a run waits for a server that has no time for it. */
export interface PatienceOptions {
  /** Time without one call that succeeded, milliseconds, after which a call may fail. 0: it fails at once. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onWait: (milliseconds: number) => void;
  /** A clock that only goes forward, milliseconds. Default: performance.now. */
  readonly now?: () => number;
  /** Default: waits really, and no longer than until the signal. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const WAITS = { baseMs: 1_000, capMs: 15_000 };
/** What a server, or a proxy before it, says that is there and will have time again. */
const BUSY = new Set([502, 503, 504]);

/**
 * Makes calls that are made again while the server says that it is busy: a run over a night ends with what a minute of
 * maintenance would have ended. All calls of a run share it, since they meet the same server. Besides the repetitions of
 * the client, which are over in seconds. Everything else that is thrown is thrown at once.
 */
export function patient(options: PatienceOptions): <Result>(call: () => Promise<Result>) => Promise<Result> {
  const { patienceMs, signal, onWait, now = () => performance.now(), wait = delay } = options;
  /** When the server first had no time, since it last had. */
  let since: number | undefined;
  return async (call) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const result = await call();
        since = undefined;
        return result;
      } catch (error) {
        if (!isBusy(error) || signal.aborted) throw error;
        since ??= now();
        const waitMs = waitOf(error) ?? backoffMs(attempt, WAITS);
        if (now() - since + waitMs > patienceMs) throw error;
        onWait(waitMs);
        await wait(waitMs, signal);
        if (signal.aborted) throw error;
      }
    }
  };
}

function isBusy(error: unknown): error is RateLimitError | UnavailableError {
  return error instanceof RateLimitError || (error instanceof UnavailableError && BUSY.has(error.status ?? 0));
}

/** What the server asked for, milliseconds. */
function waitOf(error: RateLimitError | UnavailableError): number | undefined {
  if (!(error instanceof RateLimitError) || error.retryAt === undefined) return undefined;
  return Math.max(0, error.retryAt.getTime() - Date.now());
}
