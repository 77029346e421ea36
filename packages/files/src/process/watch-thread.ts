/**
 * The watching thread of a reader. A file can be made so that the reader's own thread does not come back; this one ends the
 * process then: when it has grown too large, when time is over, and when whoever started it is gone.
 */
import { workerData } from "node:worker_threads";
import { MEMORY_SIGNAL, TIME_SIGNAL, WATCH, type WatchData } from "./watch.ts";

/** Between two looks, milliseconds. Memory can grow by a few megabytes in one. */
const LOOK_MS = 5;
/** What the pool has to end a reader itself before this thread does, milliseconds. */
const GRACE_MS = 2_000;

const { shared, memoryBytes, parent } = workerData as WatchData;
const watched = new Int32Array(shared);

let file = 0;
let until = 0;
for (;;) {
  const now = Atomics.load(watched, WATCH.file);
  if (now === 0) {
    // The reader waits for its next file, and sees by itself that nobody is there to send one.
    Atomics.wait(watched, WATCH.file, 0);
    continue;
  }
  if (now !== file) {
    file = now;
    until = performance.now() + Atomics.load(watched, WATCH.mostMs) + GRACE_MS;
  }
  if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, MEMORY_SIGNAL);
  if (performance.now() > until) process.kill(process.pid, TIME_SIGNAL);
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  Atomics.wait(watched, WATCH.file, file, LOOK_MS);
}
