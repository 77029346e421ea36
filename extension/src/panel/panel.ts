/** The panel's own state, put together: the conversation, the tabs it is about, what is kept, and what was said before. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ConversationRef } from "@threadlore/ask";
import { browser } from "wxt/browser";
import { askToReach } from "../permissions.ts";
import { changeSettings, readConnection, readSettings, watchSettings } from "../settings.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { createFrame } from "./frame.ts";
import { followFrontTab, showTab } from "./front-tab.ts";
import { createHistory, type History } from "./history.ts";
import type { Backlog, KeepView } from "./keep-view.ts";
import type { Keeping, KeepSigns } from "./keeping.ts";
import type { ServiceAccess } from "./service-access.ts";
import { type ChosenTabs, type ShownTab, tabsOf } from "./tabs.ts";
import type { KeptTurn, Scope } from "./turn.ts";

/** Whether there is a service to ask. `loading`: it is not known yet. */
export type Setup = "loading" | "missing" | "ready" | "broken";

/** Everything the panel shows, and everything it can do. */
export interface Panel {
  readonly setup: ReadonlySignal<Setup>;
  /** Host of the service; "" while none is set. */
  readonly host: ReadonlySignal<string>;
  readonly localHosts: ReadonlySignal<boolean>;
  readonly conversation: Conversation;
  readonly scope: ReadonlySignal<Scope>;
  readonly tabs: ReadonlySignal<ChosenTabs>;
  readonly signs: Readonly<{ [Name in keyof KeepSigns]: ReadonlySignal<KeepSigns[Name]["value"]> }>;
  /** Does something about keeping. Its code is loaded after the panel is drawn. */
  keeping(act: (keeping: Keeping) => Promise<void>): Promise<void>;
  readonly history: History;
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
  const access = signal<ServiceAccess | undefined>(undefined);
  const setup = signal<Setup>("loading");
  const scope = signal<Scope>({ page: true, company: true });
  const added: Signal<readonly ShownTab[]> = signal([]);
  const front = followFrontTab();
  const tabs = computed<ChosenTabs>(() => ({ front: front.tab.value, added: added.value }));
  const history = createHistory(access);
  const conversation = createConversation({
    service: () => access.peek(),
    async readPages(question) {
      const [reading] = await Promise.all([import("./read-pages.ts"), front.refresh()]);
      return reading.readPages(tabsOf(tabs.peek()), question);
    },
    keep: (turns: readonly KeptTurn[], place: ConversationRef) => void history.keep(turns, place),
    frame: createFrame(),
  });
  const signs: KeepSigns = {
    view: signal<KeepView>({ state: "absent" }),
    backlog: signal<Backlog>({ waiting: 0, stopped: [], isPaused: false }),
  };
  const keeping = import("./keeping.ts").then(({ followKeeping }) => followKeeping(front, signs));

  let reads = 0;
  const readSetup = async () => {
    const turn = (reads += 1);
    const [settings, connection] = await Promise.all([readSettings(), readConnection()]);
    // Loaded as soon as the panel is there to be seen: the wire is not needed to draw it.
    const wire = import("./service-access.ts");
    if (turn === reads && connection === undefined) setup.value = "missing";
    const { serviceAccess } = await wire;
    // Settings have changed meanwhile, and a later look knows them.
    if (turn !== reads) return;
    scope.value = { page: settings.askPage || !settings.askCompany, company: settings.askCompany };
    const before = access.peek()?.origin;
    try {
      access.value = connection === undefined ? undefined : serviceAccess(connection, settings);
      if (connection !== undefined) setup.value = "ready";
    } catch {
      // An address or a key that can be none, such as from a policy with a typing error.
      access.value = undefined;
      setup.value = "broken";
    }
    // Sessions belong to one service: a question of the old one must not go on at the new one.
    if (before !== undefined && access.peek()?.origin !== before) conversation.clear();
  };
  const watching = watchSettings(() => void readSetup());
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
    host: computed(() => access.value?.host ?? ""),
    localHosts: computed(() => access.value?.isLocal ?? false),
    conversation,
    scope,
    tabs,
    signs,
    keeping: (act) => keeping.then(act),
    history,
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
    stop() {
      conversation.stop();
      watching();
      front.stop();
      void keeping.then((following) => following.stop());
      browser.tabs.onUpdated.removeListener(changed);
      browser.tabs.onRemoved.removeListener(changed);
    },
  };
}
