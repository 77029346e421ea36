import { array, assert, constantFrom, integer, property, string } from "fast-check";
import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { createMarkdown } from "./markdown.ts";
import { type Block, type Inline, type List, plainText } from "./tree.ts";

function parse(text: string, size = Math.max(1, text.length)): readonly Block[] {
  const markdown = createMarkdown();
  for (let at = 0; at < text.length; at += size) markdown.push(text.slice(at, at + size));
  return markdown.end();
}

const text = (value: string): Inline => ({ type: "text", text: value });
const paragraph = (...children: Inline[]): Block => ({ type: "paragraph", children });

function words(blocks: readonly Block[]): string {
  return JSON.stringify(blocks).replaceAll(/"(type|children|text|level|ordered|start|tight)":/g, "");
}

describe("tables", () => {
  it("need a delimiter row with as many columns as the header", () => {
    expect(parse("| a | b |\n|:--|--:|\n| 1 | **2** |\n| 3 |\n| 4 | 5 | 6 |\n\nafter")).toEqual([
      {
        type: "table",
        align: ["left", "right"],
        header: [[text("a")], [text("b")]],
        rows: [
          [[text("1")], [{ type: "strong", children: [text("2")] }]],
          [[text("3")], []],
          [[text("4")], [text("5")]],
        ],
      },
      paragraph(text("after")),
    ]);
    expect(parse("| a | b |\n|---|\n")[0]?.type).toBe("paragraph");
    expect(parse("a b\n---\n")[0]?.type).toBe("heading");
  });

  it("have up to 200 columns; what is wider stays a paragraph", () => {
    const wide = (columns: number) => `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n`;
    expect(parse(wide(200)).map((block) => block.type)).toEqual(["table"]);
    expect(parse(wide(201)).map((block) => block.type)).toEqual(["paragraph"]);
    expect(parse(wide(4_000) + "|x|\n".repeat(4_000)).map((block) => block.type)).toEqual(["paragraph"]);
  });

  it("end where the cells of short rows, in all of them together, would number more than 20,000", () => {
    const header = `|${"a|".repeat(200)}\n|${"-|".repeat(200)}\n`;
    const one = header + "|x|\n".repeat(150);
    const full = `|${"b|".repeat(200)}\n`;
    const blocks = parse(`${one}\n${one}\n${header}${full}`);
    expect(blocks.map((block) => block.type)).toEqual(["table", "paragraph", "table", "paragraph", "table"]);
    expect(blocks.map((block) => (block.type === "table" ? block.rows.length : 0))).toEqual([101, 0, 0, 0, 1]);
    for (const size of [7, 1_000]) expect(parse(`${one}\n${one}\n${header}${full}`, size)).toEqual(blocks);
  });

  it("may follow a paragraph's lines directly, and end at another block", () => {
    expect(parse("Here it is:\n a | b\n---|:-:\n1 | 2\n> quote").map((block) => block.type)).toEqual([
      "paragraph",
      "table",
      "quote",
    ]);
    expect(parse("Here it is:\na | b\n---|---\n1 | 2")[0]).toEqual(paragraph(text("Here it is:")));
  });

  it("keep escaped pipes in their cells", () => {
    expect(parse("| a\\|b | `c\\|d` |\n|---|---|\n")).toMatchObject([
      { header: [[text("a|b")], [{ type: "codespan", text: "c|d" }]] },
    ]);
  });
});

describe("lists", () => {
  it("know task entries", () => {
    const [list] = parse("- [ ] open\n- [x] done\n- [X] done too\n- [y] none\n- [ ]none\n");
    expect(list).toMatchObject({
      type: "list",
      children: [
        { checked: false, children: [paragraph(text("open"))] },
        { checked: true },
        { checked: true },
        { children: [paragraph(text("[y] none"))] },
        { children: [paragraph(text("[ ]none"))] },
      ],
    });
    expect(list?.type === "list" && list.children[3] !== undefined && "checked" in list.children[3]).toBe(false);
  });

  it("nest no deeper than 64 blocks, however deep the marks go", () => {
    const blocks = parse(`${"> ".repeat(5_000)}x`);
    expect(JSON.stringify(blocks).split('"quote"').length).toBe(65);
    expect(() => parse("- ".repeat(5_000))).not.toThrow();
  });
});

