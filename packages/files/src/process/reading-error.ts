const WORDS = {
  memory: "This file takes more memory than reading it may take.",
  slow: "Reading this file took too long and was given up.",
  output: "This file holds more than can be taken out of one file.",
  /** The reader ended in the middle, by itself or from outside. */
  ended: "Reading this file was interrupted.",
  /** The reader module threw. */
  failed: "This file could not be read.",
  // Of these nothing was begun.
  crowded: "Too many of your files wait to be read.",
  full: "Too many files wait to be read.",
  closed: "No more files are read.",
};

/** Why a file was not read: its own memory, time or output, its reader, or too much waiting, of one person or of all. */
export type ReadingFailure = keyof typeof WORDS;

/** A file was not read. The message is one plain sentence. */
export class ReadingError extends Error {
  readonly failure: ReadingFailure;

  constructor(failure: ReadingFailure, options?: ErrorOptions) {
    super(WORDS[failure], options);
    this.name = "ReadingError";
    this.failure = failure;
  }
}
