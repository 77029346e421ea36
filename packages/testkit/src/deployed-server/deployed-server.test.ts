import { describe, expect, it } from "vitest";
import { ask, call, gate, kindsOf, leavePage, readLines, started, textOf, told } from "./routes/calling.ts";
import { placeholder } from "./world/sessions.ts";

describe("a deployed server", () => {
  it("answers from its documents, with the packets of a search and a mark after its citation", async () => {
    const server = await started();
    server.addDocument(leavePage);
    const response = await ask(server, "How many days of leave are there?");
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const { lines } = await readLines(response);
    expect(kindsOf(lines)).toEqual([
      "search_tool_start",
      "search_tool_queries_delta",
      "search_tool_documents_delta",
      "section_end",
      "message_start",
      "message_delta",
      "citation_info",
      "message_delta",
      "stop",
    ]);
    expect(textOf(lines)).toBe("Everybody has 27 days of paid leave [[1]](https://wiki.example.com/leave).");
    expect(server.questions).toMatchObject([{ outcome: "finished", whileRunning: false, cut: false }]);
  });

  it("gives the same answer in one piece", async () => {
    const server = await started();
    server.addDocument(leavePage);
    const { body } = await told(ask(server, "How many days of leave are there?", { stream: false }));
    expect(body).toMatchObject({
      answer: "Everybody has 27 days of paid leave [[1]](https://wiki.example.com/leave).",
      answer_citationless: "Everybody has 27 days of paid leave.",
      citation_info: [{ citation_number: 1, document_id: "https%3A%2F%2Fwiki.example.com%2Fleave" }],
      error_msg: null,
    });
  });

  it("writes what the script says: pauses, reasoning, preambles, tools that break, lines nobody can read", async () => {
    const server = await started();
    server.answerNext([
      "Let me look. ",
      { tool: "getRecord", fails: true },
      { reasoning: "It broke" },
      { pauseMs: 1 },
      "Gone.",
      { line: '{"weight": NaN}' },
      { ending: '{"error": "gone"}' },
    ]);
    const text = await (await ask(server, "Look")).text();
    const lines = text.split("\n");
    expect(lines.at(-1)).toBe('{"error": "gone"}');
    expect(lines.at(-2)).toBe('{"weight": NaN}');
    expect(lines.slice(2, -2).map((line) => /"type": "(\w+)"/.exec(line)?.[1])).toEqual([
      "message_start",
      "message_delta",
      "message_delta",
      "message_delta",
      "custom_tool_start",
      "error",
      "section_end",
      "reasoning_start",
      "reasoning_delta",
      "reasoning_delta",
      "reasoning_done",
      "message_start",
      "message_delta",
    ]);
  });

  it("answers the next questions in turn, and then as it did", async () => {
    const server = await started();
    server.answerWith((question) => (question.number === 1 ? undefined : `Number ${question.number}.`));
    server.answerNext("First.");
    const texts = [];
    for (const words of ["one", "two", "three"]) texts.push(textOf((await readLines(await ask(server, words))).lines));
    expect(texts).toEqual(["First.", "Nothing about this was found.", "Number 2."]);
  });

  it("goes on with a conversation, and shows the model what came before", async () => {
    const server = await started();
    const { lines } = await readLines(await ask(server, "One?", { chat_session_info: { description: "Ours" } }));
    const id = String(lines[0]?.["chat_session_id"]);
    const second = await readLines(await ask(server, "Two?", { chat_session_id: id }));
    expect(second.lines[0]).toHaveProperty("user_message_id");
    expect(server.questions[1]?.historyShown).toEqual([
      { role: "user", text: "One?" },
      { role: "assistant", text: "Nothing about this was found." },
    ]);
    await readLines(await ask(server, "Three?", { chat_session_id: id, parent_message_id: null }));
    expect(server.questions[2]?.historyShown).toEqual([]);
    expect(server.sessions.get(id)?.name).toBe("Ours");
  });

  it("keeps an answer with its packets", async () => {
    const server = await started();
    server.addDocument(leavePage);
    const { lines } = await readLines(await ask(server, "How much leave?"));
    const path = `/chat/get-chat-session/${String(lines[0]?.["chat_session_id"])}`;
    const { body } = await told(call(server, "GET", path, { key: server.keys.admin }));
    const { messages, packets, current_run } = body as { messages: unknown[]; packets: []; current_run: unknown };
    expect(current_run).toBeNull();
    expect(messages).toMatchObject([
      { message_type: "system", message: "" },
      { message_type: "user", message: "How much leave?" },
      { message_type: "assistant", message: textOf(lines), citations: { 1: "https%3A%2F%2Fwiki.example.com%2Fleave" } },
    ]);
    expect(packets.map(kindsOf)).toEqual([
      [
        "search_tool_start",
        "search_tool_queries_delta",
        "search_tool_documents_delta",
        "section_end",
        "message_start",
        "message_delta",
        "section_end",
        "citation_info",
        "section_end",
        "stop",
      ],
    ]);
  });

  it("names, lists, shares and deletes conversations, each account's own", async () => {
    const server = await started();
    const [key, body] = [server.keys.member, { description: "Mine" }];
    const made = await told(call(server, "POST", "/chat/create-chat-session", { key, body }));
    const { chat_session_id: id } = made.body as { chat_session_id: string };
    await ask(server, "Other", { key });
    await ask(server, "Foreign");
    await call(server, "PUT", "/chat/rename-chat-session", { key, body: { chat_session_id: id, name: "Ours" } });
    const list = () => told(call(server, "GET", "/chat/get-user-chat-sessions?page_size=5", { key }));
    expect((await list()).body).toMatchObject({ sessions: [{ name: "" }, { id, name: "Ours" }], has_more: false });
    const remove = () => told(call(server, "DELETE", `/chat/delete-chat-session/${id}`, { key }));
    expect(await remove()).toEqual({ status: 200, body: null });
    expect((await remove()).status).toBe(400);
    expect((await list()).body).toMatchObject({ sessions: [{ name: "" }] });
  });
});

