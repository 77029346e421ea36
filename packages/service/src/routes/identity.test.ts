import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { authorization, type ChatSubject, openChat, TWO_PAIRS, withTwoPairs } from "../chat.harness.ts";
import { Database } from "../store/sqlite/database.ts";

const { site: PUBLIC, staff: HR, both: BOTH } = TWO_PAIRS;

let subject: ChatSubject;

beforeEach(async () => {
  subject = await openChat({}, (db) => withTwoPairs(db, "editor"));
});
afterEach(() => subject.close());

async function ingest(pair: number, text: string, as?: string): Promise<Record<string, unknown>> {
  const document = {
    id: "index.md",
    semantic_identifier: "index.md",
    source: "file",
    metadata: {},
    sections: [{ text }],
  };
  const reply = await subject.call("POST", "/service-api/ingestion", { document, cc_pair_id: pair }, authorization(as));
  await subject.service.drain();
  return { status: reply.status, ...(reply.body as object) };
}

async function answerOf(message: string, as?: string): Promise<string> {
  return JSON.stringify(await subject.answer({ message }, as));
}

function remove(query = "", as?: string) {
  return subject.call("DELETE", `/service-api/ingestion/index.md${query}`, undefined, authorization(as));
}

async function listed(as?: string): Promise<unknown[]> {
  const { body } = await subject.call("GET", "/service-api/ingestion", undefined, authorization(as));
  return (body as { document_id: string; cc_pair_id: number }[]).map((one) => [one.document_id, one.cc_pair_id]);
}

