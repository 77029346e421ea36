import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Composer } from "./composer.tsx";
import { HistoryView } from "./history-view.tsx";
import { Icon } from "./icons.tsx";
import { BacklogBar, type KeepActions, KeepBar } from "./keep-bar.tsx";
import type { Panel } from "./panel.ts";
import { IconButton, ScopeBar } from "./scope-bar.tsx";
import { tabsOf } from "./tabs.ts";
import type { Turn } from "./turn.ts";
import { announcement, EmptyState, TurnView } from "./turn-view.tsx";

/** The whole panel. */
export function App({ panel }: { readonly panel: Panel }): VNode {
  const { conversation, history } = panel;
  const isHistory = useSignal(false);
  const ask = (question: string) => void conversation.ask(question, panel.scope.peek());
  const fresh = () => {
    conversation.clear();
    history.begin();
    isHistory.value = false;
    focusComposer();
  };
  const actions: KeepActions = {
    onKeep: () => void panel.keeping((keeping) => keeping.keep()),
    onConsent: (id, agreed) => void panel.keeping((keeping) => keeping.consent(id, agreed)).then(focusComposer),
    onTakeBack: (key) => void panel.keeping((keeping) => keeping.takeBack(key)),
    onSendNow: (key) => void panel.keeping((keeping) => keeping.sendNow(key)),
    onSettings: panel.openSettings,
  };
  const openHistory = async (id: string) => {
    const opened = await history.open(id);
    if (opened === undefined) return void history.load();
    conversation.open(opened.turns, opened.conversation);
    isHistory.value = false;
    focusComposer();
  };
  return (
    <div
      class="panel"
      onKeyDown={(event) => {
        if (event.key === "Escape" && conversation.isBusy.peek()) conversation.stop();
      }}
    >
      <header class="bar">
        <h1>
          <Icon name="thread" />
          Threadlore
        </h1>
        <span class="bar-host" title={panel.host.value}>
          {panel.host.value}
        </span>
        <IconButton icon="fresh" label={i18n.t("panel.bar.fresh")} onClick={fresh} />
        <IconButton
          icon="history"
          label={i18n.t("panel.bar.history")}
          isPressed={isHistory.value}
          onClick={() => {
            isHistory.value = !isHistory.value;
            if (isHistory.value) void history.load();
          }}
        />
        <IconButton icon="settings" label={i18n.t("panel.bar.settings")} onClick={panel.openSettings} />
      </header>
      {isHistory.value ? (
        <HistoryView
          list={history.list}
          onOpen={(id) => void openHistory(id)}
          onForget={(id) => void history.forget(id)}
          onClose={() => {
            isHistory.value = false;
            focusComposer();
          }}
        />
      ) : (
        <Talk panel={panel} actions={actions} onAsk={ask} onFresh={fresh} />
      )}
      <Announcer panel={panel} />
    </div>
  );
}

interface TalkProps {
  readonly panel: Panel;
  readonly actions: KeepActions;
  readonly onAsk: (question: string) => void;
  readonly onFresh: () => void;
}

function Talk({ panel, actions, onAsk, onFresh }: TalkProps): VNode {
  const { conversation, signs } = panel;
  const draft = useSignal("");
  const turns = conversation.turns.value;
  const hasPage = useComputed(
    () => panel.scope.value.page && tabsOf(panel.tabs.value).some((tab) => tab.closed === undefined),
  );
  const setup = panel.setup.value;
  const placeholder = placeholderOf(panel.scope.value.page && hasPage.value, panel.scope.value.company);
  return (
    <>
      <main class="conversation" tabIndex={-1}>
        {setup === "missing" || setup === "broken" ? <NotSetUp panel={panel} isBroken={setup === "broken"} /> : null}
        {turns.length === 0 && setup === "ready" ? <EmptyState hasPage={hasPage.value} onTry={onAsk} /> : null}
        {turns.map((turn, index) => (
          <TurnView
            key={turn.id}
            turn={turn}
            isLast={index === turns.length - 1}
            isBusy={conversation.isBusy.value}
            localHosts={panel.localHosts.value}
            onKeep={isKeepable(turn, panel) ? actions.onKeep : undefined}
            onAgain={() => void conversation.again()}
            onJudge={(judged, isPositive, text) => void conversation.judge(judged, isPositive, text)}
            onSettings={panel.openSettings}
            onFresh={onFresh}
          />
        ))}
        <StickToEnd panel={panel} />
      </main>
      <footer class="foot">
        <BacklogBar backlog={signs.backlog} {...actions} />
        <KeepBar keeping={signs.view} {...actions} />
        {setup === "ready" ? (
          <>
            <ScopeBar
              scope={panel.scope.value}
              tabs={panel.tabs.value}
              onScope={panel.setScope}
              onAdd={panel.addTab}
              onDrop={panel.dropTab}
              onAllow={panel.allow}
            />
            <Composer
              isBusy={conversation.isBusy}
              draft={draft}
              placeholder={placeholder}
              onAsk={onAsk}
              onStop={conversation.stop}
            />
          </>
        ) : null}
      </footer>
    </>
  );
}

