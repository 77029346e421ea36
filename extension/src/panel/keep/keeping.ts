/** Keeping the page in front, and everything that waits to be sent, as signals for the panel to show. */
import { effect, type Signal } from "@preact/signals";
import { type ConsentQuestion, readQuestions, watchQuestions } from "../../keep/consent.ts";
import { answerConsent, ingestTab, type KeepOutcome } from "../../keep/ingest-tab.ts";
import { readIntents, watchIntents } from "../../keep/intents.ts";
import { keptPage } from "../../keep/kept.ts";
import { addressKey } from "../../outbox/ledger.ts";
import { type Notice, readNotice, watchNotices } from "../../keep/notices.ts";
import { watchDatabase } from "../../storage/database.ts";
import { readOutbox, sendNow, takeBack, UNDO_MS } from "../../outbox/outbox.ts";
import type { OutboxEntry } from "../../outbox/outbox-entry.ts";
import { readPause, watchPause } from "../../outbox/pause.ts";
import { watchPrivate } from "../../outbox/private-outbox.ts";
import { READ_MS } from "../../capture/read-tab.ts";
import { readConnection, readSettings, watchSettings } from "../../settings/settings.ts";
import type { PdfOutcome } from "../../pdf/keep-pdf.ts";
import { wakeBackground } from "../../outbox/wake.ts";
import { consentReasonText, refusalText } from "./keep-text.ts";
import type { Backlog, KeepView, Undoable } from "./keep-view.ts";
import type { FrontTab } from "../pages/front-tab.ts";
import type { ShownTab } from "../pages/tabs.ts";

/** What is shown of keeping. */
export interface KeepSigns {
  readonly view: Signal<KeepView>;
  readonly backlog: Signal<Backlog>;
  /** Pages that can be taken back and are not the one in front. */
  readonly undoable: Signal<readonly Undoable[]>;
}

/** What the panel can do about keeping. */
export interface Keeping {
  /** Keeps the page in front, or what is marked of it. */
  keep(selection: boolean): Promise<void>;
  /** Waits no longer for the page in front. */
  stopReading(): void;
  consent(id: string, agreed: boolean): Promise<void>;
  takeBack(key: string): Promise<void>;
  sendNow(key?: string): Promise<void>;
  stop(): void;
}

/** How long what is shown of another tab may stay, milliseconds. */
const STALE_MS = 300;

/**
 * Follows what is kept and what waits, for the tab in front, and shows it in `signs`. A private window's panel shows
 * what comes from private windows, and no other panel does.
 */
