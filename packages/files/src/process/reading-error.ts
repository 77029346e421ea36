/**
 * Why a file was not read.
 * - `memory`: it takes more memory than reading a file may take.
 * - `slow`: it took longer than it may.
 * - `output`: what was read out of it is larger than it may be.
 * - `ended`: the reader ended in the middle, by itself or from outside.
 * - `failed`: the reader module threw.
 * - `crowded`: this person has too many files waiting. Nothing was begun.
 * - `full`: too much waits at all. Nothing was begun.
 * - `closed`: the pool is closed.
 */
export type ReadingFailure = "memory" | "slow" | "output" | "ended" | "failed" | "crowded" | "full" | "closed";

const WORDS: Readonly<Record<ReadingFailure, string>> = {
  memory: "This file takes more memory than reading it may take.",
  slow: "Reading this file took too long and was given up.",
  output: "This file holds more than can be taken out of one file.",
  ended: "Reading this file was interrupted.",
  failed: "This file could not be read.",
  crowded: "Too many of your files wait to be read.",
  full: "Too many files wait to be read.",
  closed: "No more files are read.",
};

/** A file was not read. The message is one plain sentence. */
export class ReadingError extends Error {
  readonly failure: ReadingFailure;

  constructor(failure: ReadingFailure, options?: ErrorOptions) {
    super(WORDS[failure], options);
    this.name = "ReadingError";
    this.failure = failure;
  }
}
