import {
  linkedHtml,
  linkedMarkdown,
  notionLink,
  type NotionName,
  notionName,
  notionShownPath,
  notionTrail,
} from "@threadlore/documents/exports";
import { contentHash, fileId } from "@threadlore/documents";
import { UsageError } from "../../../exit-codes.ts";
import { readDocument } from "../../file-document.ts";
import type { Candidate, ReadDocument } from "../../ingestion.ts";
import { collectionOf, type ExportReader } from "../export-kinds.ts";
import { eachOnce, type ExportFile } from "../files/export-files.ts";
import {
  attachedCandidate,
  type AttachedPart,
  counted,
  isReadableName,
  linkedWhole,
  MAX_PAGE_BYTES,
  titled,
} from "../page-files.ts";

/** A page, or a database as a table. */
interface Sheet extends NotionName {
  readonly file: ExportFile;
  readonly shown: string;
}

const KINDS: Readonly<Record<string, "markdown" | "html" | "csv">> = {
  ".md": "markdown",
  ".html": "html",
  ".csv": "csv",
};

/** Pages and databases of a workspace's export, and what hangs on them. */
export const readNotionExport: ExportReader = async (opened, options) => {
  const files = eachOnce(
    opened.flatMap((one) => one.files),
    [],
  );
  const sheets = withoutViews(files.flatMap(sheetOf));
  if (!sheets.some(({ id }) => id !== undefined)) throw notNotion(opened.map(({ name }) => name).join(", "));
  const sheetFiles = new Set(files.filter(isSheet));
  const hanging = files.filter((file) => !sheetFiles.has(file) && !isContents(file));
  const attached = hanging.filter(({ path }) => isReadableName(path));
  const others = hanging.length - attached.length;
  const collection = collectionOf("notion", options.collection ?? "pages");
  const own = new Set(await Promise.all(sheets.map(idOf)));
  let leftOut = 0;
  const takes = (name: string): boolean => {
    const isTaken = options.takes(name);
    if (!isTaken) leftOut += 1;
    return isTaken;
  };
  return {
    collection,
    said: [
      `Notion: ${counted(sheets.length, "page")} (tables count), ${counted(attached.length, "attached file")} of a kind that can be read.`,
      ...(others > 0 ? [`left out ${counted(others, "file")} without text, such as pictures`] : []),
      "An export of Notion does not tell who wrote a page, when it was changed, who may read it, or what was remarked on it.",
    ],
    leftOut: () => leftOut + others,
    comparing: {
      of: "pages",
      collections: [collection],
      mayHold: (id) => own.has(id),
      unclear: options.collection === undefined ? UNNAMED : undefined,
    },
    count: async () => ({
      count: sheets.length + attached.length,
      bytes: [...sheets.map(({ file }) => file), ...attached].reduce((sum, { bytes }) => sum + bytes, 0),
    }),
    candidates: async function* () {
      /** By id, where the first of it lies: an id that is there twice would be one document by turns. */
      const seen = new Map<string, string>();
      for (const sheet of sheets) {
        const id = await idOf(sheet);
        options.seen.add(id);
        if (!takes(sheet.shown)) continue;
        const other = seen.get(id);
        if (other === undefined) yield sheetCandidate(sheet, { id, collection });
        else yield { name: sheet.shown, reason: `it has the id of ${other}, which was taken` };
        seen.set(id, other ?? sheet.shown);
      }
      const pages = pagesByFolder(sheets);
      for (const file of attached) {
        const shown = notionShownPath(file.path);
        const part = await attachedPart(file, { shown, pages, collection });
        options.seen.add(part.id);
        if (takes(shown)) yield attachedCandidate(part);
      }
    },
  };
};

const UNNAMED =
  "an export of Notion does not tell its workspace, nor which pages it was asked for, so nobody knows with what --sync is to compare it. Give it a name with --collection, the same for each export of the same pages: from then on they are compared with what was sent under that name.";

