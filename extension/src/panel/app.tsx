import { useComputed, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button, IconButton } from "../ui/button.tsx";
import { openSettings, openWelcome } from "../ui/open-pages.ts";
import { QueueBar } from "./ask/queue-bar.tsx";
import { Composer, focusComposer } from "./view/composer.tsx";
import { Icon } from "../ui/icons.tsx";
import { NearBar } from "./near/near-bar.tsx";
import type { Panel } from "./panel.ts";
import { ClosedLine } from "./view/closed-line.tsx";
import { EmptyState } from "./view/empty-state.tsx";
import { KeepButton } from "./view/keep-button.tsx";
import { WhatsNew } from "./view/whats-new.tsx";

/** The whole panel. */
export function App({ panel }: { readonly panel: Panel }): VNode {
  const { conversation, history } = panel;
  const isHistory = useSignal(false);
  const views = panel.views.value;
  const TabsToKeep = panel.tabsToKeep.value;
  const show = (what: "talk" | "history") => {
    isHistory.value = what === "history";
    panel.tabsToKeep.value = undefined;
  };
  const toTalk = () => {
    show("talk");
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
        {views === undefined || panel.setup.value !== "ready" ? null : (
          <KeepButton panel={panel} keeping={views.keeping} keptMenu={views.keptMenu} />
        )}
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
            show(isHistory.value ? "talk" : "history");
            if (isHistory.value) void history.load();
          }}
        />
        <IconButton icon="settings" label={i18n.t("panel.bar.settings")} onClick={openSettings} />
      </header>
      <WhatsNew />
      {views === undefined || !panel.people.value?.untold ? null : (
        <views.Later part={views.answeredAsks} of={{ panel }} />
      )}
      {TabsToKeep !== undefined ? (
        <TabsToKeep />
      ) : isHistory.value && views !== undefined ? (
        <views.HistoryView panel={panel} onOpen={(id) => void open(id)} onClose={toTalk} />
      ) : (
        <Talk panel={panel} />
      )}
      <Announcer panel={panel} />
    </div>
  );
}

function Talk({ panel }: { readonly panel: Panel }): VNode {
  const views = panel.views.value;
  const answers = panel.answers.value;
  const turns = panel.conversation.turns.value;
  const hasPage = useComputed(() => panel.scope.value.page && panel.tabs.value.some((tab) => tab.closed === undefined));
  const setup = panel.setup.value;
  return (
    <>
      <main class="conversation" tabIndex={-1}>
        {setup === "missing" || setup === "broken" ? <NotSetUp isBroken={setup === "broken"} /> : null}
        {turns.length === 0 && setup === "ready" ? <EmptyState panel={panel} hasPage={hasPage.value} /> : null}
        {turns.map((turn, index) =>
          answers === undefined ? null : (
            <answers.TurnView
              key={turn.id}
              panel={panel}
              turn={turn}
              before={turns[index - 1]}
              isLast={index === turns.length - 1}
            />
          ),
        )}
        {answers === undefined ? null : <answers.FollowEnd conversation={panel.conversation} />}
      </main>
      <footer class="foot">
        {views === undefined ? null : (
          <>
            <views.KeyBar panel={panel} keeping={views.keeping} />
            <views.BacklogBar keeping={views.keeping} />
            <views.UndoBar keeping={views.keeping} />
            <views.KeepBar keeping={views.keeping} />
            <NearBar panel={panel} views={views} />
            <views.MarkedBar keeping={views.keeping} />
          </>
        )}
        <QueueBar panel={panel} />
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

/** Says aloud where the newest answer stands. */
function Announcer({ panel }: { readonly panel: Panel }): VNode {
  const text = useComputed(() => panel.answers.value?.announcement(panel.conversation.turns.value.at(-1)) ?? "");
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  );
}