describe("documents of the same id under two pairs", () => {
  it("are two documents: what is written under one pair changes nothing for the readers of another", async () => {
    await ingest(2, "The shop opens at nine on weekdays.");
    await ingest(3, "The redundancy list opens with Ada Zimmer.");
    expect(await answerOf("When does the shop open?", PUBLIC)).toContain("opens at nine");
    expect(await answerOf("Who is on the redundancy list?", PUBLIC)).not.toContain("Zimmer");
    expect(await answerOf("Who is on the redundancy list?", HR)).toContain("Ada Zimmer");
    expect(await answerOf("When does the shop open?", HR)).not.toContain("nine");
    await ingest(2, "The shop opens at ten.", PUBLIC);
    expect(await answerOf("Who is on the redundancy list?", HR)).toContain("Ada Zimmer");
    expect(await listed(PUBLIC)).toEqual([["index.md", 2]]);
    expect(await listed(BOTH)).toEqual([
      ["index.md", 2],
      ["index.md", 3],
    ]);
  });

  it("are told of one by one: the reply to a writer is the same whether another pair has the id or not", async () => {
    const free = await ingest(2, "The shop opens at nine.", PUBLIC);
    await remove("", PUBLIC);
    await ingest(3, "The redundancy list opens with Ada Zimmer.");
    const taken = await ingest(2, "The shop opens at nine.", PUBLIC);
    expect(taken).toEqual(free);
    expect(taken).toMatchObject({ status: 200, already_existed: false, cc_pair_id: 2 });
    expect(await ingest(2, "The shop opens at ten.", PUBLIC)).toMatchObject({ already_existed: true });
  });

  it("are deleted where the key sees them, and only when it is said which", async () => {
    await ingest(2, "The shop opens at nine.");
    await ingest(3, "The redundancy list opens with Ada Zimmer.");
    const refused = await remove("", BOTH);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("(pair 2, pair 3). Nothing was deleted. Say which one with ?cc_pair_id=NUMBER");
    expect((await remove("?cc_pair_id=3", PUBLIC)).body).toEqual((await remove("?cc_pair_id=4", PUBLIC)).body);
    expect((await remove("", PUBLIC)).status).toBe(200);
    expect((await remove("", PUBLIC)).status).toBe(404);
    expect(await listed(HR)).toEqual([["index.md", 3]]);
    await ingest(2, "The shop opens at nine.");
    expect((await remove("?cc_pair_id=3", BOTH)).status).toBe(200);
    expect(await listed()).toEqual([["index.md", 2]]);
    await ingest(3, "The redundancy list opens with Ada Zimmer.");
    expect((await remove("?cc_pair_id=all", BOTH)).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await remove("?cc_pair_id=two")).status).toBe(422);
  });

  it("are cited each by a name of its own, and each text stands under its own citation", async () => {
    await ingest(2, "The gate opens at nine.");
    await ingest(3, "The gate code is 4711.");
    const reply = await subject.answer({ message: "When does the gate open, and what is the gate code?" }, BOTH);
    const documents = reply["top_documents"] as { document_id: string; blurb: string }[];
    const blurbs = Object.fromEntries(documents.map(({ document_id, blurb }) => [document_id, blurb]));
    expect(blurbs).toEqual({
      "index.md (pair 2)": "The gate opens at nine.",
      "index.md (pair 3)": "The gate code is 4711.",
    });
    const numbers = reply["citation_info"] as { citation_number: number; document_id: string }[];
    for (const { citation_number, document_id } of numbers) {
      expect(reply["answer"]).toContain(`${blurbs[document_id]} [[${citation_number}]]()`);
    }
    expect(numbers).toHaveLength(2);
    const own = await subject.answer({ message: "When does the gate open?" }, PUBLIC);
    expect(own["citation_info"]).toEqual([{ type: "citation_info", citation_number: 1, document_id: "index.md" }]);
  });

  it("are read by the client as two sources", async () => {
    await ingest(2, "The gate opens at nine.");
    await ingest(3, "The gate code is 4711.");
    const { packets } = await subject.ask({ message: "When does the gate open, and what is the gate code?" }, BOTH);
    const starts = packets.flatMap(({ obj }) => (obj?.type === "message_start" ? [obj] : []));
    const found = starts.flatMap((start) => start["final_documents"] as { document_id: string }[]);
    expect(new Set(found.map(({ document_id }) => document_id)).size).toBe(2);
  });

  it("never take the name of what was sent along with a question, or of each other", async () => {
    const text = "The gate code is 4711.";
    for (const [pair, id] of [
      [2, "additional_context"],
      [3, "additional_context:2"],
      [2, "a (pair 3)"],
      [2, "a"],
      [3, "a"],
    ] as const) {
      const document = {
        id,
        semantic_identifier: `${id} ${pair}`,
        metadata: {},
        sections: [{ text: `${text} ${id}` }],
      };
      await subject.call("POST", "/service-api/ingestion", { document, cc_pair_id: pair });
    }
    await subject.service.drain();
    const request = { message: "What is the gate code?", additional_context: "The gate code is 1234." };
    const documents = (await subject.answer(request, BOTH))["top_documents"] as { document_id: string }[];
    const ids = documents.map(({ document_id }) => document_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain("additional_context (pair 2)");
  });
});

describe("a persona the caller may not see", () => {
  it("cannot be told from one that is not there, and names nothing in a session that outlived the right to it", async () => {
    const db = new Database(subject.databasePath);
    db.run("INSERT INTO personas VALUES (7, 'CANARY', '', '', '[\"Staff\"]')");
    const create = (persona: number) =>
      subject.call("POST", "/chat/create-chat-session", { persona_id: persona }, authorization(PUBLIC));
    const [hidden, absent] = [await create(7), await create(8)];
    expect(hidden.status).toBe(422);
    expect(hidden.text.replaceAll("7", "8")).toBe(absent.text);
    const { body } = await subject.call("POST", "/chat/create-chat-session", { persona_id: 7 }, authorization(HR));
    const { chat_session_id: id } = body as { chat_session_id: string };
    db.run("UPDATE keys SET document_sets = '[\"Site\"]' WHERE name = ?", HR);
    db.close();
    const session = await subject.call("GET", `/chat/get-chat-session/${id}`, undefined, authorization(HR));
    expect(session.text).not.toContain("CANARY");
    await ingest(2, "The shop opens at nine.");
    const asked = { message: "When does the shop open?", chat_session_id: id };
    expect(JSON.stringify(await subject.answer(asked, HR))).toContain("opens at nine");
  });
});
