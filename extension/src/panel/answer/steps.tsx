import type { Answer, Step } from "@threadlore/ask";
import { visibleText } from "@threadlore/ask";
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { i18n } from "#i18n";
import { Icon } from "../../ui/icons.tsx";
import { countOf } from "../../ui/wording.ts";
import type { Turn } from "../ask/turn.ts";

const MAX_TEXT = 600;

interface StepsProps {
  readonly turn: Turn;
}

/** What is done on the way to an answer: the newest step while it runs, and all of them on request. */
export function Steps({ turn }: StepsProps): VNode | null {
  const answer = turn.answer.value;
  const { steps, status } = answer;
  const isOnItsWay = status === "waiting" || status === "searching";
  if (steps.length === 0) return isOnItsWay ? <Live turn={turn} /> : null;
  return (
    <details class="steps">
      <summary>{isOnItsWay ? <Live turn={turn} /> : doneText(answer)}</summary>
      <ol>
        {steps.map((step, index) => (
          <StepView key={index} step={step} />
        ))}
      </ol>
    </details>
  );
}

/** What is being done now, and for how long: one line, which goes from reading to searching to writing. */
export function Live({ turn }: StepsProps): VNode {
  return (
    <span class="running">
      <span class="pulse" aria-hidden="true" />
      <span>
        {stageText(turn)}
        <Waited turn={turn} />
      </span>
    </span>
  );
}

function stageText({ answer, reading }: Turn): string {
  const { steps, status } = answer.value;
  if (reading.value !== "no") return i18n.t("panel.keep.reading");
  if (status === "answering") return i18n.t("panel.steps.writing");
  const current = steps.findLast((step) => step.state === "running");
  return current === undefined ? i18n.t("panel.steps.waiting") : stepText(current);
}

/** Shorter waits are not counted aloud, in seconds. */
const LONG = 5;
/** After so many seconds without a sign it is said that none came, and again each time as many have gone by. */
const SILENT = 20;

/** How long it has taken so far, and how long the service has said nothing, once either is long. */
function Waited({ turn }: StepsProps): VNode | null {
  const answer = turn.answer.value;
  const reading = turn.reading.value;
  const begun = useMemo(() => performance.now(), [turn]);
  // Whatever comes is a sign.
  const heard = useMemo(() => performance.now(), [answer, reading]);
  const now = useSignal(begun);
  useEffect(() => {
    const timer = setInterval(() => (now.value = performance.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const taken = Math.floor((now.value - begun) / 1_000);
  const silent = Math.floor((now.value - heard) / 1_000 / SILENT) * SILENT;
  return (
    <>
      {taken < LONG ? null : (
        <span class="elapsed" aria-hidden="true">
          {" · "}
          {i18n.t("panel.steps.elapsed", [countOf(taken)])}
        </span>
      )}
      {/* There before it says anything, so that it is heard. */}
      <span class="silent" role="status">
        {silent > 0 && reading === "no" ? i18n.t("panel.steps.silent", [countOf(silent)]) : ""}
      </span>
    </>
  );
}

/** What was done on the way to an answer, in a few words. */
function doneText({ steps, sources }: Answer): string {
  // All of them, as the sources count those that are not cited.
  if (steps.some(({ documentIds }) => documentIds.length > 0)) return i18n.t("panel.steps.found", sources.length);
  const has = (...kinds: readonly Step["kind"][]) => steps.find(({ kind }) => kinds.includes(kind));
  if (has("search", "research") !== undefined) return i18n.t("panel.steps.nothing");
  if (has("read", "file") !== undefined) return i18n.t("panel.steps.readOne");
  const tool = has("tool", "code", "image");
  if (tool === undefined) return i18n.t("panel.steps.thought");
  return tool.name === "" ? i18n.t("panel.steps.tool") : i18n.t("panel.steps.used", [visibleText(tool.name)]);
}

function StepView({ step }: { readonly step: Step }): VNode {
  const count = step.documentIds.length;
  return (
    <li class={`step ${step.state}`}>
      <Icon name={step.kind === "search" ? "search" : step.state === "failed" ? "warning" : "check"} />
      <span>
        {stepText(step)}
        {count === 0 ? null : <span class="muted"> · {i18n.t("panel.steps.documents", count)}</span>}
        {step.state === "failed" ? <span class="muted"> · {i18n.t("panel.steps.failed")}</span> : null}
        {step.text === "" ? null : <span class="step-text">{shortened(step.text)}</span>}
      </span>
    </li>
  );
}

/** A step in words, such as "Searching: travel costs". */
function stepText(step: Step): string {
  const about = [step.name === "web" ? "" : step.name, ...step.queries].filter((part) => part !== "").join(", ");
  const isWeb = step.kind === "search" && step.name === "web";
  const isOver = step.kind === "search" && step.state === "done" && about !== "";
  const over = isWeb ? "panel.steps.searchedWeb" : "panel.steps.searched";
  const verb = i18n.t(isOver ? over : isWeb ? "panel.steps.searchWeb" : VERBS[step.kind]);
  return visibleText(about === "" ? verb : `${verb}: ${shortened(about)}`);
}

/** Keys of what is done in a step, by its kind. */
const VERBS = {
  search: "panel.steps.search",
  read: "panel.steps.read",
  file: "panel.steps.read",
  tool: "panel.steps.tool",
  code: "panel.steps.tool",
  image: "panel.steps.tool",
  reasoning: "panel.steps.think",
  plan: "panel.steps.think",
  memory: "panel.steps.think",
  research: "panel.steps.research",
} as const satisfies Record<Step["kind"], string>;

function shortened(text: string): string {
  const visible = visibleText(text).trim();
  return visible.length <= MAX_TEXT ? visible : `${visible.slice(0, MAX_TEXT).toWellFormed()} …`;
}
