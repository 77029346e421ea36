import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Button } from "../ui/button.tsx";
import { Composer } from "./view/composer.tsx";
import { Icon } from "../ui/icons.tsx";
import type { KeepActions } from "./keep/keep-bar.tsx";
import type { Panel } from "./panel.ts";
import { IconButton, ScopeBar } from "./view/scope-bar.tsx";
import { tabsOf } from "./pages/tabs.ts";
import type { Turn } from "./ask/turn.ts";
import { EmptyState } from "./view/empty-state.tsx";

/** The whole panel. */
export function App({ panel }: { readonly panel: Panel }): VNode {
  const { conversation, history } = panel;
  const isHistory = useSignal(false);
  const views = panel.views.value;
  const ask = (question: string) => void conversation.ask(question, panel.scope.peek());
  // What is offered speaks of the page, and means all of it.
  const offered = (question: string) => void conversation.ask(question, { ...panel.scope.peek(), whole: true });
  const fresh = () => {
    panel.fresh();
    isHistory.value = false;
    focusComposer();
  };
  const actions: KeepActions = {
    onKeep: (selection) => void panel.keeping((keeping) => keeping.keep(selection)),
    onStopReading: () => void panel.keeping(async (keeping) => keeping.stopReading()),
    onConsent: (id, agreed) => void panel.keeping((keeping) => keeping.consent(id, agreed)).then(focusComposer),
    onTakeBack: (key) => void panel.keeping((keeping) => keeping.takeBack(key)),
    onSendNow: (key) => void panel.keeping((keeping) => keeping.sendNow(key)),
    onSettings: panel.openSettings,
  };
  const openHistory = async (id: string) => {
    if (!(await panel.openConversation(id))) return void history.load();
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
      {isHistory.value && views !== undefined ? (
        <views.HistoryView
          list={history.list}
          onOpen={(id) => void openHistory(id)}
          onForget={(id) => void history.forget(id)}
          onClose={() => {
            isHistory.value = false;
            focusComposer();
          }}
        />
      ) : (
        <Talk panel={panel} actions={actions} onAsk={ask} onTry={offered} />
      )}
      <Announcer panel={panel} />
    </div>
  );
}

interface TalkProps {
  readonly panel: Panel;
  readonly actions: KeepActions;
  readonly onAsk: (question: string) => void;
  readonly onTry: (question: string) => void;
}

function Talk({ panel, actions, onAsk, onTry }: TalkProps): VNode {
  const { conversation, signs } = panel;
  const views = panel.views.value;
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
        {turns.length === 0 && setup === "ready" ? (
          <EmptyState
            hasPage={hasPage.value}
            isPrivate={panel.isPrivate.value}
            service={panel.service.value}
            onTry={onTry}
          />
        ) : null}
        {turns.map((turn, index) =>
          views === undefined ? null : (
            <views.TurnView
              key={turn.id}
              turn={turn}
              before={turns[index - 1]}
              isLast={index === turns.length - 1}
              isBusy={conversation.isBusy.value}
              localHosts={panel.localHosts.value}
              isManaged={panel.service.value?.isManaged ?? false}
              onKeep={isKeepable(turn, panel) ? () => actions.onKeep(false) : undefined}
              onWithoutPage={conversation.withoutPage}
              onAgain={() => void conversation.again()}
              onJudge={(judged, isPositive, text) => void conversation.judge(judged, isPositive, text)}
              onSettings={panel.openSettings}
              onMemory={panel.memory}
            />
          ),
        )}
        <StickToEnd panel={panel} />
      </main>
      <footer class="foot">
        {views === undefined ? null : (
          <>
            <views.KeyBar standing={panel.standing} backlog={signs.backlog} onSettings={panel.openSettings} />
            <views.BacklogBar backlog={signs.backlog} {...actions} />
            <views.UndoBar undoable={signs.undoable} onTakeBack={actions.onTakeBack} />
            <views.KeepBar keeping={signs.view} {...actions} />
          </>
        )}
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
              draft={panel.draft}
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
      <Button
        text={i18n.t(isBroken ? "panel.failure.settings" : "panel.setup.begin")}
        class="primary"
        onClick={isBroken ? panel.openSettings : panel.openWelcome}
      />
    </div>
  );
}

/** How near to its end a conversation counts as being read there, in pixels. */
const NEAR = 48;

/** Keys that scroll up. */
const UP_KEYS = new Set(["ArrowUp", "Home", "PageUp"]);

/**
 * Keeps the end in view while an answer grows, until its reader leaves it: by wheel or key before anything
 * moves, or by whatever scrolls it up. Events of scrolling come late, when more has arrived: how far the end is away says
 * nothing by itself.
 */
function StickToEnd({ panel }: { readonly panel: Panel }): VNode | null {
  const end = useRef<HTMLDivElement>(null);
  const isAway = useSignal(false);
  const box = () => end.current?.parentElement ?? undefined;
  /** Where it was looked at last: what this panel scrolls itself is no sign of its reader. */
  const last = useRef({ top: 0, height: 0 });
  const look = ({ scrollTop: top, scrollHeight: height }: HTMLElement) => void (last.current = { top, height });
  const toEnd = () => {
    const element = box();
    if (element === undefined || isAway.peek()) return;
    element.scrollTop = element.scrollHeight;
    look(element);
  };
  useEffect(() => {
    const element = box();
    if (element === undefined) return undefined;
    look(element);
    const leave = () => {
      if (element.scrollTop > 0) isAway.value = true;
    };
    const scrolled = () => {
      const { top, height } = last.current;
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR;
      // What has become shorter moves up by itself.
      if (element.scrollTop < top && element.scrollHeight >= height) leave();
      else if (element.scrollTop > top && isNear) isAway.value = false;
      look(element);
    };
    const wheeled = ({ deltaY }: WheelEvent) => deltaY < 0 && leave();
    const pressed = ({ key, shiftKey }: KeyboardEvent) => {
      if (UP_KEYS.has(key) || (key === " " && shiftKey)) leave();
    };
    const ends = new AbortController();
    const options = { passive: true, signal: ends.signal };
    element.addEventListener("scroll", scrolled, options);
    element.addEventListener("wheel", wheeled, options);
    element.addEventListener("keydown", pressed, options);
    return () => ends.abort();
  }, []);
  useSignalEffect(() => {
    const turns = panel.conversation.turns.value;
    void turns.at(-1)?.answer.value;
    // Once the new text is there.
    queueMicrotask(() => requestAnimationFrame(toEnd));
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
        <button
          type="button"
          class="to-end"
          onClick={() => {
            isAway.value = false;
            toEnd();
          }}
        >
          {i18n.t("panel.answer.toEnd")}
        </button>
      ) : null}
    </div>
  );
}

/** Says aloud where the newest answer stands. */
function Announcer({ panel }: { readonly panel: Panel }): VNode {
  const text = useComputed(() => panel.views.value?.announcement(panel.conversation.turns.value.at(-1)) ?? "");
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  );
}

function focusComposer(): void {
  document.getElementById("question")?.focus();
}