describe("inline text", () => {
  it("knows strikethrough of one and two tildes, but not of three", () => {
    expect(parse("~a~ ~~b~~ ~~~c~~~ a~b")).toEqual([
      paragraph(
        { type: "strike", children: [text("a")] },
        text(" "),
        { type: "strike", children: [text("b")] },
        text(" ~~~c~~~ a~b"),
      ),
    ]);
  });

  it("shows raw HTML as text", () => {
    expect(parse("<b>x</b> <script>alert(1)</script>\n\n<div>\n*y*\n</div>")).toEqual([
      paragraph(text("<b>x</b> <script>alert(1)</script>")),
      paragraph(text("<div>\n"), { type: "emphasis", children: [text("y")] }, text("\n</div>")),
    ]);
  });

  it("takes links whose definition comes later, also in blocks that are complete", () => {
    const markdown = createMarkdown();
    const before = markdown.push("See [the page] now.\n\n> and [here][the page]\n\nLast.\n\n");
    expect(words(before)).not.toContain("link");
    markdown.push("[the page]: https://ok.test/a 'Title'\n\nMore");
    const after = markdown.end();
    expect(after[0]).toEqual(
      paragraph(
        text("See "),
        { type: "link", url: "https://ok.test/a", title: "Title", children: [text("the page")] },
        text(" now."),
      ),
    );
    expect(words(after).split('"link"')).toHaveLength(3);
    expect(after[2]).toBe(before[2]);
  });

  it("makes no image anything but its description", () => {
    expect(parse("![a *b*](https://evil.test/x)")).toEqual([
      paragraph({ type: "image", url: "https://evil.test/x", alt: "a b" }),
    ]);
  });

  it("gives the text of nodes without their formatting", () => {
    const [block] = parse("a *b* `c` [d](e) ![f](g)  \nh [1]");
    expect(block?.type === "paragraph" ? plainText(block.children) : "").toBe("a b c d f\nh ");
  });
});

