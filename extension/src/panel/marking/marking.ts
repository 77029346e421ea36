/**
 * Highlights a text of a page: the page is kept with it, or it is added to what was added to the page before. Loaded when
 * somebody highlights.
 */
import {
  type HighlightAdded,
  type KeptAdditions,
  type KeptHighlight,
  NO_ADDITIONS,
  withHighlight,
  withoutHighlight,
} from "../../keep/additions.ts";
import type { PageSnapshot } from "@threadlore/documents";
import type { PageToKeep } from "../../capture/capture.ts";
import { inTime, isSamePage, READ_MS, type Reading, readTab, readTabToKeep } from "../../capture/read-tab.ts";
import { type ConsentQuestion, describeQuestion, readQuestions } from "../../keep/consent.ts";
import { ingestPage, isPrivateTab } from "../../keep/ingest-tab.ts";
import { addressKey, findKept, type LedgerRecord } from "../../outbox/ledger.ts";
import { isPrivateKey } from "../../outbox/private-outbox.ts";
import { keyOf, OutboxFullError, readDocument, takeBack } from "../../outbox/outbox.ts";
import type { NewEntry, OutboxEntry } from "../../outbox/outbox-entry.ts";
import { goOn, revise } from "../../outbox/revise.ts";
import { readText } from "../../outbox/texts.ts";
import { armAlarm, wakeBackground } from "../../outbox/wake.ts";
import { readPdfTab } from "../../pdf/pdf-tab.ts";
import { readConnection } from "../../settings/settings.ts";
import { ifKnown, readWaiting, recordOf } from "../keep/keeping-memory.ts";
import { isUndoable } from "../keep/tab-view.ts";
import { highlightLink } from "./highlight-link.ts";
import type { MarkAdded, Marked, MarkRefusal, Marking } from "./marked.ts";

/** What the panel knows and does beside. */
interface Beside {
  /** What was sent from private windows, the last at the end; nothing else knows of it. */
  readonly sent: readonly OutboxEntry[];
  /** Shows that a page is being read; what it gives is aborted when a person waits no longer. */
  reading<Read>(read: (enough: AbortSignal) => Promise<Read>): Promise<Read>;
}

/** Highlights what is selected on a tab. Never throws for what can go wrong. */
export async function mark(marking: Marking, beside: Beside): Promise<Marked> {
  const { tabId } = marking;
  // Asked before it is read: a tab that is closed meanwhile cannot say any more.
  const isPrivate = await isPrivateTab(tabId);
  const selected = await selectedText(marking);
  if ("why" in selected) return { tabId, url: marking.url ?? "", became: "refused", why: selected.why };
  const { text, url, isPdf } = selected;
  const page = { tabId, url, isPdf, isPrivate };
  // One after the other in all of the extension: of two that come at once, none is lost.
  const added = await navigator.locks.request("highlights", () =>
    addTo(page, text, beside).catch((error: unknown) => {
      const why: MarkRefusal = error instanceof OutboxFullError ? "outbox-full" : "storage";
      return { why };
    }),
  );
  return "why" in added ? { tabId, url, became: "refused", why: added.why } : { tabId, url, ...added };
}

/**
 * Takes one highlight of a page away, wherever the page is by now. "no-text": this browser has the page's text no more, and
 * it was sent.
 */
export async function takeMarkBack(key: string, text: string): Promise<"done" | "no-text"> {
  return navigator.locks.request("highlights", async () => {
    const question = (await readQuestions()).find(({ entry }) => keyOf(entry) === key);
    if (question?.entry.additions !== undefined) {
      await describeQuestion(question.id, withoutHighlight(question.entry.additions, text));
      return "done";
    }
    const entry = (await readWaiting(isPrivateKey(key))).find((one) => one.key === key);
    const record = await recordOf(key);
    const additions = (entry ?? record)?.additions;
    if (additions === undefined) return "done";
    const without = withoutHighlight(additions, text);
    // Nothing else has changed since it was sent: there is nothing to send.
    const isAsSent = record !== undefined && entry?.hash === record.hash && isSame(without, record.additions);
    if (isAsSent) return takeBack(key).then(() => "done" as const);
    await armAlarm();
    const became = await revise(key, without, additions);
    await wakeBackground();
    // With a page that is gone its highlights are gone.
    return became === "done" || became === "gone" ? "done" : "no-text";
  });
}

