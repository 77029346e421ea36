import {
  confluencePage,
  type ConfluencePage,
  confluencePageId,
  confluencePageLink,
  type PageReadingOptions,
  confluenceSpace,
} from "@threadlore/documents/exports";
import { UsageError } from "../../../exit-codes.ts";
import { readDocument } from "../../file-document.ts";
import type { Candidate } from "../../ingestion.ts";
import type { Refusal } from "../../file-walk.ts";
import { collectionOf, type ExportOptions, type ExportReader } from "../export-kinds.ts";
import type { ExportFile } from "../files/export-files.ts";
import { beneath, type OpenedExport } from "../files/open-export.ts";
import { attachedCandidate, counted, isReadableName, MAX_PAGE_BYTES } from "../page-files.ts";

/** A space's export that was named. */
interface Space {
  /** What stands for it in ids. */
  readonly key: string;
  /** What its documents belong to. */
  readonly collection: string;
  /** Pages its list names that are not in it. */
  readonly missing: number;
  /** Its name; undefined: it is not told. */
  readonly name: string | undefined;
  readonly pages: readonly ExportFile[];
  readonly attachments: readonly ExportFile[];
}

/** Throws UsageError for what by its name is an export in a format that is not read. */
export function refuseOtherFormats(names: readonly string[]): void {
  for (const name of names) {
    if (/\.pdf$/i.test(name)) throw otherFormat(name, "an export as PDF");
    if (/\.(?:xml|docx?)$/i.test(name)) throw otherFormat(name, "an export in another format");
  }
}

/** Pages of a space's HTML export, and what hangs on them. */
export const readConfluenceExport: ExportReader = async (opened, options) => {
  const spaces = await Promise.all(opened.map((one) => spaceOf(one, options.collection)));
  const readable = spaces.flatMap(({ attachments }) => attachments.filter(({ path }) => isReadableName(path)));
  const pages = spaces.flatMap((space) => space.pages);
  const others = spaces.reduce((sum, { attachments }) => sum + attachments.length, 0) - readable.length;
  const keys = [...new Set(spaces.map(({ key }) => key))];
  const collection = collectionOf("confluence", keys.join("+"));
  const own = new Set(spaces.flatMap((space) => space.pages.map(({ path }) => pageId(space.key, path))));
  let leftOut = 0;
  return {
    collection,
    said: [
      `Confluence ${keys.join(", ")}: ${counted(pages.length, "page")}, ${counted(readable.length, "attached file")} of a kind that can be read.`,
      ...(others > 0 ? [`left out ${counted(others, "attached file")} without text, such as pictures`] : []),
      FOR_WHOM,
      ...(options.linkBase === undefined ? [NO_LINKS] : []),
    ],
    leftOut: () => leftOut + others,
    comparing: {
      of: "pages",
      collections: spaces.map((space) => space.collection),
      mayHold: (id) => own.has(id),
      partial: () => missingWords(spaces),
    },
    count: async () => ({
      count: pages.length + readable.length,
      bytes: [...pages, ...readable].reduce((sum, { bytes }) => sum + bytes, 0),
    }),
    candidates: async function* () {
      for (const space of spaces) {
        const takes = (file: ExportFile): boolean => {
          const isTaken = options.takes(file.path);
          if (!isTaken) leftOut += 1;
          return isTaken;
        };
        yield* spaceCandidates(space, { options, takes });
      }
    },
  };
};

function missingWords(spaces: readonly Space[]): string | undefined {
  const missing = spaces.reduce((sum, space) => sum + space.missing, 0);
  if (missing === 0) return undefined;
  return `index.html lists ${counted(missing, "page")} that the export does not have, so it is not whole. Fetch it once more, or unpack it anew.`;
}

/** The files have nothing that restricted pages could be known by. */
const FOR_WHOM =
  "An HTML export does not tell which pages are restricted: it has what whoever made it may read, and everybody who may read this pair reads it. Make it with an account that sees only what all of them may see, or leave pages out by --exclude.";

const NO_LINKS =
  "Sources will not link to the pages. --link-base with the wiki's address (https://YOURS.atlassian.net/wiki) links them, and the links between pages too.";

interface SpaceScope {
  readonly options: ExportOptions;
  readonly takes: (file: ExportFile) => boolean;
}

