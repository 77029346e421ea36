import { traceRequest } from "./otlp.ts";
import type { CollectorSettings } from "./settings.ts";
import type { EndedSpan } from "./span.ts";

/** How spans wait, and for how long. */
export interface CollectorTimes {
  /** From a span's end until it is sent at the latest, milliseconds. Default 5,000. */
  readonly delayMs?: number;
  /** Before the second attempt, milliseconds; twice as long before each other one. Default 1,000. */
  readonly restMs?: number;
}

/** Spans sent at once. */
const MAX_BATCH = 512;
/** Spans that wait at most: a collector that is gone must cost no more memory than this. Newer ones are dropped, and counted. */
const MAX_WAITING = 2_048;
const MAX_ATTEMPTS = 4;
/** The statuses OTLP names for trying again. */
const AGAIN = new Set([429, 502, 503, 504]);
/** A collector may ask for more patience; nobody waits longer. */
const MAX_REST_MS = 30_000;

/** Sends spans to a collector, several at once and in the background. Nothing it does fails or delays what is traced. */
export class Collector {
  readonly #settings: CollectorSettings;
  readonly #fetch: typeof fetch;
  readonly #times: Required<CollectorTimes>;
  readonly #onProblem: (message: string) => void;
  #waiting: EndedSpan[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isFailing = false;
  readonly #closing = new AbortController();

  /** @param onProblem told once when sending begins to fail, without what the collector said */
  constructor(
    settings: CollectorSettings,
    parts: { fetch: typeof fetch; times?: CollectorTimes | undefined; onProblem: (message: string) => void },
  ) {
    this.#settings = settings;
    this.#fetch = parts.fetch;
    this.#times = { delayMs: 5_000, restMs: 1_000, ...parts.times };
    this.#onProblem = parts.onProblem;
  }

  /** Takes a span that has ended. */
  add(span: EndedSpan): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= MAX_BATCH) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#times.delayMs).unref();
  }

  /** Sends what waits, as long as there is patience. */
  async close(patienceMs = this.#settings.timeoutMs): Promise<void> {
    const patience = setTimeout(() => this.#closing.abort(), patienceMs);
    this.#start();
    await this.#sending;
    clearTimeout(patience);
    this.#closing.abort();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#closing.signal.aborted) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      const isSent = await this.#send(batch);
      this.#tell(isSent, batch.length);
    }
  }

  #tell(isSent: boolean, count: number): void {
    if (!isSent) this.#dropped += count;
    if (isSent === !this.#isFailing) return;
    this.#isFailing = !isSent;
    this.#onProblem(
      isSent
        ? `The collector takes traces again. Spans lost meanwhile: ${this.#dropped}.`
        : "The collector takes no traces; what is traced meanwhile is lost.",
    );
    if (isSent) this.#dropped = 0;
  }

  async #send(batch: readonly EndedSpan[]): Promise<boolean> {
    const body = JSON.stringify(traceRequest(batch, this.#settings.resource));
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const status = await this.#post(body);
      if (typeof status === "object") {
        if (status.isTaken) return true;
        if (!status.isWorthTrying) return false;
      }
      if (attempt === MAX_ATTEMPTS || this.#closing.signal.aborted) return false;
      const restMs =
        (typeof status === "object" ? status.restMs : undefined) ?? this.#times.restMs * 2 ** (attempt - 1);
      await rest(Math.min(restMs, MAX_REST_MS), this.#closing.signal);
    }
    return false;
  }

  async #post(
    body: string,
  ): Promise<{ isTaken: boolean; isWorthTrying: boolean; restMs: number | undefined } | "lost"> {
    const { url, headers, timeoutMs } = this.#settings;
    try {
      const reply = await this.#fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closing.signal]),
      });
      // What it says is of no use here, and may be of any length.
      await reply.body?.cancel();
      const after = reply.headers.get("retry-after") ?? "";
      const restMs = /^\d{1,6}$/.test(after) ? Number(after) * 1_000 : undefined;
      return { isTaken: reply.ok, isWorthTrying: AGAIN.has(reply.status), restMs };
    } catch {
      return "lost";
    }
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
