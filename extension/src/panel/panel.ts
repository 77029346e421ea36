/** The panel's own state, put together: the conversation, the tabs it is about, what is kept, and what was said before. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ConversationRef } from "@threadlore/ask";
import { browser } from "wxt/browser";
import { askToReach } from "../settings/permissions.ts";
import { inTime } from "../capture/read-tab.ts";
import {
  changeSettings,
  type EffectiveSettings,
  readConnection,
  readDrawn,
  readSettings,
  type Settings,
  watchSettings,
} from "../settings/settings.ts";
import { type Conversation, createConversation } from "./ask/conversation.ts";
import { createFrame } from "./ask/frame.ts";
import { followFrontTab, showTab } from "./pages/front-tab.ts";
import { createHistory, type History } from "./history/history.ts";
import type { Backlog, KeepView, Undoable } from "./keep/keep-view.ts";
import type { Keeping, KeepSigns } from "./keep/keeping.ts";
import type { ServiceAccess } from "./connection/service-access.ts";
import { followKey } from "./connection/follow-key.ts";
import type { KeyStanding } from "./connection/standing.ts";
import { type ChosenTabs, type ShownTab, tabsOf } from "./pages/tabs.ts";
import type { HeldTurn, Scope } from "./ask/turn.ts";

/** Whether there is a service to ask. `loading`: it is not known yet. */
export type Setup = "loading" | "missing" | "ready" | "broken";

/** What is shown of answers, of keeping and of earlier conversations. */
type LaterViews = Pick<
  typeof import("./once-drawn.ts").onceDrawn,
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

/** After how long without a key what is written is held, milliseconds. */
const DRAFT_MS = 250;

