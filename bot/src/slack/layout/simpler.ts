import type { AnyBlock } from "@slack/types";

import type { PostedMessage } from "../transport/calls.ts";
import { BUDGETS } from "../transport/limits.ts";

/** A refused message as simpler ones: blocks become text, text is halved. */
export function simpler(message: PostedMessage): PostedMessage[] {
  if (message.blocks === undefined) return textMessages(message.text, Math.ceil(message.text.length / 2));
  return textMessages(message.plain ?? (wordsOf(message.blocks) || message.text), BUDGETS.plainText);
}

function textMessages(text: string, most: number): PostedMessage[] {
  const parts: PostedMessage[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const head = rest.slice(0, most);
    const line = head.lastIndexOf("\n");
    const space = head.lastIndexOf(" ");
    let end = line > most / 2 ? line : space > 0 ? space : head.length;
    if ((rest.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    parts.push({ text: rest.slice(0, end) });
    rest = rest.slice(end).trimStart();
  }
  if (rest !== "" || parts.length === 0) parts.push({ text: rest === "" ? "…" : rest });
  return parts;
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
