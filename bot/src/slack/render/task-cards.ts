/** What is being done for an answer, as cards. */
import type { Answer, Step } from "@threadlore/ask";
import type { Links } from "@threadlore/ask";
import { literalText, shortened } from "./escape.ts";
import { BUDGETS, LIMITS } from "../transport/limits.ts";
import type { TaskCard } from "./pieces.ts";

/**
 * A card per step, in order; ids stay the same from snapshot to snapshot. Beyond forty the last card counts the others.
 * Sources only with addresses that may be opened, once the step is done.
 */
export function taskCards(answer: Answer, links: Links): TaskCard[] {
  const { steps } = answer;
  if (steps.length <= BUDGETS.taskCards) return steps.map((step, index) => cardOf(step, index, answer, links));
  const shown = steps.slice(0, BUDGETS.taskCards - 1).map((step, index) => cardOf(step, index, answer, links));
  const rest = steps.slice(shown.length);
  const running = rest.some((step) => step.state === "running");
  return [
    ...shown,
    { id: `step-${shown.length}`, title: `${rest.length} more steps`, status: running ? "in_progress" : "complete" },
  ];
}

const STATUS = { running: "in_progress", done: "complete", failed: "error", stopped: "complete" } as const;

function cardOf(step: Step, index: number, answer: Answer, links: Links): TaskCard {
  const sources = step.state === "running" ? [] : sourcesOf(step, answer, links);
  const output = { failed: "This step failed; the others went on.", stopped: "Stopped.", running: "", done: "" }[
    step.state
  ];
  return {
    id: `step-${index}`,
    title: shortened(literalText(titleOf(step)), LIMITS.taskField),
    status: STATUS[step.state],
    ...(output === "" ? {} : { output }),
    ...(sources.length === 0 ? {} : { sources }),
  };
}

function titleOf(step: Step): string {
  const now = step.state === "running";
  const named = step.name === "" || step.kind === "search" ? "" : ` ${step.name}`;
  const quoted = step.queries.map((query) => `“${query}”`).join(", ");
  switch (step.kind) {
    case "search": {
      const where = step.name === "web" ? " the web" : "";
      return `${now ? "Searching" : "Searched"}${where}${quoted === "" ? "" : ` for ${quoted}`}`;
    }
    case "read":
      return `${now ? "Reading" : "Read"} ${step.queries.length === 0 ? "web pages" : step.queries.join(", ")}`;
    case "tool":
      return `${now ? "Using" : "Used"}${named === "" ? " a tool" : named}`;
    case "reasoning":
      return now ? "Thinking" : "Thought about it";
    case "plan":
      return now ? "Making a plan" : "Made a plan";
    case "research":
      return `${now ? "Looking into" : "Looked into"}${named === "" ? " a part of the question" : `: ${step.name}`}`;
    case "code":
      return now ? "Running code" : "Ran code";
    case "image":
      return now ? "Drawing an image" : "Drew an image";
    case "file":
      return `${now ? "Reading" : "Read"}${named === "" ? " a file" : named}`;
    case "memory":
      return now ? "Looking at what it remembers" : "Looked at what it remembers";
  }
}

function sourcesOf(step: Step, answer: Answer, links: Links): { url: string; text: string }[] {
  return answer.sources
    .filter((source) => step.documentIds.includes(source.documentId))
    .flatMap((source) => {
      const url = source.link === undefined ? undefined : links.href(source.link);
      return url === undefined
        ? []
        : [{ url, text: shortened(literalText(source.title), BUDGETS.sourceTitle) || "Source" }];
    })
    .slice(0, BUDGETS.taskSources);
}
