import { type Signal, useSignal } from "@preact/signals";
import { visibleText } from "@threadlore/ask";
import type { Ask } from "@threadlore/client/models";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { GrowingField } from "../../ui/growing-field.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { Panel } from "../panel.ts";
import { AnswerOf } from "./answer-of.tsx";
import { codeOf, withAsks } from "./reaching.ts";

/** What the service takes, in characters. */
const MAX_QUESTION = 4_000;
const MAX_NAME = 80;

interface AskPersonProps {
  readonly panel: Panel;
  /** As it was asked: without anything of a page. */
  readonly question: string;
  /** Nobody has written the answer down: that is said first. Else the form is open at once. */
  readonly isNothing: boolean;
  /** Whether it is open, where the bar of the answer opens it. */
  readonly isAsking: Signal<boolean>;
}

/** Below an answer: what people are asked, once somebody has read who will see it and agreed. */
export function AskPerson({ panel, question, isNothing, isAsking }: AskPersonProps): VNode {
  const isOpen = useSignal(!isNothing);
  const sent = useSignal<Ask | undefined>(undefined);
  const opener = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isOpen.value);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen.value && sent.value === undefined) opener.current?.querySelector("button")?.focus();
    wasOpen.current = isOpen.value;
  }, [isOpen.value]);
  const place = useRef<HTMLDivElement>(null);
  const cancel = () => {
    isOpen.value = false;
    if (isNothing) return;
    const bar = place.current?.parentElement?.querySelector<HTMLElement>(".answer-bar [aria-expanded]");
    isAsking.value = false;
    bar?.focus();
  };
  if (sent.value !== undefined) return <Sent ask={sent.value} />;
  if (isOpen.value) {
    return (
      <div ref={place}>
        <AskForm panel={panel} question={question} onSent={(ask) => (sent.value = ask)} onCancel={cancel} />
      </div>
    );
  }
  return (
    <div class="people-none" ref={opener}>
      <p>
        <Icon name="people" />
        <span>{i18n.t("panel.people.nobody")}</span>
      </p>
      <Button says="panel.people.ask" aria-expanded={false} onClick={() => (isOpen.value = true)} />
    </div>
  );
}

/** It is on its way to people, or had an answer already. */
function Sent({ ask }: { readonly ask: Ask }): VNode {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const isOpen = ask.state === "waiting" || ask.state === "asked";
  return (
    <div class="people-card" role="status" tabIndex={-1} ref={box}>
      <p class="people-title">
        <Icon name="check" />
        <span>{i18n.t(isOpen ? "panel.people.asked" : "panel.people.answeredBefore")}</span>
      </p>
      {isOpen ? <p class="muted">{i18n.t("panel.people.askedWhere")}</p> : <AnswerOf ask={ask} />}
    </div>
  );
}

interface AskFormProps extends Pick<AskPersonProps, "panel" | "question"> {
  readonly onSent: (ask: Ask) => void;
  readonly onCancel: () => void;
}

function AskForm({ panel, question, onSent, onCancel }: AskFormProps): VNode {
  const words = useSignal(visibleText(question).slice(0, MAX_QUESTION).toWellFormed());
  const isNamed = useSignal(false);
  const name = useSignal(nameOf(panel));
  const isSending = useSignal(false);
  const problem = useSignal("");
  const field = useRef<HTMLTextAreaElement>(null);
  const actions = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  // In a low panel too the buttons are seen, and what went wrong above them.
  useLayoutEffect(() => actions.current?.scrollIntoView({ block: "nearest" }), [isNamed.value, problem.value]);
  const send = async () => {
    const service = panel.service.peek();
    if (service === undefined || isSending.value || words.value.trim() === "") return;
    isSending.value = true;
    problem.value = "";
    const called = isNamed.value ? name.value.trim() : "";
    try {
      onSent(
        await withAsks(service, async (asks) => {
          const ask = await asks.ask({ question: words.value.trim(), ...(called !== "" && { name: called }) });
          // What is shown here at once is news no more.
          if (ask.state === "answered" || ask.state === "dismissed") await asks.told(ask.ask_id);
          return ask;
        }),
      );
    } catch (error) {
      problem.value = problemText(error);
      isSending.value = false;
    }
  };
  return (
    <Form
      class="people-card people-form"
      aria-label={i18n.t("panel.people.ask")}
      onSend={() => void send()}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.isComposing) return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <p class="people-title">
        <Icon name="people" />
        <span>{i18n.t("panel.people.ask")}</span>
      </p>
      <GrowingField
        field={field}
        value={words.value}
        onWrite={(text) => (words.value = text)}
        maxLength={MAX_QUESTION}
        aria-label={i18n.t("panel.people.words")}
        aria-describedby="people-who"
      />
      <p class="muted" id="people-who">
        {i18n.t("panel.people.who")}
      </p>
      <label class="people-name">
        <input type="checkbox" checked={isNamed.value} onChange={() => (isNamed.value = !isNamed.value)} />
        {i18n.t("panel.people.withName")}
      </label>
      {isNamed.value ? (
        <input
          type="text"
          dir="auto"
          maxLength={MAX_NAME}
          value={name.value}
          aria-label={i18n.t("panel.people.name")}
          placeholder={i18n.t("panel.people.name")}
          onInput={({ currentTarget }) => void (name.value = currentTarget.value)}
        />
      ) : null}
      {problem.value === "" ? null : (
        <p class="people-problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="actions" ref={actions}>
        <Button
          says={isSending.value ? "panel.people.sending" : "panel.people.send"}
          class="primary"
          type="submit"
          disabled={isSending.value || words.value.trim() === ""}
        />
        <Button says="panel.people.cancel" onClick={onCancel} />
      </div>
    </Form>
  );
}

function problemText(error: unknown): string {
  const code = codeOf(error);
  if (code === "NO_PERSON_HERE") return i18n.t("panel.people.nobodyThere");
  if (code === "TOO_MANY_ASKS") return i18n.t("panel.people.tooMany");
  return i18n.t("panel.people.notSent");
}

/** What the service calls whoever has the key; "" where it says nothing. */
function nameOf(panel: Panel): string {
  const name = panel.standing.peek()?.me?.["name"];
  return typeof name === "string" ? name.slice(0, MAX_NAME) : "";
}
