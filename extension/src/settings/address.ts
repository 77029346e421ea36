/**
 * Where a service answers that was set with or without `/api`. Pages look for it as every front end does, without a key,
 * and remember it on this machine: the worker has not the means to look, and uses what was found.
 */
import { addressWords, resolveBaseUrl, WrongBaseUrlError } from "@threadlore/client";
import { readOutbox, sendNow } from "../outbox/outbox.ts";
import { PAUSE } from "../outbox/pause.ts";
import { inTime } from "../capture/read-tab.ts";
import { type Connection, originOf, rememberAddress } from "./settings.ts";
import { wakeBackground } from "../outbox/wake.ts";

/** Longest wait for one address, milliseconds: a question may wait for it. */
const PROBE_MS = 5_000;

/** The address of the service that is set. Nothing is asked before `use`. */
export class Address {
  readonly #given: string;
  #place: string | undefined;
  #isFound: boolean;
  #finding: Promise<string> | undefined;

  constructor({ given, baseUrl, isFound }: Connection) {
    this.#given = given;
    this.#place = isFound ? baseUrl : undefined;
    this.#isFound = isFound;
  }

  /**
   * Does something with the key where the service answers. Looks for it before, where that is not known yet, or where a
   * website was met the last time. Throws the client's errors where there is no service, `signal`'s reason where that
   * came first, and what `work` throws.
   */
  async use<Done>(work: (baseUrl: string) => Promise<Done>, signal = new AbortController().signal): Promise<Done> {
    // Several calls at once look for it together.
    const looked = () => (this.#finding ??= this.#find().finally(() => (this.#finding = undefined)));
    const baseUrl = this.#place ?? (await inTime(looked(), signal, undefined));
    if (baseUrl === undefined) throw signal.reason;
    try {
      const done = await work(baseUrl);
      if (!this.#isFound) await this.#found(baseUrl);
      return done;
    } catch (error) {
      if (error instanceof WrongBaseUrlError) this.#place = undefined;
      throw error;
    }
  }

  async #find(): Promise<string> {
    const address = await resolveBaseUrl({ baseUrl: this.#given, timeoutMs: PROBE_MS });
    const { state, likely, why } = address;
    if (state === "unreachable" && why !== undefined) throw why;
    if (state === "not_a_service") throw new WrongBaseUrlError(addressWords(address));
    if (state !== "no_health") await this.#found(likely);
    return (this.#place = likely);
  }

  async #found(baseUrl: string): Promise<void> {
    this.#isFound = true;
    // It is used, and looked for again by whoever comes next.
    await takeAddress(this.#given, baseUrl).catch(() => {});
  }
}

/** Remembers where the service answers that was set as `given`, and lets pages go that were refused elsewhere. */
export async function takeAddress(given: string, baseUrl: string): Promise<void> {
  await rememberAddress(given, baseUrl);
  if (baseUrl === given) return;
  const service = originOf(given);
  if ((await PAUSE.read())?.origin === service) await PAUSE.clear();
  for (const { key, origin, problem } of await readOutbox()) {
    if (origin === service && problem !== undefined) await sendNow(key);
  }
  await wakeBackground();
}
