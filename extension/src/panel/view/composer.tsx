import { useComputed } from "@preact/signals";
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Icon } from "../../ui/icons.tsx";

interface ComposerProps {
  readonly isBusy: ReadonlySignal<boolean>;
  /** What is written and not sent. It lives longer than the view. */
  readonly draft: Signal<string>;
  readonly placeholder: string;
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
}

const MAX_HEIGHT = 220;

/** Where a question is written. Enter sends it, Shift+Enter begins a line; Escape stops the answer. */
export function Composer({ isBusy, draft: text, placeholder, onAsk, onStop }: ComposerProps): VNode {
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
    if (isBusy.value || isBlank.value) return;
    onAsk(text.value);
    text.value = "";
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
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
          // The Enter that ends an input method's word is not the Enter that sends; some browsers tell by the code only.
          if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
          event.preventDefault();
          send();
        }}
      />
      {isBusy.value ? (
        <button
          type="button"
          class="round stop"
          aria-label={i18n.t("panel.composer.stop")}
          title={i18n.t("panel.composer.stop")}
          onClick={() => {
            onStop();
            field.current?.focus();
          }}
        >
          <Icon name="stop" />
        </button>
      ) : (
        <button
          type="submit"
          class="round send"
          aria-label={i18n.t("panel.composer.send")}
          title={i18n.t("panel.composer.send")}
          disabled={isBlank.value}
        >
          <Icon name="send" />
        </button>
      )}
    </form>
  );
}
