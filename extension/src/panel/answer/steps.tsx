import type { Answer, Step } from "@threadlore/ask";
import { visibleText } from "@threadlore/ask";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Icon } from "../../ui/icons.tsx";

const MAX_TEXT = 600;

interface StepsProps {
  readonly answer: Answer;
  /** Whether the pages of the question are being read. */
  readonly reading: "no" | "reading" | "slow";
}

/** What is done on the way to an answer: the newest step while it runs, all of them on request. */
export function Steps({ answer, reading }: StepsProps): VNode | null {
  const { steps, status } = answer;
  if (reading !== "no") return <Running text={i18n.t("panel.keep.reading")} />;
  const current = steps.findLast((step) => step.state === "running");
  if (status === "waiting") return <Running text={i18n.t("panel.steps.waiting")} />;
  if (steps.length === 0) return null;
  const documents = new Set(steps.flatMap((step) => step.documentIds)).size;
  const done = documents === 0 ? i18n.t("panel.steps.done", steps.length) : i18n.t("panel.steps.found", documents);
  return (
    <details class="steps">
      <summary>{current === undefined ? done : <Running text={stepText(current)} />}</summary>
      <ol>
        {steps.map((step, index) => (
          <StepView key={index} step={step} />
        ))}
      </ol>
    </details>
  );
}

function Running({ text }: { readonly text: string }): VNode {
  return (
    <span class="running">
      <span class="pulse" aria-hidden="true" />
      {text}
    </span>
  );
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
  const verb = i18n.t(isWeb ? "panel.steps.searchWeb" : VERBS[step.kind]);
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
