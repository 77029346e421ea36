/** Keeping the page in front, and everything that waits to be sent, as signals for the panel to show. */
import { effect, type Signal } from "@preact/signals";
import { readQuestions, watchQuestions } from "../../keep/consent.ts";
import { answerConsent, ingestTab, type KeepOutcome } from "../../keep/ingest-tab.ts";
import { readIntents, watchIntents } from "../../keep/intents.ts";
import { type Notice, readNotice, watchNotices } from "../../keep/notices.ts";
import { watchDatabase } from "../../storage/database.ts";
import { readOutbox, sendNow, takeBack } from "../../outbox/outbox.ts";
import { readPause, watchPause } from "../../outbox/pause.ts";
import { watchPrivate } from "../../outbox/private-outbox.ts";
import { READ_MS } from "../../capture/read-tab.ts";
import { watchSettings } from "../../settings/settings.ts";
import type { PdfOutcome } from "../../pdf/keep-pdf.ts";
import { wakeBackground } from "../../outbox/wake.ts";
import type { Backlog, KeepView, Undoable } from "./keep-view.ts";
import type { FrontTab } from "../pages/front-tab.ts";
import { createRefusals, followPrivate, pdfHashes } from "./keeping-memory.ts";
import { backlogOf, unconfirmedOf, undoableOf, viewOf } from "./tab-view.ts";

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
  const privately = followPrivate();
  /** The page that the view is of. */
  let shownOf = "";
  const refusals = createRefusals();
  const pdfHash = pdfHashes(loads);

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
    privately.note(waiting);
    backlog.value = backlogOf(waiting, pause !== undefined);
    const isClicked = intents.some(({ pdf, tellTabId }) => pdf !== true && tellTabId === tab?.tabId);
    const canStop = tab !== undefined && reads.has(tab.tabId);
    const looking: Promise<KeepView> =
      canStop || isClicked
        ? Promise.resolve({ state: "reading", canStop })
        : viewOf(tab, { waiting, questions, sent: privately.sent, pdfHash });
    // A page that hangs says nothing for a while, and what is shown meanwhile is of the tab before.
    const of = `${tab?.tabId} ${tab?.url}`;
    const stale = of === shownOf ? undefined : setTimeout(() => turn === asked && set({ state: "absent" }), STALE_MS);
    const shown = await looking.finally(() => clearTimeout(stale));
    if (turn !== asked) return;
    shownOf = of;
    if (shown.state === "unconfirmed") {
      const others = waiting.filter(({ key }) => key !== shown.key);
      backlog.value = { ...backlog.peek(), unconfirmed: unconfirmedOf(others) };
    }
    undoable.value = undoableOf(waiting, shown);
    const isFree = shown.state === "offered" || (shown.state === "absent" && tab !== undefined);
    const message = refusals.on(tab);
    set(isFree && message !== undefined ? { state: "refused", message } : shown);
    // When the time to take a page back is over, nothing is written: it is on its way from then on.
    const next = Math.min(...waiting.map(({ sendAfter }) => sendAfter - Date.now()).filter((ms) => ms > 0));
    if (Number.isFinite(next)) timer = setTimeout(() => void look(), next);
  };
  const set = (next: KeepView) => {
    if (JSON.stringify(next) !== JSON.stringify(view.peek())) view.value = next;
  };
  const noticed = (notice: Notice) => {
    if (notice.kind === "refused" && notice.why !== undefined) refusals.set(notice.tabId, notice.why);
    clicked();
  };
  /** A click in a menu, or a shortcut, opens its page to the panel, and browsers tell the panel of neither. */
  const clicked = () => void refresh().then(look);
  const told = (outcome: KeepOutcome | PdfOutcome | undefined, tabId: number) => {
    refusals.set(tabId, outcome?.kind === "refused" ? outcome.why : undefined);
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
      privately.takeBack(key);
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
