import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { KeptPages } from "../keep/kept-pages.tsx";
import { Later } from "../keep/later.tsx";
import { askedList, gapList } from "../people/people-later.ts";
import { Conversations } from "./conversations.tsx";
import type { HistoryViewProps } from "./history-view.tsx";

/** In their order; the later two only where people can be asked, the last one for who looks after the knowledge. */
const TABS = [
  { id: "conversations", words: "panel.history.conversations" },
  { id: "kept", words: "panel.kept.title" },
  { id: "asked", words: "panel.people.title" },
  { id: "gaps", words: "panel.people.gaps" },
] as const;

/** What was said before, what was kept, what people were asked and what nobody could answer: one list at a time. */
export function PastView({ panel, onOpen, onClose }: HistoryViewProps): VNode {
  const shown = useSignal<(typeof TABS)[number]["id"]>("conversations");
  const { history } = panel;
  const isPrivate = panel.isPrivate.value;
  const people = panel.people.value;
  const tabs = TABS.slice(0, people === undefined ? 2 : people.mayList ? 4 : 3);
  const chosen = tabs.find(({ id }) => id === shown.value)?.id ?? "conversations";
  return (
    <>
      <h2 id="history-title" class="visually-hidden">
        {i18n.t("panel.history.title")}
      </h2>
      <header>
        <div
          class="past-tabs"
          role="tablist"
          aria-labelledby="history-title"
          onKeyDown={({ key, currentTarget }) => {
            if (key !== "ArrowLeft" && key !== "ArrowRight") return;
            const way = (key === "ArrowRight") === (getComputedStyle(currentTarget).direction !== "rtl") ? 1 : -1;
            const other = tabs.at((tabs.findIndex(({ id }) => id === chosen) + way) % tabs.length);
            if (other === undefined) return;
            shown.value = other.id;
            currentTarget.querySelector<HTMLElement>(`#past-${other.id}`)?.focus();
          }}
        >
          {tabs.map(({ id, words }) => (
            <button
              key={id}
              id={`past-${id}`}
              type="button"
              role="tab"
              aria-selected={chosen === id}
              aria-controls="past-panel"
              tabIndex={chosen === id ? 0 : -1}
              onClick={() => (shown.value = id)}
            >
              {i18n.t(words)}
            </button>
          ))}
        </div>
        <IconButton icon="close" label={i18n.t("panel.history.close")} onClick={onClose} />
      </header>
      <div id="past-panel" class="past-panel" role="tabpanel" aria-labelledby={`past-${chosen}`}>
        {chosen === "kept" ? (
          <KeptPages panel={panel} />
        ) : chosen === "asked" ? (
          <Later part={askedList} of={{ panel }} />
        ) : chosen === "gaps" ? (
          <Later part={gapList} of={{ panel }} />
        ) : (
          <Conversations history={history} isPrivate={isPrivate} onOpen={onOpen} />
        )}
      </div>
    </>
  );
}