async function* spaceCandidates(space: Space, scope: SpaceScope): AsyncGenerator<Candidate | Refusal> {
  const { options, takes } = scope;
  const { key, collection } = space;
  const wiki = options.linkBase;
  /** By the path of an attached file, its name and the page it hangs on. */
  const hanging = new Map<string, { readonly name: string; readonly title: string }>();
  for (const file of space.pages) {
    options.seen.add(pageId(key, file.path));
    const page = await pageIn(file, { wiki, space: space.name });
    if (page instanceof Error) {
      if (takes(file)) yield { name: file.path, reason: page.message };
      continue;
    }
    for (const [path, name] of page.attachments) hanging.set(path, { name, title: page.title });
    if (takes(file)) yield pageCandidate(file, page, { key, wiki, collection });
  }
  for (const file of space.attachments) {
    if (!isReadableName(file.path)) continue;
    const [, owner, own = file.path] = /^attachments\/(\d+)\/(.+)$/.exec(file.path) ?? [];
    const id = idOf(key, ...(owner === undefined ? [] : [owner]), own);
    options.seen.add(id);
    if (!takes(file)) continue;
    const known = hanging.get(file.path);
    const name = known?.name ?? own.slice(own.lastIndexOf("/") + 1);
    yield attachedCandidate({
      file,
      name: isReadableName(name) ? name : `${name}${/\.\w+$/.exec(own)?.[0] ?? ""}`,
      id,
      pageTitle: known?.title,
      link: wiki === undefined || owner === undefined ? undefined : confluencePageLink(wiki, owner),
      source: "confluence",
      collection,
      shown: file.path,
    });
  }
}

/** Ids hold letters, digits and `_.-` only. */
const idOf = (...parts: readonly string[]): string =>
  ["confluence", ...parts].map((part) => part.replace(/[^A-Za-z0-9_.-]/g, "_")).join("-");

/** Pages of old versions have no number; their names are all there is. */
const pageId = (key: string, path: string): string =>
  idOf(key, confluencePageId(path) ?? path.replace(/\.html?$/i, ""));

async function pageIn(file: ExportFile, options: PageReadingOptions): Promise<ConfluencePage | Error> {
  try {
    return confluencePage(new TextDecoder().decode(await file.read(MAX_PAGE_BYTES)), options);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function pageCandidate(
  { path }: ExportFile,
  page: ConfluencePage,
  { key, wiki, collection }: { key: string; wiki: string | undefined; collection: string },
): Candidate {
  const number = confluencePageId(path);
  return {
    name: path,
    read: async (signal) => {
      const bytes = new TextEncoder().encode(page.html);
      const { breadcrumbs, editor, changed } = page;
      const read = await readDocument(
        {
          name: `${page.title || path}.html`,
          path,
          id: pageId(key, path),
          kind: "html",
          bytes,
          source: "confluence",
          link: wiki === undefined || number === undefined ? undefined : confluencePageLink(wiki, number),
          metadata: {
            space: key,
            ...(breadcrumbs.length > 0 && { breadcrumbs: [...breadcrumbs] }),
            ...(editor !== undefined && { changed_by: editor }),
          },
          modifiedAt: changed === undefined ? undefined : new Date(changed),
        },
        { signal },
      );
      return { ...read, noted: { collection, file: path }, bytes: bytes.length };
    },
  };
}

async function spaceOf(opened: OpenedExport, named: string | undefined): Promise<Space> {
  const { name, files } = opened;
  if (files.some(({ path }) => /(?:^|\/)entities\.xml$/.test(path)))
    throw otherFormat(name, "the XML export of a space");
  const root = beneath(files, "index.html");
  const pages = root?.filter(({ path }) => /^[^/]+\.html?$/i.test(path) && path !== "index.html") ?? [];
  if (root === undefined || pages.length === 0) {
    if (files.some(({ path }) => path.toLowerCase().endsWith(".pdf"))) throw otherFormat(name, "an export as PDF");
    throw new UsageError(
      `Nothing was sent: ${name} is no HTML export of a Confluence space: it has no index.html with pages beside it. Name the ZIP file as Confluence gave it, or the folder it was unpacked to.`,
    );
  }
  const index = await indexOf(root);
  const told = confluenceSpace(index);
  const key = named ?? told.key;
  if (key === undefined) {
    throw new UsageError(
      `Nothing was sent: ${name} does not tell the key of its space, which stands in the ids of its pages. Say it with --collection KEY; the wiki shows it in the addresses of the space.`,
    );
  }
  return {
    key,
    collection: collectionOf("confluence", key, told.key),
    missing: missingPages(index, pages),
    name: told.name,
    pages,
    attachments: root.filter(({ path }) => path.startsWith("attachments/")),
  };
}

/** Empty where it cannot be read. */
async function indexOf(root: readonly ExportFile[]): Promise<string> {
  const index = root.find(({ path }) => path === "index.html");
  return await (index?.read(MAX_PAGE_BYTES) ?? Promise.resolve(new Uint8Array())).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => "",
  );
}

/** How many pages with a number the list of pages names that are not there: of a download that broke off, or a folder. */
function missingPages(index: string, pages: readonly ExportFile[]): number {
  const there = new Set(pages.map(({ path }) => confluencePageId(path)));
  const listed = Array.from(index.matchAll(/href="([^"/:?#]{1,1000}\.html?)"/gi), ([, path = ""]) =>
    confluencePageId(path),
  );
  return new Set(listed.filter((id) => !there.has(id))).size;
}

function otherFormat(name: string, what: string): UsageError {
  return new UsageError(
    `Nothing was sent: ${name} is ${what}, and the HTML export is read. In the settings of the space, under "Export space", choose HTML, with all its pages.`,
  );
}
