import type { Candidate } from "../ingestion.ts";
import type { Refusal } from "../file-walk.ts";
import type { Journal, Shelf } from "../journal.ts";
import type { OpenedExport } from "./files/open-export.ts";

/** Where an export comes from. */
export const EXPORT_KINDS = ["slack", "confluence", "notion"] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/**
 * What its documents belong to in the journal: a name no folder has, or its --sync would miss their files.
 * @param name what stands in ids
 * @param told what the export itself says it is of; undefined: it does not say. Where a person calls it otherwise both count,
 *   so that exports of two places under one name are never taken for each other's.
 */
export const collectionOf = (kind: ExportKind, name: string, told?: string): string =>
  `export:${kind}/${name}${told === undefined || told === name ? "" : `@${told}`}`;

/** How an export is read. */
export interface ExportOptions {
  /** What is taken, by the names shown. */
  readonly takes: (name: string) => boolean;
  readonly journal: Pick<Journal, "newest" | "documentsOf">;
  readonly shelf: Shelf;
  /** Which data the server has, where it tells; known once something is sent. */
  readonly instance: () => string | undefined;
  /** Address of the workspace or wiki, without a slash at its end. */
  readonly linkBase?: string | undefined;
  /** `--collection`: stands in ids in place of what the export says. */
  readonly collection?: string | undefined;
  /** Of Slack: also what not everybody there may read. */
  readonly includePrivate: boolean;
  /** Of Slack: what the app of this name wrote is left out. */
  readonly ownApp: string;
  /** Takes the ids of everything that is in the export, taken or left out. */
  readonly seen: { add(id: string): void };
  /** Ctrl-C: nothing more is made. */
  readonly signal: AbortSignal;
}

/** An export whose lists were read: its documents, made one by one. */
export interface ExportReading {
  /** What its documents belong to. */
  readonly collection: string;
  /** What there is to say before anything is sent. */
  readonly said: readonly string[];
  candidates(): AsyncIterable<Candidate | Refusal>;
  /** How many there will be, and of how many bytes, as far as can be told. Ends early when the signal ends it. */
  count(signal: AbortSignal): Promise<{ count: number; bytes: number }>;
  /** Files, threads and days that were left out so far. */
  leftOut(): number;
  /** How it is compared with what was sent from it before. */
  readonly comparing: Comparing;
}

/** How an export is compared with what earlier ones of the same place sent. */
export interface Comparing {
  /** What its documents are of, such as `pages`. */
  readonly of: string;
  /** Collections of the journal. */
  readonly collections: readonly string[];
  /** Whether a document may be in it, as far as names and lists tell before anything is read. */
  readonly mayHold: (id: string) => boolean;
  /** Why it cannot be compared, and what to do. */
  readonly unclear?: string | undefined;
  /** What of it was not read, known once all candidates were taken; undefined: nothing. */
  readonly partial?: (() => string | undefined) | undefined;
  /** Whether a document would be in it if it were still there. Default: each would. */
  readonly reaches?: ((id: string, file: string) => boolean) | undefined;
  /** What there is to say of those it does not reach. */
  readonly beyond?: string | undefined;
  /** Why it may be an export of something else, by the ids it would hold; undefined: it is what it seems. */
  readonly doubt?: ((ids: readonly string[]) => string | undefined) | undefined;
}

/** Reads the lists of an export. Throws UsageError where it is none of its kind, with what to do. */
export type ExportReader = (opened: readonly OpenedExport[], options: ExportOptions) => Promise<ExportReading>;
