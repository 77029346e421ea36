/** A reader: a process that reads one file after the other, as the reader module it was started with does. */
import { readFileSync, readSync, writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { framed, type ReaderReply, REQUEST_START, type RequestHead } from "./frames.ts";
import { WATCH, type WatchData } from "./watch.ts";

/** What a reader module exports. */
interface ReaderModule {
  read(bytes: Uint8Array<ArrayBuffer>, about: unknown): unknown;
}

const REQUESTS = 0;
const REPLIES = 3;
/** Of the memory it may have: beyond this it tidies up before it says how much it has. */
const TIDY = 0.7;

const [moduleUrl = "", memory = "", output = "", parent = ""] = process.argv.slice(2);
const memoryBytes = Number(memory);
const outputBytes = Number(output);
const shared = new SharedArrayBuffer(8);
const watched = new Int32Array(shared);
const tidy: () => void = Reflect.get(globalThis, "gc") ?? (() => undefined);

// A promise that a library has left behind belongs to a file that was read before.
process.on("unhandledRejection", () => undefined);
await startWatching({ shared, memoryBytes, parent: Number(parent) });
const reader = (await import(moduleUrl)) as ReaderModule;
say({ ready: dataKilobytes() });
for (let file = 1; ; file++) {
  const reply = await readNext(file);
  // Whoever asked is gone, or wants no more.
  if (reply === undefined) process.exit(0);
  if (process.memoryUsage.rss() > memoryBytes * TIDY) tidy();
  say({ ...reply, resident: process.memoryUsage.rss() });
}

/** Holds nothing of a file once it is read. */
async function readNext(file: number): Promise<ReaderReply | undefined> {
  const request = nextRequest();
  if (request === undefined) return undefined;
  Atomics.store(watched, WATCH.mostMs, request.head.mostMs);
  watch(file);
  const reply = await replyTo(request.head, request.bytes);
  watch(0);
  return reply;
}

function watch(file: number): void {
  Atomics.store(watched, WATCH.file, file);
  Atomics.notify(watched, WATCH.file);
}

async function startWatching(workerData: WatchData): Promise<void> {
  const thread = new URL(import.meta.url.endsWith(".ts") ? "./watch-thread.ts" : "./watch-thread.js", import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  const worker = new Worker(thread, { workerData, resourceLimits, execArgv: [] });
  await new Promise((resolve, reject) => {
    worker.once("online", resolve);
    worker.once("error", reject);
  });
  worker.unref();
  // Without it nothing would be bounded.
  worker.once("exit", () => process.exit(1));
}

async function replyTo({ about }: RequestHead, bytes: Uint8Array<ArrayBuffer>): Promise<ReaderReply> {
  try {
    const reply = { answer: await reader.read(bytes, about) };
    return JSON.stringify(reply).length > outputBytes ? { output: true } : reply;
  } catch (error) {
    if (isOutOfMemory(error)) return { memory: true };
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether the system refused memory to something large, or a library says so in its own error. */
function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /array buffer allocation failed/i.test(error.message) || isOutOfMemory(error.cause);
}

/** What the operating system counts as this process's data so far; V8 reserves far more of it than it ever uses. */
function dataKilobytes(): number {
  try {
    return Number(/^VmData:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function nextRequest(): { head: RequestHead; bytes: Uint8Array<ArrayBuffer> } | undefined {
  const start = received(REQUEST_START);
  if (start === undefined) return undefined;
  const view = new DataView(start.buffer);
  const head = received(view.getUint32(0, true));
  const bytes = received(view.getUint32(4, true));
  if (head === undefined || bytes === undefined) return undefined;
  return { head: JSON.parse(new TextDecoder().decode(head)) as RequestHead, bytes };
}

/** So many bytes, put where they stay: a file that came in pieces would be in memory twice. Undefined: no more will come. */
function received(length: number): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    let count: number;
    try {
      count = readSync(REQUESTS, bytes, at, length - at, null);
    } catch (error) {
      // How Windows says that the other end is closed.
      if (error instanceof Error && "code" in error && error.code === "EOF") return undefined;
      throw error;
    }
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}

function say(reply: ReaderReply): void {
  const frame = framed(reply);
  for (let at = 0; at < frame.length;) at += writeSync(REPLIES, frame, at);
}