type Refused = { readonly why: MarkRefusal };

interface Selected extends Pick<MarkedPage, "isPdf" | "url"> {
  readonly text: string;
}

interface MarkedPage {
  readonly tabId: number;
  readonly url: string;
  readonly isPdf: boolean;
  readonly isPrivate: true | undefined;
}

/** What is selected, as the page is read; in frames of other sites and in PDFs as the browser's menu told it. */
async function selectedText({ tabId, text: told, url, isPdf }: Marking): Promise<Selected | Refused> {
  const late = { why: "slow", page: undefined } as const;
  const reading: Reading<PageSnapshot> = await inTime(
    readTab(tabId, { selection: true }),
    AbortSignal.timeout(READ_MS),
    late,
  );
  const nothing: Refused = { why: "nothing-marked" };
  if (reading.page === undefined) {
    if (isOfPdf(reading.why, isPdf)) {
      const address = reading.url ?? url;
      return told === "" || address === undefined ? nothing : { text: told, url: address, isPdf: true };
    }
    // Of what is selected there is nothing to be seen, or of all of the page.
    return reading.why === "no-text" ? nothing : { why: reading.why === "pdf" ? "no-text" : reading.why };
  }
  const { page } = reading;
  if (!isSamePage(url, page.url)) return { why: "gone" };
  const read = page.parts.map(({ heading, text }) => [heading, text].filter((part) => part !== "").join("\n"));
  const text = page.extent === "selection" ? read.join("\n\n") : told;
  return text.trim() === "" ? nothing : { text, url: page.url, isPdf: false };
}

/** Some browsers let no extension into their PDF viewer, and tell no more than that. */
const isOfPdf = (why: string | undefined, isPdf: boolean): boolean => why === "pdf" || (why === "not-allowed" && isPdf);

type Added = MarkAdded | { readonly became: "known" | "full" };

async function addTo(page: MarkedPage, text: string, beside: Beside): Promise<Added | Refused> {
  const connection = await readConnection();
  if (connection === undefined) return { why: "not-set-up" };
  const { isPrivate } = page;
  const address = await addressKey(page.url).catch(() => undefined);
  const isOf = (entry: Omit<NewEntry, "document">) =>
    entry.origin === connection.origin &&
    entry.isPrivate === isPrivate &&
    address !== undefined &&
    entry.addresses.includes(address);
  const question = (await readQuestions()).find(({ entry }) => isOf(entry));
  if (question !== undefined) return addToQuestion(question, page, text);
  const entry = (await readWaiting(isPrivate)).findLast((one) => isOf(one) && one.removal === undefined);
  const waiting = entry && (await addToEntry(entry, page, text));
  if (waiting !== undefined) return waiting;
  const record = await ifKnown(findKept(connection.origin, page.url), isPrivate);
  const added = record && !isPrivate ? await addToRecord(record, page, text) : undefined;
  const before = beside.sent.findLast(isOf)?.additions ?? record?.additions;
  return added ?? keepWith(page, text, before, beside);
}

async function addToQuestion(question: ConsentQuestion, page: MarkedPage, text: string): Promise<Added> {
  const { entry } = question;
  const before = entry.additions ?? (await recordOf(keyOf(entry)))?.additions;
  const added = withHighlight(before, highlightOf(page, entry, text));
  if (added.became === "added") await describeQuestion(question.id, added.additions);
  return toldOf(added, keyOf(entry), true);
}

