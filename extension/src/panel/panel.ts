/** The panel's own state, put together: the conversation, the tabs it is about, what is kept, and what was said before. */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { ConversationRef } from "@threadlore/ask";
import type { VNode } from "preact";
import { browser } from "wxt/browser";
import { askForAllSites, askToReach, takeAccessBack } from "../settings/permissions.ts";
import { inTime } from "../capture/read-tab.ts";
import { changeSettings } from "../settings/settings.ts";
import { Conversation } from "./ask/conversation.ts";
import { createFrame } from "./ask/frame.ts";
import { followAddedTabs, MAX_ASKED } from "./pages/added-tabs.ts";
import { followFrontTab } from "./pages/front-tab.ts";
import { peopleOf } from "./people/people-of.ts";
import { followSelection } from "./pages/selection.ts";
import { History } from "./history/history.ts";
import type { Keeping } from "./keep/keeping.ts";
import { followKey } from "./connection/follow-key.ts";
import type { ShownTab } from "./pages/tabs.ts";
import { followSetup } from "./set-up.ts";
import type { LastView } from "./history/this-window.ts";
import { draftIn, viewIn } from "../storage/window-memory.ts";
import type { HeldTurn, Scope, Waiting } from "./ask/turn.ts";

type OnceDrawn = typeof import("./once-drawn.ts").onceDrawn;
type ToAsk = typeof import("./to-ask.ts").toAsk;

/** Everything the panel shows, and everything it can do. It follows tabs and settings for as long as its page is there. */
export class Panel {
  /** How often a new conversation was begun. */
  #begun = 0;
  readonly #later = import("./once-drawn.ts").then(({ onceDrawn }) => onceDrawn);
  readonly #set = followSetup(
    this.#later,
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
  /** What of asking people concerns its person; undefined in private windows, and where the service says nothing of it. */
  readonly people = computed(() => peopleOf(this.standing.value?.me, this.isPrivate.value));
  readonly added = followAddedTabs();
  readonly front = this.#front.tab;
  /** Whether only what is selected on the page in front is asked about. */
  readonly selection = followSelection(this.front);
  /** Every tab of a question once: the one in front first, then those that were added. */
  readonly tabs = computed(() => {
    const front = this.front.value;
    const others = this.added.tabs.value.filter(({ tabId }) => tabId !== front?.tabId);
    return (front === undefined ? others : [front, ...others]).slice(0, MAX_ASKED);
  });
  readonly history = new History(this.service, () => this.#toAsk());
  /** What is written and not sent. */
  readonly draft = this.#draft.text;
  /** Whether its window is a private one; false until that is known. */
  readonly isPrivate: ReadonlySignal<boolean> = this.#window.isPrivate;
  /** What is shown of keeping and of earlier conversations; undefined until it is loaded, after the drawing. */
  readonly views = signal<(OnceDrawn & { readonly keeping: Keeping }) | undefined>(undefined);
  /** What is shown of answers; undefined until the first question begins to be written, or one is shown again. */
  readonly answers = signal<ToAsk | undefined>(undefined);
  /** The list of the window's tabs to be kept, in place of the conversation; undefined while nobody wants it. */
  readonly tabsToKeep = signal<(() => VNode) | undefined>(undefined);
  readonly conversation = new Conversation(
    {
      service: () => this.service.peek(),
      settle: this.#set.settle,
      readPages: async (question, enough, { selection = false }) => {
        const [{ readPages }] = await Promise.all([this.#toAsk(), inTime(this.#front.refresh(), enough, undefined)]);
        const marked = selection ? { tabId: this.front.peek()?.tabId, said: this.selection.said.peek() } : undefined;
        return readPages(this.tabs.peek(), { question, marked, enough });
      },
      isPrivate: () => this.#window.inPrivate,
      keep: (turns, place, waiting) =>
        void Promise.all([this.#hold(turns, place, waiting), this.history.keep(turns, place)]),
      frame: createFrame(),
    },
    () => this.#toAsk().then(({ answering }) => answering),
  );

  constructor() {
    void this.#show();
    effect(() => {
      if (this.draft.value === "") return;
      // Whoever writes will ask: by then it is there.
      void this.conversation.prepare();
      void this.service.value?.wire();
    });
  }

  /** Asks about what is chosen. */
  ask(question: string, scope: Partial<Scope> = {}): void {
    const selection = this.selection.isChosen.peek() || undefined;
    void this.conversation.ask(question, { ...this.scope.peek(), selection, ...scope });
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
    this.#begun += 1;
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

  /** Asks for access to a tab's site for good, or takes it back: from every site where that was given. Call it in the click itself. */
  allow(tab: ShownTab, isWanted = true): void {
    void (isWanted ? askToReach(tab.url) : takeAccessBack(tab.url)).then(() => this.#front.refresh());
  }

  /** Asks for access to every site for good. Call it in the click itself. */
  allowAll(): void {
    void askForAllSites().then(() => this.#front.refresh());
  }

  /** Shows the tabs of the window to be kept together. */
  async keepTabs(): Promise<void> {
    const { KeepTabs } = await (await this.#later).loadTabs();
    this.tabsToKeep.value = () => KeepTabs({ panel: this, onClose: () => (this.tabsToKeep.value = undefined) });
  }

  /**
   * Its page is left: what is written there is held. The answer is not stopped: a server that goes on without its
   * listener may finish it, and what has come is held.
   */
  leave(): void {
    this.#draft.save();
  }

  async #toAsk(): Promise<ToAsk> {
    const { toAsk } = await (await this.#later).loadToAsk();
    return (this.answers.value = toAsk);
  }

  async #show(): Promise<void> {
    const later = await this.#later;
    const keeping = new later.Keeping(this.#front, this.#window.inPrivate);
    this.views.value = { ...later, keeping };
    const { id } = await this.#window.here;
    later.openLinks(id, this);
    later.followClicks(id, {
      front: this.#front,
      selection: this.selection,
      // Of a page that was switched off nothing is asked, whatever is chosen on it.
      askPage: () => this.setScope({ ...this.scope.peek(), page: true }),
      keepTabs: () => this.keepTabs(),
      highlight: (chosen) => keeping.mark(chosen),
    });
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
    const begun = this.#begun;
    const view = await this.#window.here.then(({ id }) => viewIn<LastView>(id).read()).catch(() => undefined);
    // Whoever was quicker has begun anew, or asked already.
    if (begun !== this.#begun || view?.origin !== origin || this.conversation.turns.peek().length > 0) return;
    this.history.begin(view.id);
    if (view.turns.length === 0) return;
    await this.conversation.open(view.turns, view.conversation, view.waiting);
  }
}

/** The panel's own window, once it is known, and whether it is a private one. */
function followWindow(later: Promise<OnceDrawn>) {
  const isPrivate = signal(false);
  // `inIncognitoContext` says no in the panel of a private window; the window itself tells the truth.
  const here = Promise.all([later, browser.windows.getCurrent()]).then(([memory, { id = -1, incognito }]) => {
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