describe("an unfinished text", () => {
  it("holds back what may still become something else, and shows it at the end", () => {
    for (const [start, rest] of [
      ["**", "bold** text"],
      ["--", "-"],
      ["1", ". one"],
      ["```t", "s\ncode\n```"],
      ["[foo]: /u", "rl"],
    ] as const) {
      const markdown = createMarkdown();
      expect(markdown.push(`Before\n\n${start}`), start).toEqual([paragraph(text("Before"))]);
      markdown.push(rest);
      expect(markdown.end()).toEqual(parse(`Before\n\n${start}${rest}`));
    }
    expect(parse("Before\n\n**")).toHaveLength(2);
  });

  it("shows words as soon as they are there", () => {
    const markdown = createMarkdown();
    expect(markdown.push("Hel")).toEqual([paragraph(text("Hel"))]);
    expect(markdown.push("lo *wor")).toEqual([paragraph(text("Hello "))]);
    expect(markdown.push("ld* and")).toEqual([
      paragraph(text("Hello "), { type: "emphasis", children: [text("world")] }, text(" and")),
    ]);
  });

  const shownText = (blocks: readonly Block[]): string =>
    blocks
      .map((block) => ("children" in block && block.type === "paragraph" ? plainText(block.children) : ""))
      .join("");

  it.each([
    ["a link", "See [the *new* handbook](https://wiki.example/a_(b)?c=1 'its title') first."],
    ["a link by label", "[book]: https://wiki.example/\n\nSee [the handbook][book] or [book] first."],
    ["an address in angles", "See <https://wiki.example/handbook?a=1> or <help@wiki.example> first."],
    ["an image", "Look: ![the plan of the house](https://evil.example/pixel.gif) so."],
    ["a linked image", "Look: [![alt](https://a.example/b.png)](https://c.example/d) so."],
    ["emphasis", "You get **28 working *days*** a year, ~~not 27~~, __all of them__ and _more_."],
    ["code", "Run `npm *install* [now]` and ``a ` b`` then."],
    ["a reference to a character", "Research &amp; development &#169; 2026."],
    ["other scripts", "年間**28日**の[休暇規定](https://例え.example/休暇)があります。"],
  ])("never shows half of %s: what stands there only grows", (_, whole) => {
    const final = shownText(parse(whole));
    for (const size of [1, 2, 5]) {
      const markdown = createMarkdown();
      let before = "";
      for (let at = 0; at < whole.length; at += size) {
        const shown = shownText(markdown.push(whole.slice(at, at + size)));
        expect(final.startsWith(shown), `${JSON.stringify(shown)} of ${JSON.stringify(final)}`).toBe(true);
        expect(shown.startsWith(before)).toBe(true);
        before = shown;
      }
      expect(shownText(markdown.end())).toBe(final);
    }
  });

  it("shows a lone star as it is once it cannot be a phrase's any more, and the rest of the paragraph with it", () => {
    const markdown = createMarkdown();
    const rest = "words without an end ".repeat(20);
    expect(shownText(markdown.push(`Prices *${rest.slice(0, 100)}`))).toBe("Prices ");
    expect(shownText(markdown.push(rest.slice(100)))).toBe(`Prices *${rest}`);
    // Behind it too nothing is shown by halves.
    expect(shownText(markdown.push("and [a li"))).toBe(`Prices *${rest}and `);
    expect(shownText(markdown.push("nk](https://wiki.example/"))).toBe(`Prices *${rest}and `);
    expect(shownText(markdown.push(`) and so on.${" More of it.".repeat(40)}`))).toContain("and a link and so on.");
  });

  it("takes one tilde for what it mostly is: about", () => {
    expect(createMarkdown().push("It takes ~5 minutes to")).toEqual([paragraph(text("It takes ~5 minutes to"))]);
  });

  it("keeps the identity of every block that is complete, and of list items", () => {
    const markdown = createMarkdown();
    const first = markdown.push("# One\n\ntwo *three*\n\n- a\n- b\n- c");
    const second = markdown.push(" more\n- d");
    expect(second.slice(0, 2)).toEqual(first.slice(0, 2));
    for (const index of [0, 1]) expect(second[index]).toBe(first[index]);
    const [before, after] = [first, second].map((blocks) => blocks[2] as List);
    expect(after?.children[0]).toBe(before?.children[0]);
    expect(after?.children[1]).toBe(before?.children[1]);
    expect(after?.children[2]).not.toBe(before?.children[2]);
    expect(markdown.push("")).toBe(second);
  });

  it("leaves the blocks of earlier pushes as they were", () => {
    const markdown = createMarkdown();
    const views: [readonly Block[], string][] = [];
    for (const piece of [
      "a *b",
      "* c\n",
      "- x\n",
      "- y\n\n",
      "| a |\n",
      "|--|\n",
      "| 1 |\n| 2 |\n\n",
      "[b]: /c\n\n",
      "[b] d",
    ]) {
      const blocks = markdown.push(piece);
      views.push([blocks, JSON.stringify(blocks)]);
    }
    for (const [blocks, then] of views) expect(JSON.stringify(blocks)).toBe(then);
  });

  it("reads carriage returns as line ends, also when a line end is cut in two", () => {
    const whole = parse("# a\n\nb\nc\n\n- d");
    expect(parse("# a\r\n\r\nb\r\nc\r\n\r\n- d", 1)).toEqual(whole);
    expect(parse("# a\r\rb\rc\r\r- d", 1)).toEqual(whole);
    expect(parse("a\0b", 1)).toEqual([paragraph(text("a\ufffdb"))]);
  });

  it("ignores pushes after its end", () => {
    const markdown = createMarkdown();
    markdown.push("a");
    const ended = markdown.end();
    expect(markdown.push("b")).toBe(ended);
    expect(markdown.end()).toBe(ended);
  });
});

// Everything markdown gives a meaning to, so that random texts are full of it.
const MEANINGFUL = [
  ..."*_~`[](){}<>!&\\|#+-=:;.\"'\n\n\n \t 0123ab",
  "**",
  "```\n",
  "~~~",
  "    ",
  "- ",
  "1. ",
  "> ",
  "- [ ] ",
  "- [x]",
  "# ",
  "===\n",
  "---\n",
  "[a]",
  "[a]: /b\n",
  "[[1]](https://ok.test/(a))",
  "[1]",
  "](",
  "| a | b |\n",
  "|---|---|\n",
  "&amp;",
  "  \n",
  "日本",
  "🙂",
  "\r\n",
  "\u00a0",
];

it("resolves a label that is defined after another of the same paragraph was", () => {
  const stream = createMarkdown();
  for (const character of "![foo][bar]\n\n[bar]: /url\n\n[foo]: /other\n") stream.push(character);
  expect(stream.end()).toEqual([{ type: "paragraph", children: [{ type: "image", url: "/url", alt: "foo" }] }]);
});

