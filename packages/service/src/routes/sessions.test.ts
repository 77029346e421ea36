import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorization, type ChatSubject, openChat, withKey } from "../chat.harness.ts";
import { carriers, OWNER_KEY } from "../service.harness.ts";
import { Database } from "../store/sqlite/database.ts";

const OTHER = authorization("tl_TESTother");
const UNKNOWN_ID = "11111111-2222-4333-8444-555555555555";

describe.each(carriers)("chat sessions, $name", (carrier) => {
  let chat: ChatSubject;
  const clock = { now: Date.parse("2026-11-21T12:00:00Z") };

  beforeAll(async () => {
    const prepare = (db: Parameters<typeof withKey>[0]) => withKey(db, "tl_TESTother");
    chat = await openChat({ now: () => (clock.now += 1000) }, prepare, carrier);
    await chat.ingest("leave", "Employees accrue 27 days of paid leave per year.");
  });
  afterAll(() => chat.close());

  it("are created beforehand, listed, renamed, read and deleted", async () => {
    const created = await chat.call("POST", "/chat/create-chat-session", { description: "Side panel" });
    expect(created.body).toEqual({ chat_session_id: expect.stringMatching(/^[0-9a-f-]{36}$/), incognito: false });
    const { chat_session_id: id } = created.body as { chat_session_id: string };
    const listed = await chat.call("GET", "/chat/get-user-chat-sessions?page_size=1");
    expect(listed.body).toMatchObject({
      sessions: [{ id, name: "Side panel", persona_id: 0, shared_status: "private" }],
    });
    const renamed = await chat.call("PUT", "/chat/rename-chat-session", { chat_session_id: id, name: "Leave" });
    expect(renamed.body).toEqual({ new_name: "Leave" });
    const read = await chat.call("GET", `/chat/get-chat-session/${id}`);
    expect(read.body).toMatchObject({
      chat_session_id: id,
      description: "Leave",
      persona_name: "Assistant",
      messages: [],
    });
    const deleted = await chat.call("DELETE", `/chat/delete-chat-session/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, null]);
    expect((await chat.call("DELETE", `/chat/delete-chat-session/${id}`)).status).toBe(404);
    expect((await chat.call("GET", `/chat/get-chat-session/${id}`)).status).toBe(404);
  });

  it("say how an answer stands to its question, as it was said when it came", async () => {
    const { sessionId } = await chat.ask({ message: "Wer hat das Teleskop erfunden?" });
    const { body } = await chat.call("GET", `/chat/get-chat-session/${sessionId}`);
    expect(body).toMatchObject({
      messages: [{ message_type: "user" }, { message_type: "assistant", finding: { state: "nothing" } }],
      packets: [[{ obj: { type: "message_start", finding: { state: "nothing" } } }, {}, {}, {}]],
    });
    expect(Object.keys((body as { messages: object[] }).messages[0] ?? {})).not.toContain("finding");
  });

  it("hold the tree of messages with citations, documents, files, origin of nothing else, and packets to show again", async () => {
    const { sessionId, assistantId, answer } = await chat.ask({ message: "How many days of leave do employees get?" });
    const { body } = await chat.call("GET", `/chat/get-chat-session/${sessionId}`);
    const link = "https://docs.example.com/leave";
    expect(body).toMatchObject({
      current_run: null,
      messages: [
        {
          message_id: assistantId - 1,
          parent_message: null,
          latest_child_message: assistantId,
          message: "How many days of leave do employees get?",
          message_type: "user",
          files: [],
        },
        {
          message_id: assistantId,
          parent_message: assistantId - 1,
          latest_child_message: null,
          message: answer,
          message_type: "assistant",
          citations: { 1: "leave" },
          context_docs: [{ document_id: "leave", link }],
          error: null,
        },
      ],
      packets: [
        [
          { obj: { type: "message_start", final_documents: [{ document_id: "leave" }] } },
          { obj: { type: "citation_info", citation_number: 1, document_id: "leave" } },
          { obj: { type: "message_delta", content: answer } },
          { obj: { type: "section_end" } },
          { obj: { type: "stop" } },
        ],
      ],
    });
  });

  it("are listed page by page, last used first", async () => {
    const ids: string[] = [];
    for (const message of ["one", "two", "three"]) ids.push((await chat.ask({ message })).sessionId);
    await chat.ask({ message: "again", chat_session_id: ids[0] });
    const first = (await chat.call("GET", "/chat/get-user-chat-sessions?page_size=2")).body as Listed;
    expect(first.sessions.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect(first.has_more).toBe(true);
    const before = encodeURIComponent(first.sessions[1]?.time_updated ?? "");
    const second = (await chat.call("GET", `/chat/get-user-chat-sessions?page_size=1&before=${before}`)).body as Listed;
    expect(second.sessions.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it("get a name from their first question when renamed without one", async () => {
    const { sessionId } = await chat.ask({ message: `How many   days of leave ${"really ".repeat(20)}?` });
    const renamed = await chat.call("PUT", "/chat/rename-chat-session", { chat_session_id: sessionId });
    const { new_name: name } = renamed.body as { new_name: string };
    expect(name).toMatch(/^How many days of leave really/);
    expect(name.length).toBeLessThanOrEqual(61);
  });

  it("refuse bad pages, bad ids and unknown personas with their place", async () => {
    for (const [method, path, body, loc] of [
      ["GET", "/chat/get-user-chat-sessions?page_size=x", undefined, ["query", "page_size"]],
      ["GET", "/chat/get-user-chat-sessions?before=yesterday", undefined, ["query", "before"]],
      ["GET", "/chat/get-chat-session/abc", undefined, ["path", "session_id"]],
      ["POST", "/chat/create-chat-session", { persona_id: 9 }, ["body", "persona_id"]],
    ] as const) {
      const reply = await chat.call(method, path, body);
      expect([reply.status, reply.body]).toMatchObject([422, { detail: [{ loc }] }]);
    }
  });

  it("of somebody else look like none at all", async () => {
    const { sessionId } = await chat.ask({ message: "leave" });
    for (const id of [sessionId, UNKNOWN_ID]) {
      for (const [method, path, body] of [
        ["GET", `/chat/get-chat-session/${id}`, undefined],
        ["DELETE", `/chat/delete-chat-session/${id}`, undefined],
        ["POST", `/chat/stop-chat-session/${id}`, undefined],
        ["PUT", "/chat/rename-chat-session", { chat_session_id: id, name: "Mine" }],
      ] as const) {
        const reply = await chat.call(method, path, body, OTHER);
        expect([reply.status, reply.body]).toMatchObject([404, { error_code: "SESSION_NOT_FOUND" }]);
      }
    }
    const listed = await chat.call("GET", "/chat/get-user-chat-sessions", undefined, OTHER);
    expect(listed.body).toEqual({ sessions: [], has_more: false });
  });

  it("can be stopped while idle", async () => {
    const { sessionId } = await chat.ask({ message: "leave" });
    const reply = await chat.call("POST", `/chat/stop-chat-session/${sessionId}`);
    expect([reply.status, reply.body]).toEqual([200, { message: "Chat session stopped" }]);
  });

  it("take feedback on answers: thumb, words, another opinion later, and none", async () => {
    const { sessionId, assistantId } = await chat.ask({ message: "leave" });
    const judge = (body: unknown, headers = {}) =>
      chat.call("POST", "/chat/create-chat-message-feedback", body, headers);
    const current = async () => {
      const { body } = await chat.call("GET", `/chat/get-chat-session/${sessionId}`);
      return (body as { messages: { current_feedback: unknown }[] }).messages.at(-1)?.current_feedback;
    };
    expect((await judge({ chat_message_id: assistantId, is_positive: true })).body).toBeNull();
    expect(await current()).toBe("like");
    await judge({ chat_message_id: assistantId, is_positive: false, feedback_text: "Too short" });
    expect(await current()).toBe("dislike");
    await chat.call("DELETE", `/chat/remove-chat-message-feedback?chat_message_id=${assistantId}`);
    expect(await current()).toBeNull();
    expect((await judge({ chat_message_id: assistantId })).status).toBe(422);
    expect((await judge({ chat_message_id: assistantId - 1, is_positive: true })).status).toBe(400);
    expect((await judge({ chat_message_id: 999_999, is_positive: true })).status).toBe(404);
    expect((await judge({ chat_message_id: assistantId, is_positive: true }, OTHER)).status).toBe(404);
  });

  it("are read whole, however long the conversation, a piece at a time", async () => {
    const { sessionId, assistantId } = await chat.ask({ message: "How many days of leave do employees get?" });
    const db = new Database(chat.databasePath);
    const ids = [assistantId - 1, assistantId, ...goOn(db, assistantId, 700)];
    db.close();
    const headers = { authorization: `Bearer ${OWNER_KEY}` };
    const reply = await chat.fetch(`${chat.url}/chat/get-chat-session/${sessionId}`, { headers });
    const pieces: Uint8Array[] = [];
    for await (const piece of reply.body ?? []) pieces.push(piece);
    expect(Math.max(...pieces.map((piece) => piece.byteLength))).toBeLessThan(500_000);
    expect(pieces.length).toBeGreaterThan(3);
    const { messages, packets } = JSON.parse(Buffer.concat(pieces).toString()) as Record<
      string,
      Record<string, unknown>[]
    >;
    expect(messages?.map((message) => message["message_id"])).toEqual(ids);
    expect(messages?.map((message) => message["latest_child_message"])).toEqual([...ids.slice(1), null]);
    const { message, context_docs, citations } = messages?.[1] ?? {};
    expect(messages?.at(-1)).toMatchObject({ message, context_docs, citations, parent_message: ids.at(-2) });
    expect(packets).toHaveLength(ids.length / 2);
    expect(packets?.at(-1)).toEqual(packets?.[0]);
  });

  it("break off in the reading when they are deleted meanwhile: half of one never looks like all of it", async () => {
    const { sessionId, assistantId } = await chat.ask({ message: "How many days of leave do employees get?" });
    const db = new Database(chat.databasePath);
    goOn(db, assistantId, 5_000);
    db.close();
    const headers = { authorization: `Bearer ${OWNER_KEY}` };
    const reply = await chat.fetch(`${chat.url}/chat/get-chat-session/${sessionId}`, { headers });
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    expect((await chat.call("DELETE", `/chat/delete-chat-session/${sessionId}`)).status).toBe(200);
    const rest = async () => {
      for (;;) if ((await reader.read()).done) return;
    };
    await expect(rest()).rejects.toThrow();
  });

  it("are read to their end though the service closes meanwhile", async () => {
    const closing = await openChat({}, undefined, carrier);
    await closing.ingest("leave", "Employees accrue 27 days of paid leave per year.");
    const { sessionId, assistantId } = await closing.ask({ message: "How many days of leave do employees get?" });
    const db = new Database(closing.databasePath);
    const ids = [assistantId - 1, assistantId, ...goOn(db, assistantId, 3_000)];
    db.close();
    const headers = { authorization: `Bearer ${OWNER_KEY}` };
    const reply = await closing.fetch(`${closing.url}/chat/get-chat-session/${sessionId}`, { headers });
    const [read] = await Promise.all([reply.json() as Promise<{ messages: unknown[] }>, closing.close()]);
    expect(read.messages).toHaveLength(ids.length);
  });

  it("keep what was attached, however long ago", async () => {
    const file = await chat.upload("gate.txt", "The gate opens with the code 4711.", "text/plain");
    const files = [{ id: file.id, user_file_id: file.id, type: file.chat_file_type, name: "gate.txt" }];
    const { sessionId, assistantId } = await chat.ask({ message: "What opens the gate?", file_descriptors: files });
    const db = new Database(chat.databasePath);
    goOn(db, assistantId, 200);
    db.close();
    const { answer } = await chat.ask({ message: "With which code does the gate open?", chat_session_id: sessionId });
    expect(answer).toContain("4711");
  });

  it("are deleted whole, however long the conversation", async () => {
    const { sessionId, assistantId } = await chat.ask({ message: "leave" });
    await chat.call("POST", "/chat/create-chat-message-feedback", { chat_message_id: assistantId, is_positive: true });
    const db = new Database(chat.databasePath);
    goOn(db, assistantId, 1500);
    expect((await chat.call("DELETE", `/chat/delete-chat-session/${sessionId}`)).status).toBe(200);
    expect(db.get("SELECT count(*) AS left FROM messages WHERE session_id = ?", sessionId)).toEqual({ left: 0 });
    expect(db.get("SELECT count(*) AS left FROM feedback WHERE message_id = ?", assistantId)).toEqual({ left: 0 });
    db.close();
  });
});

interface Listed {
  sessions: { id: string; time_updated: string }[];
  has_more: boolean;
}

/** Lets a conversation go on below an answer: the same turn again and again. The ids of the new messages, in order. */
function goOn(db: Database, answer: number, turns: number): number[] {
  const ids: number[] = [];
  db.transaction(() => {
    for (let turn = 0; turn < turns; turn++) {
      for (const original of [answer - 1, answer]) {
        const { lastId } = db.run(
          `INSERT INTO messages (session_id, parent_id, role, text, status, citations, documents, finding, created_at)
           SELECT session_id, ?, role, text, status, citations, documents, finding, 0 FROM messages WHERE id = ?`,
          ids.at(-1) ?? answer,
          original,
        );
        ids.push(lastId);
      }
    }
  });
  return ids;
}
