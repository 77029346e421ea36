import { visibleText } from "@threadlore/ask";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import type { History } from "./history.ts";
import { IconButton } from "../../ui/button.tsx";
import { momentOf } from "../../ui/wording.ts";

interface HistoryViewProps {
  readonly history: History;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

/** Conversations held before, newest first. */
export function HistoryView({ history, onOpen, onClose }: HistoryViewProps): VNode {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { state, conversations, isPartial, isShared } = history.list.value;
  return (
    <main
      class="history"
      aria-labelledby="history-title"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header>
        <h2 id="history-title" ref={title} tabIndex={-1}>
          {i18n.t("panel.history.title")}
        </h2>
        <IconButton icon="close" label={i18n.t("panel.history.close")} onClick={onClose} />
      </header>
      <p class="muted" role="status">
        {state === "loading" ? i18n.t("panel.history.loading") : ""}
        {state === "ready" && conversations.length === 0 ? i18n.t("panel.history.empty") : ""}
        {isPartial ? i18n.t("panel.history.partial") : ""}
        {isShared === true ? ` ${i18n.t("panel.history.shared")}` : ""}
      </p>
      <ul>
        {conversations.map(({ id, title: name, updatedAt, isRemote }) => {
          const shown = visibleText(name).trim() || i18n.t("panel.history.untitled");
          return (
            <li key={id}>
              <button type="button" class="history-entry" onClick={() => onOpen(id)}>
                <span dir="auto">{shown}</span>
                <span class="muted">
                  {updatedAt === 0 ? "" : momentOf(updatedAt)}
                  {isRemote ? ` · ${i18n.t("panel.history.remote")}` : ""}
                </span>
              </button>
              {isRemote ? null : (
                <IconButton
                  icon="trash"
                  label={i18n.t("panel.history.forget", [shown])}
                  onClick={() => void history.forget(id)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </main>
  );
}
