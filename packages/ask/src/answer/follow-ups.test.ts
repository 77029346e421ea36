import { describe, expect, it } from "vitest";
import { emptyAnswer, reduce } from "./answer.ts";
import { followUps } from "./follow-ups.ts";

const placement = { turn_index: 0, tab_index: 0 };
const document = { document_id: "leave", semantic_identifier: "Leave", link: "https://wiki.example/leave" };

function answered(state: string, isOver = true) {
  const finding = { state, closest: [], conflict: [], corrected: [] };
  const packets = [
    { user_message_id: 1, reserved_assistant_message_id: 2 },
    { placement, obj: { type: "message_start", final_documents: [document], finding } },
    { placement, obj: { type: "citation_info", citation_number: 1, document_id: "leave" } },
    { placement, obj: { type: "message_delta", content: "27 days [[1]](https://wiki.example/leave)." } },
    ...(isOver ? [{ placement, obj: { type: "stop", stop_reason: null } }] : []),
  ];
  return packets.reduce((answer, packet) => reduce(answer, packet as never), emptyAnswer());
}

const telling = (...questions: readonly string[]) => ({
  followUps: async (messageId: number) => {
    if (messageId !== 2) throw new Error("another message");
    return questions.map((question) => ({ question, document_id: "leave" }));
  },
});

describe("questions to ask next", () => {
  it("are what the server has tried, at most three", async () => {
    const found = await followUps(telling("What about “A”?", "B?", "C?", "D?"), answered("quote"));
    expect(found).toEqual(["What about “A”?", "B?", "C?"].map((question) => ({ question, documentId: "leave" })));
  });

  it("are none where nothing answered, or not yet, and the server is not asked", async () => {
    const server = { followUps: () => Promise.reject(new Error("asked")) };
    for (const answer of [answered("closest"), answered("nothing"), answered("quote", false), emptyAnswer()]) {
      expect(await followUps(server, answer)).toEqual([]);
    }
  });

  it("are none where the server fails", async () => {
    expect(await followUps({ followUps: () => Promise.reject(new Error("down")) }, answered("quote"))).toEqual([]);
  });

  it.each([
    "See https://evil.test/x",
    "See www.evil.test",
    "![x](y)",
    "<b>bold</b>?",
    "two\nlines?",
    "hid\u200bden\u202e?",
    "a".repeat(121),
    "  ",
  ])("never are what is no plain short line: %j", async (question) => {
    expect(await followUps(telling(question, "Good?"), answered("quote"))).toEqual([
      { question: "Good?", documentId: "leave" },
    ]);
  });
});
