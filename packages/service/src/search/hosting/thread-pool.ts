import { Worker } from "node:worker_threads";
import { type IndexFound, type IndexQuery, OutOfTime, type WordCounts } from "../engine/index-query.ts";
import type { Indexed, Indexing } from "./index-documents.ts";
import type { IndexWork, WorkDone } from "./index-work.ts";

/** What a thread is asked for. */
export type Request =
  | { readonly kind: "search"; readonly query: IndexQuery }
  | {
      readonly kind: "count";
      readonly words: readonly string[];
      readonly visible: readonly number[] | undefined;
      readonly budgetMs: number;
    }
  | { readonly kind: "write"; readonly work: IndexWork }
  | { readonly kind: "index"; readonly indexing: Indexing }
  | { readonly kind: "run"; readonly module: string; readonly given: unknown }
  | { readonly kind: "end" };

export interface ThreadRequest {
  readonly id: number;
  readonly request: Request;
}

/** What comes back. */
export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: { readonly message: string; readonly isLate: boolean; readonly errcode?: number };
}

const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./index-thread.ts" : "./index-thread.js", import.meta.url);

/** Node refuses a thread from a file where it was told what its program's own text is (`node --input-type=module -e`). */
const THREAD_FLAGS = process.execArgv.some((flag) => flag.startsWith("--input-type")) ? [] : process.execArgv;

/** Time a thread has to end by itself, milliseconds. */
const ENDING_MS = 2_000;

/** Threads over one index, started when they are needed first. */
export class ThreadPool {
  readonly #path: string;
  readonly #most: number;
  readonly #youngMb: number | undefined;
  readonly #threads: Thread[] = [];
  #isClosed = false;

  /**
   * @param most threads
   * @param youngMb memory in which each keeps what is new, MB; default: what Node gives a thread
   */
  constructor(path: string, most: number, youngMb?: number) {
    this.#path = path;
    this.#most = most;
    this.#youngMb = youngMb;
  }

  /** Whether any was started. */
  get isStarted(): boolean {
    return this.#threads.length > 0;
  }

  search(query: IndexQuery): Promise<IndexFound> {
    return this.#askTwice({ kind: "search", query }) as Promise<IndexFound>;
  }

  count(words: readonly string[], visible: readonly number[] | undefined, budgetMs: number): Promise<WordCounts> {
    return this.#askTwice({ kind: "count", words, visible, budgetMs }) as Promise<WordCounts>;
  }

  write(work: IndexWork): Promise<WorkDone> {
    return this.#ask({ kind: "write", work }) as Promise<WorkDone>;
  }

  index(indexing: Indexing): Promise<Indexed> {
    return this.#ask({ kind: "index", indexing }) as Promise<Indexed>;
  }

  /** Has the function `work` of a module do something with plain data. */
  run<Given, Result>(module: URL, given: Given): Promise<Result> {
    return this.#askTwice({ kind: "run", module: module.href, given }) as Promise<Result>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.splice(0).map((thread) => thread.end()));
  }

  /**
   * What changes nothing is asked once more where its thread died, as of want of memory: mostly it was not what took it.
   * What is written is not: whoever writes looks first at what was.
   */
  async #askTwice(request: Request): Promise<unknown> {
    const thread = this.#idle();
    try {
      return await thread.ask(request);
    } catch (error) {
      if (!thread.isGone || this.#isClosed) throw error;
      return this.#ask(request);
    }
  }

  #ask(request: Request): Promise<unknown> {
    return this.#idle().ask(request);
  }

  /** The thread with the least to do, or another one. */
  #idle(): Thread {
    for (const [at, thread] of [...this.#threads.entries()].toReversed()) {
      if (thread.isGone) this.#threads.splice(at, 1);
    }
    const idle = this.#threads.toSorted((one, other) => one.waiting - other.waiting)[0];
    if (idle !== undefined && (idle.waiting === 0 || this.#threads.length === this.#most)) return idle;
    const thread = new Thread(this.#path, this.#youngMb);
    this.#threads.push(thread);
    return thread;
  }
}

/** One thread, and who waits for it. */
class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #last = 0;
  #gone = false;

  constructor(path: string, youngMb: number | undefined) {
    this.#worker = new Worker(THREAD, {
      workerData: path,
      execArgv: THREAD_FLAGS,
      resourceLimits: youngMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMb },
    });
    // Whoever waits for it keeps the process; an idle one does not.
    this.#worker.unref();
    this.#worker.on("message", (reply: Reply) => this.#settle(reply));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread of the index has ended")));
  }

  get isGone(): boolean {
    return this.#gone;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  ask(request: Request): Promise<unknown> {
    const id = ++this.#last;
    if (this.#waiting.size === 0) this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage({ id, request } satisfies ThreadRequest);
    });
  }

  async end(): Promise<void> {
    if (this.#gone) return;
    const late = new Promise((resolve) => setTimeout(resolve, ENDING_MS).unref());
    await Promise.race([this.ask({ kind: "end" }).catch(() => undefined), late]);
    await this.#worker.terminate();
  }

  #settle({ id, result, failure }: Reply): void {
    const one = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (failure === undefined) one?.resolve(result);
    else if (failure.isLate) one?.reject(new OutOfTime(failure.message));
    else
      one?.reject(
        Object.assign(new Error(failure.message), failure.errcode !== undefined && { errcode: failure.errcode }),
      );
  }

  #fail(error: Error): void {
    this.#gone = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
