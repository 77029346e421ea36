import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import {
  ChatFullResponse,
  ErrorPacket,
  MessageIdsPacket,
  PlacedPacket,
  SessionPacket,
} from "@threadlore/client/models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CITED_ANSWER, authorization, type ChatSubject, openChat, withKey } from "../chat.harness.ts";
import { LOCKED, pdfOf } from "@threadlore/testkit/files";
import { carriers } from "../service.harness.ts";
import { addConnector, addCredential, addDocumentSet, addPair } from "../store/connectors.ts";
import type { Database } from "../store/sqlite/database.ts";
import { addTool } from "../store/tools.ts";

const NARROW_KEY = "tl_TESTnarrow";
const OTHER_KEY = "tl_TESTother";
const UNKNOWN_ID = "11111111-2222-4333-8444-555555555555";
const NOTHING = /^I found nothing about this/;

/** Two pairs in a document set each; a persona bound to one of them; a custom tool. */
function prepare(db: Database): void {
  const connectorId = db.transact(addConnector({ name: "Wiki", source: "web" }));
  const credentialId = db.transact(addCredential({ name: "Wiki", source: "web" }));
  const open = db.transact(addPair({ name: "Open", connectorId, credentialId, access: "public" }));
  const closed = db.transact(addPair({ name: "Closed", connectorId, credentialId }));
  db.transact(addDocumentSet({ name: "open", pairIds: [open] }));
  db.transact(addDocumentSet({ name: "closed", pairIds: [closed] }));
  db.run("INSERT INTO personas VALUES (7, 'Opener', 'Only the open set.', '', '[\"open\"]')");
  withKey(db, NARROW_KEY, { documentSets: ["open"] });
  withKey(db, OTHER_KEY);
  db.transact(addTool({ name: "pets", description: "Pets", definition: {} }));
}

