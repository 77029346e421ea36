/** The panel's own state, put together: the conversation, the tabs it is about, what is kept, and what was said before. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { ConversationRef } from "@threadlore/ask";
import { browser } from "wxt/browser";
import { askToReach, takeAccessBack } from "../settings/permissions.ts";
import { inTime } from "../capture/read-tab.ts";
import { changeSettings } from "../settings/settings.ts";
import { Conversation } from "./ask/conversation.ts";
import { createFrame } from "./ask/frame.ts";
import { followAddedTabs } from "./pages/added-tabs.ts";
import { followFrontTab } from "./pages/front-tab.ts";
import { History } from "./history/history.ts";
import type { Keeping } from "./keep/keeping.ts";
import { followKey } from "./connection/follow-key.ts";
import type { ShownTab } from "./pages/tabs.ts";
import { followSetup } from "./set-up.ts";
import type { LastView } from "./history/this-window.ts";
import { draftIn, viewIn } from "../storage/window-memory.ts";
import type { HeldTurn, Scope, Waiting } from "./ask/turn.ts";

type OnceDrawn = typeof import("./once-drawn.ts").onceDrawn;

/** Everything the panel shows, and everything it can do. It follows tabs and settings for as long as its page is there. */
export class Panel {
  readonly #later = import("./once-drawn.ts").then(({ onceDrawn }) => onceDrawn);
  readonly #set = followSetup(
    (origin) => this.#restore(origin),
    () => this.fresh(),
  );
  readonly #front = followFrontTab();
  readonly #window = followWindow(this.#later);
  readonly #draft = followDraft(this.#window.here);
  readonly setup = this.#set.setup;
  /** What may be asked; undefined while no service is set, and until it is known what IT has set. */
  readonly service = this.#set.access;
  /** What a question is about. */
  readonly scope: ReadonlySignal<Scope> = this.#set.scope;
  /** Host of the service; "" while none is set. */
  readonly host = computed(() => this.service.value?.host ?? this.#set.drawn.value.replace(/^.*\//, ""));
  /** What the service says of the key, asked again while the panel is seen; undefined until it has said anything. */
  readonly standing = followKey(this.service);
  readonly added = followAddedTabs();
  readonly front = this.#front.tab;
  /** All of the page in front is meant, though something is marked on it; until another page, or another part, is in front. */
  readonly isWhole = followWhole(this.#front.tab);
  /** Every tab of a question once: the one in front first, then those that were added. */
  readonly tabs = computed(() => {
    const front = this.front.value;
    const others = this.added.tabs.value.filter(({ tabId }) => tabId !== front?.tabId);
    return front === undefined ? others : [front, ...others];
  });
  readonly history = new History(this.service, this.#later);
  /** What is written and not sent. */
  readonly draft = this.#draft.text;
  /** Whether its window is a private one; false until that is known. */
  readonly isPrivate: ReadonlySignal<boolean> = this.#window.isPrivate;
  /** What is shown of answers, of keeping and of earlier conversations; undefined until it is loaded, after the drawing. */
  readonly views = signal<(OnceDrawn & { readonly keeping: Keeping }) | undefined>(undefined);
  readonly conversation = new Conversation(
    {
      service: () => this.service.peek(),
      settle: this.#set.settle,
      readPages: async (question, enough, { whole = false }) => {
        const [{ readPages }] = await Promise.all([this.#later, inTime(this.#front.refresh(), enough, undefined)]);
        const tabs = this.tabs.peek();
        return readPages(whole ? tabs.map(unselected) : tabs, question, enough);
      },
      isPrivate: () => this.#window.inPrivate,
      keep: (turns, place, waiting) =>
        void Promise.all([this.#hold(turns, place, waiting), this.history.keep(turns, place)]),
      frame: createFrame(),
    },
    this.#later.then(({ answering }) => answering),
  );

  constructor() {
    void this.#show();
  }

  /** Asks about what is chosen. */
  ask(question: string, scope: Partial<Scope> = {}): void {
    const whole = this.isWhole.peek() ? { whole: true as const } : {};
    void this.conversation.ask(question, { ...this.scope.peek(), ...whole, ...scope });
  }

  /** Switches the service's memory off, or goes on with it on, and asks the last question again. False: it stays on. */
  async memory(choice: "off" | "on"): Promise<boolean> {
    const key = this.service.peek()?.key;
    try {
      if (choice === "on") await key?.agree();
      else if ((await key?.memoryOff())?.memory !== "off") return false;
    } catch {
      return false;
    }
    void this.conversation.again();
    return true;
  }

  /** Takes back a question that waits, or all of them, to where questions are written. */
  takeBack(id?: string): void {
    this.draft.value = [this.conversation.takeBack(id), this.draft.peek()].filter((text) => text !== "").join("\n\n");
  }

  /** Begins a new conversation. */
  fresh(): void {
    this.takeBack();
    this.conversation.clear();
    this.history.begin();
    void this.#hold([], {});
  }

  /** Goes on with an earlier conversation. False: it cannot be had any more. */
  async openConversation(id: string): Promise<boolean> {
    const opened = await this.history.open(id);
    if (opened === undefined) return false;
    this.takeBack();
    await this.conversation.open(opened.turns, opened.conversation);
    void this.#hold(opened.turns, opened.conversation);
    return true;
  }

  setScope(wanted: Scope): void {
    this.#set.scope.value = wanted;
    void changeSettings({ askPage: wanted.page, askCompany: wanted.company });
  }

  /** Asks for access to a tab's site, or takes it back. Call it in the click itself. */
  allow(tab: ShownTab, isWanted = true): void {
    void (isWanted ? askToReach(tab.url) : takeAccessBack(tab.url)).then(() => this.#front.refresh());
  }

  /**
   * Its page is left: what is written there is held. The answer is not stopped: a server that goes on without its
   * listener may finish it, and what has come is held.
   */
  leave(): void {
    this.#draft.save();
  }

  async #show(): Promise<void> {
    const later = await this.#later;
    this.views.value = { ...later, keeping: new later.Keeping(this.#front, this.#window.inPrivate) };
  }

  async #hold(
    turns: readonly HeldTurn[],
    conversation: ConversationRef,
    waiting: readonly Waiting[] = [],
  ): Promise<void> {
    const origin = this.service.peek()?.origin ?? this.#set.drawn.peek();
    const view = { origin, id: this.history.current, conversation, turns, waiting };
    if (origin !== "") await this.#window.here.then(({ id, holdView }) => holdView(id, view));
  }

  /** Shows what this window's panel showed when it was closed. */
  async #restore(origin: string): Promise<void> {
    const view = await this.#window.here.then(({ id }) => viewIn<LastView>(id).read()).catch(() => undefined);
    if (view?.origin !== origin || this.conversation.turns.peek().length > 0) return;
    this.history.begin(view.id);
    await this.conversation.open(view.turns, view.conversation, view.waiting);
  }
}

/** All of a tab's page is meant, whatever is selected on it. */
const unselected = (tab: ShownTab): ShownTab => ({ ...tab, selected: 0 });

/** Whether the whole of a page is meant: for as long as it is in front with the same marked on it. */
function followWhole(front: ReadonlySignal<ShownTab | undefined>) {
  const isWhole = signal(false);
  let of = "";
  front.subscribe((tab) => {
    const now = tab === undefined ? "" : `${tab.tabId} ${tab.selected} ${tab.url}`;
    if (now !== of) isWhole.value = false;
    of = now;
  });
  return isWhole;
}

/** The panel's own window, once it is known, and whether it is a private one. */
function followWindow(later: Promise<OnceDrawn>) {
  const isPrivate = signal(false);
  // `inIncognitoContext` says no in the panel of a private window; the window itself tells the truth.
  const here = Promise.all([later, browser.windows.getCurrent()]).then(([memory, { id = -1, incognito }]) => {
    if (incognito) memory.openLinksIn(id);
    isPrivate.value = incognito;
    return { ...memory, id };
  });
  const inPrivate = here.then(
    () => isPrivate.peek(),
    () => true,
  );
  return { here, isPrivate, inPrivate };
}

/** After how long without a key what is written is held, milliseconds. */
const DRAFT_MS = 250;

/** What is written and not sent, held for the window. */
function followDraft(here: ReturnType<typeof followWindow>["here"]) {
  const text = signal("");
  // Whoever was quicker is writing already.
  void here.then(({ id }) => draftIn(id).read()).then((written = "") => (text.value ||= written));
  const save = () => void here.then(({ id }) => draftIn(id).write(text.peek())).catch(() => {});
  let saving: ReturnType<typeof setTimeout> | undefined;
  text.subscribe(() => {
    clearTimeout(saving);
    saving = setTimeout(save, DRAFT_MS);
  });
  return { text, save };
}