describe("any text", () => {
  it("gives the same blocks in any chunking as in one piece", () => {
    const meaningful = array(constantFrom(...MEANINGFUL), { maxLength: 60 });
    assert(
      property(meaningful, array(integer({ min: 1, max: 12 }), { minLength: 1 }), (pieces, sizes) => {
        const whole = pieces.join("");
        const markdown = createMarkdown();
        for (let at = 0, turn = 0; at < whole.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          markdown.push(whole.slice(at, at + size));
          at += size;
        }
        expect(markdown.end()).toEqual(parse(whole));
      }),
      { numRuns: 1_500 },
    );
  });

  it("gives them too where a cut once changed the outcome", () => {
    for (const whole of [
      "**-*a**20",
      "*\ud83d**b*11",
      "- [ ] 'x",
      "- [ ] \n\n- [x]  [a]: /b",
      "a|b\n-|-\nc",
      "~a*b~c*d",
      `<https://x.test/${"a".repeat(2_031)}> b`,
      `<https://x.test/${"a".repeat(2_033)}> b`,
      `<${"a".repeat(2_100)}@x.test> b`,
    ]) {
      for (const size of [1, 2, 3, 5]) expect(parse(whole, size), whole).toEqual(parse(whole));
    }
  });

  it("never throws, and is plain JSON", () => {
    assert(
      property(string({ unit: "grapheme", maxLength: 200 }), (any) => {
        const blocks = parse(any, 3);
        expect(JSON.parse(JSON.stringify(blocks))).toEqual(blocks);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the cost of a stream", () => {
  const repeated = (unit: string, length: number): string =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const SHAPES: Record<string, (length: number) => string> = {
    "a mixed answer": (length) =>
      repeated(
        "## Part\n\nSome **bold** and *other* words, `code` and [a link](https://ok.test) [[1]](https://ok.test/(x)).\n\n- one\n- two\n\n```ts\nrows[1];\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n",
        length,
      ),
    "one long list": (length) => repeated("- an **item** with some words and `code`\n", length),
    "one long paragraph": (length) =>
      repeated("Words, **bold** and *other*, `code`, [a link](https://ok.test) [1]. ", length),
    "one long code block": (length) => `\`\`\`js\n${repeated("const value = rows[1]; // and so on\n", length)}`,
    "a paragraph of many lines": (length) => repeated("Words in a line of some length\n", length),
    "brackets that never close": (length) => repeated("[", length),
    "emphasis that never closes": (length) => repeated("*a _b ", length),
    "code that never closes": (length) => `\`${repeated("words ", length)}`,
    "links that never end": (length) => repeated("[a](b", length),
    "a line that is never decided": (length) => repeated("1 2 3 ", length),
    "a text without spaces": (length) => repeated("日本語の長い段落です。", length),
    "references and definitions": (length) =>
      `${repeated("[a] [b] [c] ", length / 2)}\n\n${repeated("[a]: /x\n[b]: /y\n[d]: /z\n", length / 2)}`,
  };

  /** Characters looked at per character, pushed four by four, each push's blocks asked for. */
  function work(whole: string): number {
    const markdown = createMarkdown();
    for (let at = 0; at < whole.length; at += 4) markdown.push(whole.slice(at, at + 4));
    markdown.end();
    return markdown.visited / whole.length;
  }

  for (const [name, make] of Object.entries(SHAPES)) {
    it(`does not grow faster than the text: ${name}`, () => {
      const [small, large] = [work(make(5_000)), work(make(40_000))];
      expect(large).toBeLessThan(small * 1.3 + 0.5);
      expect(large).toBeLessThan(60);
    });
  }

  it.each([
    ["closers whose kind was never opened", "_a ".repeat(30_000) + "a* ".repeat(30_000)],
    ["openers and closers that do not match", "a**b".repeat(2) + "*a**b ".repeat(30_000)],
    ["runs of backticks of every length", Array.from({ length: 400 }, (_, index) => "`".repeat(index + 1)).join(" ")],
    ["marks whose addresses never end", `${"[[1]](".repeat(10_000)} x`],
    ["brackets inside brackets", `${"[".repeat(30_000)}a${"]".repeat(30_000)}`],
  ])("stays small where the count cannot see it: %s", (_, whole) => {
    const taken = ownTime(() => {
      const markdown = createMarkdown();
      markdown.push(whole);
      markdown.end();
    });
    expect(taken).toBeLessThan(1_500);
  });

  it("is below ten looks per character for the four usual shapes", () => {
    for (const make of Object.values(SHAPES).slice(0, 4)) expect(work(make(20_000))).toBeLessThan(10);
  });
});