describe.each(carriers)("POST /chat/send-chat-message, $name", (carrier) => {
  let chat: ChatSubject;

  beforeAll(async () => {
    chat = await openChat({}, prepare, carrier);
    await chat.ingest("leave", "Employees accrue 27 days of paid leave per year. Unused days expire on 31 March.", {
      metadata: { space: "HR" },
      doc_updated_at: "2026-10-03T08:30:00Z",
    });
    await chat.ingest("overtime", "Overtime is compensated with time off. The overtime ratio is 1:1.25.", {
      source: "file",
      doc_updated_at: "2024-01-01T00:00:00Z",
    });
    await chat.ingest("visitors", "Visitors sign in at the reception desk on the ground floor.", {}, 2);
    await chat.ingest("bonus", "The secret bonus pool holds 90,000 euros this year.", {}, 3);
  });
  afterAll(() => chat.close());

  const refused = async (request: Record<string, unknown>) => {
    const reply = await chat.call("POST", "/chat/send-chat-message", { message: "x", ...request });
    expect(reply.status).toBe(422);
    return (reply.body as { detail: { loc: unknown; msg: string }[] }).detail;
  };

  it("field message: streams a cited answer as server-sent events, packet by packet", async () => {
    const reply = await chat.ask({ message: "How many days of leave do employees get?" });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const [session, ids, ...placed] = reply.packets;
    expect(SessionPacket.safeParse(session).success).toBe(true);
    expect(MessageIdsPacket.safeParse(ids).success).toBe(true);
    for (const packet of placed) expect(PlacedPacket.safeParse(packet).error).toBeUndefined();
    expect(reply.types).toEqual(CITED_ANSWER);
    expect(reply.answer).toBe("Employees accrue 27 days of paid leave per year. [[1]](https://docs.example.com/leave)");
    const start = placed.find((packet) => packet.obj?.type === "message_start");
    expect(start?.obj?.["final_documents"]).toMatchObject([
      { document_id: "leave", link: "https://docs.example.com/leave" },
    ]);
    expect(reply.packets.at(-1)?.obj).toEqual({ type: "stop", stop_reason: null });
  });

  it("field message: is required and a string; the 422 says where", async () => {
    const missing = await chat.call("POST", "/chat/send-chat-message", {});
    expect(missing.body).toEqual({ detail: [{ loc: ["body", "message"], msg: "Field required", type: "missing" }] });
    expect(await refused({ message: 5 })).toMatchObject([{ loc: ["body", "message"] }]);
  });

  it("field message: says honestly that nothing was found, without citations", async () => {
    const response = await chat.answer({ message: "What is the capital of Mongolia?" });
    expect(response["answer"]).toMatch(NOTHING);
    expect(response["citation_info"]).toEqual([]);
    expect(response["top_documents"]).toEqual([]);
  });

  it.each(["", "???", "the of and", "\u0000 \uD800 'OR\" NEAR( *"])(
    "field message: %j is answered, not failed",
    async (message) => {
      const response = await chat.answer({ message });
      expect(response["error_msg"]).toBeNull();
      expect(response["answer"]).toMatch(NOTHING);
    },
  );

  it("field stream: false gives one ChatFullResponse", async () => {
    const response = await chat.answer({ message: "When do unused days of leave expire?" });
    expect(ChatFullResponse.safeParse(response).success).toBe(true);
    expect(response["answer"]).toContain("Unused days expire on 31 March. [[1]](https://docs.example.com/leave)");
    expect(response["answer_citationless"]).not.toContain("[[");
    expect(response["citation_info"]).toEqual([{ type: "citation_info", citation_number: 1, document_id: "leave" }]);
    expect(response["tool_calls"]).toMatchObject([
      { tool_name: "internal_search", tool_arguments: { queries: ["When do unused days of leave expire?"] } },
    ]);
    expect(response["message_id"]).toEqual(expect.any(Number));
    expect(response["chat_session_id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(response["error_msg"]).toBeNull();
  });

  it("field stream: defaults to true", async () => {
    expect((await chat.ask({ message: "leave" })).packets.length).toBeGreaterThan(5);
  });

  it("field include_citations: false leaves out marks and citation packets, and keeps the documents", async () => {
    const reply = await chat.ask({ message: "How many days of leave do employees get?", include_citations: false });
    expect(reply.answer).toBe("Employees accrue 27 days of paid leave per year.");
    expect(reply.types).not.toContain("citation_info");
    const start = reply.packets.find((packet) => packet.obj?.type === "message_start");
    expect(start?.obj?.["final_documents"]).toHaveLength(1);
  });

  it("field llm_override: without a model the answer is extracted all the same, and says the model was not used", async () => {
    const response = await chat.answer({ message: "overtime ratio", llm_override: { model_version: "big-1" } });
    expect(response["answer"]).toContain("1:1.25");
    expect(response["answer"]).toContain("No model is set up here, so big-1 was not used.");
    expect(await refused({ llm_override: { temperature: 9 } })).toMatchObject([
      { loc: ["body", "llm_override", "temperature"] },
    ]);
  });

  it("field allowed_tool_ids: null and a list with the search tool search; an empty list searches nothing, and says so", async () => {
    const message = "How many days of leave do employees get?";
    expect((await chat.answer({ message, allowed_tool_ids: null }))["answer"]).toContain("27 days");
    expect((await chat.answer({ message, allowed_tool_ids: [1] }))["answer"]).toContain("27 days");
    const without = await chat.ask({ message, allowed_tool_ids: [] });
    expect(without.answer).toMatch(/^There is nothing to search/);
    expect(without.types).not.toContain("search_tool_start");
    expect(without.packets.some((packet) => packet.obj?.type === "citation_info")).toBe(false);
  });

  it("field allowed_tool_ids: [] answers from what was sent along only", async () => {
    const additional_context =
      "Source: https://intranet.example.com/leave\n\nInterns accrue 12 days of leave per year.";
    const { answer, types } = await chat.ask({
      message: "How many days of leave do interns get?",
      allowed_tool_ids: [],
      additional_context,
    });
    expect(answer).toBe("Interns accrue 12 days of leave per year. [[1]](https://intranet.example.com/leave)");
    expect(types).not.toContain("search_tool_start");
  });

  it("field allowed_tool_ids: an unknown id is a 422 that names its place", async () => {
    expect(await refused({ allowed_tool_ids: [1, 99] })).toMatchObject([{ loc: ["body", "allowed_tool_ids", 1] }]);
  });

  it("field forced_tool_id: the search tool may be forced; unknown, disallowed and uncallable tools are a 422", async () => {
    const response = await chat.answer({ message: "overtime ratio", forced_tool_id: 1 });
    expect(response["tool_calls"]).toHaveLength(1);
    const loc = ["body", "forced_tool_id"];
    expect(await refused({ forced_tool_id: 99 })).toMatchObject([{ loc, msg: expect.stringContaining("no tool 99") }]);
    expect(await refused({ forced_tool_id: 1, allowed_tool_ids: [] })).toMatchObject([
      { loc, msg: expect.stringContaining("not among allowed_tool_ids") },
    ]);
    expect(await refused({ forced_tool_id: 2 })).toMatchObject([
      { loc, msg: expect.stringContaining("only be called by a model") },
    ]);
  });

  it("field file_descriptors: text, documents and tables reach the answer; a picture is named as not read", async () => {
    const note = await chat.upload("note.txt", "The gate code for contractors is 4711.", "text/plain");
    const page = await chat.upload("page.html", "<h1>Parking</h1><p>Contractors park on deck five.</p>", "text/html");
    const table = await chat.upload("phones.csv", "Name,Phone\nMira Okafor,555-0134\nJon Bell,555-0199\n", "text/csv");
    const image = await chat.upload("plan.png", new Uint8Array([137, 80, 78, 71]), "image/png");
    const ask = (message: string, file: { id: string }, type: string) =>
      chat.answer({ message, file_descriptors: [{ id: file.id, type, name: "file" }] });

    const code = await ask("What is the gate code for contractors?", note, "plain_text");
    expect(code["answer"]).toBe("The gate code for contractors is 4711. [[1]]()");
    expect(code["citation_info"]).toMatchObject([{ citation_number: 1, document_id: note.id }]);
    expect((await ask("Where do contractors park?", page, "document"))["answer"]).toContain("deck five");
    expect((await ask("What is the phone of Mira Okafor?", table, "csv"))["answer"]).toContain(
      "Name: Mira Okafor, Phone: 555-0134",
    );
    const rules = await chat.upload(
      "rules.pdf",
      pdfOf([["Crane drivers rest", "every ninety minutes."]]),
      "application/pdf",
    );
    expect((await ask("When do crane drivers rest?", rules, "document"))["answer"]).toBe(
      "Crane drivers rest every ninety minutes. [[1]]()",
    );
    const picture = await ask("What does the plan show?", image, "image");
    expect(picture["answer"]).toContain("Pictures are not read here, so “file” has no part in this answer.");
  });

  it.each([
    ["scanned", pdfOf([[]]), "It holds pictures of pages and no text (a scan)."],
    ["locked", pdfOf([["Text"]], { trailer: LOCKED }), "It is locked with a password."],
    ["damaged", new TextEncoder().encode("%PDF-1.7"), "It is damaged or incomplete."],
  ])("field file_descriptors: a %s PDF has no part in the answer, and why is said", async (_case, bytes, why) => {
    const file = await chat.upload("plan.pdf", bytes, "application/pdf");
    const descriptor = { id: file.id, type: "document", name: "plan.pdf" };
    const { answer } = await chat.answer({ message: "What does the plan say?", file_descriptors: [descriptor] });
    expect(answer).toContain("No text could be read from “plan.pdf”, so it has no part in this answer.");
    expect(answer).toContain(why);
  });

  it("field file_descriptors: says what of a PDF was not read", async () => {
    const file = await chat.upload("mixed.pdf", pdfOf([["Crane drivers rest at noon."], []]), "application/pdf");
    const descriptor = { id: file.id, type: "document", name: "mixed.pdf" };
    const { answer } = await chat.answer({ message: "When do crane drivers rest?", file_descriptors: [descriptor] });
    expect(answer).toContain("Crane drivers rest at noon. [[1]]()");
    expect(answer).toContain("Of “mixed.pdf”: 1 of its 2 pages hold no text");
  });

  it("field file_descriptors: a whole file can be asked for, and is remembered on the branch", async () => {
    const file = await chat.upload("memo.txt", "The move begins in May. Boxes arrive before that.", "text/plain");
    const descriptor = { id: file.id, type: "plain_text", name: "memo.txt", user_file_id: file.id };
    const first = await chat.answer({ message: "Summarise the attached file", file_descriptors: [descriptor] });
    expect(first["answer"]).toBe("The move begins in May. Boxes arrive before that. [[1]]()");
    const second = await chat.answer({
      message: "When does the move begin?",
      chat_session_id: first["chat_session_id"],
    });
    expect(second["answer"]).toContain("The move begins in May.");
  });

  it("field file_descriptors: name is what the answer calls a file, user_file_id names it where id does not", async () => {
    const file = await chat.upload("memo.txt", "The move begins in May.", "text/plain");
    const descriptor = { id: UNKNOWN_ID, type: "plain_text", name: "Removal plan", user_file_id: file.id };
    const { answer, top_documents } = await chat.answer({
      message: "When does the move begin?",
      file_descriptors: [descriptor],
    });
    expect(answer).toContain("The move begins in May.");
    expect(top_documents).toMatchObject([{ document_id: file.id, semantic_identifier: "Removal plan" }]);
  });

  it("field file_descriptors: an unknown file, another user's file and an unknown type are a 422", async () => {
    const loc = ["body", "file_descriptors", 0, "id"];
    expect(await refused({ file_descriptors: [{ id: UNKNOWN_ID, type: "image" }] })).toMatchObject([{ loc }]);
    const mine = await chat.upload("mine.txt", "Mine alone.", "text/plain");
    const request = { message: "x", file_descriptors: [{ id: mine.id, type: "plain_text" }] };
    expect((await chat.ask(request, OTHER_KEY)).status).toBe(422);
    expect(await refused({ file_descriptors: [{ id: mine.id, type: "hologram" }] })).toMatchObject([
      { loc: ["body", "file_descriptors", 0, "type"] },
    ]);
  });

  it.each([
    ["source_type", { source_type: ["file"] }, { source_type: ["web"] }],
    ["document_set", { document_set: [] }, { document_set: ["open"] }],
    ["time_cutoff", { time_cutoff: "2023-12-31" }, { time_cutoff: "2025-01-01T00:00:00Z" }],
    ["updated_at_range", { updated_at_range: { start: "2023-12-31" } }, { updated_at_range: { end: "2023-12-31" } }],
    ["tags", { tags: null }, { tags: [{ tag_key: "space", tag_value: "HR" }] }],
  ])("field internal_search_filters.%s: really filters", async (_, wide, narrow) => {
    const message = "What is the overtime ratio?";
    expect((await chat.answer({ message, internal_search_filters: wide }))["answer"]).toContain("1:1.25");
    const none = await chat.answer({ message, internal_search_filters: narrow });
    expect(none["answer"]).toMatch(NOTHING);
    expect(none["top_documents"]).toEqual([]);
  });

  it.each([
    [
      { internal_search_filters: { created_at_range: { start: "2020-01-01" } } },
      ["body", "internal_search_filters", "created_at_range"],
    ],
    [{ chat_session_info: { incognito: true } }, ["body", "chat_session_info", "incognito"]],
    [{ llm_overrides: [{ model_version: "a" }, { model_version: "b" }] }, ["body", "llm_overrides"]],
  ])("refuses what it cannot do and deployed servers can, rather than do something else: %j", async (fields, loc) => {
    expect(await refused(fields)).toMatchObject([{ loc }]);
  });

  it("refuses a session that is to be kept nowhere, as it keeps every one", async () => {
    const { status, body } = await chat.call("POST", "/chat/create-chat-session", { incognito: true });
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ["body", "incognito"] }] }]);
  });

  it("takes fields it does not know, and what is left out of those it cannot do", async () => {
    const { answer } = await chat.answer({
      message: "What is the overtime ratio?",
      later: { a: null },
      mcp_headers: { "X-User": "a" },
      llm_overrides: null,
      chat_session_info: { incognito: false, later: 1 },
      internal_search_filters: { created_at_range: null, updated_at_range: { start: null }, later: 1 },
    });
    expect(answer).toContain("1:1.25");
  });

  it("field internal_search_filters.document_set: finds what is in the set", async () => {
    const filtered = { message: "Where do visitors sign in?", internal_search_filters: { document_set: ["open"] } };
    expect((await chat.answer(filtered))["answer"]).toContain("reception desk");
  });

  it("field internal_search_filters.document_set: an unknown set, and one the key may not see, are the same 422", async () => {
    const request = { message: "x", internal_search_filters: { document_set: ["open", "closed"] } };
    const hidden = await chat.call("POST", "/chat/send-chat-message", request, authorization(NARROW_KEY));
    const unknown = await refused({ internal_search_filters: { document_set: ["open", "nowhere"] } });
    const loc = ["body", "internal_search_filters", "document_set", 1];
    expect(hidden.status).toBe(422);
    expect(hidden.body).toMatchObject({ detail: [{ loc }] });
    expect(unknown).toMatchObject([{ loc }]);
  });

  it("answers a key from the document sets it may see only", async () => {
    const message = "How large is the secret bonus pool?";
    expect((await chat.answer({ message }))["answer"]).toContain("90,000");
    expect((await chat.answer({ message }, NARROW_KEY))["answer"]).toMatch(NOTHING);
    expect((await chat.answer({ message: "Where do visitors sign in?" }, NARROW_KEY))["answer"]).toContain("reception");
  });

  it("field deep_research: searches part by part and streams its steps before the answer", async () => {
    const reply = await chat.ask({
      message: "How many days of leave are there and what is the overtime ratio?",
      deep_research: true,
    });
    const kinds = new Set(reply.types);
    for (const type of [
      "deep_research_plan_start",
      "deep_research_plan_delta",
      "top_level_branching",
      "research_agent_start",
      "intermediate_report_start",
      "intermediate_report_delta",
      "intermediate_report_cited_docs",
    ]) {
      expect(kinds).toContain(type);
    }
    const searches = reply.packets.filter((packet) => packet.obj?.type === "search_tool_queries_delta");
    expect(searches.map((packet) => packet.placement?.tab_index)).toEqual(expect.arrayContaining([0, 1]));
    expect(searches.map((packet) => packet.placement?.sub_turn_index)).toContain(0);
    expect(reply.answer).toContain("27 days");
    expect(reply.answer).toContain("1:1.25");
    expect(reply.answer).toMatch(/\[\[1\]\].*\[\[2\]\]/s);
  });

  it("field include_citations: false holds for the reports of deep research, too", async () => {
    const reply = await chat.ask({
      message: "How many days of leave are there and what is the overtime ratio?",
      deep_research: true,
      include_citations: false,
    });
    const said = reply.packets.map((packet) => String(packet.obj?.["content"] ?? "")).join("");
    expect(said).toContain("27 days");
    expect(said).not.toContain("[[");
  });

  it("field deep_research: false, the default, searches once", async () => {
    const reply = await chat.ask({ message: "overtime ratio" });
    expect(reply.types.filter((type) => type === "search_tool_start")).toHaveLength(1);
    expect(reply.types).not.toContain("deep_research_plan_start");
  });

  it("field origin: counted for the admin, unset by default, any identifier accepted, others a 422", async () => {
    const counts = async () => {
      const { body } = await chat.call("GET", "/admin/origins");
      const { origins } = body as { origins: { origin: string; messages: number }[] };
      return Object.fromEntries(origins.map(({ origin, messages }) => [origin, messages]));
    };
    const before = await counts();
    for (const origin of ["slackbot", "slackbot", "chrome_extension", "widget", undefined]) {
      await chat.answer({ message: "leave", ...(origin === undefined ? {} : { origin }) });
    }
    const after = await counts();
    const grown = (origin: string) => (after[origin] ?? 0) - (before[origin] ?? 0);
    expect(["slackbot", "chrome_extension", "widget", "unset"].map(grown)).toEqual([2, 1, 1, 1]);
    expect(await refused({ origin: "NOT AN ORIGIN" })).toMatchObject([{ loc: ["body", "origin"] }]);
    expect((await chat.call("GET", "/admin/origins", undefined, authorization(OTHER_KEY))).status).toBe(403);
  });

  describe("field parent_message_id", () => {
    const transcript = async (sessionId: string) => {
      const { body } = await chat.call("GET", `/chat/get-chat-session/${sessionId}`);
      return (body as { messages: { message_id: number; parent_message: number | null; message: string }[] }).messages;
    };

    it("field parent_message_id -1: after the newest message, also by default", async () => {
      const first = await chat.ask({ message: "leave days" });
      const chat_session_id = first.sessionId;
      await chat.ask({ message: "overtime ratio", chat_session_id });
      await chat.ask({ message: "leave days", chat_session_id, parent_message_id: -1 });
      const messages = await transcript(chat_session_id);
      expect(messages).toHaveLength(6);
      for (const [index, message] of messages.entries()) {
        expect(message.parent_message).toBe(index === 0 ? null : messages[index - 1]?.message_id);
      }
    });

    it("field parent_message_id null: begins again at the root, without what came before", async () => {
      const first = await chat.ask({ message: "How many days of leave do employees get?" });
      const chat_session_id = first.sessionId;
      const again = await chat.ask({ message: "And when do they expire?", chat_session_id, parent_message_id: null });
      const messages = await transcript(chat_session_id);
      expect(messages.filter((message) => message.parent_message === null)).toHaveLength(2);
      // Without the branch before, nothing says what "they" are.
      const queries = again.packets.find((packet) => packet.obj?.type === "search_tool_queries_delta");
      expect(queries?.obj?.["queries"]).toEqual(["And when do they expire?"]);
    });

    it("field parent_message_id positive, of an answer: branches there", async () => {
      const first = await chat.ask({ message: "leave days" });
      const chat_session_id = first.sessionId;
      await chat.ask({ message: "overtime ratio", chat_session_id });
      await chat.ask({ message: "visitors", chat_session_id, parent_message_id: first.assistantId });
      const messages = await transcript(chat_session_id);
      const branches = messages.filter((message) => message.parent_message === first.assistantId);
      expect(branches.map((message) => message.message)).toEqual(["overtime ratio", "visitors"]);
    });

    it("field parent_message_id positive, of a question: answers that question anew", async () => {
      const first = await chat.ask({ message: "What is the overtime ratio?" });
      const chat_session_id = first.sessionId;
      const question = Number(first.packets[1]?.["user_message_id"]);
      const again = await chat.ask({ message: "ignored", chat_session_id, parent_message_id: question });
      expect(again.packets[0]?.["user_message_id"]).toBe(question);
      expect(again.assistantId).not.toBe(first.assistantId);
      expect(again.answer).toContain("1:1.25");
      expect(await transcript(chat_session_id)).toHaveLength(3);
    });

    it("field parent_message_id: unknown, foreign, zero and negative ids are a 422 with their place", async () => {
      const first = await chat.ask({ message: "leave days" });
      const other = await chat.ask({ message: "leave days" });
      for (const id of [999_999, other.assistantId, 0, -2]) {
        const detail = await refused({ chat_session_id: first.sessionId, parent_message_id: id });
        expect(detail).toMatchObject([{ loc: ["body", "parent_message_id"] }]);
      }
      expect(await refused({ parent_message_id: first.assistantId })).toMatchObject([
        { loc: ["body", "parent_message_id"] },
      ]);
    });
  });

  it("field chat_session_id: continues the session; its first packet is then the ids, not the session", async () => {
    const first = await chat.ask({ message: "How many days of leave do employees get?" });
    const second = await chat.ask({ message: "When do they expire?", chat_session_id: first.sessionId });
    expect(second.packets[0]).toHaveProperty("user_message_id");
    expect(second.answer).toContain("31 March");
  });

  it("field chat_session_id: an unknown session, another user's and one not a UUID are refused", async () => {
    const mine = await chat.ask({ message: "leave" });
    for (const [id, key] of [
      [UNKNOWN_ID, undefined],
      [mine.sessionId, OTHER_KEY],
    ] as const) {
      const reply = await chat.call(
        "POST",
        "/chat/send-chat-message",
        { message: "x", chat_session_id: id },
        authorization(key),
      );
      expect(reply.status).toBe(404);
      expect(reply.body).toMatchObject({
        error_code: "SESSION_NOT_FOUND",
        detail: expect.stringContaining("no such chat session"),
      });
    }
    expect(await refused({ chat_session_id: "abc" })).toMatchObject([{ loc: ["body", "chat_session_id"] }]);
  });

  it("field chat_session_info: persona, description and project are kept with the session", async () => {
    const info = { persona_id: 7, description: "Side panel", project_id: 3 };
    const { sessionId, answer } = await chat.ask({ message: "What is the overtime ratio?", chat_session_info: info });
    // Persona 7 searches the open set only.
    expect(answer).toMatch(NOTHING);
    const { body } = await chat.call("GET", "/chat/get-user-chat-sessions?project_id=3");
    expect(body).toMatchObject({ sessions: [{ id: sessionId, name: "Side panel", persona_id: 7 }] });
    const visitors = await chat.answer({ message: "Where do visitors sign in?", chat_session_id: sessionId });
    expect(visitors["answer"]).toContain("reception desk");
  });

  it("field chat_session_info: an unknown persona, and both session fields together, are a 422", async () => {
    expect(await refused({ chat_session_info: { persona_id: 42 } })).toMatchObject([
      { loc: ["body", "chat_session_info", "persona_id"] },
    ]);
    expect(await refused({ chat_session_info: {}, chat_session_id: UNKNOWN_ID })).toMatchObject([
      { loc: ["body", "chat_session_id"] },
    ]);
  });

  it("field additional_context: quoted in this turn as a source of its own, with the link it names", async () => {
    const additional_context =
      "Title: Canteen\nURL: https://intranet.example.com/canteen?week=(47)\n\nThe canteen opens at noon. Soup costs two euros.";
    const reply = await chat.ask({ message: "When does the canteen open?", additional_context });
    expect(reply.answer).toBe("The canteen opens at noon. [[1]](https://intranet.example.com/canteen?week=(47))");
    const start = reply.packets.find((packet) => packet.obj?.type === "message_start");
    expect(start?.obj?.["final_documents"]).toMatchObject([
      {
        document_id: "additional_context",
        semantic_identifier: "Canteen",
        link: "https://intranet.example.com/canteen?week=(47)",
      },
    ]);
    const whole = await chat.answer({ message: "What is this page about?", additional_context, allowed_tool_ids: [] });
    expect(whole["answer"]).toContain("The canteen opens at noon. Soup costs two euros.");
  });

  it("field additional_context: null, absent and blank mean none", async () => {
    for (const additional_context of [null, "  \n"]) {
      const response = await chat.answer({
        message: "What is this page about?",
        additional_context,
        allowed_tool_ids: [],
      });
      expect(response["answer"]).toMatch(/^There is nothing to search/);
    }
  });

  it("field additional_context: never stored, neither its text nor its link nor what was quoted from it", async () => {
    const additional_context =
      "Source: https://private.example.com/zanzibar-page\n\nThe zanzibarcode is 77q88. Nobody but the quartermasterpelican knows it by heart.";
    const request = { message: "What is the zanzibarcode?", additional_context };
    const { answer, sessionId } = await chat.ask(request);
    expect(answer).toContain("The zanzibarcode is 77q88.");
    expect((await chat.ask({ ...request, deep_research: true })).answer).toContain("77q88");
    const { text } = await chat.call("GET", `/chat/get-chat-session/${sessionId}`);
    const stored = ["", "-wal"].map((end) => readFileSync(chat.databasePath + end).toString("latin1")).join("");
    // No canary of hexadecimal digits alone: an id could hold it by chance.
    for (const canary of ["77q88", "quartermasterpelican", "private.example.com"]) {
      expect(text).not.toContain(canary);
      expect(stored).not.toContain(canary);
    }
    // The question itself is stored: the search for its words above has power.
    expect(stored).toContain("zanzibarcode");
    const next = await chat.answer({ message: "What is the zanzibarcode?", chat_session_id: sessionId });
    expect(next["answer"]).toMatch(NOTHING);
  });

  it("a follow-up that leans on the question before is searched together with it", async () => {
    const first = await chat.ask({ message: "How many days of leave do employees get?" });
    const next = await chat.ask({ message: "And when do they expire?", chat_session_id: first.sessionId });
    expect(next.answer).toContain("Unused days expire on 31 March.");
    const apart = await chat.ask({ message: "overtime ratio", chat_session_id: first.sessionId });
    expect(apart.answer).toContain("1:1.25");
    expect(apart.answer).not.toContain("27 days");
  });

  it("two messages sent to one session at once are answered one after the other", async () => {
    const { sessionId: chat_session_id } = await chat.ask({ message: "leave" });
    await Promise.all(["overtime", "leave days", "visitors"].map((message) => chat.ask({ message, chat_session_id })));
    const { body } = await chat.call("GET", `/chat/get-chat-session/${chat_session_id}`);
    const { messages } = body as { messages: { message_id: number; parent_message: number | null }[] };
    for (const [index, message] of messages.entries()) {
      expect(message.parent_message).toBe(index === 0 ? null : messages[index - 1]?.message_id);
    }
  });

  it("many messages sent to one session at once, streamed and whole, keep nobody waiting for nothing", async () => {
    const { sessionId: chat_session_id } = await chat.ask({ message: "leave" });
    const request = { message: "What is the overtime ratio?", chat_session_id };
    const [streamed, whole, elsewhere] = await Promise.all([
      Promise.all([chat.ask(request), chat.ask(request)]),
      // More than are answered at one time.
      Promise.all(Array.from({ length: 6 }, () => chat.answer(request))),
      chat.answer({ message: request.message }, OTHER_KEY),
    ]);
    for (const { types } of streamed) expect(types.at(-1)).toBe("stop");
    for (const { answer } of [...whole, elsewhere]) expect(answer).toContain("1:1.25");
    const { body } = await chat.call("GET", `/chat/get-chat-session/${chat_session_id}`);
    const { messages } = body as { messages: { message_id: number; parent_message: number | null }[] };
    expect(messages).toHaveLength(18);
    for (const [index, message] of messages.entries()) {
      expect(message.parent_message).toBe(index === 0 ? null : messages[index - 1]?.message_id);
    }
  });

  it("needs a key", async () => {
    const reply = await chat.call("POST", "/chat/send-chat-message", { message: "x" }, authorization(null));
    expect(reply.status).toBe(401);
  });
});

