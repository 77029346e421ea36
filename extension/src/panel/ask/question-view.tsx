import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Button, IconButton } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { GrowingField } from "../../ui/growing-field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { writtenIn } from "../answer/written-in.ts";
import type { Conversation } from "./conversation.ts";
import type { Turn } from "./turn.ts";

interface QuestionProps {
  readonly conversation: Conversation;
  readonly turn: Turn;
}

/** A question, what it was asked about, and the way to put it otherwise and back. */
export function Question({ conversation, turn }: QuestionProps): VNode {
  const isEditing = useSignal(false);
  const pencil = useRef<HTMLDivElement>(null);
  if (isEditing.value) {
    const close = () => {
      isEditing.value = false;
      // Once the pencil is there again.
      requestAnimationFrame(() => pencil.current?.querySelector("button")?.focus());
    };
    return <Editor conversation={conversation} turn={turn} onClose={close} />;
  }
  const isFree = !conversation.isBusy.value;
  return (
    <div class="question" ref={pencil} {...writtenIn(turn.question)}>
      <h2>{turn.question}</h2>
      <About turn={turn} />
      {isFree ? (
        <IconButton
          icon="edit"
          label={i18n.t("panel.edit.open")}
          class="icon-button edit"
          onClick={() => (isEditing.value = true)}
        />
      ) : null}
      {isFree && turn.aside.length > 0 ? (
        <button type="button" class="turn-back" onClick={() => conversation.turnBack(turn)}>
          <Icon name="history" />
          {i18n.t("panel.edit.back")}
        </button>
      ) : null}
    </div>
  );
}

/** The pages and the company, as far as a page was asked. */
function About({ turn }: Pick<QuestionProps, "turn">): VNode | null {
  if (!turn.scope.page) return null;
  const { asked } = turn.pages.value;
  const names = asked
    .map(({ title, isSelection }) => (isSelection === true ? i18n.t("panel.scope.selectionOf", [title]) : title))
    .join(", ");
  const isCompany = turn.scope.company && turn.notes.value.searchOff === undefined;
  const about = [...(names === "" ? [] : [names]), ...(isCompany ? [i18n.t("panel.scope.company")] : [])].join(" + ");
  return (
    <p class="about" dir="auto" title={about}>
      {about}
    </p>
  );
}

interface EditorProps extends QuestionProps {
  readonly onClose: () => void;
}

/** Where a question is put otherwise, in its own place. Enter asks, Escape leaves it as it was. */
function Editor({ conversation, turn, onClose }: EditorProps): VNode {
  const text = useSignal(turn.question);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(turn.question.length, turn.question.length);
  }, []);
  const isBlank = text.value.trim() === "";
  const send = () => {
    if (isBlank || conversation.isBusy.peek()) return;
    void conversation.askInstead(turn, text.peek());
    document.getElementById("question")?.focus();
  };
  return (
    <Form class="question-editor" onSend={send}>
      <GrowingField
        field={field}
        aria-label={i18n.t("panel.edit.label")}
        value={text.value}
        onWrite={(written) => (text.value = written)}
        onKey={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onClose();
        }}
        onSend={send}
      />
      <p class="muted">{i18n.t("panel.edit.hint")}</p>
      <div class="actions">
        <Button says="panel.edit.send" type="submit" class="primary" disabled={isBlank || conversation.isBusy.value} />
        <Button says="panel.edit.cancel" onClick={onClose} />
      </div>
    </Form>
  );
}
