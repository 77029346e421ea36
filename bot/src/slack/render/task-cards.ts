/** What is being done for an answer, as cards, and in one row. */
import type { PlanBlock } from "@slack/types";
import { type Answer, isFinal, type Step } from "@threadlore/ask";
import { literalText, shortened } from "./escape.ts";
import { BUDGETS, LIMITS } from "../transport/limits.ts";
import type { TaskCard } from "./pieces.ts";

/**
 * A card per step, in order; ids stay the same from snapshot to snapshot. Beyond forty the last card counts the others.
 * What was found stands below the answer where it is cited, and nowhere else.
 */
export function taskCards({ steps }: Pick<Answer, "steps">): TaskCard[] {
  const shown = steps.length <= BUDGETS.taskCards ? steps : steps.slice(0, BUDGETS.taskCards - 1);
  const cards = shown.map(cardOf);
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

function cardOf(step: Step, index: number): TaskCard {
  return { id: `step-${index}`, title: shownTitle(step), ...STATES[step.state] };
}

const shownTitle = (step: Step): string => shortened(literalText(titleOf(step)), LIMITS.taskField);

/** Kinds of steps that look for something in documents. */
const LOOKING: ReadonlySet<Step["kind"]> = new Set(["search", "read", "research"]);

/**
 * The row the cards are folded into: what is being done now, and once nothing is, what was done in all. `idle`: before
 * the first step.
 */
export function planTitle({ steps, status }: Pick<Answer, "steps" | "status">, idle: string): string {
  const running = steps.findLast(({ state }) => state === "running");
  if (running !== undefined && !isFinal(status)) return shownTitle(running);
  const [only, ...others] = steps;
  if (only === undefined) return idle;
  const failed = steps.filter(({ state }) => state === "failed").length;
  const but = failed === 0 ? "" : failed === 1 ? ", one step failed" : `, ${failed} steps failed`;
  const looking = steps.filter(({ kind }) => LOOKING.has(kind));
  if (looking.length === 0) return `${others.length === 0 ? shownTitle(only) : `Took ${steps.length} steps`}${but}`;
  const found = new Set(looking.flatMap(({ documentIds }) => documentIds)).size;
  const where = looking.every(({ name }) => name === "web") ? "the web" : "the documents";
  return `Searched ${found === 0 ? where : found === 1 ? "1 document" : `${found} documents`}${but}`;
}

/** Cards as the block of a posted message that folds them into one row, like a streamed one's; none: no block. */
export function planBlocks(
  title: string | undefined,
  cards: readonly Pick<TaskCard, "id" | "title" | "status">[],
): PlanBlock[] {
  const named = cards.filter((card) => card.title !== "");
  if (named.length === 0) return [];
  const tasks = named.map(({ id, title: words, status }) => ({
    type: "task_card" as const,
    task_id: id,
    title: words,
    // Of a message that is posted nobody is at work any more.
    status: status === "error" ? status : ("complete" as const),
  }));
  return [{ type: "plan", title: title ?? tasks.at(-1)?.title ?? "", tasks }];
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
