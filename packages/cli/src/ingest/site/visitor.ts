import { backoffMs, delay } from "@threadlore/client/delay";
import { versionOfPackage } from "../../version.ts";
import { type FetchedReply, fetchGuarded, FetchRefusedError, type FetchRules } from "../guarded-fetch.ts";

/** The name by which sites know this program. */
export const PRODUCT = "threadlore";

/** How a site is visited. */
export interface Manners {
  /** Between the end of one request and the beginning of the next, milliseconds. Holds from when it is set. */
  pauseMs: number;
  readonly signal: AbortSignal;
  readonly rules: FetchRules;
  /** Default: waits really, and no longer than until the signal. */
  readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Times a page is asked for once more that the site had no time for (429, 503). */
const MAX_REPEATS = 3;
/** No longer wait that a site asks for is waited, milliseconds. */
const MAX_WAIT_MS = 120_000;
const WAITS = { baseMs: 5_000, capMs: 60_000 };
/** Pages in a row that a site had no time for, after which it is left alone. */
const MAX_GIVEN_UP = 3;

/**
 * Visits one site: a request at a time, however many are wanted at once, with a pause behind each. Says who it is, and
 * comes again when it is told that there is no time.
 */
export class Visitor {
  readonly #manners: Manners;
  #turn: Promise<unknown> = Promise.resolve();
  #endedAt = -Infinity;
  #givenUp = 0;
  #closed: string | undefined;

  constructor(manners: Manners) {
    this.#manners = manners;
  }

  /** Throws FetchRefusedError, also where the site had no time for too long. */
  get(address: string, rules: Omit<FetchRules, "signal"> = {}): Promise<FetchedReply> {
    const turn = this.#turn.then(() => this.#visit(address, rules));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #visit(address: string, rules: Omit<FetchRules, "signal">): Promise<FetchedReply> {
    for (let attempt = 0; ; attempt += 1) {
      if (this.#closed !== undefined) throw new FetchRefusedError(this.#closed);
      await this.#wait(this.#endedAt + this.#manners.pauseMs - performance.now());
      const reply = await this.#send(address, rules);
      if (reply.status !== 429 && reply.status !== 503) {
        this.#givenUp = 0;
        return reply;
      }
      const waitMs = retryAfterMs(reply.headers["retry-after"], Date.now()) ?? backoffMs(attempt, WAITS);
      if (attempt === MAX_REPEATS || waitMs > MAX_WAIT_MS) throw this.#giveUp(reply, waitMs);
      await this.#wait(waitMs);
    }
  }

  #giveUp({ url, status }: FetchedReply, waitMs: number): FetchRefusedError {
    this.#givenUp += 1;
    const asks = waitMs > MAX_WAIT_MS ? ` and asks to come back in ${Math.ceil(waitMs / 1_000)} seconds` : "";
    const reason = `${url.host} has no time (status ${status})${asks}. Run the command again later`;
    if (waitMs > MAX_WAIT_MS || this.#givenUp === MAX_GIVEN_UP) this.#closed = reason;
    return new FetchRefusedError(reason);
  }

  async #send(address: string, rules: Omit<FetchRules, "signal">): Promise<FetchedReply> {
    const { signal, rules: usual } = this.#manners;
    const headers = { "user-agent": `${PRODUCT}/${versionOfPackage()}`, ...rules.headers };
    try {
      return await fetchGuarded(address, { ...usual, ...rules, headers, signal });
    } catch (error) {
      // Whoever stopped it is told so, and not that a connection broke.
      signal.throwIfAborted();
      throw error;
    } finally {
      this.#endedAt = performance.now();
    }
  }

  async #wait(milliseconds: number): Promise<void> {
    const { signal, wait = delay } = this.#manners;
    if (milliseconds > 0) await wait(milliseconds, signal);
    signal.throwIfAborted();
  }
}

/** What `Retry-After` asks for, in seconds or as a date; undefined where it says nothing. */
function retryAfterMs(said: string | undefined, now: number): number | undefined {
  if (said === undefined) return undefined;
  if (/^\d+$/.test(said.trim())) return Number(said) * 1_000;
  const at = Date.parse(said);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
