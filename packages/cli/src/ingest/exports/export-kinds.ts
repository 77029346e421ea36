import type { Candidate } from "../ingestion.ts";
import type { Refusal } from "../file-walk.ts";
import type { Journal, Shelf } from "../journal.ts";
import type { OpenedExport } from "./files/open-export.ts";

/** Where an export comes from. */
export const EXPORT_KINDS = ["slack", "confluence", "notion"] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** What its documents belong to in the journal: a name no folder has, or its --sync would miss their files. */
export const collectionOf = (kind: ExportKind, name: string): string => `export:${kind}/${name}`;

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
}

/** Reads the lists of an export. Throws UsageError where it is none of its kind, with what to do. */
export type ExportReader = (opened: readonly OpenedExport[], options: ExportOptions) => Promise<ExportReading>;
