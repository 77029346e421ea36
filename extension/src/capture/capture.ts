/** What the capture script and the extension say to each other. The script runs in the page and is put there by a click. */
import type { PageSnapshot } from "@threadlore/documents";
import type { KeptDocument, NewEntry } from "../outbox/outbox-entry.ts";

/** What the capture script is asked for. */
export interface CaptureRequest {
  /** Only what is marked, where something is. */
  readonly selection?: boolean;
  /** Whether to find out what somebody without this browser's cookies would get: one more request to the page's site. */
  readonly compare?: boolean;
  /** Names this reading: asked for again by a worker that was ended meanwhile, the page gives what it read then. */
  readonly id?: string;
}

/** A page made ready to be kept. All of it comes from one document, at one moment. */
export interface PageToKeep
  extends
    Pick<PageSnapshot, "url" | "contentType" | "title" | "extent" | "characters" | "privacy">,
    Pick<KeptDocument, "addresses"> {
  /** The first 300 characters of its text. */
  readonly beginning: string;
  /** Absent: there is nothing in it to keep. */
  readonly made?: Pick<NewEntry, "documentId" | "link" | "document" | "hash"> & {
    /** How it came about, in plain words; usually none. */
    readonly notes: readonly string[];
  };
}

/** The global the capture script leaves in a page's isolated world, where scripts of the page do not reach. */
export type CaptureScope = typeof globalThis & {
  threadlore?: {
    read(request: CaptureRequest): Promise<PageSnapshot>;
    keep(request: CaptureRequest): Promise<PageToKeep>;
  };
};
