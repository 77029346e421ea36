/** What an attacker can make documents and answers say, through everything an assistant is given. */
import { emptyAnswer, linksOf, reduce, type Answer } from "@threadlore/ask";
import type { Packet } from "@threadlore/client/models";
import { sharedFolder } from "@threadlore/testkit";
import { CITED, dangersIn, OWN_VECTORS, sharedVectors } from "@threadlore/testkit/hostile";
import { describe, expect, it } from "vitest";
import { answerText } from "./answer-text.ts";
import { knownAddresses, quotedLine, quotedText } from "./quoted-text.ts";
import { citedSources, sourceLines } from "./sources.ts";

const VECTORS = [...OWN_VECTORS, ...sharedVectors()];

/** An answer whose model says exactly what an attacker wants, and cites a document with such a title. */
function obedient(text: string, title: string): Answer {
  const placement = { turn_index: 0, tab_index: 0 };
  const document = { document_id: "a", semantic_identifier: title, link: CITED, blurb: text, source_type: "web" };
  const packets = [
    { placement, obj: { type: "message_start", final_documents: [document] } },
    { placement, obj: { type: "citation_info", citation_number: 1, document_id: "a" } },
    { placement, obj: { type: "message_delta", content: `${text}\n\nSee [[1]](${CITED}).` } },
    { placement, obj: { type: "stop" } },
  ];
  return (packets as unknown as Packet[]).reduce(reduce, emptyAnswer());
}

it("every vector beside the repository is tried, or it is said that they are missing", () => {
  if (sharedFolder("vectors") === undefined) console.warn("vectors of ../shared are absent: only our own were tried");
  expect(OWN_VECTORS.length).toBeGreaterThanOrEqual(30);
});

describe("an attacker's words", () => {
  it("are dangerous as they are: the judge sees it", () => {
    const seen = VECTORS.filter((text) => dangersIn(text).length > 0);
    expect(seen.length).toBeGreaterThan(VECTORS.length * 0.8);
  });

  it.each(VECTORS)("load and link nothing in an answer: %j", (text) => {
    const answer = obedient(text, "Handbook");
    const said = answerText(answer.blocks, linksOf(answer));
    expect(dangersIn(said)).toEqual([]);
    expect(dangersIn(`${said}\n\n${sourceLines(citedSources(answer.citations))}`)).toEqual([]);
  });

  it.each(VECTORS)("load and link nothing in a passage or a document: %j", (text) => {
    expect(dangersIn(quotedText(text, knownAddresses([{ link: CITED }])))).toEqual([]);
  });

  it.each(VECTORS)("load and link nothing in a title: %j", (text) => {
    const answer = obedient("Fine.", text);
    expect(dangersIn(quotedLine(text))).toEqual([]);
    expect(dangersIn(sourceLines(citedSources(answer.citations)))).toEqual([]);
  });
});

describe("what a document says", () => {
  it("stays readable: its own link, prose, code and tables are as they were", () => {
    const text = `# Leave\n\nSee ${CITED}, a_b and 1 < 2 & 3.\n\n\`\`\`ts\nconst a = [1, 2](x);\n\`\`\`\n\n| a | b |\n| - | - |\n| 1 | 2 |`;
    const shown = quotedText(text, knownAddresses([{ link: CITED }]));
    expect(shown).toBe(text.replace("](x)", "]\\(x)"));
  });

  it("keeps every script", () => {
    const text = "年次有給休暇は28日です。 الإجازة ٢٨ يومًا. Отпуск 28 дней. छुट्टी 28 दिन। 🫖🏽";
    expect(quotedText(text, () => false)).toBe(text);
    const answer = obedient(text, "休暇");
    expect(answerText(answer.blocks, linksOf(answer))).toBe(`${text}\n\nSee [1].`);
  });
});