describe("an answer whose asker has left", () => {
  it("goes on, can be read again from its first line, and is kept", async () => {
    const server = await started();
    const { opened, open } = gate();
    server.answerNext(["One ", { until: opened }, "two."]);
    const leaving = new AbortController();
    const [key, body, { signal }] = [server.keys.admin, { message: "Count" }, leaving];
    const response = await call(server, "POST", "/chat/send-chat-message", { key, body, signal });
    const first = await response.body?.getReader().read();
    expect(first?.done).toBe(false);
    leaving.abort();
    await expect.poll(() => server.questions[0]?.cut).toBe(true);
    const id = server.questions[0]?.sessionId ?? "";
    const stored = () => told(call(server, "GET", `/chat/get-chat-session/${id}`, { key }));
    expect((await stored()).body).toMatchObject({
      current_run: { run_id: server.questions[0]?.assistantMessageId },
      messages: [{}, {}, { message: placeholder }],
    });

    const resumed = await call(server, "GET", `/chat/chat-session/${id}/resume-stream?cursor=0`, { key });
    open();
    const { lines, whole } = await readLines(resumed);
    expect(whole).toBe(true);
    expect(lines[0]).toEqual({ chat_session_id: id, incognito: false });
    expect(textOf(lines)).toBe("One two.");
    expect((await stored()).body).toMatchObject({ current_run: null, messages: [{}, {}, { message: "One two." }] });
    expect(server.questions).toMatchObject([{ outcome: "finished" }]);
  });

  it("can be read again for a while after its end, or not at all", async () => {
    const server = await started();
    const { lines } = await readLines(await ask(server, "Count"));
    const path = `/chat/chat-session/${String(lines[0]?.["chat_session_id"])}/resume-stream?cursor=0`;
    const again = await readLines(await call(server, "GET", path, { key: server.keys.admin }));
    expect(again.lines).toEqual(lines);
    server.settings.bufferMs = 0;
    expect(await told(call(server, "GET", path, { key: server.keys.admin }))).toEqual({
      status: 404,
      body: { error_code: "NOT_FOUND", detail: "No resumable run for this chat session" },
    });
  });

  it("is stopped where somebody stops it", async () => {
    const server = await started();
    server.answerNext(["One ", { until: new Promise(() => {}) }]);
    const response = await ask(server, "Count");
    const id = server.questions[0]?.sessionId ?? "";
    await call(server, "POST", `/chat/stop-chat-session/${id}`, { key: server.keys.admin });
    const { lines } = await readLines(response);
    expect(lines.at(-1)?.obj).toEqual({ type: "stop", stop_reason: "user_cancelled" });
    const stored = [...(server.sessions.get(id)?.messages.values() ?? [])].at(-1)?.text;
    expect(stored).toBe("One  ... \n\nGeneration was stopped by the user.");
    expect(server.questions).toMatchObject([{ outcome: "stopped" }]);
  });

  it("is known when the same words come a second time", async () => {
    const server = await started();
    server.answerWith([{ until: new Promise(() => {}) }]);
    await ask(server, "Count");
    await ask(server, "Count", { key: server.keys.member });
    await ask(server, "Count");
    await ask(server, "Count on");
    expect(server.questions.map(({ whileRunning }) => whileRunning)).toEqual([false, false, true, false]);
  });
});

describe("a conversation that is lost", () => {
  const onlyLine = (error: string) => [
    { error, stack_trace: null, error_code: "VALIDATION_ERROR", is_retryable: true, details: null },
  ];

  it.each([
    ["deleted", "Chat session has been deleted", 404, "Chat session has been deleted"],
    ["unknown", "Invalid Chat Session ID provided", 404, "Chat session not found"],
    ["another's", "Invalid Chat Session ID provided", 403, "Access denied"],
  ] as const)("because it is %s cannot be gone on with", async (how, error, status, detail) => {
    const server = await started();
    const { lines } = await readLines(await ask(server, "One?"));
    const id = String(lines[0]?.["chat_session_id"]);
    const key = how === "another's" ? server.keys.member : server.keys.admin;
    if (how !== "another's") server.forgetSession(id, how);
    const streamed = await readLines(await ask(server, "Two?", { chat_session_id: id, key }));
    expect(streamed.lines).toEqual(onlyLine(error));
    expect(await told(ask(server, "Two?", { chat_session_id: id, stream: false, key }))).toEqual({
      status: 400,
      body: { message: "Message ID is required" },
    });
    const got = await told(call(server, "GET", `/chat/get-chat-session/${id}`, { key }));
    expect(got).toEqual({ status, body: { detail } });
    expect(server.questions).toHaveLength(1);
  });
});
