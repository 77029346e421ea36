import type { Steps } from "./steps.ts";

/** What became of one of several things that were to be written at one time. */
export type Fate<Result> = { readonly result: Result } | { readonly refusal: unknown };

/** How much of what is written together there may be, besides its number. */
export interface Weighed {
  /** Characters, about. */
  readonly weight: number;
}

/** The truth: what is known of documents, keys, conversations and files, in one database. */
export interface Store {
  /** Looks something up. What several statements give may be of different moments. */
  read<Result>(steps: Steps<Result>): Promise<Result>;
  /** Does something in one transaction. It is on the disk when this resolves; when it rejects, nothing of it is kept. */
  write<Result>(steps: () => Steps<Result>): Promise<Result>;
  /** As `write`, for what takes things out or ends what was begun: with the room that is kept back on a full disk. */
  makeRoom<Result>(steps: () => Steps<Result>): Promise<Result>;
  /**
   * A way to write things of one kind, each as by `write`. Where a transaction takes long, those that arrive during one go into
   * the next together.
   * @param writeAll writes several, and says of each in their order what became of it. Where it throws, none of them is written,
   * and it is asked to write each alone.
   */
  gathering<Item extends Weighed, Result>(
    writeAll: (items: readonly Item[]) => Steps<Fate<Result>[]>,
  ): (item: Item) => Promise<Result>;
}

/** What was written, or the refusal, thrown. */
export function resultOf<Result>(written: Fate<Result> | undefined): Result {
  if (written === undefined) throw new Error("nobody said what became of it");
  if ("refusal" in written) throw written.refusal;
  return written.result;
}
