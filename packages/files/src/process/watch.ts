/**
 * Places of a shared array of 32-bit numbers: how the watching thread of a reader is told what goes on: the number of the file that is read, 0 while there is none;
 * and the time that one has, milliseconds. The thread sleeps on the first of the two.
 */
export const WATCH = { file: 0, mostMs: 1 } as const;

/** What the watching thread is given. */
export interface WatchData {
  readonly shared: SharedArrayBuffer;
  /** Bytes of the process in memory; with more it is ended. */
  readonly memoryBytes: number;
  /** Process that started this one. With it, this one ends. */
  readonly parent: number;
}

/** How a reader dies of too much memory; it is also how V8 dies of it. */
export const MEMORY_SIGNAL = "SIGABRT";
/** How a reader dies that took too long while nobody outside could end it. */
export const TIME_SIGNAL = "SIGXCPU";