export function followKeeping(
  { tab: front, loads, refresh }: Pick<FrontTab, "tab" | "loads" | "refresh">,
  { view, backlog, undoable }: KeepSigns,
  isPrivate: Promise<boolean>,
): Keeping {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  /** Tabs that are being read for this panel. */
  const reads = new Map<number, AbortController>();
  /** What waited here from private windows, and what of it was sent: nothing else knows afterwards. */
  const waited = new Map<string, OutboxEntry>();
  const takenBack = new Set<string>();
  const sent: OutboxEntry[] = [];
  /** The page that the view is of. */
  let shownOf = "";
  /** The last refusal, shown on its tab until something else happens or the tab goes elsewhere. */
  let refusal: { tabId: number; message: string; url?: string } | undefined;

  const look = async () => {
    clearTimeout(timer);
    const turn = (asked += 1);
    const tab = front.peek();
    const [entries, pause, open, intents, here] = await Promise.all([
      readOutbox(),
      readPause(),
      readQuestions(),
      readIntents(),
      isPrivate,
    ]);
    if (turn !== asked) return;
    const waiting = entries.filter((entry) => (entry.isPrivate === true) === here);
    const questions = open.filter(({ entry }) => (entry.isPrivate === true) === here);
    noteSent(waiting);
    backlog.value = backlogOf(waiting, pause !== undefined);
    const isClicked = intents.some(({ pdf, tellTabId }) => pdf !== true && tellTabId === tab?.tabId);
    const canStop = tab !== undefined && reads.has(tab.tabId);
    const looking: Promise<KeepView> =
      canStop || isClicked
        ? Promise.resolve({ state: "reading", canStop })
        : viewOf(tab, { waiting, questions, sent, pdfHash });
    // A page that hangs says nothing for a while, and what is shown meanwhile is of the tab before.
    const of = `${tab?.tabId} ${tab?.url}`;
    const stale = of === shownOf ? undefined : setTimeout(() => turn === asked && set({ state: "absent" }), STALE_MS);
    const shown = await looking.finally(() => clearTimeout(stale));
    if (turn !== asked) return;
    shownOf = of;
    const shownKey = shown.state === "undo" ? shown.key : undefined;
    if (shown.state === "unconfirmed") {
      const others = waiting.filter(({ key }) => key !== shown.key);
      backlog.value = { ...backlog.peek(), unconfirmed: unconfirmedOf(others) };
    }
    undoable.value = waiting
      .filter((entry) => isUndoable(entry) && entry.key !== shownKey)
      .map(({ key, title, sendAfter }) => ({ key, title, until: sendAfter }));
    const refused = refusal !== undefined && refusal.tabId === tab?.tabId ? refusal : undefined;
    if (refused !== undefined && tab !== undefined) {
      refused.url ??= tab.url;
      if (refused.url !== tab.url) refusal = undefined;
    }
    const isFree = shown.state === "offered" || (shown.state === "absent" && tab !== undefined);
    const isRefused = isFree && refusal !== undefined && refused === refusal;
    set(isRefused ? { state: "refused", message: refusal?.message ?? "" } : shown);
    // When the time to take a page back is over, nothing is written: it is on its way from then on.
    const [next] = waiting
      .map(({ sendAfter }) => sendAfter - Date.now())
      .filter((ms) => ms > 0)
      .toSorted((a, b) => a - b);
    if (next !== undefined) timer = setTimeout(() => void look(), next);
  };
  /** An entry of a private window that is gone and was not taken back was sent. */
  const noteSent = (waiting: readonly OutboxEntry[]) => {
    for (const [revision, entry] of waited) {
      if (waiting.some((one) => one.revision === revision)) continue;
      waited.delete(revision);
      if (!takenBack.has(revision)) sent.push(entry);
    }
    for (const entry of waiting) if (entry.isPrivate === true) waited.set(entry.revision, entry);
  };
  /** Of the PDF in front, read once for each time it is loaded. */
  let shownPdf: { of: string; hash: Promise<string | undefined> } | undefined;
  const pdfHash: Surroundings["pdfHash"] = ({ tabId, url }) => {
    const of = `${tabId} ${loads.peek()} ${url}`;
    if (shownPdf?.of !== of) {
      const hash = import("../../pdf/keep-pdf.ts").then(({ hashOfPdf }) => hashOfPdf(tabId, url));
      shownPdf = { of, hash };
    }
    return shownPdf.hash;
  };
  const set = (next: KeepView) => {
    if (JSON.stringify(next) !== JSON.stringify(view.peek())) view.value = next;
  };
  const noticed = (notice: Notice) => {
    if (notice.kind === "refused" && notice.why !== undefined) {
      refusal = { tabId: notice.tabId, message: refusalText(notice.why) };
    }
    clicked();
  };
  /** A click in a menu, or a shortcut, opens its page to the panel, and browsers tell the panel of neither. */
  const clicked = () => void refresh().then(look);
  const told = (outcome: KeepOutcome | PdfOutcome | undefined, tabId: number) => {
    refusal = outcome?.kind === "refused" ? { tabId, message: refusalText(outcome.why) } : undefined;
  };
  /** Reads while the bar says so. */
  const reading = async (
    tabId: number,
    read: (enough: AbortSignal) => Promise<KeepOutcome | PdfOutcome | undefined>,
  ) => {
    const enough = new AbortController();
    reads.set(tabId, enough);
    if (front.peek()?.tabId === tabId) set({ state: "reading", canStop: true });
    try {
      const outcome = await read(AbortSignal.any([enough.signal, AbortSignal.timeout(READ_MS)]));
      told(enough.signal.aborted && outcome?.kind === "refused" ? undefined : outcome, tabId);
    } finally {
      reads.delete(tabId);
      await look();
    }
  };
  /** What was clicked in a PDF waits for the panel, which has what it takes to read one. */
  const takeUp = async () => {
    if (!(await readIntents()).some(({ pdf }) => pdf === true)) return;
    const { keepClickedPdfs } = await import("../../pdf/keep-pdf.ts");
    await keepClickedPdfs(reading);
  };

  const stops = [
    effect(() => {
      void front.value;
      void loads.value;
      void look();
    }),
    watchQuestions(() => void look()),
    watchNotices(noticed),
    watchSettings(() => void look()),
    watchDatabase(() => void look()),
    watchPrivate(() => void look()),
    watchPause(() => void look()),
    watchIntents(() => {
      clicked();
      void takeUp();
    }),
  ];
  void takeUp();
  void readNotice().then((notice) => notice !== undefined && Date.now() - notice.at < 60_000 && noticed(notice));

  return {
    async keep(selection) {
      const tab = front.peek();
      if (tab === undefined || reads.has(tab.tabId)) return;
      await reading(tab.tabId, async (enough) => {
        const outcome = await ingestTab(tab.tabId, { selection, enough });
        const isPdf =
          outcome.kind === "refused" && (outcome.why === "pdf" || (outcome.why === "not-allowed" && tab.isPdf));
        if (!isPdf) return outcome;
        const { keepPdf } = await import("../../pdf/keep-pdf.ts");
        return keepPdf(tab.tabId, outcome.url ?? tab.url);
      });
    },
    async consent(id, agreed) {
      told(await answerConsent(id, agreed), front.peek()?.tabId ?? -1);
      await look();
    },
    stopReading: () => reads.get(front.peek()?.tabId ?? -1)?.abort(),
    async takeBack(key) {
      for (const entry of waited.values()) if (entry.key === key) takenBack.add(entry.revision);
      await takeBack(key);
      await look();
    },
    async sendNow(key) {
      await sendNow(key);
      await wakeBackground();
      await look();
    },
    stop() {
      asked += 1;
      clearTimeout(timer);
      for (const end of stops) end();
    },
  };
}

