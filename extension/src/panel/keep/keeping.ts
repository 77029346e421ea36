/** Keeping the page in front, and everything that waits to be sent, as signals for the panel to show. */
import { computed, effect, signal } from "@preact/signals";
import type { KeptAdditions } from "../../keep/additions.ts";
import { type ConsentQuestion, describeQuestion, QUESTIONS, readQuestions } from "../../keep/consent.ts";
import { answerConsent, ingestTab } from "../../keep/ingest-tab.ts";
import { INTENTS, readIntents } from "../../keep/intents.ts";
import { NOTICE } from "../../keep/notices.ts";
import { watchDatabase } from "../../storage/database.ts";
import { sendNow, takeBack } from "../../outbox/outbox.ts";
import { pruneTexts } from "../../outbox/texts.ts";
import { PAUSE } from "../../outbox/pause.ts";
import { watchPlace } from "../../storage/slots.ts";
import { HELD } from "../../outbox/private-outbox.ts";
import { isSamePage, READ_MS } from "../../capture/read-tab.ts";
import { watchSettings } from "../../settings/settings.ts";
import type { PdfOutcome } from "../../pdf/keep-pdf.ts";
import { wakeBackground } from "../../outbox/wake.ts";
import type { OutboxEntry } from "../../outbox/outbox-entry.ts";
import type { Marked, Marking } from "../marking/marked.ts";
import type { Backlog, KeepView, WrittenPage } from "./keep-view.ts";
import type { FrontTab } from "../pages/front-tab.ts";
import { kept } from "./later.tsx";
import { createRefusals, followPrivate, pdfHashes, readWaiting } from "./keeping-memory.ts";
import { backlogOf, togetherOf, unconfirmedOf, undoableOf, viewOf } from "./tab-view.ts";

/** States of a page that ends up as a kept one. */
const ON_ITS_WAY: ReadonlySet<KeepView["state"]> = new Set(["reading", "consent", "undo", "queued", "unconfirmed"]);
/** How long what is shown of another tab may stay, milliseconds. */
const STALE_MS = 300;
/** How long it is said what was highlighted, and can be taken back there, milliseconds. */
const MARKED_MS = 30_000;
/** Oldest notice that is still shown, milliseconds. */
const MAX_NOTICE_MS = 60_000;

/**
 * Follows what is kept and what waits, for the tab in front, for as long as the panel is there. A private window's panel
 * shows what comes from private windows, and no other panel does.
 */
export class Keeping {
  readonly view = signal<KeepView>({ state: "absent" });
  /** Whether it is told since when the page in front is kept: when it just was. */
  readonly isTold = signal(false);
  readonly backlog = signal<Backlog>({ waiting: 0, unconfirmed: 0, stopped: [], isPaused: false });
  /** Pages that can be taken back and are not the one in front. */
  readonly undoable = signal<readonly OutboxEntry[]>([]);
  /** Pages that can be taken back and have one line together, that in front among them; none: each has its own. */
  readonly together = computed(() => togetherOf(this.undoable.value, this.view.value));
  /** The page whose title, tags and note are being written; one that waits is held back meanwhile. */
  readonly writing = signal<WrittenPage | undefined>(undefined);
  /** What was highlighted last on the page in front. */
  readonly marked = signal<Marked | undefined>(undefined);
  readonly #front: FrontTab;
  readonly #isPrivate: Promise<boolean>;
  readonly #privately = followPrivate();
  /** A page of a private window that is to be queued, with what was added to it before; any other as it is. */
  readonly withBefore = this.#privately.withBefore;
  readonly #refusals = createRefusals();
  readonly #pdfHash: ReturnType<typeof pdfHashes>;
  /** Tabs that are being read for this panel. */
  readonly #reads = new Map<number, AbortController>();
  /** What was written of the page that is asked about is being noted: it goes along, however quickly a person agrees. */
  #described: Promise<void> = Promise.resolve();
  #forgetting: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  /** The page that the view is of. */
  #shownOf = "";

