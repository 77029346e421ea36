/** What is being done for an answer, as cards. */
import type { Answer, Links, Step } from "@threadlore/ask";
import { literalText, shortened } from "./escape.ts";
import { BUDGETS, LIMITS } from "../transport/limits.ts";
import type { TaskCard } from "./pieces.ts";

/**
 * A card per step, in order; ids stay the same from snapshot to snapshot. Beyond forty the last card counts the others.
 * Sources only with addresses that may be opened, once the step is done.
 */
export function taskCards(answer: Answer, links: Links): TaskCard[] {
  const { steps } = answer;
  const shown = steps.length <= BUDGETS.taskCards ? steps : steps.slice(0, BUDGETS.taskCards - 1);
  const cards = shown.map((step, index) => cardOf(step, index, answer, links));
  const rest = steps.slice(shown.length);
  if (rest.length === 0) return cards;
  const status = rest.some((step) => step.state === "running") ? "in_progress" : "complete";
  return [...cards, { id: `step-${shown.length}`, title: `${rest.length} more steps`, status }];
}

/** What cards say of a step in each state. */
const STATES: Record<Step["state"], Pick<TaskCard, "status" | "output">> = {
  running: { status: "in_progress" },
  done: { status: "complete" },
  failed: { status: "error", output: "This step failed; the others went on." },
  stopped: { status: "complete", output: "Stopped." },
};

function cardOf(step: Step, index: number, answer: Answer, links: Links): TaskCard {
  const sources = step.state === "running" ? [] : sourcesOf(step, answer, links);
  return {
    id: `step-${index}`,
    title: shortened(literalText(titleOf(step)), LIMITS.taskField),
    ...STATES[step.state],
    ...(sources.length === 0 ? {} : { sources }),
  };
}

function titleOf(step: Step): string {
  const now = step.state === "running";
  switch (step.kind) {
    case "search": {
      const where = step.name === "web" ? " the web" : "";
      const quoted = step.queries.map((query) => `“${query}”`).join(", ");
      return `${now ? "Searching" : "Searched"}${where}${quoted === "" ? "" : ` for ${quoted}`}`;
    }
    case "read":
      return `${now ? "Reading" : "Read"} ${step.queries.length === 0 ? "web pages" : step.queries.join(", ")}`;
    case "tool":
      return `${now ? "Using" : "Used"} ${step.name || "a tool"}`;
    case "reasoning":
      return now ? "Thinking" : "Thought about it";
    case "plan":
      return now ? "Making a plan" : "Made a plan";
    case "research":
      return `${now ? "Looking into" : "Looked into"}${step.name === "" ? " a part of the question" : `: ${step.name}`}`;
    case "code":
      return now ? "Running code" : "Ran code";
    case "image":
      return now ? "Drawing an image" : "Drew an image";
    case "file":
      return `${now ? "Reading" : "Read"} ${step.name || "a file"}`;
    case "memory":
      return now ? "Looking at what it remembers" : "Looked at what it remembers";
  }
}

function sourcesOf(step: Step, answer: Answer, links: Links): { url: string; text: string }[] {
  return answer.sources
    .filter((source) => step.documentIds.includes(source.documentId))
    .flatMap((source) => {
      const url = links.href(source.link ?? "");
      const text = shortened(literalText(source.title), BUDGETS.sourceTitle) || "Source";
      return url === undefined ? [] : [{ url, text }];
    })
    .slice(0, BUDGETS.taskSources);
}
