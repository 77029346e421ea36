import { type Signal, useSignal } from "@preact/signals";
import { visibleText } from "@threadlore/ask";
import type { Ask } from "@threadlore/client/models";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { momentOf } from "../../ui/wording.ts";
import type { Panel } from "../panel.ts";
import { AnswerOf } from "./answer-of.tsx";
import { withAsks } from "./reaching.ts";

/** What its person asked people, and what became of it; what is open can be withdrawn. */
export function AskedList({ panel }: { readonly panel: Panel }): VNode {
  const service = panel.service.value;
  const asks = useSignal<readonly Ask[] | "loading" | "unread">("loading");
  const problem = useSignal("");
  const list = useRef<HTMLDivElement>(null);
  const load = () => {
    if (service === undefined) return;
    asks.value = "loading";
    void withAsks(service, (all) => all.mine()).then(
      (mine) => (asks.value = mine),
      () => (asks.value = "unread"),
    );
  };
  useEffect(load, [service]);
  const withdraw = async ({ ask_id: id }: Ask) => {
    if (service === undefined || typeof asks.value === "string") return;
    problem.value = "";
    try {
      await withAsks(service, (all) => all.withdraw(id));
      asks.value = asks.value.filter((one) => one.ask_id !== id);
      list.current?.focus();
    } catch {
      problem.value = i18n.t("panel.people.notWithdrawn");
    }
  };
  const shown = typeof asks.value === "string" ? [] : asks.value;
  return (
    <div class="people-list" ref={list} tabIndex={-1}>
      <p class="muted told" role="status">
        {toldOf(asks)}
      </p>
      {asks.value === "unread" ? (
        <div class="actions">
          <Button says="panel.failure.again" onClick={load} />
        </div>
      ) : null}
      {problem.value === "" ? null : (
        <p class="past-problem" role="alert">
          {problem.value}
        </p>
      )}
      <ul>
        {shown.map((ask) => (
          <li key={ask.ask_id} class="people-row">
            <Row ask={ask} onWithdraw={() => void withdraw(ask)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function toldOf({ value: asks }: Signal<readonly Ask[] | "loading" | "unread">): string {
  if (asks === "loading") return i18n.t("panel.history.loading");
  if (asks === "unread") return i18n.t("panel.people.unread");
  return asks.length === 0 ? i18n.t("panel.people.noAsks") : "";
}

function Row({ ask, onWithdraw }: { readonly ask: Ask; readonly onWithdraw: () => void }): VNode {
  const isAsked = useSignal(false);
  const sure = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isAsked.value) sure.current?.querySelector("button")?.focus();
  }, [isAsked.value]);
  const isOpen = ask.state === "waiting" || ask.state === "asked";
  const about = [
    i18n.t(`panel.people.state.${ask.state}`),
    momentOf(ask.asked_at),
    ...(ask.name == null ? [] : [i18n.t("panel.people.as", [visibleText(ask.name)])]),
  ];
  return (
    <>
      <p class="people-question" dir="auto">
        {visibleText(ask.question)}
      </p>
      <p class="muted people-about">{about.join(" · ")}</p>
      {isOpen ? null : <AnswerOf ask={ask} />}
      {!isOpen ? null : isAsked.value ? (
        <div
          class="people-sure"
          ref={sure}
          role="group"
          aria-label={i18n.t("panel.people.sure")}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            isAsked.value = false;
          }}
        >
          <p>{i18n.t("panel.people.sure")}</p>
          <div class="actions">
            <Button says="panel.people.withdraw" class="primary" onClick={onWithdraw} />
            <Button says="panel.people.keepAsking" onClick={() => (isAsked.value = false)} />
          </div>
        </div>
      ) : (
        <button type="button" class="link" onClick={() => (isAsked.value = true)}>
          {i18n.t("panel.people.withdraw")}
          <span class="visually-hidden"> {visibleText(ask.question)}</span>
        </button>
      )}
    </>
  );
}
