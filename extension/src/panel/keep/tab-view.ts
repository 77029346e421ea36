/** How what is kept and what waits looks for the tab in front. */
import type { ConsentQuestion } from "../../keep/consent.ts";
import { keptPage } from "../../keep/kept.ts";
import { addressKey } from "../../outbox/ledger.ts";
import type { OutboxEntry } from "../../outbox/outbox-entry.ts";
import { keyOf, UNDO_MS } from "../../outbox/outbox.ts";
import { readConnection, readSettings } from "../../settings/settings.ts";
import type { ShownTab } from "../pages/tabs.ts";
import { consentReasonText } from "./keep-text.ts";
import { ifKnown } from "./keeping-memory.ts";
import type { Backlog, KeepView } from "./keep-view.ts";

/** What it is told by, beside the tab. */
interface Known {
  readonly waiting: readonly OutboxEntry[];
  readonly questions: readonly ConsentQuestion[];
  /** What was sent from private windows. */
  readonly sent: readonly OutboxEntry[];
  /** The panel's window is a private one. */
  readonly isPrivate: boolean;
  /** What a PDF says now, as its hash; undefined where it cannot be read. */
  pdfHash(tab: ShownTab): Promise<string | undefined>;
}

/** How the page in front stands to the company's knowledge. */
export async function viewOf(
  tab: ShownTab | undefined,
  { waiting, questions, sent, isPrivate, pdfHash }: Known,
): Promise<KeepView> {
  const [settings, connection] = await Promise.all([readSettings(), readConnection()]);
  const [question] = questions;
  if (question !== undefined) return consentView(question, settings.pairName, settings.pairIsPublic);
  if (connection === undefined || tab === undefined) return { state: "absent" };
  const address = await addressKey(tab.url).catch(() => "");
  const place = placeOf(tab.url);
  // A marked part of a page is a document of its own and known by no address; it lies on the page all the same.
  const isOf = ({ addresses, link }: OutboxEntry) => addresses.includes(address) || placeOf(link) === place;
  // A tab whose address is not told is known by its number.
  const isFrom = (entry: OutboxEntry) => tab.url === "" && entry.tabId === tab.tabId && isUndoable(entry);
  const entry = waiting.findLast((one) => isOf(one) || isFrom(one));
  if (entry !== undefined) return waitingView(entry);
  if (tab.closed !== undefined) return { state: "absent" };
  if (sent.some(isOf)) return { state: "sent" };
  const kept = await ifKnown(keptPage(tab.tabId, tab.url), isPrivate);
  if (kept === undefined) return { state: "offered", isSelection: tab.selected > 0 && !tab.isWord };
  const { record } = kept;
  const hash = kept.changed === undefined && tab.isPdf ? await pdfHash(tab) : undefined;
  const changed = hash === undefined ? kept.changed : hash !== record.hash;
  return { state: "kept", since: record.sentAt, changed, ...(!isPrivate && { page: record }) };
}

/** It waits for nothing but for its person to take it back. */
export function isUndoable({ state, problem, queuedAt, sendAfter, attempts }: OutboxEntry): boolean {
  const isNew = attempts === 0 && problem === undefined && sendAfter <= queuedAt + UNDO_MS;
  return state === "waiting" && isNew && sendAfter > Date.now();
}

function waitingView(entry: OutboxEntry): KeepView {
  if (entry.state === "stopped") return { state: "stopped", entry };
  if (isUndoable(entry)) return { state: "undo", entry };
  return { state: entry.unconfirmed !== undefined && entry.problem === undefined ? "unconfirmed" : "queued", entry };
}

function consentView(question: ConsentQuestion, pairName: string, pairIsPublic: boolean | null): KeepView {
  const { id, entry, host, beginning, reasons, notes } = question;
  return {
    state: "consent",
    consent: {
      id,
      key: keyOf(entry),
      title: entry.title,
      additions: entry.additions,
      host,
      characters: entry.characters,
      beginning,
      reasons: [...reasons.map(consentReasonText), ...notes],
      target: entry.pairId === null ? "" : pairName || `#${entry.pairId}`,
      isPublic: entry.pairId !== null && pairIsPublic === true,
    },
  };
}

/** Everything that waits to be sent. */
export function backlogOf(entries: readonly OutboxEntry[], isPaused: boolean): Backlog {
  const waiting = entries.filter(({ state, removal }) => state === "waiting" && removal === undefined);
  return {
    waiting: waiting.length,
    unconfirmed: unconfirmedOf(waiting),
    isPaused,
    stopped: entries.filter(({ state }) => state === "stopped"),
    since: waiting[0]?.queuedAt,
    problem: waiting.findLast((entry) => entry.problem !== undefined)?.problem,
  };
}

/** Pages that can be taken back and are not the one in front. */
export function undoableOf(waiting: readonly OutboxEntry[], shown: KeepView): OutboxEntry[] {
  return waiting.filter((entry) => isUndoable(entry) && !(shown.state === "undo" && shown.entry.key === entry.key));
}

/** From how many pages on they are one line. */
const MANY = 3;

/**
 * Pages that are about to be kept, where they are so many that one line speaks for all of them, that in front among
 * them: all tabs of a window, above all. None where each has a line of its own.
 */
export function togetherOf(undoable: readonly OutboxEntry[], shown: KeepView): readonly OutboxEntry[] {
  const all = [...undoable, ...(shown.state === "undo" ? [shown.entry] : [])];
  const kept = all.filter(({ removal }) => removal === undefined);
  return kept.length < MANY ? [] : kept.toSorted((one, other) => one.queuedAt - other.queuedAt);
}

/** How many the service has answered for, and are not found there. */
export function unconfirmedOf(entries: readonly OutboxEntry[]): number {
  const isSought = (entry: OutboxEntry) => entry.state === "waiting" && entry.unconfirmed !== undefined;
  return entries.filter((entry) => isSought(entry) && !isUndoable(entry)).length;
}

/** An address without the place on its page. */
const placeOf = (url: string): string => url.split("#", 1)[0] ?? "";
