import { type SourceFile, webId } from "@threadlore/documents";
import type { FileIdentity } from "./collections.ts";
import { UsageError } from "../exit-codes.ts";
import { readDocument } from "./file-document.ts";
import { type FoundFile, readFoundFile } from "./file-walk.ts";
import { type FetchedPage, fetchPublicPage, type FetchRules } from "./guarded-fetch.ts";
import type { Candidate, ReadDocument } from "./ingestion.ts";

/** How a file is sent. */
export interface FileOptions {
  /** Web address of the folder that was pointed at: sources link to the file's place under it. */
  readonly linkBase?: string | undefined;
  /** Says what it is sent as. Default: its name makes the id, as if its folder were the only one there is. */
  readonly identify?: (file: FoundFile) => Promise<FileIdentity>;
}

/** A file that was found. */
export function fileCandidate(file: FoundFile, { linkBase, identify }: FileOptions = {}): Candidate<ReadDocument> {
  const link = linkBase === undefined ? undefined : linkUnder(linkBase, file.name);
  return {
    name: file.name,
    read: async (signal) => {
      const { bytes, changedAt, isTorn } = await readFoundFile(file);
      const identity = await identify?.(file);
      const read = await readDocument(
        {
          name: file.name,
          path: identity?.path ?? file.name,
          id: identity?.id,
          bytes,
          modifiedAt: changedAt,
          link,
        },
        { signal },
      );
      const notes = isTorn ? [...read.notes, TORN] : read.notes;
      return { ...read, notes, noted: identity?.noted, bytes: bytes.length };
    },
  };
}

const TORN = "it was written to while it was read. The next run sends what it has become.";

/** What came from standard input. Its title is its identity: the same title again is an update. */
export function stdinCandidate(bytes: Uint8Array, title: string | undefined): Candidate {
  if (title === undefined || title.trim() === "") {
    throw new UsageError('What comes from standard input needs a title: --title "Call with the harbour".');
  }
  return {
    name: title,
    read: async (signal) => {
      const { document, notes } = await readDocument(
        { name: `${title}.md`, path: title, namespace: "stdin", bytes },
        { signal },
      );
      return { document: { ...document, semantic_identifier: title }, notes, bytes: bytes.length };
    },
  };
}

/** A page of the web, fetched under the rules of `fetchPublicPage`. */
export function urlCandidate(address: string, signal: AbortSignal, rules: Omit<FetchRules, "signal">): Candidate {
  return {
    name: address,
    read: async () => await pageDocument(await fetchPublicPage(address, { ...rules, signal }), signal),
  };
}

/** The document of a fetched page. Its id is made of its address. */
export async function pageDocument(page: FetchedPage, signal: AbortSignal): Promise<ReadDocument> {
  const read = await readDocument(
    {
      name: nameOfPage(page),
      id: await webId(page.url),
      link: page.url,
      source: "web",
      bytes: page.bytes,
      kind: KIND_OF_TYPE.get(page.contentType),
      modifiedAt: page.changedAt,
    },
    { signal },
  );
  return { ...read, bytes: page.bytes.length };
}

/** Whether a page is of a type that can be read, or of one that says nothing. */
export const isReadable = ({ contentType }: FetchedPage): boolean =>
  KIND_OF_TYPE.has(contentType) || ["", "application/octet-stream", "binary/octet-stream"].includes(contentType);

const nameOfPage = ({ url }: FetchedPage): string => new URL(url).pathname.split("/").at(-1) || new URL(url).host;

const KIND_OF_TYPE = new Map<string, NonNullable<SourceFile["kind"]>>(
  Object.entries({
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/plain": "text",
    "text/csv": "csv",
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/epub+zip": "epub",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    "message/rfc822": "eml",
    "application/x-ipynb+json": "notebook",
  } as const),
);

/** Each part of the name is encoded, so that no name leads out of the base. */
function linkUnder(base: string, name: string): string {
  return `${base.replace(/\/+$/, "")}/${name.split("/").map(encodeURIComponent).join("/")}`;
}
