import type { MadeDocument } from "@threadlore/documents";
import { readDocument } from "../file-document.ts";
import type { Candidate } from "../ingestion.ts";
import type { ExportFile } from "./files/export-files.ts";

/** A page of an export is no larger, bytes; pictures in it count. */
export const MAX_PAGE_BYTES = 50_000_000;

/** Kinds of files that hold text that can be read. */
const READABLE =
  /\.(?:csv|docm|docx|eml|epub|htm|html|ipynb|markdown|md|odp|ods|odt|pdf|pptm|pptx|rtf|tsv|txt|xlsm|xlsx)$/i;

/** Whether a file that hangs on a page is of a kind that can be read. */
export const isReadableName = (name: string): boolean => READABLE.test(name);

/** Such as `1 page` and `2 pages`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A file that hangs on a page. */
export interface AttachedPart {
  readonly file: ExportFile;
  /** Its name in the place it comes from. */
  readonly name: string;
  readonly id: string;
  /** Title of the page it hangs on. */
  readonly pageTitle: string | undefined;
  /** Address of that page. */
  readonly link: string | undefined;
  readonly source: string;
  readonly collection: string;
  /** As it is shown. */
  readonly shown: string;
}

/** A document of its own, named after the file and the page it hangs on. */
export function attachedCandidate(part: AttachedPart): Candidate {
  const { file, name, id, pageTitle, link, source, collection, shown } = part;
  return {
    name: shown,
    read: async (signal) => {
      const bytes = await file.read(MAX_PAGE_BYTES);
      const about = pageTitle === undefined ? {} : { metadata: { page: pageTitle } };
      const read = await readDocument({ name, path: shown, id, link, source, bytes, ...about }, { signal });
      return {
        ...titled(linkedWhole(read), pageTitle === undefined ? name : `${name} (${pageTitle})`),
        noted: { collection, file: shown },
        bytes: bytes.length,
      };
    },
  };
}

/** The same document under another title. */
export const titled = ({ document, notes }: MadeDocument, title: string): MadeDocument => ({
  document: { ...document, semantic_identifier: title },
  notes,
});

/** The same document, its sections linked to the page as a whole: their places in the file are none of the page's. */
export const linkedWhole = ({ document, notes }: MadeDocument): MadeDocument => ({
  document: {
    ...document,
    sections: document.sections.map((section) =>
      section.link == null ? section : { ...section, link: section.link.split("#", 1)[0] },
    ),
  },
  notes,
});
