import { describe, expect, it } from "vitest";
import { SendMessageRequest } from "@threadlore/client/models";
import { UsageError } from "../exit-codes.ts";
import { momentOf, questionRequest, type QuestionFlags } from "./question.ts";

const plain: QuestionFlags = { citations: true };
const texts = { question: "How long?", context: undefined };

function problemsOf(work: () => void): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return error instanceof UsageError ? error.problems : [];
  }
}

describe("questionRequest", () => {
  it("sets only what was said, so that the specification's defaults hold for the rest", () => {
    expect(questionRequest(texts, plain, undefined, [])).toEqual({
      message: "How long?",
      origin: "api",
      include_citations: true,
    });
  });

  it("carries every flag to its field", () => {
    const flags = {
      ...plain,
      source: ["web", "file"],
      documentSet: ["Handbook"],
      tag: ["team=red=blue"],
      since: "2026-01-31",
      persona: "3",
      deep: true,
      citations: false,
    };
    const file = { id: "f1", type: "plain_text" } as const;
    const request = questionRequest({ question: "q", context: "page" }, flags, undefined, [file]);
    expect(request).toEqual({
      message: "q",
      origin: "api",
      include_citations: false,
      deep_research: true,
      additional_context: "page",
      file_descriptors: [file],
      internal_search_filters: {
        source_type: ["web", "file"],
        document_set: ["Handbook"],
        time_cutoff: "2026-01-31T00:00:00.000Z",
        tags: [{ tag_key: "team", tag_value: "red=blue" }],
      },
      chat_session_info: { persona_id: 3 },
    });
    expect(SendMessageRequest.safeParse(request).success).toBe(true);
  });

  it("follows the last answer of a conversation", () => {
    const last = { sessionId: "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f", messageId: 12 };
    expect(questionRequest(texts, plain, last, [])).toMatchObject({
      chat_session_id: last.sessionId,
      parent_message_id: 12,
    });
    expect(questionRequest(texts, plain, { sessionId: last.sessionId }, [])).toMatchObject({ parent_message_id: -1 });
  });

  it("lists every problem at once", () => {
    const flags = { ...plain, tag: ["nothing"], since: "yesterday", persona: "Ada" };
    const problems = problemsOf(() => questionRequest(texts, flags, { sessionId: "s" }, []));
    expect(problems).toHaveLength(4);
  });
});

describe("momentOf", () => {
  it.each([
    ["12h", "2026-01-30T12:00:00.000Z"],
    ["7d", "2026-01-24T00:00:00.000Z"],
    ["2w", "2026-01-17T00:00:00.000Z"],
    ["2025-12-24T10:00:00+02:00", "2025-12-24T08:00:00.000Z"],
  ])("reads %s", (text, moment) => {
    expect(momentOf(text, Date.parse("2026-01-31"), [])).toBe(moment);
  });

  it.each(["", "7", "d", "last week", "31.01.2026", "2026-99-99"])("refuses %j and says what to write", (text) => {
    const problems: string[] = [];
    momentOf(text, 0, problems);
    expect(problems.join()).toContain("write 7d");
  });
});
