/** Keeping the page in front, and everything that waits to be sent, as signals for the panel to show. */
import { effect, type Signal } from "@preact/signals";
import { type ConsentQuestion, readQuestions, watchQuestions } from "../consent.ts";
import { answerConsent, ingestTab, type KeepOutcome } from "../ingest-tab.ts";
import { readIntents, watchIntents } from "../intents.ts";
import { keptPage } from "../kept.ts";
import { addressKey } from "../ledger.ts";
import { type Notice, readNotice, watchNotices } from "../notices.ts";
import { watchDatabase } from "../database.ts";
import { type OutboxEntry, readOutbox, sendNow, takeBack } from "../outbox.ts";
import { readPause, watchPause } from "../pause.ts";
import { readConnection, readSettings, watchSettings } from "../settings.ts";
import type { PdfOutcome } from "../pdf/keep-pdf.ts";
import { wakeBackground } from "../wake.ts";
import { consentReasonText, refusalText } from "./keep-text.ts";
import type { Backlog, KeepView } from "./keep-view.ts";
import type { FrontTab } from "./front-tab.ts";
import type { ShownTab } from "./tabs.ts";

/** What is shown of keeping. */
export interface KeepSigns {
  readonly view: Signal<KeepView>;
  readonly backlog: Signal<Backlog>;
}

/** What the panel can do about keeping. */
export interface Keeping {
  keep(): Promise<void>;
  consent(id: string, agreed: boolean): Promise<void>;
  takeBack(key: string): Promise<void>;
  sendNow(key?: string): Promise<void>;
  stop(): void;
}

/** Follows what is kept and what waits, for the tab in front, and shows it in `signs`. */
export function followKeeping(
  { tab: front, loads }: Pick<FrontTab, "tab" | "loads">,
  { view, backlog }: KeepSigns,
): Keeping {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let isReading = false;
  /** The last refusal, shown on its tab until something else happens or the tab goes elsewhere. */
  let refusal: { tabId: number; message: string; url?: string } | undefined;

  const look = async () => {
    clearTimeout(timer);
    const turn = (asked += 1);
    const tab = front.peek();
    const [waiting, pause, questions] = await Promise.all([readOutbox(), readPause(), readQuestions()]);
    const shown = isReading ? undefined : await viewOf(tab, { waiting, questions, pdfHash });
    if (turn !== asked) return;
    backlog.value = backlogOf(waiting, pause !== undefined);
    const refused = refusal !== undefined && refusal.tabId === tab?.tabId ? refusal : undefined;
    if (refused !== undefined && tab !== undefined) {
      refused.url ??= tab.url;
      if (refused.url !== tab.url) refusal = undefined;
    }
    const offered = shown?.state === "offered" && refusal !== undefined && refused === refusal;
    if (shown !== undefined) set(offered ? { state: "refused", message: refusal?.message ?? "" } : shown);
    // When the time to take a page back is over, nothing is written: it is on its way from then on.
    const [next] = waiting
      .map(({ sendAfter }) => sendAfter - Date.now())
      .filter((ms) => ms > 0)
      .toSorted((a, b) => a - b);
    if (next !== undefined) timer = setTimeout(() => void look(), next);
  };
  /** Of the PDF in front, read once for each time it is loaded. */
  let shownPdf: { of: string; hash: Promise<string | undefined> } | undefined;
  const pdfHash: Surroundings["pdfHash"] = ({ tabId, url }) => {
    const of = `${tabId} ${loads.peek()} ${url}`;
    if (shownPdf?.of !== of) {
      const hash = import("../pdf/keep-pdf.ts").then(({ hashOfPdf }) => hashOfPdf(tabId, url));
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
    void look();
  };
  const told = (outcome: KeepOutcome | PdfOutcome | undefined, tabId: number) => {
    refusal = outcome?.kind === "refused" ? { tabId, message: refusalText(outcome.why) } : undefined;
  };
  /** Reads while the bar says so. */
  const reading = async (tabId: number, read: () => Promise<KeepOutcome | PdfOutcome | undefined>) => {
    isReading = true;
    if (front.peek()?.tabId === tabId) set({ state: "reading" });
    try {
      told(await read(), tabId);
    } finally {
      isReading = false;
      await look();
    }
  };
  /** What was clicked in a PDF waits for the panel, which has what it takes to read one. */
  const takeUp = async () => {
    if (!(await readIntents()).some(({ pdf }) => pdf === true)) return;
    const { keepClickedPdfs } = await import("../pdf/keep-pdf.ts");
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
    watchPause(() => void look()),
    watchIntents(() => void takeUp()),
  ];
  void takeUp();
  void readNotice().then((notice) => notice !== undefined && Date.now() - notice.at < 60_000 && noticed(notice));

  return {
    async keep() {
      const tab = front.peek();
      if (tab === undefined || isReading) return;
      await reading(tab.tabId, async () => {
        const outcome = await ingestTab(tab.tabId, { selection: tab.selected > 0 });
        const isPdf =
          outcome.kind === "refused" && (outcome.why === "pdf" || (outcome.why === "not-allowed" && tab.isPdf));
        if (!isPdf) return outcome;
        const { keepPdf } = await import("../pdf/keep-pdf.ts");
        return keepPdf(tab.tabId, outcome.url ?? tab.url);
      });
    },
    async consent(id, agreed) {
      told(await answerConsent(id, agreed), front.peek()?.tabId ?? -1);
      await look();
    },
    async takeBack(key) {
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
  /** What a PDF says now, as its hash; undefined where it cannot be read. */
  pdfHash(tab: ShownTab): Promise<string | undefined>;
}

async function viewOf(tab: ShownTab | undefined, { waiting, questions, pdfHash }: Surroundings): Promise<KeepView> {
  const [settings, connection] = await Promise.all([readSettings(), readConnection()]);
  const [question] = questions;
  if (question !== undefined) return consentView(question, settings.pairName, settings.pairIsPublic);
  if (connection === undefined || tab === undefined || tab.closed !== undefined) return { state: "absent" };
  const address = await addressKey(tab.url).catch(() => "");
  const place = placeOf(tab.url);
  // A marked part of a page is a document of its own and known by no address; it lies on the page all the same.
  const entry = waiting.findLast(({ addresses, link }) => addresses.includes(address) || placeOf(link) === place);
  if (entry !== undefined) return waitingView(entry);
  const kept = await keptPage(tab.tabId, tab.url);
  if (kept === undefined) return { state: "offered" };
  const { record } = kept;
  const hash = kept.changed === undefined && tab.isPdf ? await pdfHash(tab) : undefined;
  const changed = hash === undefined ? kept.changed : hash !== record.hash;
  return { state: "kept", since: record.sentAt, ...(changed === undefined ? {} : { changed }) };
}

function waitingView({ key, state, problem, sendAfter, attempts }: OutboxEntry): KeepView {
  if (state === "stopped") return { state, key, problem };
  if (attempts === 0 && problem === undefined && sendAfter > Date.now())
    return { state: "undo", key, until: sendAfter };
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
    isPaused,
    stopped: entries
      .filter(({ state }) => state === "stopped")
      .map((entry) => ({ key: entry.key, title: entry.title, problem: entry.problem })),
    ...(since === undefined ? {} : { since }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** An address without the place on its page. */
const placeOf = (url: string): string => url.split("#", 1)[0] ?? "";
