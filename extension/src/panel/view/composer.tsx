import { useComputed } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { Form, isSending } from "../../ui/form.tsx";
import type { Panel } from "../panel.ts";
import { ScopeChips } from "./scope.tsx";

const MAX_HEIGHT = 220;

/** Where a question is written. Enter sends it, Shift+Enter begins a line; Escape stops the answer. */
export function Composer({ panel, placeholder }: { readonly panel: Panel; readonly placeholder: string }): VNode {
  const { draft: text, conversation } = panel;
  const { isBusy } = conversation;
  const field = useRef<HTMLTextAreaElement>(null);
  const isBlank = useComputed(() => text.value.trim() === "");
  useEffect(() => field.current?.focus(), []);
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT)}px`;
  }, [text.value]);

  const send = () => {
    if (isBlank.value) return;
    panel.ask(text.value);
    text.value = "";
  };
  return (
    <Form class="composer" onSend={send}>
      <label class="visually-hidden" for="question">
        {i18n.t("panel.composer.label")}
      </label>
      <textarea
        id="question"
        ref={field}
        rows={1}
        dir="auto"
        placeholder={placeholder}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowUp" && text.value === "")
            text.value = conversation.turns.peek().at(-1)?.question ?? "";
          if (!isSending(event)) return;
          event.preventDefault();
          send();
        }}
      />
      <div class="composer-row">
        <ScopeChips panel={panel} />
        {isBusy.value ? (
          <IconButton
            icon="stop"
            label={i18n.t("panel.composer.stop")}
            class="round stop"
            onClick={() => {
              conversation.stop();
              field.current?.focus();
            }}
          />
        ) : (
          <IconButton
            icon="send"
            label={i18n.t("panel.composer.send")}
            class="round send"
            type="submit"
            disabled={isBlank.value}
          />
        )}
      </div>
    </Form>
  );
}

/** Puts the cursor where a question is written. */
export function focusComposer(): void {
  document.getElementById("question")?.focus();
}