  constructor(front: FrontTab, isPrivate: Promise<boolean>) {
    this.#front = front;
    this.#isPrivate = isPrivate;
    this.#pdfHash = pdfHashes(front.loads);
    const look = (): void => void this.#look();
    effect(() => {
      const { tabId, url } = front.tab.value ?? {};
      void front.loads.value;
      const told = this.marked.peek();
      const isThere = told?.tabId === tabId && (told?.url === "" || isSamePage(told?.url, url ?? ""));
      if (!isThere) this.marked.value = undefined;
      look();
    });
    for (const place of [QUESTIONS, HELD, PAUSE]) watchPlace(place, look);
    watchSettings(look);
    watchDatabase(look);
    watchPlace(NOTICE, () => void this.#noticed());
    watchPlace(INTENTS, () => {
      this.#clicked();
      void this.#takeUp();
    });
    void this.#takeUp();
    void this.#noticed();
    void pruneTexts().catch(() => {});
  }

  /** Keeps the page in front, or what is marked of it. */
  async keep(selection: boolean): Promise<void> {
    const tab = this.#front.tab.peek();
    if (tab === undefined || this.#reads.has(tab.tabId)) return;
    await this.#reading(tab.tabId, async (enough) => {
      const outcome = await ingestTab(tab.tabId, { selection, enough });
      const isPdf =
        outcome.kind === "refused" && (outcome.why === "pdf" || (outcome.why === "not-allowed" && tab.isPdf));
      if (!isPdf) return outcome;
      const { keepPdf } = await import("../../pdf/keep-pdf.ts");
      return keepPdf(tab.tabId, outcome.url ?? tab.url);
    });
  }

