import type { Journal, Shelf } from "../journal.ts";

/** What is compared with what a source holds now. */
export interface CompareScope {
  readonly journal: Pick<Journal, "documentsOf" | "pairsOf">;
  readonly shelf: Shelf;
  /** Which data the server has, where it tells. */
  readonly instance: string | undefined;
  /** What shows nothing at all did lose its documents. */
  readonly allowEmpty: boolean;
}

/** A document whose file, page or thread is not where it was. */
export interface VanishedDocument {
  readonly id: string;
  /** How a person knows it: its path below the folder that was pointed at, its address, its name in the export. */
  readonly name: string;
  readonly collection: string;
  /** What the journal notes as its place in the collection. */
  readonly file: string;
  /** Looks once more, right before it is deleted. Absent: there is nothing more to look at. */
  readonly isBack?: () => Promise<boolean>;
}

/** One that stays on the server although it was not found, and why, in plain words. */
export interface KeptDocument {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** What a source lost of what this journal sent from it. */
export interface Vanishing {
  /** What its documents are of, such as `files`. */
  readonly of: string;
  /** Documents that were sent from it and not deleted since. */
  readonly known: number;
  readonly vanished: readonly VanishedDocument[];
  readonly kept: readonly KeptDocument[];
  /** Documents of collections that were looked at whole, of which no version noted where their files lie. */
  readonly unplaced: readonly string[];
  /** What there is to say of what was not compared. */
  readonly said: readonly string[];
  /** Why nothing may be deleted unless a person says that it is meant, and how. */
  readonly refusal?: string | undefined;
  /** What of the source was not read, so that nobody knows what it holds. */
  readonly partial?: string | undefined;
}

/** What several sources lost, as one: what keeps one of them from being compared keeps all. */
export function together(each: readonly Vanishing[]): Vanishing {
  const first = (key: "refusal" | "partial"): string | undefined =>
    each.map((one) => one[key]).find((said) => said !== undefined);
  return {
    of: each.map(({ of }) => of).join(" and "),
    known: each.reduce((sum, { known }) => sum + known, 0),
    vanished: each.flatMap(({ vanished }) => vanished),
    kept: each.flatMap(({ kept }) => kept),
    unplaced: each.flatMap(({ unplaced }) => unplaced),
    said: each.flatMap(({ said }) => said),
    refusal: first("refusal"),
    partial: first("partial"),
  };
}

/** Servers that do not tell their data keep one document for all pairs it was sent to: deleted for one, it is for all. */
export function keptForOthers({ journal, shelf, instance }: CompareScope, id: string): string | undefined {
  if (instance !== undefined) return undefined;
  const others = journal.pairsOf(shelf.server, id).filter((pair) => pair !== shelf.pair);
  if (others.length === 0) return undefined;
  const named = others.map((pair) => (pair === null ? "the default pair" : `pair ${pair}`)).join(", ");
  return `it was sent to ${named} too, and this server may delete a document from all its pairs at once`;
}
