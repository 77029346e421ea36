import type { AnyBlock } from "@slack/types";

import { byteLength } from "../render/escape.ts";
import type { PostedMessage } from "../transport/calls.ts";
import { BUDGETS } from "../transport/limits.ts";
import { messagesLeft, START } from "./layout.ts";
import { limitsOf } from "./message-budget.ts";

/** A refused message as simpler ones: blocks become text, text is halved. */
export function simpler({ text, blocks, plain }: PostedMessage): PostedMessage[] {
  const words = blocks === undefined ? text : (plain ?? (wordsOf(blocks) || text));
  const bytes = blocks === undefined ? Math.ceil(byteLength(text) / 2) : BUDGETS.plainText;
  const messages = messagesLeft(START, [{ kind: "text", text: words, after: "block" }], limitsOf(bytes));
  return messages.length === 0 ? [{ text: "…" }] : messages.map((message) => ({ text: message.text.trim() }));
}

/** What blocks say, as far as text can. */
function wordsOf(blocks: readonly AnyBlock[]): string {
  const words = blocks.map((block) => {
    if (!("text" in block)) return "";
    const { text } = block;
    return typeof text === "string" ? text : text === undefined ? "" : text.text;
  });
  return words.filter((each) => each !== "").join("\n\n");
}