function notNotion(name: string): UsageError {
  return new UsageError(
    `Nothing was sent: ${name} is no export of Notion: no name in it ends with the 32 digits of a page. Export it as "Markdown & CSV" or HTML, and name the ZIP file as it was fetched, or the folder it was unpacked to.`,
  );
}

/** The list of its pages that an export as HTML has at its root. */
const isContents = ({ path }: ExportFile): boolean => notionShownPath(path) === "index.html";

const isSheet = ({ path }: ExportFile): boolean => {
  const { ending, id } = notionName(path);
  return ending in KINDS && (id !== undefined || ending !== ".html");
};

function sheetOf(file: ExportFile): Sheet[] {
  return isSheet(file) ? [{ ...notionName(file.path), file, shown: notionShownPath(file.path) }] : [];
}

/** Of a table with all rows and its twin with those of a view, the first. */
function withoutViews(sheets: readonly Sheet[]): Sheet[] {
  const keyOf = ({ file: { path }, title, id }: Sheet): string =>
    JSON.stringify([path.slice(0, path.lastIndexOf("/") + 1), title, id]);
  const whole = new Set(sheets.filter(({ isWhole }) => isWhole).map(keyOf));
  return sheets.filter((sheet) => sheet.ending !== ".csv" || sheet.isWhole || !whole.has(keyOf(sheet)));
}

/** A database can be there as a page and as a table. */
async function idOf({ id, ending, file }: Sheet): Promise<string> {
  if (id === undefined) return await fileId(file.path, "notion");
  return ending === ".csv" ? `notion-${id}-table` : `notion-${id}`;
}

function sheetCandidate(
  { file, shown, title, id: page, ending }: Sheet,
  { id, collection }: { id: string; collection: string },
): Candidate {
  return {
    name: shown,
    read: async (signal): Promise<ReadDocument> => {
      const raw = await file.read(MAX_PAGE_BYTES);
      const name = `${title || "Untitled"}${ending}`;
      const trail = notionTrail(file.path);
      const read = await readDocument(
        {
          name,
          path: shown,
          id,
          kind: KINDS[ending],
          bytes: linked(raw, ending),
          source: "notion",
          link: page === undefined ? undefined : notionLink(page),
          ...(trail.length > 0 && { metadata: { breadcrumbs: trail } }),
        },
        { signal },
      );
      // What has no title of its own is called by its file's name.
      const made = read.document.semantic_identifier === name ? titled(read, title || "Untitled") : read;
      return { ...linkedWhole(made), noted: { collection, file: shown }, bytes: raw.length };
    },
  };
}

function linked(raw: Uint8Array<ArrayBuffer>, ending: string): Uint8Array<ArrayBuffer> {
  if (ending === ".csv") return raw;
  const text = new TextDecoder().decode(raw);
  return new TextEncoder().encode(ending === ".md" ? linkedMarkdown(text) : linkedHtml(text));
}

/** By the folder what hangs on a page lies in, with its id or without, the page. */
function pagesByFolder(sheets: readonly Sheet[]): Map<string, Sheet> {
  const pages = new Map<string, Sheet>();
  for (const sheet of sheets) {
    const { path } = sheet.file;
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const named = path.slice(0, path.length - sheet.ending.length);
    for (const one of [named, `${folder}${sheet.title}`]) if (!pages.has(one)) pages.set(one, sheet);
  }
  return pages;
}

async function attachedPart(
  file: ExportFile,
  { shown, pages, collection }: { shown: string; pages: ReadonlyMap<string, Sheet>; collection: string },
): Promise<AttachedPart> {
  const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf("/")));
  const page = pages.get(folder);
  const name = file.path.slice(folder.length).replace(/^\//, "");
  const owner = page?.id;
  return {
    file,
    name,
    id:
      owner === undefined
        ? await fileId(file.path, "notion")
        : `notion-${owner}-${(await contentHash(name)).slice(0, 16)}`,
    pageTitle: page?.title,
    link: owner === undefined ? undefined : notionLink(owner),
    source: "notion",
    collection,
    shown,
  };
}
