/** The panel's own state, put together: the conversation, the tabs it is about, what is kept, and what was said before. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ConversationRef } from "@threadlore/ask";
import { browser } from "wxt/browser";
import { askToReach } from "../settings/permissions.ts";
import { inTime } from "../capture/read-tab.ts";
import { changeSettings } from "../settings/settings.ts";
import { type Conversation, createConversation } from "./ask/conversation.ts";
import { createFrame } from "./ask/frame.ts";
import { followAddedTabs } from "./pages/added-tabs.ts";
import { followFrontTab } from "./pages/front-tab.ts";
import { createHistory, type History } from "./history/history.ts";
import type { Backlog, KeepView, Undoable } from "./keep/keep-view.ts";
import type { Keeping, KeepSigns } from "./keep/keeping.ts";
import type { ServiceAccess } from "./connection/service-access.ts";
import { followKey } from "./connection/follow-key.ts";
import type { KeyStanding } from "./connection/standing.ts";
import { type ChosenTabs, type ShownTab, tabsOf } from "./pages/tabs.ts";
import { followSetup, type Setup } from "./set-up.ts";
import type { HeldTurn, Scope } from "./ask/turn.ts";

type OnceDrawn = typeof import("./once-drawn.ts").onceDrawn;

/** What is shown of answers, of keeping and of earlier conversations. */
type LaterViews = Pick<
  OnceDrawn,
  "BacklogBar" | "HistoryView" | "KeepBar" | "KeyBar" | "TurnView" | "UndoBar" | "announcement"
>;

/** Everything the panel shows, and everything it can do. */
export interface Panel {
  readonly setup: ReadonlySignal<Setup>;
  /** Host of the service; "" while none is set. */
  readonly host: ReadonlySignal<string>;
  readonly localHosts: ReadonlySignal<boolean>;
  /** What may be asked; undefined while no service is set, and until it is known what IT has set. */
  readonly service: ReadonlySignal<ServiceAccess | undefined>;
  /** What it says of the key, asked again while the panel is seen; undefined until it has said anything. */
  readonly standing: ReadonlySignal<KeyStanding | undefined>;
  readonly conversation: Conversation;
  readonly scope: ReadonlySignal<Scope>;
  readonly tabs: ReadonlySignal<ChosenTabs>;
  /** Undefined until they are loaded, after the panel is drawn. */
  readonly views: ReadonlySignal<LaterViews | undefined>;
  readonly signs: Readonly<{ [Name in keyof KeepSigns]: ReadonlySignal<KeepSigns[Name]["value"]> }>;
  /** Does something about keeping. Its code is loaded after the panel is drawn. */
  keeping(act: (keeping: Keeping) => Promise<void>): Promise<void>;
  readonly history: History;
  /** What is written and not sent. */
  readonly draft: Signal<string>;
  /** Whether its window is a private one; false until that is known. */
  readonly isPrivate: ReadonlySignal<boolean>;
  /** Switches the service's memory off, or goes on with it on, and asks the last question again. False: it stays on. */
  memory(choice: "off" | "on"): Promise<boolean>;
  /** Begins a new conversation. */
  fresh(): void;
  /** Goes on with an earlier conversation. False: it cannot be had any more. */
  openConversation(id: string): Promise<boolean>;
  setScope(scope: Scope): void;
  addTab(tab: ShownTab): void;
  dropTab(tabId: number): void;
  /** Asks for access to a tab's site. Call it in the click itself. */
  allow(tab: ShownTab): void;
  openSettings(): void;
  openWelcome(): void;
  stop(): void;
}

