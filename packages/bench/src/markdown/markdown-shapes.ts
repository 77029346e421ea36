/** A kind of answer that streaming renderers find hard, each in its own way. */
export interface Shape {
  readonly name: string;
  /** A text of exactly so many characters. */
  text(length: number): string;
}

const WORDS =
  "travel costs are paid back within ten days of the receipt reaching finance and nobody has to ask twice for them".split(
    " ",
  );

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => WORDS[(from * 7 + index) % WORDS.length]).join(" ");

/** Repeats a part until the text is long enough. */
const repeated =
  (part: (index: number) => string, opening = "") =>
  (length: number): string => {
    const parts = [opening];
    for (let at = opening.length, index = 1; at < length; index += 1) {
      const next = part(index);
      parts.push(next);
      at += next.length;
    }
    return parts.join("").slice(0, length);
  };

const section = (index: number): string =>
  [
    `## ${words(index, 4)}`,
    `It says that ${words(index, 16)}, **${words(index, 3)}**, see [the guide](https://wiki.example.com/${index}) and \`limit-${index}\`, or *${words(index + 1, 2)}*; ${words(index + 2, 14)}.`,
    `- ${words(index, 8)}\n- the form is **${words(index, 2)}**\n  1. ${words(index, 5)}\n  2. \`name\` and day\n- [ ] ${words(index, 6)}`,
    `\`\`\`ts\nconst limit = ${index} * 120;\nexport const paid = limit > 100 ? "late" : "early";\n\`\`\``,
    `| what | limit | note |\n|---|---:|---|\n| hotel | ${index} | ${words(index, 3)} |\n| train | ${index * 2} | **${words(index, 2)}** |`,
    `> ${words(index, 12)} ~~${words(index, 2)}~~.`,
  ].join("\n\n") + "\n\n";

/** The four shapes. */
export const SHAPES: readonly Shape[] = [
  { name: "a mixed answer", text: repeated(section) },
  {
    name: "one long list",
    text: repeated((index) => `- ${words(index, 9)}, **${words(index, 2)}** and \`limit-${index}\`\n`),
  },
  {
    name: "one long paragraph",
    text: repeated((index) => `It says that ${words(index, 9)}, **${words(index, 2)}** and \`limit-${index}\`. `),
  },
  {
    name: "one block of code",
    text: repeated((index) => `const value${index} = compute(${index}); // ${words(index, 4)}\n`, "```ts\n"),
  },
];
