import { type ChildProcess, execFile, spawn } from "node:child_process";
import { dirname } from "node:path";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { framed, type ReaderReply, ReplyCollector, type RequestHead } from "./frames.ts";
import type { ReaderPoolOptions } from "./pool-options.ts";
import { ReadingError, type ReadingFailure } from "./reading-error.ts";
import { MEMORY_SIGNAL, TIME_SIGNAL } from "./watch.ts";

/** What one reader may have, and what it reads with. */
type ReaderLimits = Required<Pick<ReaderPoolOptions, "reader" | "memoryBytes" | "outputBytes">>;

/** In the sources a TypeScript file, in the published package what it was compiled to. */
const MAIN = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./reader-main.ts" : "./reader-main.js", import.meta.url),
);

/** Time a reader has to start, milliseconds; a machine that is busy elsewhere takes seconds. */
const START_MS = 30_000;
/** Beyond `memoryBytes` the operating system gives nothing; the watching thread, which can say why, comes first. */
const HARD_EXTRA_BYTES = 64 * 2 ** 20;
/** Of a process that has done nothing yet. */
const PROGRAM_BYTES = 64 * 2 ** 20;

/** How V8 and Node end where no memory is left. */
const MEMORY_SIGNALS = new Set<NodeJS.Signals>([MEMORY_SIGNAL, "SIGTRAP", "SIGILL", "SIGBUS", "SIGSEGV"]);

/** One process that reads. It is used for one file at a time, and for no more after a failure. */
export class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #limits: ReaderLimits;
  readonly #replies: ReplyCollector;
  readonly #ready: Promise<void>;
  #waiting: { resolve(reply: ReaderReply): void; reject(error: ReadingError): void } | undefined;
  #ended: ReadingFailure | undefined;
  /** Files it was given. */
  files = 0;
  /** Bytes of it in memory after the last file, as it said itself. */
  resident = 0;

  /** Starts it. */
  constructor(limits: ReaderLimits) {
    this.#limits = limits;
    this.#replies = new ReplyCollector(limits.outputBytes + 1_000);
    this.#child = start(limits);
    this.#child.once("exit", (_code, signal) => this.#end(failureOf(signal)));
    this.#child.once("error", () => this.#end("ended"));
    for (const pipe of this.#pipes()) pipe.on("error", () => undefined);
    this.#pipes()[1]?.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#ready = this.#begin();
    // Whoever reads first hears of it.
    this.#ready.catch(() => undefined);
    this.#hold(false);
  }

  /** Whether it can be given another file. */
  get isAlive(): boolean {
    return this.#ended === undefined;
  }

  /** Has one file read. Throws ReadingError; the process is of no more use then, unless the module threw. */
  async read(bytes: Uint8Array, head: RequestHead, signal: AbortSignal | undefined): Promise<unknown> {
    const stop = (): void => this.end("ended");
    signal?.addEventListener("abort", stop, { once: true });
    this.#hold(true);
    this.files++;
    let late: NodeJS.Timeout | undefined;
    try {
      await this.#ready;
      signal?.throwIfAborted();
      late = setTimeout(() => this.end("slow"), head.mostMs);
      const reply = await this.#ask(bytes, head);
      this.resident = reply.resident ?? 0;
      if (reply.memory === true) throw new ReadingError("memory");
      if (reply.output === true) throw new ReadingError("output");
      if (reply.failed !== undefined) throw new ReadingError("failed", { cause: new Error(reply.failed) });
      return reply.answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", stop);
      this.#hold(false);
    }
  }

  /** Ends it at once, whatever it does. */
  end(failure: ReadingFailure): void {
    this.#end(failure);
    this.#child.kill("SIGKILL");
  }

  /** Asks nothing: waits until it says that it can begin, then bounds it. */
  async #begin(): Promise<void> {
    const late = setTimeout(() => this.end("ended"), START_MS);
    late.unref();
    try {
      const { ready = 0 } = await this.#reply();
      await boundMemory(this.#child.pid, ready, this.#limits.memoryBytes);
    } finally {
      clearTimeout(late);
    }
  }

  #ask(bytes: Uint8Array, head: RequestHead): Promise<ReaderReply> {
    const reply = this.#reply();
    this.#child.stdin?.write(framed(head, bytes.byteLength));
    this.#child.stdin?.write(bytes);
    return reply;
  }

  #reply(): Promise<ReaderReply> {
    return new Promise((resolve, reject) => {
      if (this.#ended === undefined) this.#waiting = { resolve, reject };
      else reject(new ReadingError(this.#ended));
    });
  }

  #take(chunk: Buffer): void {
    let reply: ReaderReply | "too-long" | undefined;
    try {
      reply = this.#replies.add(chunk);
    } catch {
      // No JSON, or none of ours: whatever it is by now, it is not our reader.
      this.end("ended");
      return;
    }
    if (reply === undefined) return;
    if (reply === "too-long") return this.end("output");
    // It may speak unasked.
    if (this.#waiting === undefined) return this.end("ended");
    this.#waiting.resolve(reply);
    this.#waiting = undefined;
  }

  #end(failure: ReadingFailure): void {
    this.#ended ??= failure;
    this.#waiting?.reject(new ReadingError(this.#ended));
    this.#waiting = undefined;
  }

  /** A reader that waits keeps no program running, and one that reads does. */
  #hold(reads: boolean): void {
    for (const one of [this.#child, ...this.#pipes()]) {
      if (reads) one.ref();
      else one.unref();
    }
  }

  #pipes(): Socket[] {
    return [this.#child.stdin, this.#child.stdio[3]].filter((pipe) => pipe instanceof Socket);
  }
}

