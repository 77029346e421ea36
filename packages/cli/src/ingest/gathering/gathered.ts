/** What is gathered for `threadlore ingest`, and from where. */
import type { CompareScope, Vanishing } from "../sync/vanishing.ts";
import type { Refusal } from "../file-walk.ts";
import type { Candidate } from "../ingestion.ts";
import type { Collection, Journal, Shelf } from "../journal.ts";
import type { ExportKind, ExportOptions } from "../exports/export-kinds.ts";
import type { SiteOptions } from "../site/site.ts";
import type { Selection } from "./selection.ts";

/** What is pointed at, and how it is read. */
export interface Sources {
  /** Files, folders, web addresses, `-` for standard input. */
  readonly paths: readonly string[];
  readonly selection: Selection;
  readonly journal: Journal;
  readonly shelf: Shelf;
  readonly title?: string | undefined;
  readonly linkBase?: string | undefined;
  /** `--collection`: the name said for what is sent now. */
  readonly collection?: string | undefined;
  readonly takeOver: boolean;
  readonly followSymlinks: boolean;
  readonly allowPrivate: boolean;
  /** `--site`: a site whose sitemap says its pages. */
  readonly site?: Pick<SiteOptions, "address" | "mostPages" | "memory"> | undefined;
  /** What is pointed at is compared with what was sent from it, so there has to be something that can be. */
  readonly sync: boolean;
  /** What shows nothing of what was sent did lose it. */
  readonly allowEmpty: boolean;
  /** What is pointed at are exports of this kind. */
  readonly export?: (Pick<ExportOptions, "includePrivate" | "ownApp"> & { readonly kind: ExportKind }) | undefined;
  /** Which data the server has, where it tells; known before the first candidate is asked for. */
  readonly instance: () => string | undefined;
}

/** Everything that is to be sent, each read when its turn comes, and what it belongs to. */
export interface Gathered {
  readonly candidates: AsyncIterable<Candidate | Refusal>;
  readonly collections: readonly Collection[];
  /** What there is to say of the collections. */
  readonly said: readonly string[];
  /** Finds what vanished from them. To be called once every candidate was read. */
  compare(scope: CompareScope): Promise<Vanishing>;
  /** Files and folders that were left out so far. */
  leftOut(): number;
  /** How many documents there will be, and of how many bytes, as far as can be told before they are read. */
  count(signal: AbortSignal): Promise<{ count: number; bytes: number }>;
  /** Lets go of what was opened. */
  close(): Promise<void>;
}