  /** Highlights what is selected on the page in front, or what was chosen in the browser's menu. */
  async mark(chosen?: Pick<Marking, "tabId" | "text" | "url">): Promise<void> {
    const front = this.#front.tab.peek();
    const { tabId = -1, url } = chosen ?? front ?? {};
    const isPdf = front?.tabId === tabId && front.isPdf;
    const { mark } = await kept();
    const marked = await mark(
      { tabId, url, isPdf, text: chosen?.text ?? "" },
      { sent: this.#privately.sent, reading: (read) => this.#whileReading(tabId, read) },
    );
    this.#refusals.set(tabId, undefined);
    this.#tellMarked(marked);
    await this.#look();
  }

  /** Takes the highlight back that was added last. */
  async unmark(): Promise<void> {
    const marked = this.marked.peek();
    if (marked?.became !== "added") return;
    const { takeMarkBack } = await kept();
    const { tabId, url, key, text } = marked;
    const became = await takeMarkBack(key, text).catch(() => "storage" as const);
    const page = { tabId, url };
    if (became === "done") this.#tellMarked(undefined);
    else if (became === "no-text") this.#tellMarked({ ...page, became: "stuck" });
    else this.#tellMarked({ ...page, became: "refused", why: became });
    await this.#look();
  }

  async consent(id: string, agreed: boolean): Promise<void> {
    if (!agreed) this.marked.value = undefined;
    await this.#described;
    this.#told(await answerConsent(id, agreed), this.#front.tab.peek()?.tabId ?? -1);
    await this.#look();
  }

  /** Notes what a person adds to the page they are asked about. */
  async describe(id: string, additions: KeptAdditions): Promise<void> {
    this.#described = describeQuestion(id, additions).catch(() => {});
    await this.#described;
  }

  /** Waits no longer for the page in front. */
  stopReading(): void {
    this.#reads.get(this.#front.tab.peek()?.tabId ?? -1)?.abort();
  }

  async takeBack(...keys: readonly string[]): Promise<void> {
    const marked = this.marked.peek();
    if (marked?.became === "added" && keys.includes(marked.key)) this.marked.value = undefined;
    for (const key of keys) {
      this.#privately.takeBack(key);
      await takeBack(key);
    }
    await this.#look();
  }

  /** Takes a page that its service does not remove off the list. */
  async takeOff(key: string): Promise<void> {
    const { takeOffList } = await kept();
    await takeOffList(key);
    await this.#look();
  }

  async sendNow(key?: string): Promise<void> {
    await sendNow(key);
    await wakeBackground();
    await this.#look();
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    const turn = (this.#asked += 1);
    const tab = this.#front.tab.peek();
    const here = await this.#isPrivate;
    const [entries, pause, open, intents] = await Promise.all([
      readWaiting(here),
      PAUSE.read(),
      readQuestions(),
      readIntents(),
    ]);
    if (turn !== this.#asked) return;
    const waiting = entries.filter(({ isPrivate }) => (isPrivate === true) === here);
    this.#privately.note(waiting);
    const asked = open.filter(({ entry }) => (entry.isPrivate === true) === here);
    const questions = await Promise.all(asked.map((question) => this.#withBefore(question)));
    if (turn !== this.#asked) return;
    // What is added meanwhile stands in the form as well.
    const written = this.writing.peek()?.key;
    this.writing.value = waiting.find(({ key }) => key === written) ?? this.writing.peek();
    this.backlog.value = backlogOf(waiting, pause !== undefined);
    const isClicked = intents.some(({ pdf, tellTabId }) => pdf !== true && tellTabId === tab?.tabId);
    const canStop = tab !== undefined && this.#reads.has(tab.tabId);
    const looking: Promise<KeepView> =
      canStop || isClicked
        ? Promise.resolve({ state: "reading", canStop })
        : viewOf(tab, {
            waiting,
            questions,
            sent: this.#privately.sent,
            isPrivate: here,
            pdfHash: this.#pdfHash,
          });
    // A page that hangs says nothing for a while, and what is shown meanwhile is of the tab before.
    const of = `${tab?.tabId} ${tab?.url}`;
    const hide = (): unknown => turn === this.#asked && this.#set({ state: "absent" });
    const stale = of === this.#shownOf ? undefined : setTimeout(hide, STALE_MS);
    const shown = await looking.finally(() => clearTimeout(stale));
    if (turn !== this.#asked) return;
    this.#shownOf = of;
    this.#show(shown, waiting);
    // When the time to take a page back is over, nothing is written: it is on its way from then on.
    const next = Math.min(...waiting.map(({ sendAfter }) => sendAfter - Date.now()).filter((ms) => ms > 0));
    if (Number.isFinite(next)) this.#timer = setTimeout(() => void this.#look(), next);
  }

  /** A question with what was added to its page before, noted before it is shown: a person sees all that goes along. */
  async #withBefore(question: ConsentQuestion): Promise<ConsentQuestion> {
    const entry = await this.withBefore(question.entry);
    if (entry !== question.entry && entry.additions !== undefined) await this.describe(question.id, entry.additions);
    return { ...question, entry };
  }

  #show(shown: KeepView, waiting: readonly OutboxEntry[]): void {
    const tab = this.#front.tab.peek();
    if (shown.state === "unconfirmed") {
      const others = waiting.filter(({ key }) => key !== shown.entry.key);
      this.backlog.value = { ...this.backlog.peek(), unconfirmed: unconfirmedOf(others) };
    }
    this.undoable.value = undoableOf(waiting, shown);
    const isFree = shown.state === "offered" || (shown.state === "absent" && tab !== undefined);
    const message = this.#refusals.on(tab);
    this.#set(isFree && message !== undefined ? { state: "refused", message } : shown);
  }

  #set(next: KeepView): void {
    const before = this.view.peek();
    if (JSON.stringify(next) === JSON.stringify(before)) return;
    if (next.state !== before.state) this.isTold.value = next.state === "kept" && ON_ITS_WAY.has(before.state);
    this.view.value = next;
  }

  async #noticed(): Promise<void> {
    const notice = await NOTICE.read();
    if (notice === undefined || Date.now() - notice.at >= MAX_NOTICE_MS) return;
    if (notice.kind === "refused" && notice.why !== undefined) this.#refusals.set(notice.tabId, notice.why);
    this.#clicked();
  }

  /** A click in a menu, or a shortcut, opens its page to the panel, and browsers tell the panel of neither. */
  #clicked(): void {
    void this.#front.refresh().then(() => this.#look());
  }

  #told(outcome: PdfOutcome | undefined, tabId: number): void {
    this.#refusals.set(tabId, outcome?.kind === "refused" ? outcome.why : undefined);
  }

  #tellMarked(marked: Marked | undefined): void {
    clearTimeout(this.#forgetting);
    this.marked.value = marked;
    this.#forgetting = setTimeout(() => (this.marked.value = undefined), MARKED_MS);
  }

  async #reading(tabId: number, read: (enough: AbortSignal) => Promise<PdfOutcome>): Promise<void> {
    let isLeft = () => false;
    const outcome = await this.#whileReading(tabId, (enough, left) => {
      isLeft = () => left.aborted;
      return read(enough);
    });
    this.#told(isLeft() && outcome.kind === "refused" ? undefined : outcome, tabId);
    await this.#look();
  }

  /** Reads while the bar says so. `enough` is aborted when that takes too long, `left` when a person stops it. */
  async #whileReading<Read>(
    tabId: number,
    read: (enough: AbortSignal, left: AbortSignal) => Promise<Read>,
  ): Promise<Read> {
    const left = new AbortController();
    this.#reads.set(tabId, left);
    if (this.#front.tab.peek()?.tabId === tabId) this.#set({ state: "reading", canStop: true });
    try {
      return await read(AbortSignal.any([left.signal, AbortSignal.timeout(READ_MS)]), left.signal);
    } finally {
      this.#reads.delete(tabId);
      await this.#look();
    }
  }

  /** What was clicked in a PDF waits for the panel, which has what it takes to read one. */
  async #takeUp(): Promise<void> {
    if (!(await readIntents()).some(({ pdf }) => pdf === true)) return;
    const { keepClickedPdfs } = await import("../../pdf/keep-pdf.ts");
    await keepClickedPdfs((tabId, read) => this.#reading(tabId, read));
  }
}
