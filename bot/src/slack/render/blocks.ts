/** What stands below an answer: its sources, how it ended, who wrote it, and what can be done with it. */
import type { ActionsBlock, Button, ContextActionsBlock, ContextBlock, KnownBlock, SectionBlock } from "@slack/types";
import { type Answer, askerWords, type Links, saysNothingFound } from "@threadlore/ask";
import { mrkdwnText } from "./escape.ts";
import { LIMITS } from "../transport/limits.ts";
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

/** The blocks below an answer, then `below`. They hold no `block_id`, so that a message may be updated with them. */
export function closingBlocks(answer: Answer, links: Links, below: readonly KnownBlock[] = []): KnownBlock[] {
  const status = statusLine(answer);
  const sources = packed(sourceLines(answer, links), LIMITS.contextText - 100);
  const said = disclaimer(answer);
  return [
    ...(status === undefined ? [] : [context([`:warning: ${mrkdwnText(status)}`])]),
    ...Array.from({ length: Math.ceil(sources.length / LIMITS.contextElements) }, (_, at) =>
      context(sources.slice(at * LIMITS.contextElements, (at + 1) * LIMITS.contextElements)),
    ),
    ...(said === undefined ? [] : [context([said])]),
    ...below,
  ];
}

/** The same as lines of mrkdwn, for messages without blocks. */
export function closingLines(answer: Answer, links: Links): readonly string[] {
  const status = statusLine(answer);
  const said = disclaimer(answer);
  return [
    ...(status === undefined ? [] : [mrkdwnText(status)]),
    ...(answer.citations.length === 0 ? [] : ["Sources:"]),
    ...sourceLines(answer, links),
    ...(said === undefined ? [] : [said]),
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

/** Where nothing was found there is nothing to check. */
function disclaimer(answer: Answer): string | undefined {
  if (saysNothingFound(answer)) return undefined;
  const from = answer.citations.length === 0 ? "" : " from these sources";
  return `_Put together automatically${from}; check what matters._`;
}

/** Lines put together, as many as one text of so many characters holds. */
export function packed(lines: readonly string[], longest: number, between = "\n"): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    const isFull = last === undefined || last.length + between.length + line.length > longest;
    if (isFull) texts.push(line);
    else texts[texts.length - 1] = last + between + line;
  }
  return texts;
}

/** A context block. `verbatim` keeps the platform from looking for addresses and names in the text. */
export function context(texts: readonly string[]): ContextBlock {
  return { type: "context", elements: texts.map((text) => ({ type: "mrkdwn", text, verbatim: true })) };
}

/** A section whose text is taken as it is, likewise. */
export function verbatim(text: string): SectionBlock {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

const LABELS = { regenerate: "Regenerate", human: "I need a human", share: "Share" } as const;

/** Buttons below an answer. `ref`: opaque id of the answer, at most 1,900 characters, the value of every button. */
export function answerButtons(ref: string, names: readonly (keyof typeof LABELS)[]): ActionsBlock[] {
  if (names.length === 0) return [];
  return [{ type: "actions", elements: names.map((name) => button(LABELS[name], ACTIONS[name], ref)) }];
}

/** A button; `value` is an opaque reference. */
export function button(text: string, action: string, value: string): Button {
  return { type: "button", text: { type: "plain_text", text }, action_id: action, value };
}

/** Asks whether the answer helped. */
export function feedbackButtons(ref: string): ContextActionsBlock {
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
