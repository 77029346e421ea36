/** What stands below an answer: its sources, how it ended, who wrote it, and what can be done with it. */
import type { ActionsBlock, Button, ContextActionsBlock, ContextBlock, KnownBlock } from "@slack/types";
import { type Answer, askerWords, type Links } from "@threadlore/ask";
import { mrkdwnText } from "./escape.ts";
import { BUDGETS, LIMITS } from "../transport/limits.ts";
import { sourceLines } from "./sources.ts";

/** `action_id`s of the buttons. Their values are opaque references that are looked up on our side. */
export const ACTIONS = {
  feedback: "answer_feedback",
  regenerate: "answer_regenerate",
  human: "answer_human",
  share: "answer_share",
  retry: "question_retry",
  stop: "question_stop",
} as const;

/** Values of the feedback buttons: the answer's reference behind `good:` or `bad:`. */
export const FEEDBACK = { good: "good", bad: "bad" } as const;

/** A button below an answer. */
export type AnswerButton = "regenerate" | "human" | "share";

/** Settings of what stands below an answer. */
export interface ClosingOptions {
  /** Opaque id of the answer, at most 1,900 characters: the value of every button. Absent: no buttons at all. */
  readonly ref?: string;
  /** Ask whether the answer helped. Default true. */
  readonly feedback?: boolean;
  /** Default: regenerate and human. Share is for answers only one person sees. */
  readonly buttons?: readonly AnswerButton[];
  /** How many sources are listed. Default 10. */
  readonly sources?: number;
  /** Who wrote the text; absent where it is not known: the words are then true for both. */
  readonly author?: "model" | "extract";
}

/** The blocks below an answer. They hold no `block_id`, so that a message may be updated with them. */
export function closingBlocks(answer: Answer, links: Links, options: ClosingOptions = {}): KnownBlock[] {
  const status = statusLine(answer);
  return [
    ...(status === undefined ? [] : [context([`:warning: ${mrkdwnText(status)}`])]),
    ...sourceBlocks(answer, links, options),
    context([disclaimer(answer, options.author)]),
    ...buttonBlocks(options),
  ];
}

/** The same as lines of mrkdwn, for messages without blocks. */
export function closingLines(answer: Answer, links: Links, options: ClosingOptions = {}): readonly string[] {
  const status = statusLine(answer);
  return [
    ...(status === undefined ? [] : [mrkdwnText(status)]),
    ...(answer.citations.length === 0 ? [] : ["Sources:"]),
    ...sourceLines(answer, links, options.sources),
    disclaimer(answer, options.author),
  ];
}

/** How an answer that is not complete ended; undefined for one that is. */
export function statusLine(answer: Answer): string | undefined {
  switch (answer.status) {
    case "stopped":
      return "The answer was stopped before it was complete.";
    case "partial":
    case "failed":
      return askerWords(answer);
    default:
      return undefined;
  }
}

function disclaimer(answer: Answer, author: "model" | "extract" | undefined): string {
  const from = answer.citations.length === 0 ? "" : " from these sources";
  const how = { model: "Written by a language model", extract: "Quoted", unknown: "Put together automatically" };
  return `_${how[author ?? "unknown"]}${from}; check what matters._`;
}

function sourceBlocks(answer: Answer, links: Links, options: ClosingOptions): ContextBlock[] {
  const elements: string[] = [];
  for (const line of sourceLines(answer, links, options.sources ?? BUDGETS.sources)) {
    const last = elements.at(-1);
    if (last !== undefined && last.length + line.length + 1 <= LIMITS.contextText - 100) {
      elements[elements.length - 1] = `${last}\n${line}`;
    } else elements.push(line);
  }
  const blocks: ContextBlock[] = [];
  for (let at = 0; at < elements.length; at += LIMITS.contextElements) {
    blocks.push(context(elements.slice(at, at + LIMITS.contextElements)));
  }
  return blocks;
}

/** A context block. `verbatim` keeps the platform from looking for addresses and names in the text. */
export function context(texts: readonly string[]): ContextBlock {
  return { type: "context", elements: texts.map((text) => ({ type: "mrkdwn", text, verbatim: true })) };
}

const BUTTONS: Record<AnswerButton, { text: string; action: string }> = {
  regenerate: { text: "Regenerate", action: ACTIONS.regenerate },
  human: { text: "I need a human", action: ACTIONS.human },
  share: { text: "Share", action: ACTIONS.share },
};

function buttonBlocks(options: ClosingOptions): (ContextActionsBlock | ActionsBlock)[] {
  const { ref, feedback = true, buttons = ["regenerate", "human"] } = options;
  if (ref === undefined) return [];
  const elements = buttons.map((name) => button(BUTTONS[name].text, BUTTONS[name].action, ref));
  return [
    ...(feedback ? [feedbackBlock(ref)] : []),
    ...(elements.length === 0 ? [] : [{ type: "actions" as const, elements }]),
  ];
}

/** A button; `value` is an opaque reference. */
export function button(text: string, action: string, value: string): Button {
  return { type: "button", text: { type: "plain_text", text }, action_id: action, value };
}

function feedbackBlock(ref: string): ContextActionsBlock {
  const rating = (text: string, label: string, value: string) => ({
    text: { type: "plain_text" as const, text },
    accessibility_label: label,
    value: `${value}:${ref}`,
  });
  return {
    type: "context_actions",
    elements: [
      {
        type: "feedback_buttons",
        action_id: ACTIONS.feedback,
        positive_button: rating("Good answer", "This answer helped", FEEDBACK.good),
        negative_button: rating("Bad answer", "This answer did not help", FEEDBACK.bad),
      },
    ],
  };
}