describe("callers without a key", () => {
  it("may ask where that is configured, and see public documents only, and no list of sessions", async () => {
    const chat = await openChat({ settings: { anonymous: true } }, prepare);
    await chat.ingest("visitors", "Visitors sign in at the reception desk on the ground floor.", {}, 2);
    await chat.ingest("bonus", "The secret bonus pool holds 90,000 euros this year.", {}, 3);
    expect((await chat.answer({ message: "Where do visitors sign in?" }, null))["answer"]).toContain("reception");
    expect((await chat.answer({ message: "How large is the secret bonus pool?" }, null))["answer"]).toMatch(NOTHING);
    const filters = { internal_search_filters: { document_set: ["closed"] } };
    expect((await chat.ask({ message: "bonus", ...filters }, null)).status).toBe(422);
    const { body } = await chat.call("GET", "/chat/get-user-chat-sessions", undefined, authorization(null));
    expect(body).toEqual({ sessions: [], has_more: false });
    await chat.close();
  });
});

describe("failures after the status is out", () => {
  it("are told in the stream, without a stack trace, and then the stream ends", async () => {
    const chat = await openChat({ logLevel: "silent" });
    const index = new DatabaseSync(`${chat.databasePath}.search.sqlite`);
    index.exec("DROP TABLE terms");
    index.close();
    const reply = await chat.ask({ message: "leave" });
    const last = reply.packets.at(-1);
    expect(reply.status).toBe(200);
    expect(ErrorPacket.safeParse(last).success).toBe(true);
    expect(last).toMatchObject({
      error: expect.stringContaining("failed while answering"),
      error_code: "INTERNAL_ERROR",
      is_retryable: true,
      stack_trace: null,
    });
    const response = await chat.answer({ message: "leave" });
    expect(response["error_msg"]).toContain("failed while answering");
    await chat.close();
  });
});
