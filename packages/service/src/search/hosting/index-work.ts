import type { IndexedDocument, IndexedPassage, IndexWriter } from "../postings/index-writer.ts";

/** What is to be done with an index in one transaction: plain data, so that it can be done in another thread. */
export interface IndexWork {
  readonly puts: readonly Put[];
  readonly removals: readonly Removal[];
  readonly vectors: readonly PassageVector[];
  /** All changes up to this one are in the index then. Absent: as before. */
  readonly applied?: number | undefined;
}

/** A document, or its next passages. */
export interface Put {
  readonly document: IndexedDocument;
  readonly passages: readonly IndexedPassage[];
  /** Number of the first of them; 0: what stood there of the document goes first. */
  readonly from: number;
  /** Whether these are its last ones. */
  readonly isWhole: boolean;
}

/** A document of which up to so many passages go, and in the end itself. */
export interface Removal {
  readonly document: number;
  readonly most: number;
}

/** The vector of a passage by a model; null: the model refused it. */
export interface PassageVector {
  readonly passage: number;
  readonly model: string;
  readonly vector: Float32Array | null;
}

/** What was done. */
export interface WorkDone {
  /** Passages that went, for each removal. */
  readonly removed: readonly number[];
}

/** All of it or nothing. */
export function doWork(writer: IndexWriter, { puts, removals, vectors, applied }: IndexWork): WorkDone {
  writer.begin();
  try {
    const removed = removals.map(({ document, most }) => writer.remove(document, most));
    for (const { document, passages, from, isWhole } of puts) {
      // A kill came between here and the note that it is indexed.
      if (writer.versionOf(document.number) === document.version) continue;
      if (from === 0) writer.remove(document.number);
      writer.put(document, passages, from, isWhole);
    }
    for (const one of vectors) writer.keepVector(one);
    if (applied !== undefined) writer.noteApplied(applied);
    writer.commit();
    return { removed };
  } catch (error) {
    writer.rollback();
    throw error;
  }
}