/** Undefined: it was removed in this moment. */
async function addToEntry(entry: OutboxEntry, page: MarkedPage, text: string): Promise<Added | undefined> {
  const document = page.isPdf ? await readDocument(entry) : undefined;
  const added = withHighlight(entry.additions, highlightOf(page, { ...entry, document }, text));
  if (added.became === "added") {
    if ((await revise(entry.key, added.additions, entry.additions)) !== "done") return undefined;
    if (isUndoable(entry)) await goOn(entry.key);
    await wakeBackground();
  }
  return toldOf(added, entry.key, (await recordOf(entry.key)) === undefined);
}

/** Undefined: its text is not here any more, or it is being removed, so the page has to be read again. */
async function addToRecord(record: LedgerRecord, page: MarkedPage, text: string): Promise<Added | undefined> {
  const { key } = record;
  const document = page.isPdf ? await readText(key) : undefined;
  const added = withHighlight(record.additions, highlightOf(page, { ...record, document }, text));
  if (added.became === "added") {
    await armAlarm();
    if ((await revise(key, added.additions, record.additions)) !== "done") return undefined;
    await wakeBackground();
  }
  return toldOf(added, key, false);
}

/** Keeps the page with the highlight, or asks where that is due. */
async function keepWith(
  page: MarkedPage,
  text: string,
  before: KeptAdditions | undefined,
  { reading }: Beside,
): Promise<Added | Refused> {
  const { tabId, isPrivate } = page;
  const { became } = withHighlight(before, { text });
  if (became === "known" || became === "full") return { became };
  const read = await reading((enough) => readWhole(page, enough));
  if ("why" in read) return read;
  const { made } = read;
  const added = withHighlight(before, highlightOf(page, { link: page.url, ...made }, text));
  const outcome = await ingestPage(read, { tabId, isPrivate, additions: added.additions });
  if (outcome.kind === "refused") return { why: outcome.why };
  const key = outcome.kind === "queued" ? outcome.entry.key : keyOf(outcome.question.entry);
  return toldOf(added, key, true);
}

async function readWhole({ tabId, url, isPdf }: MarkedPage, enough: AbortSignal): Promise<PageToKeep | Refused> {
  if (isPdf) {
    const reply = await readPdfTab(tabId, url);
    return reply.page === undefined ? { why: reply.refused } : reply.kept;
  }
  const reading = await readTabToKeep(tabId, { compare: true }, enough);
  if (reading.page === undefined) {
    if (reading.why === "no-text" && reading.url?.startsWith("file:") === true) return { why: "not-web" };
    return { why: reading.why === "pdf" ? "no-text" : reading.why };
  }
  return isSamePage(url, reading.page.url) ? reading.page : { why: "gone" };
}

/** @param kept the page's address and, of a PDF, its document as JSON */
function highlightOf(
  { isPdf }: MarkedPage,
  { link, document }: { readonly link: string; readonly document?: string | undefined },
  text: string,
): KeptHighlight {
  if (!isPdf) return { text, link: highlightLink(link, text) };
  const sheet = document === undefined ? undefined : sheetOf(document, text);
  return { text, ...(sheet !== undefined && { link: sheet }) };
}

/** How much of a text its sheet is found by: a long one goes over to the next. */
const SHEET_CHARACTERS = 40;

/** Address of the PDF's page on which a text begins. */
function sheetOf(document: string, text: string): string | undefined {
  const { sections } = JSON.parse(document) as { sections: { text?: string; link?: string }[] };
  const plain = (given: string) => given.normalize("NFKC").replaceAll(/\s+/gu, "");
  const beginning = plain(text).slice(0, SHEET_CHARACTERS);
  return sections.find((section) => plain(section.text ?? "").includes(beginning))?.link;
}

function toldOf({ became, text, isCut }: HighlightAdded, key: string, isNew: boolean): Added {
  // Nothing is empty here.
  return became === "added" ? { became, key, text, isCut, isNew } : { became: became === "full" ? became : "known" };
}

const isSame = (one: KeptAdditions, other: KeptAdditions = NO_ADDITIONS): boolean => said(one) === said(other);

const said = ({ title, tags, note, highlights }: KeptAdditions): string =>
  JSON.stringify([title, tags, note, highlights]);
