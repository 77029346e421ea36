/** How classic mrkdwn writes what is in a line. */
import { escapeControl } from "@threadlore/documents/slack";
import type { Dialect } from "./dialect.ts";
import { JOINER, parted } from "./escape.ts";

/** Backticks cannot be escaped here: an invisible character parts those that would begin or end code. */
export const withoutFences = (text: string): string => text.replace(/`(?=`)/g, `\`${JOINER}`);

/**
 * Classic mrkdwn. It has no escapes but the three character references: a star or an underscore of the text may format
 * it, and can do no more. Addresses inside code are parted too, since here the platform looks for them there as well.
 */
export const MRKDWN: Dialect = {
  word: (word) => escapeControl(word),
  lineStart: (escaped) => escaped.replace(/^(?=&gt;)/, JOINER),
  strong: "*",
  emphasis: "_",
  strike: "~",
  codespan: (text) => (text.includes("`") ? undefined : `\`${escapeControl(parted(text))}\``),
  link: (label, address) => `<${address}|${label}>`,
  code: (text) => `\`\`\`\n${escapeControl(parted(withoutFences(text))).replace(/\n$/, "")}\n\`\`\``,
  longestCode: 1_500,
  heading: { before: () => "", strong: true },
  bullet: (alternate) => (alternate ? "◦ " : "• "),
  lineBreak: "",
  divider: "———",
};
