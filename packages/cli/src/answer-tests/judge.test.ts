import { type Answer, emptyAnswer, reduce } from "@threadlore/ask";
import type { Packet } from "@threadlore/client/models";
import { fileId } from "@threadlore/documents";
import { describe, expect, it } from "vitest";
import { folded, holds } from "./folded.ts";
import { problemsIn } from "./judge.ts";
import { isCalled } from "./named.ts";
import type { Expectation } from "./test-model.ts";

const says = (text: string, sought: string): boolean => holds(folded(text), folded(sought));

describe("a text is found in an answer", () => {
  it.each([
    ["You get 28 Working  days.", "28 working days"],
    ["non\u00ADbreak\u200Bing 28\u00A0days", "nonbreaking 28 days"],
    ["The team’s “own” budget – 5 %", `the team's "own" budget - 5 %`],
    ["ＶＰＮ 接続", "vpn接続"],
    ["有給休暇は 20 日です", "20日"],
    ["STRASSE", "straße"],
    ["ΟΔΟΣ", "οδός".normalize("NFD").replaceAll(/\p{M}/gu, "")],
    ["Cafe\u0301", "CAFÉ"],
    ["من ٢٨ يومـــا", "٢٨ يوما"],
    ["من ٢٨ يوما", "28 يوما"],
    ["حد الفندق 160 يورو", "١٦٠ يورو"],
    ["सीमा १६० यूरो", "160 यूरो"],
    ["costs 0.38 per km", "0.38"],
    ["3–5 days", "5 days"],
    ["See 28 days .", "28 days."],
  ])("%j holds %j", (text, sought) => expect(says(text, sought)).toBe(true));

  it.each([
    ["15 days", "5 days"],
    ["١٥ يوما", "5 يوما"],
    ["2.5 days", "5 days"],
    ["1,160 euros", "160 euros"],
    ["0.385", "0.38"],
    ["28.5", "28"],
    ["room 280", "room 28"],
    ["nothing of it", "28 days"],
  ])("%j does not hold %j", (text, sought) => expect(says(text, sought)).toBe(false));
});

describe("a document is meant", () => {
  it("by its id, its title in any case, its link, or its path in the folder it came from, and by nothing else", async () => {
    const documentId = await fileId("hr/leave.md", "docs-b14310a5cf");
    const document = { documentId, title: "Leave and Holidays", link: "https://wiki.example/leave" };
    for (const name of [
      documentId,
      "leave and holidays",
      "https://wiki.example/leave",
      "hr/leave.md",
      "./hr\\leave.md",
    ]) {
      expect([name, isCalled(document, name)]).toEqual([name, true]);
    }
    for (const name of ["leave.md", "Leave", "r/leave.md", "HR/leave.md", "", "https://wiki.example"]) {
      expect([name, isCalled(document, name)]).toEqual([name, false]);
    }
    expect(
      isCalled({ documentId: await fileId("手引き/休暇.md", "docs-b14310a5cf"), title: "x" }, "手引き/休暇.md"),
    ).toBe(true);
  });
});

/** A whole answer, as the embedded service sends one. */
function answerOf(text: string, cited: readonly string[], finding?: object): Answer {
  const at = { placement: { turn_index: 0 } };
  const documents = cited.map((id) => ({ document_id: id, semantic_identifier: `${id}.md`, source_type: "file" }));
  const packets = [
    { type: "search_tool_documents_delta", documents },
    { type: "message_start", final_documents: documents, ...(finding && { finding }) },
    ...cited.map((id, n) => ({ type: "citation_info", citation_number: n + 1, document_id: id })),
    { type: "message_delta", content: text },
    { type: "stop" },
  ].map((obj) => ({ ...at, obj }) as unknown as Packet);
  return packets.reduce(reduce, emptyAnswer());
}

const NOTHING: Expectation = { says: [], saysNot: [], cites: [], citesNot: [] };
const kinds = (answer: Answer, expected: Partial<Expectation>): string[] =>
  problemsIn(answer, { ...NOTHING, ...expected }).map(({ kind }) => kind);

describe("an answer", () => {
  const answer = answerOf("Everyone has **28** working days [1]. `carry over` ends in March [2].", ["leave", "dates"]);
  const refusal = answerOf("I found nothing about this in the documents.", [], { state: "nothing", closest: [] });

  it("has to say and cite what is asked for, one of several where that will do", () => {
    expect(kinds(answer, { says: [["28 working days"], ["30 days", "ends in March"]], cites: [["leave.md"]] })).toEqual(
      [],
    );
    expect(kinds(answer, { says: [["25 days", "30 days"]], cites: [["travel.md", "expenses.md"]] })).toEqual([
      "says",
      "cites",
    ]);
    expect(kinds(answer, { cites: [["leave.md"], ["dates.md"], ["travel.md"]] })).toEqual(["cites"]);
  });

  it("must not say or cite what is forbidden", () => {
    expect(kinds(answer, { saysNot: ["MARCH"], citesNot: ["dates"] })).toEqual(["says_not", "cites_not"]);
    expect(kinds(answer, { saysNot: ["April"], citesNot: ["travel.md"] })).toEqual([]);
  });

  it("that is one fails where nothing should be found, and a refusal fails where something is asked for", () => {
    expect(kinds(answer, { refuses: true })).toEqual(["refuses"]);
    expect(kinds(refusal, { refuses: true })).toEqual([]);
    expect(kinds(refusal, { refuses: false })).toEqual(["answers"]);
    expect(kinds(refusal, {})).toEqual(["answers"]);
    expect(kinds(refusal, { says: [["nothing"]] })).toEqual(["answers"]);
    expect(kinds(answer, {})).toEqual([]);
  });

  it("need not be given where something is only forbidden", () => {
    expect(kinds(refusal, { saysNot: ["salary"], citesNot: ["payroll"] })).toEqual([]);
  });
});
