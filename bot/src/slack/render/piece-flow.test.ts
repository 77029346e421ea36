import { linksOf, noLinks } from "@threadlore/ask";
import type { Answer } from "@threadlore/ask";
import { seededRandom } from "@threadlore/testkit";
import { assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { CITED, answerOf, snapshotsOf } from "../../testing/answers.ts";
import type { AnswerPlan } from "../../testing/answers.ts";
import { PieceFlow } from "./piece-flow.ts";
import type { Piece } from "./pieces.ts";
import { pieceText, toSlackMarkdown } from "./pieces.ts";
import { randomMarkup } from "./random-markup.harness.ts";

const TYPICAL = `## Refunds

Customers get their money back within **14 days** of the delivery, as the handbook says [[1]](${CITED}), and *sooner* where the goods were never sent. This takes \`one\` form and a [second page](${CITED}) to read.

- Small orders: paid back at once, whatever the reason was, and without any form at all to be filled in by anybody.
- Large orders:
  1. ask the *team lead* first
  2. then fill in the form, which lies in the drawer with the other forms that nobody likes to fill in at all
- Everything else

> Quoted words that go on for a while, so that they are long enough to be shown before the quote has come to its end.

\`\`\`sh
refund --order 1 < list > out
\`\`\`

| Country | Days |
|---|--:|
| Norway | 14 |
| Chile | 10 |

---

Last words with 5 * 3 = 15 & snake_case <tags>, 100% sure.`;

interface Streamed {
  readonly pieces: readonly Piece[];
  readonly rewritten: boolean;
  readonly pushes: readonly (readonly Piece[])[];
}

function streamed(plan: AnswerPlan): Streamed {
  const flow = new PieceFlow();
  const snapshots = snapshotsOf(plan);
  const last = snapshots.pop();
  const pushes = snapshots.map((answer) => flow.push(answer, linksOf(answer)));
  const { pieces, rewritten } = flow.end(last as Answer, linksOf(last as Answer));
  return { pieces: [...pushes.flat(), ...pieces], rewritten, pushes };
}

const written = (pieces: readonly Piece[]): string => pieces.map(pieceText).join("").trimEnd();
const rendering = (answer: Answer): string => toSlackMarkdown(answer.blocks, linksOf(answer));

describe("a piece flow", () => {
  it.each([1, 2, 3, 7, 20, 100, 5_000])(
    "gives the final text of an ordinary answer, %i characters a packet",
    (size) => {
      const { pieces, rewritten } = streamed({ text: TYPICAL, size });
      expect(rewritten).toBe(false);
      expect(written(pieces)).toBe(rendering(answerOf({ text: TYPICAL })));
    },
  );

  it(
    "gives the same text in any chunking of 600 random texts, or says that something was rewritten",
    { timeout: 120_000 },
    () => {
      let rewrites = 0;
      assert(
        property(integer({ min: 0, max: 1_000_000 }), integer({ min: 1, max: 30 }), (seed, size) => {
          const random = seededRandom(seed);
          const text = Array.from({ length: 4 }, () => randomMarkup(random)).join(" and then a few quiet words. ");
          const { pieces, rewritten } = streamed({ text, size });
          const whole = rendering(answerOf({ text }));
          if (rewritten) rewrites += 1;
          expect(rewritten || written(pieces) === whole, JSON.stringify(text)).toBe(true);
          const unspaced = (some: string): string => some.replaceAll(/\s/g, "");
          // Nothing is lost even then: the end of the answer stands at the end.
          expect(unspaced(written(pieces)).endsWith(unspaced(whole).slice(-20))).toBe(true);
        }),
        { numRuns: 600, seed: 11 },
      );
      expect(rewrites).toBeLessThan(30);
    },
  );

  it("lets a long paragraph flow word by word", () => {
    const text = "Words of a paragraph that goes on and on, with **bold** ones between. ".repeat(20).trim();
    const { pushes } = streamed({ text, size: 10 });
    const lengths = pushes.flat().map((piece) => pieceText(piece).length);
    expect(lengths.length).toBeGreaterThan(60);
    expect(Math.max(...lengths)).toBeLessThan(200);
  });

  it("lets a paragraph without spaces flow", () => {
    const { pushes } = streamed({ text: "日本語の長い段落です。".repeat(40), size: 10 });
    expect(pushes.flat().length).toBeGreaterThan(20);
  });

  it("lets a long list flow entry by entry", () => {
    const { pushes } = streamed({ text: "- an entry of a list\n".repeat(50), size: 10 });
    expect(pushes.flat().length).toBeGreaterThan(40);
  });

  it("keeps back what may still change: emphasis, links, code and citations that are not closed", () => {
    const start = "This sentence is long enough to be shown, were it not for what now begins here: ";
    for (const [open, close] of [
      ["**", "**"],
      ["[", `](${CITED})`],
      ["`", "`"],
      ["[[", `1]](${CITED})`],
    ] as const) {
      const flow = new PieceFlow();
      const [answer] = snapshotsOf({ text: `${start}${open}1 and more words of it`, stop: false }).slice(-1);
      const text = written(flow.push(answer as Answer, noLinks));
      expect(text, open).toBe(start.trimEnd());
      expect(streamed({ text: `${start}${open}1 and more words of it${close} end`, size: 1 }).rewritten, open).toBe(
        false,
      );
    }
  });

  it("gives code and tables whole, each as one piece", () => {
    const { pieces } = streamed({ text: TYPICAL, size: 3 });
    expect(pieces.filter((piece) => piece.kind === "code")).toEqual([
      { kind: "code", info: "sh", code: "refund --order 1 < list > out\n" },
    ]);
    const tables = pieces.filter((piece) => piece.kind === "table");
    expect(tables).toHaveLength(1);
    expect(tables[0]?.block.rows).toHaveLength(3);
    expect(tables[0]?.text).toContain("Norway  |   14");
  });

  it("says when a line below made a heading of what was given, and gives it again whole", () => {
    const title = "A paragraph so long that nobody would take it for a heading before its line comes along";
    const { pieces, rewritten } = streamed({ text: `${title} here\nand there\n===\n\nMore.`, size: 1 });
    expect(rewritten).toBe(true);
    expect(written(pieces)).toContain(`# ${title} here and there`);
    expect(written(pieces).endsWith("More.")).toBe(true);
  });

  it("does not show the last line of a paragraph that becomes a table's header", () => {
    const text = `${"Some words before the table begins. ".repeat(4)}\n| Country and more | Days |\n|---|---|\n| a | b |\n`;
    const { pieces, rewritten } = streamed({ text, size: 1 });
    expect(rewritten).toBe(false);
    expect(pieces.filter((piece) => piece.kind === "table")).toHaveLength(1);
  });

  it("leaves a preamble above the answer, complete", () => {
    const place = { turn_index: 0, tab_index: 0 };
    const before = [
      { placement: place, obj: { type: "message_start" } },
      { placement: place, obj: { type: "message_delta", content: "Let me check the **handbook** for that." } },
    ];
    const { pieces, rewritten } = streamed({ text: "It is 14 days.", before, size: 4 });
    expect(rewritten).toBe(false);
    expect(written(pieces)).toBe("Let me check the **handbook** for that.\n\nIt is 14 days.");
  });

  it("gives no piece that is much longer than eight hundred characters of plain text, and says where a message may end", () => {
    const { pieces } = streamed({ text: `${"Some plain words. ".repeat(500)}\n\nEnd.` });
    const texts = pieces.filter((piece) => piece.kind === "text");
    expect(texts.length).toBeGreaterThan(10);
    expect(Math.max(...texts.map((piece) => piece.text.length))).toBeLessThanOrEqual(800);
    expect(new Set(texts.map((piece) => piece.after))).toEqual(new Set(["run", "block"]));
  });
});
