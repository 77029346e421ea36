import { IngestionDocument } from "@threadlore/client/models";
import { documentFromFile, type MadeDocument, type SourceFile } from "@threadlore/documents";
import { FileRefusedError, isQuickToRead } from "@threadlore/files";
import { ReaderPool, ReadingError, type ReadingFailure } from "@threadlore/files/child";
import type { SentFile } from "./document-reader.ts";

/** Between pages the reader of PDF gives up by itself after 20 s; what does not come back is given up later. */
const MAX_MS = 40_000;
/** Memory of one of the two processes that read. A Word document takes a hundred times what its text takes. */
const MEMORY_BYTES = 512_000_000;
/** Text that is no longer than this is read at once: it cannot take more than a moment. */
const SMALL_BYTES = 1_000_000;

/** In the sources a TypeScript file, in the published package what it was compiled to. */
const READER = new URL(
  import.meta.url.endsWith(".ts") ? "./document-reader.ts" : "./document-reader.js",
  import.meta.url,
);

/** One for the whole program: it starts nothing before it is used, and keeps nothing running. */
const readers = new ReaderPool({
  reader: READER,
  memoryBytes: MEMORY_BYTES,
  mostMs: MAX_MS,
  outputBytes: 100_000_000,
  // All are files of the person who runs this, and are waited for.
  readersPerPerson: 2,
  placesPerPerson: Infinity,
});

const SAVE_ANEW = "Save it anew in another program and give that file.";
const WHY: Readonly<Record<ReadingFailure, string>> = {
  memory: `it takes more memory than reading a file may take. Split it, or give its text.`,
  slow: `reading it took too long and was given up. ${SAVE_ANEW}`,
  output: `it holds more than can be taken out of one file. Split it.`,
  ended: `reading it was interrupted. Run the command again; if that happens again, give its text.`,
  failed: `it could not be read: it may be damaged. ${SAVE_ANEW}`,
  crowded: "too many files wait to be read. Run the command again.",
  full: "too many files wait to be read. Run the command again.",
  closed: "no more files are read. Run the command again.",
};

/** How a file is read. */
export interface ReadOptions {
  /** Ends the reading at once; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time it has, milliseconds. Default 40,000. */
  readonly mostMs?: number;
}

/**
 * The document of a file. PDF, office files, books, mail and whatever else can be made to take more than a moment is read in a process of its
 * own that has a limit: a run over a folder must not end there. Throws with the reason, and what to do, where there is none.
 */
export async function readDocument(file: SourceFile, options: ReadOptions = {}): Promise<MadeDocument> {
  if (!isQuickToRead(file, SMALL_BYTES)) return await readApart(file, options);
  try {
    return await documentFromFile(file);
  } catch (error) {
    // The report names the file already.
    if (error instanceof FileRefusedError) throw new Error(withoutName(error.message, file), { cause: error });
    throw error;
  }
}

async function readApart({ bytes, modifiedAt, ...file }: SourceFile, options: ReadOptions): Promise<MadeDocument> {
  const about: SentFile = { ...file, modifiedAt: modifiedAt?.toISOString() };
  const place = readers.enter("");
  let answer: unknown;
  try {
    answer = await place.read({ bytes, about, signal: options.signal, mostMs: options.mostMs });
  } catch (error) {
    throw error instanceof ReadingError ? new Error(WHY[error.failure], { cause: error }) : error;
  } finally {
    place.leave();
  }
  const { refused, document, notes } = fieldsOf(answer);
  if (typeof refused === "string") throw new Error(withoutName(refused, file));
  // It was made of somebody's file by another process: what it is, is looked at once more.
  return {
    document: IngestionDocument.parse(document),
    notes: Array.isArray(notes) ? notes.filter((note) => typeof note === "string") : [],
  };
}

function fieldsOf(answer: unknown): { refused?: unknown; document?: unknown; notes?: unknown } {
  return typeof answer === "object" && answer !== null ? answer : {};
}

function withoutName(message: string, { name }: Pick<SourceFile, "name">): string {
  return message.replace(`${name}: `, "");
}
