import { browser } from "wxt/browser";
import type { CaptureRequest, PageToKeep } from "../capture/capture.ts";
import { askConsent, closeQuestion, type ConsentReason, consentReasons, type ConsentQuestion } from "./consent.ts";
import { enqueue, OutboxFullError } from "../outbox/outbox.ts";
import type { NewEntry, OutboxEntry } from "../outbox/outbox-entry.ts";
import { isSamePage, readTabToKeep, type UnreadableReason } from "../capture/read-tab.ts";
import { readConnection, readSettings } from "../settings/settings.ts";
import { armAlarm, wakeBackground } from "../outbox/wake.ts";

/** Why a page was not kept. */
export type KeepRefusal =
  | UnreadableReason
  /** It is a file of this machine, which can be asked about. */
  | "not-web"
  /** No service is set up yet. */
  | "not-set-up"
  /** Nothing was marked. */
  | "nothing-marked"
  /** Too much waits already. */
  | "outbox-full"
  /** The browser could not store it. */
  | "storage";

/** What became of keeping a page. */
export type KeepOutcome =
  | { readonly kind: "queued"; readonly entry: OutboxEntry }
  | { readonly kind: "asked"; readonly question: ConsentQuestion }
  | { readonly kind: "refused"; readonly why: KeepRefusal; readonly url?: string };

/** What of a tab is kept. */
export interface KeepRequest extends CaptureRequest {
  /** Address of the page that is meant; another one in the tab by now is not kept. */
  readonly url?: string;
  /** Name of the click: carried out again, it keeps the page as it was read for it first. */
  readonly id?: string;
  /** Ends the wait for a page that does not answer. Default: after 20 seconds. */
  readonly enough?: AbortSignal;
}

/** Whether a tab is in a private window, or gone, so that nobody knows; undefined: it is in an ordinary one. */
export async function isPrivateTab(tabId: number): Promise<true | undefined> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  return tab?.incognito === false ? undefined : true;
}

/** Keeps the page of a tab: reads it, asks where that is due, and queues it. Never throws for what can go wrong. */
export async function ingestTab(
  tabId: number,
  { selection = false, url, id, enough }: KeepRequest = {},
): Promise<KeepOutcome> {
  if ((await readConnection()) === undefined) return { kind: "refused", why: "not-set-up" };
  // Asked before it is read: a tab that is closed meanwhile cannot say any more.
  const tab = { tabId, isPrivate: await isPrivateTab(tabId) };
  const reading = await readTabToKeep(tabId, { selection, compare: true, id }, enough);
  if (reading.page === undefined) {
    const isFile = reading.why === "no-text" && reading.url?.startsWith("file:") === true;
    return { kind: "refused", ...reading, ...(isFile && { why: "not-web" }) };
  }
  const { page } = reading;
  if (!isSamePage(url, page.url)) return { kind: "refused", why: "gone", url: page.url };
  if (selection && page.extent !== "selection") return { kind: "refused", why: "nothing-marked" };
  return ingestPage(page, tab);
}

/** Where a page was read, as `isPrivateTab` said of it before, and what its person added to it. */
type Place = Pick<NewEntry, "additions" | "isPrivate" | "tabId">;

/** Asks where that is due and queues a page that was read already. Never throws for what can go wrong. */
export async function ingestPage(page: PageToKeep, tab: Place): Promise<KeepOutcome> {
  const judged = await judgePage(page, tab);
  if (judged.kind === "refused") return judged;
  const { entry, reasons } = judged;
  return reasons.length === 0 ? queue(entry) : ask(page, entry, reasons);
}

/** What would be queued of a page, and everything that speaks for asking before. */
export interface JudgedPage {
  readonly kind: "judged";
  readonly entry: NewEntry;
  readonly reasons: readonly ConsentReason[];
}

/** Judges a page that was read, and queues nothing. */
export async function judgePage(
  page: PageToKeep,
  tab: Place,
): Promise<JudgedPage | Extract<KeepOutcome, { kind: "refused" }>> {
  const [settings, connection] = await Promise.all([readSettings(), readConnection()]);
  if (connection === undefined) return { kind: "refused", why: "not-set-up" };
  const { made, title, addresses, characters } = page;
  if (made === undefined) return { kind: "refused", why: "no-text", url: page.url };
  const { notes: _, ...document } = made;
  const { origin } = connection;
  const entry = { ...document, origin, title, addresses, characters, pairId: settings.pairId, ...tab };
  const reasons = consentReasons(page, { incognito: tab.isPrivate === true }, settings);
  return { kind: "judged", entry, reasons };
}

/**
 * A person's answer to a question: queues the page with what they added, or forgets it. Undefined: they said no, or the
 * question was answered already.
 */
export async function answerConsent(id: string, agreed: boolean): Promise<KeepOutcome | undefined> {
  const question = await closeQuestion(id);
  return question === undefined || !agreed ? undefined : queue(question.entry);
}

async function ask(page: PageToKeep, entry: NewEntry, reasons: ConsentQuestion["reasons"]): Promise<KeepOutcome> {
  const { host } = new URL(page.url);
  const notes = page.made?.notes ?? [];
  const { beginning } = page;
  const question = { id: crypto.randomUUID(), reasons, host, beginning, notes, askedAt: Date.now(), entry };
  try {
    await askConsent(question);
    return { kind: "asked", question };
  } catch {
    return { kind: "refused", why: "storage", url: page.url };
  }
}

/** Queues what a person has agreed to. Never throws for what can go wrong. */
export async function queue(entry: NewEntry): Promise<KeepOutcome> {
  try {
    // First, so that no moment is left in which something waits and nothing would ever look.
    await armAlarm();
    const queued = await enqueue(entry);
    await wakeBackground();
    return { kind: "queued", entry: queued };
  } catch (error) {
    return { kind: "refused", why: error instanceof OutboxFullError ? "outbox-full" : "storage", url: entry.link };
  }
}