function start({ reader, memoryBytes, outputBytes }: ReaderLimits): ChildProcess {
  const heap = Math.max(32, Math.floor((memoryBytes - PROGRAM_BYTES) / 2 ** 20));
  const flags = [
    `--max-old-space-size=${heap}`,
    "--max-semi-space-size=8",
    // A font or a style in a file is no program.
    "--disallow-code-generation-from-strings",
    "--expose-gc",
    "--no-warnings",
  ];
  const about = [reader.href, String(memoryBytes), String(outputBytes), String(process.pid)];
  return spawn(process.execPath, [...flags, MAIN, ...about], {
    // What libraries print is for nobody.
    stdio: ["pipe", "ignore", "ignore", "pipe"],
    cwd: dirname(MAIN),
    env: environment(),
    windowsHide: true,
  });
}

/** Nothing of what this process was given: keys stand in there. */
function environment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return {
    // Fewer heaps and threads that each keep a little.
    MALLOC_ARENA_MAX: "2",
    UV_THREADPOOL_SIZE: "2",
    ...(SystemRoot !== undefined && { SystemRoot }),
  };
}

/**
 * Has the operating system refuse memory beyond a bound, where there is `prlimit` (Linux). The bound is on what the process
 * counts as data; RLIMIT_AS would be of no use, since V8 reserves a gigabyte before it begins, and half of that counts as
 * data too: so the bound is set when it has begun. Without it the watching thread alone keeps to the limit.
 */
async function boundMemory(pid: number | undefined, dataKilobytes: number, memoryBytes: number): Promise<void> {
  if (process.platform !== "linux" || pid === undefined || dataKilobytes === 0) return;
  const most = dataKilobytes * 1_024 - PROGRAM_BYTES + memoryBytes + HARD_EXTRA_BYTES;
  await new Promise<void>((resolve) => {
    execFile("prlimit", [`--pid=${pid}`, `--data=${most}:${most}`, "--core=0:0"], () => resolve());
  });
}

function failureOf(signal: NodeJS.Signals | null): ReadingFailure {
  if (signal === null) return "ended";
  if (signal === TIME_SIGNAL) return "slow";
  return MEMORY_SIGNALS.has(signal) ? "memory" : "ended";
}