/** Puts the panel together and begins to follow tabs and settings. */
export function createPanel(): Panel {
  const later = import("./once-drawn.ts").then(({ onceDrawn }) => onceDrawn);
  const views = signal<LaterViews | undefined>(undefined);
  void later.then((loaded) => (views.value = loaded));
  const set = followSetup({ onFirst: (origin) => restore(origin), onOther: () => begin() });
  const { access, drawn, scope } = set;
  const key = followKey(access);
  const added = followAddedTabs();
  const front = followFrontTab();
  const tabs = computed<ChosenTabs>(() => ({ front: front.tab.value, added: added.tabs.value }));
  const history = createHistory(access, later);
  const { here, isPrivate, inPrivate } = followWindow(later);
  const draft = followDraft(here);
  const hold = async (turns: readonly HeldTurn[], conversation: ConversationRef) => {
    const origin = access.peek()?.origin ?? drawn.peek();
    const view = { origin, id: history.current(), conversation, turns };
    if (origin !== "") await here.then(({ id, holdView }) => holdView(id, view));
  };
  const conversation = createConversation({
    service: () => access.peek(),
    settle: set.settle,
    async readPages(question, enough, { whole = false }) {
      const [{ readPages }] = await Promise.all([later, inTime(front.refresh(), enough, undefined)]);
      return readPages(whole ? tabsOf(tabs.peek()).map(unselected) : tabsOf(tabs.peek()), question, enough);
    },
    isPrivate: () => inPrivate,
    keep: (turns, place) => void Promise.all([hold(turns, place), history.keep(turns, place)]),
    frame: createFrame(),
  });
  const signs = noSigns();
  const keeping = later.then(({ followKeeping }) => followKeeping(front, signs, inPrivate));

  /** Shows what this window's panel showed when it was closed. */
  const restore = async (origin: string) => {
    const view = await here.then(({ id, readView }) => readView(id)).catch(() => undefined);
    if (view?.origin !== origin || conversation.turns.peek().length > 0) return;
    history.begin(view.id);
    conversation.open(view.turns, view.conversation);
  };
  const begin = () => {
    conversation.clear();
    history.begin();
    void hold([], {});
  };

  return {
    setup: set.setup,
    host: computed(() => access.value?.host ?? drawn.value.replace(/^.*\//, "")),
    localHosts: computed(() => access.value?.isLocal ?? false),
    service: access,
    standing: key.standing,
    conversation,
    scope,
    tabs,
    views,
    signs,
    keeping: (act) => keeping.then(act),
    history,
    draft: draft.text,
    isPrivate,
    async memory(choice) {
      if (!(await decideMemory(access.peek(), choice))) return false;
      void conversation.again();
      return true;
    },
    fresh: begin,
    async openConversation(id) {
      const opened = await history.open(id);
      if (opened === undefined) return false;
      conversation.open(opened.turns, opened.conversation);
      void hold(opened.turns, opened.conversation);
      return true;
    },
    setScope(wanted) {
      scope.value = wanted;
      void changeSettings({ askPage: wanted.page, askCompany: wanted.company });
    },
    addTab: added.add,
    dropTab: added.drop,
    allow: (tab) => void askToReach(tab.url).then(() => front.refresh()),
    openSettings: () => void browser.runtime.openOptionsPage(),
    openWelcome: () => void browser.tabs.create({ url: browser.runtime.getURL("/welcome.html" as never) }),
    // The answer is not stopped: a server that goes on without its listener may finish it, and what has come is held.
    stop() {
      for (const following of [draft, set, key, front, added]) following.stop();
      void keeping.then((following) => following.stop());
    },
  };
}

/** All of a tab's page is meant, whatever is selected on it. */
const unselected = (tab: ShownTab): ShownTab => ({ ...tab, selected: 0 });

/** Nothing is known yet of what is kept. */
function noSigns(): KeepSigns {
  return {
    view: signal<KeepView>({ state: "absent" }),
    backlog: signal<Backlog>({ waiting: 0, unconfirmed: 0, stopped: [], isPaused: false }),
    undoable: signal<readonly Undoable[]>([]),
  };
}

/** Switches the service's memory off, or remembers that the person goes on with it on. False: it stays undecided. */
async function decideMemory(service: ServiceAccess | undefined, choice: "off" | "on"): Promise<boolean> {
  try {
    if (choice === "off") return (await service?.key.memoryOff())?.memory === "off";
    await service?.key.agree();
    return true;
  } catch {
    return false;
  }
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
  void here.then(({ id, readDraft }) => readDraft(id)).then((written) => (text.value ||= written));
  const save = () => void here.then(({ id, holdDraft }) => holdDraft(id, text.peek()));
  let saving: ReturnType<typeof setTimeout> | undefined;
  const end = text.subscribe(() => {
    clearTimeout(saving);
    saving = setTimeout(save, DRAFT_MS);
  });
  return {
    text,
    stop() {
      save();
      end();
    },
  };
}
