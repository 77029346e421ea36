/** Random texts made of what means something to one of the markups. */

const MEANINGFUL = [
  ..."*_~`[](){}<>!&\\|#+-=:;.,\"'@/\n\n   \t012abW",
  "**",
  "~~",
  "```\n",
  "\n```",
  "``",
  "- ",
  "\n- ",
  "1. ",
  "\n1. ",
  "> ",
  "\n> ",
  "\n\n",
  "    ",
  "- [ ] ",
  "<!here>",
  "<!channel",
  "<@U1>",
  "<#C1|x>",
  "<!subteam^S1>",
  "&lt;!",
  "&amp;",
  "@here",
  "@everyone",
  "https://evil.test/x",
  "http://",
  "www.",
  "mailto:",
  "//evil.test",
  "https:",
  "://",
  "<https://evil.test>",
  "[a](https://evil.test)",
  "](",
  "[x]",
  "[x]: https://evil.test\n",
  "![",
  "](https://evil.test/",
  "[[1]](https://docs.ok.test/a)",
  "[1]",
  "[7]",
  "https://docs.ok.test/a",
  "[ok](https://docs.ok.test/a)",
  "|a|b|\n|-|-|\n",
  "|",
  "\n|",
  "---\n",
  "===\n",
  "日本",
  "\u2060",
  "\u200b",
  "\ud83d\ude00",
  "words and words ",
];

/** A text of up to `most` parts. */
export function randomMarkup(random: () => number, most = 40): string {
  const length = 1 + Math.floor(random() * most);
  let text = "";
  for (let count = 0; count < length; count += 1) text += MEANINGFUL[Math.floor(random() * MEANINGFUL.length)] ?? "";
  return text;
}

/** The first of so many random texts about which `faults` finds something, with what it finds. */
export function firstFaulty(
  texts: { readonly count: number; readonly most: number; readonly random: () => number },
  faults: (text: string) => readonly string[],
): { readonly text: string; readonly faults: readonly string[] } | undefined {
  for (let count = 0; count < texts.count; count += 1) {
    const text = randomMarkup(texts.random, texts.most);
    const found = faults(text);
    if (found.length > 0) return { text, faults: found };
  }
  return undefined;
}