/** Puts the panel together and begins to follow tabs and settings. */
export function createPanel(): Panel {
  const later = import("./once-drawn.ts").then(({ onceDrawn }) => onceDrawn);
  const views = signal<LaterViews | undefined>(undefined);
  void later.then((loaded) => (views.value = loaded));
  const access = signal<ServiceAccess | undefined>(undefined);
  const key = followKey(access);
  const setup = signal<Setup>("loading");
  const scope = signal<Scope>({ page: true, company: true });
  /** Origin of the service as the person has set it, to draw with until `policy` has come. */
  const drawn = signal("");
  const policy = Promise.withResolvers<EffectiveSettings>();
  let isPolicyKnown = false;
  const added: Signal<readonly ShownTab[]> = signal([]);
  const front = followFrontTab();
  const tabs = computed<ChosenTabs>(() => ({ front: front.tab.value, added: added.value }));
  const history = createHistory(access, later);
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
  const draft = signal("");
  const hold = async (
    turns: readonly HeldTurn[],
    conversation: ConversationRef,
    origin = access.peek()?.origin ?? drawn.peek(),
  ) => {
    if (origin === "") return;
    const view = { origin, id: history.current(), conversation, turns };
    await here.then(({ id, holdView }) => holdView(id, view));
  };
  const conversation = createConversation({
    service: () => access.peek(),
    async settle(asked) {
      if (isPolicyKnown) return asked;
      const settings = await policy.promise;
      const isPreset = settings.managed.has("askPage") || settings.managed.has("askCompany");
      return isPreset ? { ...asked, ...scopeOf(settings) } : asked;
    },
    async readPages(question, enough, { whole = false }) {
      const [{ readPages }] = await Promise.all([later, inTime(front.refresh(), enough, undefined)]);
      const chosen = tabsOf(tabs.peek());
      return readPages(whole ? chosen.map((tab) => ({ ...tab, selected: 0 })) : chosen, question, enough);
    },
    isPrivate: () => inPrivate,
    keep(turns, place) {
      void hold(turns, place);
      void history.keep(turns, place);
    },
    frame: createFrame(),
  });
  const signs: KeepSigns = {
    view: signal<KeepView>({ state: "absent" }),
    backlog: signal<Backlog>({ waiting: 0, unconfirmed: 0, stopped: [], isPaused: false }),
    undoable: signal<readonly Undoable[]>([]),
  };
  const keeping = later.then(({ followKeeping }) => followKeeping(front, signs, inPrivate));

  // Whoever was quicker is writing already.
  void here.then(({ id, readDraft }) => readDraft(id)).then((written) => (draft.value ||= written));
  /** Shows what this window's panel showed when it was closed. */
  const restore = async (origin: string) => {
    const view = await here.then(({ id, readView }) => readView(id)).catch(() => undefined);
    if (view === undefined || view.origin !== origin || conversation.turns.peek().length > 0) return;
    history.begin(view.id);
    conversation.open(view.turns, view.conversation);
  };
  const saveDraft = () => void here.then(({ id, holdDraft }) => holdDraft(id, draft.peek()));
  let saving: ReturnType<typeof setTimeout> | undefined;
  const stopDraft = draft.subscribe(() => {
    clearTimeout(saving);
    saving = setTimeout(saveDraft, DRAFT_MS);
  });
  const begin = () => {
    conversation.clear();
    history.begin();
    void hold([], {});
  };

  const draw = async () => {
    const { settings, origin } = await readDrawn();
    if (isPolicyKnown || origin === "") return;
    drawn.value = origin;
    scope.value = scopeOf(settings);
    setup.value = "ready";
  };
  let reads = 0;
  const readSetup = async () => {
    const turn = (reads += 1);
    const [settings, connection] = await Promise.all([readSettings(), readConnection()]);
    // Loaded as soon as the panel is there to be seen: the wire is not needed to draw it.
    const wire = import("./connection/service-access.ts");
    if (turn === reads && connection === undefined) setup.value = "missing";
    const { serviceAccess } = await wire;
    // Settings have changed meanwhile, and a later look knows them.
    if (turn !== reads) return;
    scope.value = scopeOf(settings);
    const before = access.peek()?.origin;
    try {
      access.value = connection === undefined ? undefined : serviceAccess(connection, settings);
      if (connection !== undefined && before === undefined) await restore(connection.origin);
      if (turn !== reads) return;
      if (connection !== undefined) setup.value = "ready";
    } catch {
      // An address or a key that can be none, such as from a policy with a typing error.
      access.value = undefined;
      setup.value = "broken";
    }
    isPolicyKnown = true;
    policy.resolve(settings);
    // Sessions belong to one service: a question of the old one must not go on at the new one.
    if (before !== undefined && access.peek()?.origin !== before) begin();
  };
  const watching = watchSettings(() => void readSetup());
  void draw();
  void readSetup();

  const updated = async (tabId: number) => {
    if (!added.peek().some((tab) => tab.tabId === tabId)) return;
    const now = await showTab(tabId);
    added.value = added.peek().flatMap((tab) => (tab.tabId !== tabId ? [tab] : now === undefined ? [] : [now]));
  };
  const changed = (tabId: number) => void updated(tabId);
  browser.tabs.onUpdated.addListener(changed);
  browser.tabs.onRemoved.addListener(changed);

  return {
    setup,
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
    draft,
    isPrivate,
    async memory(choice) {
      const service = access.peek();
      try {
        if (choice === "on") await service?.key.agree();
        else if ((await service?.key.memoryOff())?.memory !== "off") return false;
      } catch {
        return false;
      }
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
    addTab(tab) {
      added.value = [...added.peek().filter(({ tabId }) => tabId !== tab.tabId), tab];
    },
    dropTab(tabId) {
      added.value = added.peek().filter((tab) => tab.tabId !== tabId);
    },
    allow: (tab) => void askToReach(tab.url).then(() => front.refresh()),
    openSettings: () => void browser.runtime.openOptionsPage(),
    openWelcome: () => void browser.tabs.create({ url: browser.runtime.getURL("/welcome.html" as never) }),
    // The answer is not stopped: a server that goes on without its listener may finish it, and what has come is held.
    stop() {
      saveDraft();
      stopDraft();
      watching();
      key.stop();
      front.stop();
      void keeping.then((following) => following.stop());
      browser.tabs.onUpdated.removeListener(changed);
      browser.tabs.onRemoved.removeListener(changed);
    },
  };
}

/** What a question is about, as it is set. */
function scopeOf({ askPage, askCompany }: Settings): Scope {
  return { page: askPage || !askCompany, company: askCompany };
}