/** The page that was asked is the one in front, and it was not kept yet. */
function isKeepable(turn: Turn, { signs, tabs }: Panel): boolean {
  const front = tabs.value.front?.url;
  return signs.view.value.state === "offered" && turn.pages.value.asked.some(({ url }) => url === front);
}

function placeholderOf(page: boolean, company: boolean): string {
  if (page && company) return i18n.t("panel.composer.askBoth");
  return page ? i18n.t("panel.composer.askPage") : i18n.t("panel.composer.askCompany");
}

function NotSetUp({ panel, isBroken }: { readonly panel: Panel; readonly isBroken: boolean }): VNode {
  return (
    <div class="empty">
      <span class="empty-mark">
        <Icon name="thread" />
      </span>
      <h2>{i18n.t(isBroken ? "panel.setup.brokenTitle" : "panel.setup.title")}</h2>
      <p>{i18n.t(isBroken ? "panel.setup.broken" : "panel.setup.what")}</p>
      <button type="button" class="primary" onClick={isBroken ? panel.openSettings : panel.openWelcome}>
        {i18n.t(isBroken ? "panel.failure.settings" : "panel.setup.begin")}
      </button>
    </div>
  );
}

/** How near to its end a conversation counts as being read there, in pixels. */
const NEAR = 48;

/** Keeps the end in view while an answer grows, until the person scrolls away from it. */
function StickToEnd({ panel }: { readonly panel: Panel }): VNode | null {
  const end = useRef<HTMLDivElement>(null);
  const isAway = useSignal(false);
  const box = () => end.current?.parentElement ?? undefined;
  const toEnd = () => {
    const element = box();
    if (element !== undefined) element.scrollTop = element.scrollHeight;
  };
  useEffect(() => {
    const element = box();
    if (element === undefined) return undefined;
    const scrolled = () => {
      isAway.value = element.scrollHeight - element.scrollTop - element.clientHeight > NEAR;
    };
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => element.removeEventListener("scroll", scrolled);
  }, []);
  useSignalEffect(() => {
    const turns = panel.conversation.turns.value;
    void turns.at(-1)?.answer.value;
    // Once the new text is there.
    if (!isAway.peek()) queueMicrotask(() => requestAnimationFrame(toEnd));
  });
  // A new question is always shown.
  const count = useComputed(() => panel.conversation.turns.value.length);
  useSignalEffect(() => {
    void count.value;
    isAway.value = false;
    requestAnimationFrame(toEnd);
  });
  return (
    <div ref={end} class="end">
      {isAway.value && panel.conversation.isBusy.value ? (
        <button type="button" class="to-end" onClick={toEnd}>
          {i18n.t("panel.answer.toEnd")}
        </button>
      ) : null}
    </div>
  );
}

/** Says aloud where the newest answer stands. */
function Announcer({ panel }: { readonly panel: Panel }): VNode {
  const text = useComputed(() => announcement(panel.conversation.turns.value.at(-1)?.answer.value));
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  );
}

function focusComposer(): void {
  document.getElementById("question")?.focus();
}
