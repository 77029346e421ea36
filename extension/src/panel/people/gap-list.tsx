import { useSignal } from "@preact/signals";
import { visibleText } from "@threadlore/ask";
import type { Gap, GapDetail, GapState } from "@threadlore/client/models";
import type { VNode } from "preact";
import { useEffect, useId } from "preact/hooks";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { countOf, momentOf } from "../../ui/wording.ts";
import type { ServiceAccess } from "../connection/service-access.ts";
import type { Panel } from "../panel.ts";
import { withGaps } from "./reaching.ts";

const STATES = ["open", "closed", "dismissed"] as const;

/** What is known of the list. */
interface Listed {
  readonly state: "loading" | "unread" | "ready";
  readonly gaps: readonly Gap[];
  /** There are more behind it. */
  readonly next?: string | undefined;
}

const LOADING: Listed = { state: "loading", gaps: [] };

/** For who looks after the knowledge: what nobody could answer, those first that most people wait for. */
export function GapList({ panel }: { readonly panel: Panel }): VNode {
  const service = panel.service.value;
  const chosen = useSignal<GapState>("open");
  const listed = useSignal<Listed>(LOADING);
  const problem = useSignal("");
  const load = async (after?: string) => {
    if (service === undefined) return;
    const state = chosen.peek();
    const before = after === undefined ? [] : listed.peek().gaps;
    listed.value = { state: "loading", gaps: before };
    try {
      const { gaps, next } = await withGaps(service, (all) => all.list({ state, after }));
      if (chosen.peek() !== state) return;
      // What was counted anew since the page before may come twice.
      const known = new Set(before.map(({ gap_id: id }) => id));
      const others = gaps.filter(({ gap_id: id }) => !known.has(id));
      listed.value = { state: "ready", gaps: [...before, ...others], next: next ?? undefined };
    } catch {
      if (chosen.peek() === state) listed.value = { state: "unread", gaps: before };
    }
  };
  useEffect(() => void load(), [service, chosen.value]);
  const change = async ({ gap_id: id }: Gap, what: "dismiss" | "reopen") => {
    if (service === undefined) return;
    problem.value = "";
    try {
      await withGaps(service, (all) => all[what](id));
      listed.value = { ...listed.peek(), gaps: listed.peek().gaps.filter((gap) => gap.gap_id !== id) };
    } catch {
      problem.value = i18n.t("panel.people.notChanged");
    }
  };
  const { state, gaps, next } = listed.value;
  return (
    <div class="people-list">
      <div class="tag-filter" role="group" aria-label={i18n.t("panel.people.gaps")}>
        {STATES.map((one) => (
          <button
            key={one}
            type="button"
            class="tag"
            aria-pressed={chosen.value === one}
            onClick={() => (chosen.value = one)}
          >
            {i18n.t(`panel.people.gapState.${one}`)}
          </button>
        ))}
      </div>
      <p class="muted told" role="status">
        {state === "loading" ? i18n.t("panel.history.loading") : null}
        {state === "unread" ? i18n.t("panel.people.unread") : null}
        {state === "ready" && gaps.length === 0 ? i18n.t(`panel.people.noGaps.${chosen.value}`) : null}
      </p>
      {problem.value === "" ? null : (
        <p class="past-problem" role="alert">
          {problem.value}
        </p>
      )}
      <ul>
        {service === undefined
          ? null
          : gaps.map((gap) => (
              <li key={gap.gap_id} class="people-row">
                <GapRow gap={gap} service={service} onChange={(what) => void change(gap, what)} />
              </li>
            ))}
      </ul>
      <div class="actions">
        {state === "unread" ? <Button says="panel.failure.again" onClick={() => void load()} /> : null}
        {state === "ready" && next !== undefined ? (
          <Button says="panel.people.more" onClick={() => void load(next)} />
        ) : null}
      </div>
    </div>
  );
}

interface GapRowProps {
  readonly gap: Gap;
  readonly service: ServiceAccess;
  readonly onChange: (what: "dismiss" | "reopen") => void;
}

function GapRow({ gap, service, onChange }: GapRowProps): VNode {
  const isOpen = useSignal(false);
  const id = useId();
  const about = [
    i18n.t("panel.people.people", gap.people, [countOf(gap.people)]),
    i18n.t("panel.people.questions", gap.questions, [countOf(gap.questions)]),
    momentOf(gap.last_asked_at),
  ];
  return (
    <>
      <button
        type="button"
        class="people-open"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <span class={gap.question === null ? "people-question muted" : "people-question"} dir="auto">
          {gap.question === null ? i18n.t("panel.people.allPrivate") : visibleText(gap.question)}
        </span>
        <span class="muted people-about">{about.join(" · ")}</span>
        <Icon name="more" />
      </button>
      <div id={id} hidden={!isOpen.value}>
        {isOpen.value ? <Opened gap={gap} service={service} onChange={onChange} /> : null}
      </div>
    </>
  );
}

/** The words others may read, and what can be done. */
function Opened({ gap, service, onChange }: GapRowProps): VNode {
  const detail = useSignal<GapDetail | "loading" | "unread">("loading");
  useEffect(() => {
    let isCurrent = true;
    void withGaps(service, (all) => all.find(gap.gap_id)).then(
      (found) => isCurrent && (detail.value = found),
      () => isCurrent && (detail.value = "unread"),
    );
    return () => (isCurrent = false);
  }, [gap.gap_id]);
  const { value } = detail;
  const shared = typeof value === "string" ? [] : value.shared_questions;
  const others = gap.private_questions;
  return (
    <div class="people-opened">
      {value === "loading" ? <p class="muted">{i18n.t("panel.history.loading")}</p> : null}
      {value === "unread" ? <p class="muted">{i18n.t("panel.people.unread")}</p> : null}
      {shared.length === 0 ? null : (
        <ul aria-label={i18n.t("panel.people.shared")}>
          {shared.map(({ question, asked_at: at }, index) => (
            <li key={index}>
              <span dir="auto">{visibleText(question)}</span> <span class="muted">{momentOf(at)}</span>
            </li>
          ))}
        </ul>
      )}
      {others === 0 ? null : <p class="muted">{i18n.t("panel.people.privateQuestions", others, [countOf(others)])}</p>}
      {gap.document_id == null ? null : (
        <p class="muted">
          {i18n.t("panel.people.closedBy", [
            visibleText(gap.document_title ?? "").trim() || visibleText(gap.document_id),
          ])}
        </p>
      )}
      <div class="actions">
        {gap.state === "open" ? (
          <Button says="panel.people.dismiss" onClick={() => onChange("dismiss")} />
        ) : (
          <Button says="panel.people.reopen" onClick={() => onChange("reopen")} />
        )}
      </div>
    </div>
  );
}
