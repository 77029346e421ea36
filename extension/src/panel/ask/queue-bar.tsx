import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button, IconButton } from "../../ui/button.tsx";
import type { Panel } from "../panel.ts";

/** The questions that wait for an answer, each to be had back or dropped; nothing to see while none does. */
export function QueueBar({ panel }: { readonly panel: Panel }): VNode | null {
  const { conversation } = panel;
  const waiting = conversation.queue.value;
  if (waiting.length === 0) return null;
  const isHeld = !conversation.isBusy.value;
  const drop = (id: string) => {
    conversation.takeBack(id);
    focusQuestion();
  };
  const takeBack = (id: string) => {
    panel.takeBack(id);
    focusQuestion();
  };
  return (
    <section class="queue" aria-label={i18n.t("panel.queue.title")}>
      <p role="status">{i18n.t(isHeld ? "panel.queue.held" : "panel.queue.waits")}</p>
      <ol>
        {waiting.map(({ id, question }) => (
          <li key={id}>
            <span class="queue-text" dir="auto">
              {question}
            </span>
            <IconButton icon="edit" label={i18n.t("panel.queue.edit", [question])} onClick={() => takeBack(id)} />
            <IconButton icon="close" label={i18n.t("panel.queue.drop", [question])} onClick={() => drop(id)} />
          </li>
        ))}
      </ol>
      {isHeld ? <Button says="panel.queue.now" onClick={() => conversation.askNext()} /> : null}
    </section>
  );
}

/** What had the focus is gone. */
function focusQuestion(): void {
  document.getElementById("question")?.focus();
}
