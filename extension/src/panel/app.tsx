import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Button, IconButton } from "../ui/button.tsx";
import { openSettings, openWelcome } from "../ui/open-pages.ts";
import { Composer, focusComposer } from "./view/composer.tsx";
import { Icon } from "../ui/icons.tsx";
import type { Panel } from "./panel.ts";
import { ClosedLine } from "./view/closed-line.tsx";
import { EmptyState } from "./view/empty-state.tsx";

/** The whole panel. */
export function App({ panel }: { readonly panel: Panel }): VNode {
  const { conversation, history } = panel;
  const isHistory = useSignal(false);
  const views = panel.views.value;
  const toTalk = () => {
    isHistory.value = false;
    focusComposer();
  };
  const open = async (id: string) => ((await panel.openConversation(id)) ? toTalk() : void history.load());
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
          <span>Threadlore</span>
        </h1>
        <span class="bar-host" title={panel.host.value}>
          {panel.host.value}
        </span>
        {views === undefined || panel.setup.value !== "ready" ? null : <views.KeepButton keeping={views.keeping} />}
        <IconButton
          icon="fresh"
          label={i18n.t("panel.bar.fresh")}
          onClick={() => {
            panel.fresh();
            toTalk();
          }}
        />
        <IconButton
          icon="history"
          label={i18n.t("panel.bar.history")}
          aria-pressed={isHistory.value}
          onClick={() => {
            isHistory.value = !isHistory.value;
            if (isHistory.value) void history.load();
          }}
        />
        <IconButton icon="settings" label={i18n.t("panel.bar.settings")} onClick={openSettings} />
      </header>
      {isHistory.value && views !== undefined ? (
        <views.HistoryView history={history} onOpen={(id) => void open(id)} onClose={toTalk} />
      ) : (
        <Talk panel={panel} />
      )}
      <Announcer panel={panel} />
    </div>
  );
}

function Talk({ panel }: { readonly panel: Panel }): VNode {
  const views = panel.views.value;
  const turns = panel.conversation.turns.value;
  const hasPage = useComputed(() => panel.scope.value.page && panel.tabs.value.some((tab) => tab.closed === undefined));
  const setup = panel.setup.value;
  return (
    <>
      <main class="conversation" tabIndex={-1}>
        {setup === "missing" || setup === "broken" ? <NotSetUp isBroken={setup === "broken"} /> : null}
        {turns.length === 0 && setup === "ready" ? <EmptyState panel={panel} hasPage={hasPage.value} /> : null}
        {turns.map((turn, index) =>
          views === undefined ? null : (
            <views.TurnView
              key={turn.id}
              panel={panel}
              keeping={views.keeping}
              turn={turn}
              before={turns[index - 1]}
              isLast={index === turns.length - 1}
            />
          ),
        )}
        <StickToEnd panel={panel} />
      </main>
      <footer class="foot">
        {views === undefined ? null : (
          <>
            <views.KeyBar panel={panel} keeping={views.keeping} />
            <views.BacklogBar keeping={views.keeping} />
            <views.UndoBar keeping={views.keeping} />
            <views.KeepBar keeping={views.keeping} />
          </>
        )}
        {setup === "ready" ? (
          <>
            <ClosedLine panel={panel} />
            <Composer panel={panel} placeholder={placeholderOf(hasPage.value, panel.scope.value.company)} />
          </>
        ) : null}
      </footer>
    </>
  );
}

function placeholderOf(page: boolean, company: boolean): string {
  if (page && company) return i18n.t("panel.composer.askBoth");
  return page ? i18n.t("panel.composer.askPage") : i18n.t("panel.composer.askCompany");
}

function NotSetUp({ isBroken }: { readonly isBroken: boolean }): VNode {
  return (
    <div class="empty">
      <span class="empty-mark">
        <Icon name="thread" />
      </span>
      <h2>{i18n.t(isBroken ? "panel.setup.brokenTitle" : "panel.setup.title")}</h2>
      <p>{i18n.t(isBroken ? "panel.setup.broken" : "panel.setup.what")}</p>
      <Button
        says={isBroken ? "panel.failure.settings" : "panel.setup.begin"}
        class="primary"
        onClick={isBroken ? openSettings : openWelcome}
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
