import { describe, expect, it } from "vitest";
import type { Packet } from "@threadlore/client/models";
import { emptyAnswer, reduce } from "./answer.ts";
import { answerSaying, saysAll, statementsOf } from "./statements.ts";

/** A whole answer with this text, whose marks 1 to 3 mean the documents a to c. */
function answered(text: string) {
  const documents = ["a", "b", "c"].map((id) => ({
    document_id: id,
    semantic_identifier: `Title ${id}`,
    link: `https://docs.example/${id}`,
    blurb: "x",
    source_type: "web",
  }));
  const packets = [
    { type: "search_tool_start" },
    { type: "search_tool_documents_delta", documents },
    ...documents.map(({ document_id }, at) => ({ type: "citation_info", citation_number: at + 1, document_id })),
    { type: "message_start", id: "1", content: "", final_documents: null },
    { type: "message_delta", content: text },
    { type: "stop" },
  ];
  return packets
    .map((obj): Packet => ({ placement: { turn_index: 0 }, obj }) as unknown as Packet)
    .reduce(reduce, emptyAnswer());
}

const said = (text: string) =>
  statementsOf(answered(text)).map(({ text: words, sources }) => [
    words,
    sources.map((one) => one.documentId).join(""),
  ]);

describe("statements of an answer", () => {
  it.each([
    [
      "behind a sentence",
      "First thing. [1] Second thing. [2]",
      [
        ["First thing.", "a"],
        ["Second thing.", "b"],
      ],
    ],
    [
      "before its end",
      "First thing [1]. Second thing [2][3].",
      [
        ["First thing.", "a"],
        ["Second thing.", "bc"],
      ],
    ],
    [
      "at none",
      "Let me see. It is so [1].",
      [
        ["Let me see.", ""],
        ["It is so.", "a"],
      ],
    ],
    [
      "in a list",
      "- One. [1]\n- Two. [2]",
      [
        ["One.", "a"],
        ["Two.", "b"],
      ],
    ],
    [
      "in formatting",
      "**One.** [1] *Two.* [2]",
      [
        ["One.", "a"],
        ["Two.", "b"],
      ],
    ],
    [
      "in Chinese",
      "第一件事。[1]第二件事。[2]",
      [
        ["第一件事。", "a"],
        ["第二件事。", "b"],
      ],
    ],
    [
      "in Arabic",
      "هذا أول. [1] هل هذا ثان؟ [2]",
      [
        ["هذا أول.", "a"],
        ["هل هذا ثان؟", "b"],
      ],
    ],
    [
      "in a heading",
      "# One [1]\n\nTwo. [2]",
      [
        ["One", "a"],
        ["Two.", "b"],
      ],
    ],
    ["in code, which is none", "Yes. [1]\n\n```\nno [2]\n```", [["Yes.", "a"]]],
  ])("have their marks where they stand %s", (_, text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it("are rows, in a table", () => {
    expect(said("| What | Days |\n| --- | --- |\n| Leave. | 30 [1] |\n| Travel | 2 [2] |")).toEqual([
      ["Leave. · 30", "a"],
      ["Travel · 2", "b"],
    ]);
  });

  it("make an answer that says them alone, and cites nothing else", () => {
    const answer = answered("First thing. [1] Second *thing*. [2] Third. [2][3]");
    const kept = statementsOf(answer).filter(({ sources }) => sources.every(({ documentId }) => documentId !== "a"));
    const part = answerSaying(answer, kept);
    expect(part.text).toBe("- Second thing.\n- Third.");
    expect(part.citations.map(({ number, source }) => [number, source.documentId])).toEqual([
      [1, "b"],
      [2, "c"],
    ]);
    expect(statementsOf(part)).toEqual(kept);
    expect(JSON.stringify(part)).not.toContain("docs.example/a");
  });
});

describe("a text that says what a statement says", () => {
  it.each([
    ["Everybody has thirty days of annual leave. Ask first.", "everybody has thirty days", true],
    ["Everybody has thirty days of annual leave.", "Everybody has thirty-five days.", false],
    ["The budget is 5. It is of 2026.", "The budget of 2026 is 5", true],
    ["The budget is 5. Of 2025. Nothing of 2026.", "The budget of 2026 is 5", false],
    ["Ｗｉｄｅ letters", "wide LETTERS", true],
    ["每个人都有三十天年假。", "三十天年假", true],
    ["每个人都有三十天年假。", "四十天年假", false],
    ["anything", " … ", true],
    ["", "something", false],
  ])("%s | %s", (text, statement, expected) => {
    expect(saysAll(text, statement)).toBe(expected);
  });
});
