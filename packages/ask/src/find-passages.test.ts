import { UnsupportedError } from "@threadlore/client";
import type { FoundPassage } from "@threadlore/client/deployment";
import type { Packet, SendMessageInput } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import { findPassages, NothingSearchedError, type PassageServer } from "./find-passages.ts";

interface Told {
  /** Absent: the server has no search. */
  readonly search?: readonly FoundPassage[];
  readonly packets?: readonly unknown[];
}

/** A server, what it was sent, and whether its answer was left before the end. */
function server({ search, packets = [] }: Told) {
  const sent: unknown[] = [];
  let isLeft = false;
  async function* streamMessage(request: SendMessageInput): AsyncGenerator<Packet> {
    sent.push(request);
    try {
      for (const packet of packets) yield packet as Packet;
    } finally {
      isLeft = true;
    }
  }
  const told: PassageServer = {
    client: { streamMessage },
    deployment: {
      search: (query) => {
        if (search === undefined) return Promise.reject(new UnsupportedError("There is none."));
        sent.push(query);
        return Promise.resolve(search);
      },
      deleteSession: (id) => Promise.resolve(void sent.push(`deleted ${id}`)),
    },
  };
  return { told, sent, isLeft: () => isLeft };
}

const placement = { turn_index: 0, tab_index: 0 };
const document = {
  document_id: "leave",
  semantic_identifier: "Leave",
  link: "https://w.test/leave",
  blurb: "28 days.",
};
const ANSWER = [
  { chat_session_id: "s-1" },
  { placement, obj: { type: "search_tool_start" } },
  { placement, obj: { type: "search_tool_documents_delta", documents: [{ ...document, source_type: "web" }] } },
  { placement, obj: { type: "message_start", final_documents: [] } },
  { placement, obj: { type: "message_delta", content: "There are " } },
  { placement, obj: { type: "message_delta", content: "28." } },
  { placement, obj: { type: "stop" } },
];

const WISH = { query: "leave", documentSets: ["HR"], sources: [], since: "2026-01-01T00:00:00Z", persona: 2 };

describe("passages", () => {
  it("come from the server's own search, narrowed as it is wanted", async () => {
    const { told, sent } = server({ search: [{ title: "", content: "28 days.", link: "https://w.test/leave" }] });
    expect(await findPassages(told, { ...WISH, isLiteral: true })).toEqual({
      through: "search",
      pieces: [
        { title: "https://w.test/leave", text: "28 days.", link: "https://w.test/leave", sourceType: "not_applicable" },
      ],
    });
    const narrowed = { document_sets: ["HR"], time_cutoff: WISH.since, persona_id: 2, skip_query_expansion: true };
    expect(sent).toEqual([{ query: "leave", ...narrowed }]);
  });

  it("come from an answer's documents where there is no search: it is left as soon as they are there, and forgotten", async () => {
    const { told, sent, isLeft } = server({ packets: ANSWER });
    const { pieces, through } = await findPassages(told, { ...WISH, origin: "slackbot" });
    expect([through, pieces.map(({ documentId, text }) => [documentId, text])]).toEqual([
      "answer",
      [["leave", "28 days."]],
    ]);
    expect(sent).toMatchObject([
      {
        message: "leave",
        origin: "slackbot",
        internal_search_filters: { document_set: ["HR"], time_cutoff: WISH.since },
        chat_session_info: { persona_id: 2 },
      },
      "deleted s-1",
    ]);
    expect(isLeft()).toBe(true);
  });

  it("are none where there is no search and nothing may be asked: the caller is told, and no model runs", async () => {
    const { told, sent } = server({ packets: ANSWER });
    await expect(findPassages(told, WISH, { isAsked: false })).rejects.toBeInstanceOf(UnsupportedError);
    expect(sent).toEqual([]);
  });

  it("are none where the answer has no documents, and an error where there is no answer", async () => {
    const empty = ANSWER.filter((packet) => !JSON.stringify(packet).includes("documents_delta"));
    expect(await findPassages(server({ packets: empty }).told, { query: "x" })).toEqual({
      pieces: [],
      through: "answer",
    });
    const failed = [{ error: "No model is set up.", error_code: "NO_MODEL" }];
    await expect(findPassages(server({ packets: failed }).told, { query: "x" })).rejects.toBeInstanceOf(
      NothingSearchedError,
    );
  });

  it("are asked for with no more words than servers read, and whole characters", async () => {
    const { told, sent } = server({ search: [] });
    await findPassages(told, { query: `${"x".repeat(2_047)}🫖` });
    const { query } = sent[0] as { query: string };
    expect([query.length, query.isWellFormed()]).toEqual([2_048, true]);
  });
});
