import type { PageSnapshot } from "@threadlore/documents";
import { browser } from "wxt/browser";
import type { CaptureScope, CaptureRequest, PageToKeep } from "./capture.ts";
import { leaveReason, type LeaveReason } from "./policy.ts";
import { readSettings } from "../settings/settings.ts";

/** Why a tab gave no page. */
export type UnreadableReason =
  | LeaveReason
  /** The extension has no access: its icon was not clicked there and the site is not allowed. */
  | "not-allowed"
  /** It was closed, or went elsewhere while it was read. */
  | "gone"
  /** It did not answer in time: it is busy with itself, or still loading. */
  | "slow"
  /** It is a PDF, whose text only the panel can read. */
  | "pdf"
  /** An image, a video, an empty page: nothing to read. */
  | "no-text";

/** Longest a page may take that nobody looks at while it is read, milliseconds. */
export const READ_MS = 20_000;

/** What reading a tab gave: a page, or why there is none. */
export type Reading<Page> = { readonly page: Page } | Unreadable;

interface Unreadable {
  readonly page?: undefined;
  readonly why: UnreadableReason;
  /** Its address, where that is known. */
  readonly url?: string;
}

const SLOW: Unreadable = { why: "slow" };

/** Reads what a person sees of a tab's page. Nothing stays in the page but the capture script, asleep. */
export async function readTab(tabId: number, request: CaptureRequest = {}): Promise<Reading<PageSnapshot>> {
  const reading = await capture(tabId, (asked) => (globalThis as CaptureScope).threadlore?.read(asked), request);
  return reading.page?.parts.length === 0 ? { why: "no-text", url: reading.page.url } : reading;
}

/** Reads a tab's page and makes it ready to be kept. A page that has not answered when `enough` is aborted is slow. */
export async function readTabToKeep(
  tabId: number,
  request: CaptureRequest = {},
  enough: AbortSignal = AbortSignal.timeout(READ_MS),
): Promise<Reading<PageToKeep>> {
  const ask = (asked: CaptureRequest) => (globalThis as CaptureScope).threadlore?.keep(asked);
  const reading = await inTime(capture(tabId, ask, request), enough, SLOW);
  if (reading.page !== undefined && reading.page.made === undefined) return { why: "no-text", url: reading.page.url };
  return reading;
}

/**
 * What is `done`, or `late` where that comes first. Browsers wait without end for a page that does not answer, and know
 * no way to call a script back.
 */
export function inTime<Done, Late>(done: Promise<Done>, enough: AbortSignal, late: Late): Promise<Done | Late> {
  const over = new Promise<Late>((resolve) => {
    if (enough.aborted) resolve(late);
    enough.addEventListener("abort", () => resolve(late));
  });
  return Promise.race([done, over]);
}

/** Injects the capture script and calls it. `ask` runs inside the page and knows nothing of this file. */
async function capture<Page extends Pick<PageSnapshot, "url" | "contentType">>(
  tabId: number,
  ask: (request: CaptureRequest) => Promise<Page> | Page | undefined,
  request: CaptureRequest,
): Promise<Reading<Page>> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  if (tab === undefined) return { why: "gone" };
  const { denyList } = await readSettings();
  const why = leaveReason(tab.url, denyList);
  if (why !== undefined) return { why, url: tab.url };
  try {
    const [found] = await browser.scripting.executeScript({ target: { tabId }, func: isInstalled });
    if (found === undefined) return { why: "gone", url: tab.url };
    // This very document from here on: another one has another id, even under the same address.
    const target = { tabId, ...(found.documentId !== undefined && { documentIds: [found.documentId] }) };
    if (found.result !== true) await browser.scripting.executeScript({ target, files: [CAPTURE_SCRIPT] });
    const [read] = await browser.scripting.executeScript({ target, func: ask, args: [request] });
    const page = read?.result as Page | null | undefined;
    // An application can show another page in the same document: what was read belongs to the address it was read at.
    if (page == null || !isSamePage(tab.url, page.url)) return { why: "gone", url: tab.url };
    // The tab's address is not always told beforehand; the page's own is.
    const left = leaveReason(page.url, denyList) ?? (page.contentType === "application/pdf" ? "pdf" : undefined);
    return left === undefined ? { page } : { why: left, url: page.url };
  } catch (error) {
    return { why: whyNot(error), url: tab.url };
  }
}

/** Runs inside the page. */
function isInstalled(): boolean {
  return (globalThis as CaptureScope).threadlore !== undefined;
}

// Made by the build; the list of files WXT types this by holds only what it has seen already.
const CAPTURE_SCRIPT = "/read-page.js" as "/background.js";

/** Whether two addresses are those of one page, whatever the place on it; one that is not known may be any. */
export function isSamePage(one: string | undefined, other: string): boolean {
  return one === undefined || pageOf(one) === pageOf(other);
}

function pageOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url === null ? undefined : `${url.protocol}${url.host}${url.pathname}${url.search}`;
}

/** The browsers' own words, which no person should have to read. */
function whyNot(error: unknown): UnreadableReason {
  const words = error instanceof Error ? error.message : String(error);
  if (/no tab with id|no frame|frame with id|no document|was removed|closed|invalid tab/i.test(words)) return "gone";
  if (/chrome:\/\/|edge:\/\/|about:|gallery|policy|cannot be scripted|view-source|devtools/i.test(words)) {
    return "browser-page";
  }
  return "not-allowed";
}
