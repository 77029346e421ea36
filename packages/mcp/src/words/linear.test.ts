/** Long documents, titles and answers that are made to be slow: none holds whoever reads it up. */
import { emptyAnswer, linksOf, reduce } from "@threadlore/ask";
import type { Packet } from "@threadlore/client/models";
import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { answerText } from "./answer-text.ts";
import { knownAddresses, quotedLine, quotedText } from "./quoted-text.ts";

const SIZE = 200_000;
const fill = (piece: string, end = ""): string => piece.repeat(Math.ceil(SIZE / piece.length)) + end;

const SLOW: readonly (readonly [what: string, text: string])[] = [
  ["backslashes", fill("\\")],
  ["backslashes and a tag", fill("\\", "<img src=x>")],
  ["names with paths", fill("a.bcd/,")],
  ["names", fill("a.bcd ")],
  ["labels", fill("a.")],
  ["long labels", fill(`${"a".repeat(63)}.`)],
  ["full stops in an address", `https://a${fill(".", "x")}`],
  ["brackets in an address", `https://a${fill(")", "x")}`],
  ["addresses", fill("https://a.bc/d?e=f ")],
  ["slashes", fill("/")],
  ["double slashes", fill("//a")],
  ["schemes", fill("http:")],
  ["beginnings of addresses", fill("www.")],
  ["numbers", fill("1.2.3.4/")],
  ["ampersands", fill("&")],
  ["half entities", fill("&a")],
  ["one long entity", `&${fill("a")}`],
  ["tags", fill("<")],
  ["half tags", fill("<a ")],
  ["brackets", fill("[")],
  ["closing brackets", fill("]")],
  ["images", fill("![](")],
  ["definitions", fill("[a]: b\n")],
  ["spaces", `a${fill(" ", "b")}`],
  ["spaces and lines", fill("  \n")],
  ["tabs in a quote", `> \`\`\`\n> a${fill("\t", "b")}`],
  ["fences", fill("```\n")],
  ["ticks", fill("`")],
  ["waves", fill("~")],
  ["what begins fences", fill(">*+- ")],
  ["stars", fill("*a ")],
  ["underlines", fill("_a_")],
  ["a table", `| a |\n| - |\n| ${fill("\\", "|")} |`],
  ["rows", `| a |\n| - |\n${fill("| b |\n")}`],
  ["emphasis around spaces", `**a${fill("\u00a0", "b")}**`],
  ["invisible characters", fill("\u200b")],
];

/** Milliseconds: what is linear takes less than half a second, what is not, half a minute and more. */
const ENOUGH = 3_000;

function answerOf(content: string): string {
  const placement = { turn_index: 0, tab_index: 0 };
  const packets = [
    { placement, obj: { type: "message_start", final_documents: [] } },
    { placement, obj: { type: "message_delta", content } },
    { placement, obj: { type: "stop" } },
  ] as unknown as Packet[];
  const answer = packets.reduce(reduce, emptyAnswer());
  return answerText(answer.blocks, linksOf(answer));
}

describe("200,000 characters", () => {
  const isKnown = knownAddresses([{ link: "https://docs.ok.test/a" }]);

  it.each(SLOW)("are read soon: %s", (_, text) => {
    for (const read of [() => quotedText(text, isKnown), () => quotedLine(text), () => answerOf(text)]) {
      expect(ownTime(read)).toBeLessThan(ENOUGH);
    }
  });
});
