import { useComputed } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { GrowingField } from "../../ui/growing-field.tsx";
import type { Panel } from "../panel.ts";
import { ScopeChips } from "./scope.tsx";

/** Where a question is written. Enter sends it, Shift+Enter begins a line; Escape stops the answer. */
export function Composer({ panel, placeholder }: { readonly panel: Panel; readonly placeholder: string }): VNode {
  const { draft: text, conversation } = panel;
  const { isBusy } = conversation;
  const field = useRef<HTMLTextAreaElement>(null);
  const isBlank = useComputed(() => text.value.trim() === "");
  useLayoutEffect(() => field.current?.focus(), []);

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
      <GrowingField
        id="question"
        field={field}
        placeholder={placeholder}
        value={text.value}
        onWrite={(written) => (text.value = written)}
        onKey={({ key }) => {
          if (key === "ArrowUp" && text.value === "") text.value = conversation.turns.peek().at(-1)?.question ?? "";
        }}
        onSend={send}
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
