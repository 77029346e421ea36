import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { KeptPages } from "../keep/kept-pages.tsx";
import { Conversations } from "./conversations.tsx";
import type { HistoryViewProps } from "./history-view.tsx";

const TABS = [
  { id: "conversations", words: "panel.history.conversations" },
  { id: "kept", words: "panel.kept.title" },
] as const;

/** What was said before and what was kept: one list at a time. */
export function PastView({ history, isPrivate, onOpen, onClose }: HistoryViewProps): VNode {
  const shown = useSignal<(typeof TABS)[number]["id"]>("conversations");
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
            const other = TABS.find(({ id }) => id !== shown.peek());
            if (other === undefined) return;
            shown.value = other.id;
            currentTarget.querySelector<HTMLElement>(`#past-${other.id}`)?.focus();
          }}
        >
          {TABS.map(({ id, words }) => (
            <button
              key={id}
              id={`past-${id}`}
              type="button"
              role="tab"
              aria-selected={shown.value === id}
              aria-controls="past-panel"
              tabIndex={shown.value === id ? 0 : -1}
              onClick={() => (shown.value = id)}
            >
              {i18n.t(words)}
            </button>
          ))}
        </div>
        <IconButton icon="close" label={i18n.t("panel.history.close")} onClick={onClose} />
      </header>
      <div id="past-panel" class="past-panel" role="tabpanel" aria-labelledby={`past-${shown.value}`}>
        {shown.value === "kept" ? (
          <KeptPages origin={history.origin} isPrivate={isPrivate} />
        ) : (
          <Conversations history={history} isPrivate={isPrivate} onOpen={onOpen} />
        )}
      </div>
    </>
  );
}