interface Surroundings {
  readonly waiting: readonly OutboxEntry[];
  readonly questions: readonly ConsentQuestion[];
  /** What was sent from private windows. */
  readonly sent: readonly OutboxEntry[];
  /** What a PDF says now, as its hash; undefined where it cannot be read. */
  pdfHash(tab: ShownTab): Promise<string | undefined>;
}

async function viewOf(
  tab: ShownTab | undefined,
  { waiting, questions, sent, pdfHash }: Surroundings,
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
  const kept = await keptPage(tab.tabId, tab.url);
  if (kept === undefined) return { state: "offered", isSelection: tab.selected > 0 };
  const { record } = kept;
  const hash = kept.changed === undefined && tab.isPdf ? await pdfHash(tab) : undefined;
  const changed = hash === undefined ? kept.changed : hash !== record.hash;
  return { state: "kept", since: record.sentAt, ...(changed === undefined ? {} : { changed }) };
}

/** It waits for nothing but for its person to take it back. */
function isUndoable({ state, problem, queuedAt, sendAfter, attempts }: OutboxEntry): boolean {
  const isNew = attempts === 0 && problem === undefined && sendAfter <= queuedAt + UNDO_MS;
  return state === "waiting" && isNew && sendAfter > Date.now();
}

function waitingView(entry: OutboxEntry): KeepView {
  const { key, state, problem, sendAfter } = entry;
  if (state === "stopped") return { state, key, problem };
  if (isUndoable(entry)) return { state: "undo", key, until: sendAfter };
  if (entry.unconfirmed !== undefined && problem === undefined) return { state: "unconfirmed", key };
  return { state: "queued", key, ...(problem === undefined ? {} : { problem }) };
}

function consentView(question: ConsentQuestion, pairName: string, pairIsPublic: boolean | null): KeepView {
  const { id, entry, host, beginning, reasons, notes } = question;
  return {
    state: "consent",
    consent: {
      id,
      title: entry.title,
      host,
      characters: entry.characters,
      beginning,
      reasons: [...reasons.map(consentReasonText), ...notes],
      target: entry.pairId === null ? "" : pairName || `#${entry.pairId}`,
      isPublic: entry.pairId !== null && pairIsPublic === true,
    },
  };
}

function backlogOf(entries: readonly OutboxEntry[], isPaused: boolean): Backlog {
  const waiting = entries.filter(({ state }) => state === "waiting");
  const problem = waiting.findLast((entry) => entry.problem !== undefined)?.problem;
  const since = waiting[0]?.queuedAt;
  return {
    waiting: waiting.length,
    unconfirmed: unconfirmedOf(waiting),
    isPaused,
    stopped: entries
      .filter(({ state }) => state === "stopped")
      .map((entry) => ({ key: entry.key, title: entry.title, problem: entry.problem })),
    ...(since === undefined ? {} : { since }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** How many the service has answered for, and are not found there. */
function unconfirmedOf(entries: readonly OutboxEntry[]): number {
  const isSought = (entry: OutboxEntry) => entry.state === "waiting" && entry.unconfirmed !== undefined;
  return entries.filter((entry) => isSought(entry) && !isUndoable(entry)).length;
}

/** An address without the place on its page. */
const placeOf = (url: string): string => url.split("#", 1)[0] ?? "";
