/** What can be done with an answer: one row of buttons, and questions to ask next. */
import type { ActionsBlock, Button, Overflow } from "@slack/types";
import { literalText, shortened } from "./escape.ts";
import { LIMITS } from "../transport/limits.ts";

/** `action_id`s of the buttons. Their values are opaque references that are looked up on our side. */
export const ACTIONS = {
  /** Of answers that were shown by versions before 2026-11; both thumbs had it. */
  feedback: "answer_feedback",
  good: "answer_good",
  bad: "answer_bad",
  regenerate: "answer_regenerate",
  human: "answer_human",
  share: "answer_share",
  more: "answer_more",
  retry: "question_retry",
  stop: "question_stop",
} as const;

/** Values of the feedback buttons: the answer's reference behind `good:` or `bad:`. */
export const FEEDBACK = { good: "good", bad: "bad" } as const;

/** Value of the only entry of the menu, before `:` and the answer's reference. */
export const HOW = "how";

/** What can stand in the row, in this order. */
export const ROW = ["votes", "retry", "regenerate", "share", "human", "more"] as const;

/** One thing in the row. `votes`: two thumbs; `more`: the menu of what is rarely wanted. */
export type RowPart = (typeof ROW)[number];

/** The row below an answer. `ref`: opaque id of the answer, at most 60 characters, the value of every button. */
export function actionRow(ref: string, parts: readonly RowPart[]): ActionsBlock[] {
  // Among others with words on them the sign alone stands for them: the row has to fit a telephone.
  const isNarrow = parts.length > 2 && (parts.includes("share") || parts.includes("human"));
  const elements = ROW.filter((part) => parts.includes(part)).flatMap((part) => partOf(part, ref, isNarrow));
  return elements.length === 0 ? [] : [{ type: "actions", elements }];
}

function partOf(part: RowPart, ref: string, isNarrow: boolean): (Button | Overflow)[] {
  switch (part) {
    case "votes":
      return [
        { ...button("👍", ACTIONS.good, `${FEEDBACK.good}:${ref}`), accessibility_label: "This answer helped" },
        { ...button("👎", ACTIONS.bad, `${FEEDBACK.bad}:${ref}`), accessibility_label: "This answer did not help" },
      ];
    case "retry":
      return [button("Retry", ACTIONS.retry, ref)];
    case "regenerate":
      return [{ ...button(isNarrow ? "↻" : "↻ Ask again", ACTIONS.regenerate, ref), accessibility_label: "Ask again" }];
    case "share":
      return [button("Share", ACTIONS.share, ref)];
    case "human":
      return [button("Ask a person", ACTIONS.human, ref)];
    case "more":
      return [menu([{ text: "How this was answered", value: `${HOW}:${ref}` }])];
  }
}

function menu(entries: readonly { text: string; value: string }[]): Overflow {
  const options = entries.map(({ text, value }) => ({ text: { type: "plain_text" as const, text }, value }));
  return { type: "overflow", action_id: ACTIONS.more, options };
}

/** A button; `value` is an opaque reference. */
export function button(text: string, action: string, value: string): Button {
  return { type: "button", text: { type: "plain_text", text }, action_id: action, value };
}

/** `action_id`s of questions to ask next; the number is the question's among those of its answer. */
export const FOLLOW_UP = /^answer_next_\d$/;

/** Questions that can be asked next, a button each; what is pressed is looked up by its number. */
export function followUpRow(ref: string, questions: readonly string[]): ActionsBlock[] {
  if (questions.length === 0) return [];
  const elements = questions.map((question, at) =>
    button(shortened(literalText(question), LIMITS.buttonText), `answer_next_${at}`, `${at}:${ref}`),
  );
  return [{ type: "actions", elements }];
}
