import { readPage, serverSigns } from "@threadlore/documents/read-page";
import type { CaptureRequest, PageToKeep } from "./capture.ts";
import { pageToKeep } from "./page-to-keep.ts";

/** Longest wait for the page as a stranger gets it, milliseconds; without it, a person is asked. */
const COMPARE_MS = 5_000;

/** The last reading that has a name, and its name. */
let last: { readonly id: string; readonly reading: Promise<PageToKeep> } | undefined;

/** As `keepPage`, once for each name. */
export function keepPageOnce(document: Document, request: CaptureRequest): Promise<PageToKeep> {
  const { id } = request;
  if (id === undefined) return keepPage(document, request);
  if (last?.id !== id) last = { id, reading: keepPage(document, request) };
  return last.reading;
}

/** Reads the page and makes the document of it. Runs inside the page, so that the worker stays small. */
async function keepPage(document: Document, { selection, compare = false }: CaptureRequest): Promise<PageToKeep> {
  const page = await readPage(document, { selection });
  // Where there is a sign already, a person is asked anyway, and the site need not be.
  const isAsked = compare && page.privacy.length === 0;
  return pageToKeep(page, isAsked ? await serverSigns(page, AbortSignal.timeout(COMPARE_MS)) : page.privacy);
}
