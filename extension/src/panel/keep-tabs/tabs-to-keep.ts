/** The tabs of a window, read to be kept together: each judged for itself, and nothing sent before a person agrees. */
import { signal } from "@preact/signals";
import { READ_MS, readTabToKeep } from "../../capture/read-tab.ts";
import type { PageToKeep } from "../../capture/capture.ts";
import type { ConsentReason } from "../../keep/consent.ts";
import { isPrivateTab, judgePage, type KeepRefusal, queue } from "../../keep/ingest-tab.ts";
import { findKept } from "../../outbox/ledger.ts";
import type { NewEntry } from "../../outbox/outbox-entry.ts";
import type { PdfRefusal } from "../../pdf/reading.ts";
import { watchAllowed } from "../../settings/permissions.ts";
import { windowTabs } from "../pages/front-tab.ts";
import type { Keeping } from "../keep/keeping.ts";
import type { ShownTab } from "../pages/tabs.ts";

/** How many tabs are read at once. */
const AT_ONCE = 4;

/** Signs that speak of where pages go, and so of all of them. */
const OF_ALL: ReadonlySet<ConsentReason> = new Set(["no-pair", "public-pair", "unknown-audience"]);

/** A tab of the list, and how far it is. */
export interface TabRow {
  readonly tab: ShownTab;
  /** What is queued; absent while it is read, and of a tab that cannot be kept. */
  readonly entry?: NewEntry;
  /** Why it cannot be kept. */
  readonly why?: KeepRefusal | PdfRefusal;
  /** What makes the page look private. */
  readonly reasons: readonly ConsentReason[];
  /** It was kept before, and says the same. */
  readonly isKept: boolean;
  readonly isChosen: boolean;
}

/** Reads the window's tabs, a few at a time, until it is left. */
export class TabsToKeep {
  readonly rows = signal<readonly TabRow[]>([]);
  /** Tabs that the browser tells nothing of. */
  readonly unknown = signal(0);
  /** Signs that speak of where pages go. */
  readonly audience = signal<readonly ConsentReason[]>([]);
  readonly isReading = signal(true);
  readonly #left = new AbortController();
  readonly #withBefore: Keeping["withBefore"] | undefined;

  constructor(keeping: Pick<Keeping, "withBefore"> | undefined) {
    this.#withBefore = keeping?.withBefore;
    watchAllowed(() => void this.#look(), this.#left.signal);
    void this.#look();
  }

  /** Waits for no tab any more. */
  leave(): void {
    this.#left.abort();
  }

  choose(tabId: number, isChosen: boolean): void {
    this.#change(tabId, { isChosen });
  }

  /** Keeps what is chosen. Undefined: all of it waits now; else why the rest does not. */
  async keep(): Promise<KeepRefusal | undefined> {
    for (const { tab, entry, isChosen } of this.rows.peek()) {
      if (entry === undefined || !isChosen) continue;
      const outcome = await queue((await this.#withBefore?.(entry)) ?? entry);
      if (outcome.kind === "refused") return outcome.why;
      this.choose(tab.tabId, false);
    }
    return undefined;
  }

  async #look(): Promise<void> {
    const tabs = await windowTabs();
    if (this.#left.signal.aborted) return;
    const known = new Set(this.rows.peek().map(({ tab }) => tab.tabId));
    this.unknown.value = tabs.filter(({ url }) => url === "").length;
    const found = tabs.filter(({ tabId, url }) => url !== "" && !known.has(tabId));
    const rows = found.map((tab) => ({ tab, why: tab.closed, reasons: [], isKept: false, isChosen: false }));
    this.rows.value = [...this.rows.peek(), ...rows];
    this.isReading.value = true;
    const waiting = found.filter(({ closed }) => closed === undefined);
    const readOn = async () => {
      for (let tab = waiting.shift(); tab !== undefined; tab = waiting.shift()) {
        if (this.#left.signal.aborted) return;
        this.#judged(tab, await this.#judge(tab));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readOn));
    this.isReading.value = this.rows.peek().some(({ entry, why }) => entry === undefined && why === undefined);
  }

  async #judge(tab: ShownTab): Promise<Partial<TabRow>> {
    const place = { tabId: tab.tabId, isPrivate: await isPrivateTab(tab.tabId) };
    const read = await readOne(tab, AbortSignal.any([this.#left.signal, AbortSignal.timeout(READ_MS)]));
    if (read.page === undefined) return { why: read.why };
    const judged = await judgePage(read.page, place);
    if (judged.kind === "refused") return { why: judged.why };
    const { entry, reasons } = judged;
    this.audience.value = reasons.filter((reason) => OF_ALL.has(reason));
    const own = reasons.filter((reason) => !OF_ALL.has(reason));
    const isKept = (await findKept(entry.origin, tab.url).catch(() => undefined))?.hash === entry.hash;
    return { entry, reasons: own, isKept, isChosen: own.length === 0 && !isKept };
  }

  /** A page that is open twice stands on the list once. */
  #judged({ tabId }: ShownTab, change: Partial<TabRow>): void {
    const id = change.entry?.documentId;
    const isTwice = id !== undefined && this.rows.peek().some(({ entry }) => entry?.documentId === id);
    if (isTwice) this.rows.value = this.rows.peek().filter(({ tab }) => tab.tabId !== tabId);
    else this.#change(tabId, change);
  }

  #change(tabId: number, change: Partial<TabRow>): void {
    this.rows.value = this.rows.peek().map((row) => (row.tab.tabId === tabId ? { ...row, ...change } : row));
  }
}

type Read = { readonly page: PageToKeep } | { readonly page?: undefined; readonly why: KeepRefusal | PdfRefusal };

async function readOne({ tabId, url, isPdf }: ShownTab, enough: AbortSignal): Promise<Read> {
  const reading = await readTabToKeep(tabId, { compare: true }, enough);
  if (reading.page !== undefined) return reading;
  if (reading.why !== "pdf" && !(reading.why === "not-allowed" && isPdf)) return { why: reading.why };
  const { readPdfTab } = await import("../../pdf/pdf-tab.ts");
  const reply = await readPdfTab(tabId, reading.url ?? url);
  return reply.page === undefined ? { why: reply.refused } : { page: reply.kept };
}
