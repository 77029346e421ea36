import { createClient } from "@threadlore/client";
import { describe, expect, it } from "vitest";
import type { Answer } from "../answer/answer.ts";
import { isFinal } from "../answer/status.ts";
import { ask, isStillAnswered, resumeAnswer } from "../ask.ts";
import { askerWords } from "../failure/asker-words.ts";
import { connected, last, leaving, PIECES, pieces, question, snapshots, start, WHOLE } from "./recovery.harness.ts";

describe("an answer whose connection is cut", () => {
  it.each([
    ["before its first byte", "before-head"],
    ["after its head", "after-head"],
    ["after the session's line", { lines: 1 }],
    ["after the line of the ids", { lines: 2 }],
    ["in the middle of a packet of text", { insidePacket: 3 }],
    ["after some of its text", { packets: 4 }],
    ["after its last packet", "before-end"],
  ] as const)("%s is finished from the server's own run, and asked once", async (_where, at) => {
    const server = await start();
    server.faults.cut = { at };
    expect(await last(server)).toMatchObject({ status: "done", text: WHOLE });
    expect(server.questions).toHaveLength(1);
  });

  it("by a server that answers questions and nothing else keeps what came, and says that it broke off", async () => {
    const server = await start();
    server.faults.missing = [/^\/chat\/(?!send)/];
    server.faults.cut = { at: { packets: 4 } };
    const { status, failure } = await last(server);
    expect([status, failure?.message]).toEqual(["partial", expect.stringMatching(/^The answer broke off/)]);
  });

  it("three times is finished all the same", async () => {
    const server = await start();
    server.faults.cut = [{ at: { packets: 2 } }, { at: { packets: 3 }, how: "reset" }, { at: "after-head" }];
    expect(await last(server)).toMatchObject({ status: "done", text: WHOLE });
    expect(server.questions).toHaveLength(1);
  });

  it("and that goes silent without heartbeats is taken up again", async () => {
    const server = await start();
    server.faults.cut = { at: { packets: 3 }, how: "stall" };
    expect(await last(server)).toMatchObject({ status: "done", text: WHOLE });
    expect(server.questions).toHaveLength(1);
  });

  it("never shrinks on the screen while it is taken up again", async () => {
    const server = await start();
    server.faults.cut = { at: { packets: 5 } };
    let longest = 0;
    for (const { text } of await snapshots(server)) {
      expect(text.length).toBeGreaterThanOrEqual(longest);
      longest = text.length;
    }
    expect(longest).toBe(WHOLE.length);
  });

  it("and that ended since is read from the session, with its sources", async () => {
    const server = await start();
    server.answerWith(undefined);
    server.addDocument({
      id: "leave",
      title: "Leave policy",
      text: "The leave policy gives 28 days.",
      link: "https://e.com/l",
    });
    server.settings.bufferMs = 0;
    const whole = await last(server, { message: "What is the leave policy?" });
    server.faults.cut = { at: { lines: 2 } };
    const answer = await last(server, { message: "What is the leave policy?" });
    expect(answer).toMatchObject({ status: "done", text: whole.text });
    expect(answer.citations.map(({ source }) => source.documentId)).toEqual(
      whole.citations.map(({ source }) => source.documentId),
    );
    expect(server.questions).toHaveLength(2);
  });

  it("in a follow-up, before anything of it arrived, is not mistaken for the answer before it", async () => {
    const server = await start();
    const first = await last(server);
    server.answerWith(pieces(["Yes, half of them."], 5));
    server.faults.cut = { at: "before-head" };
    const followUp = { message: "And part-time?", chat_session_id: first.conversation.chatSessionId ?? "" };
    expect(await last(server, { ...followUp, parent_message_id: first.conversation.messageId ?? -1 })).toMatchObject({
      status: "done",
      text: "Yes, half of them.",
    });
    expect(server.questions).toHaveLength(2);
  });

  it("is not taken for the answer to the same words of somebody else with the same key", async () => {
    const server = await start();
    await last(server);
    const { recovery } = connected(server);
    // The question never arrives, and nobody can know that from here.
    const lost = createClient({
      baseUrl: server.url,
      apiKey: server.keys.admin,
      fetch: () => Promise.reject(Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } })),
    });
    let answer: Answer | undefined;
    for await (answer of ask(lost, question, { recovery }));
    expect(answer).toMatchObject({ status: "failed", text: "", conversation: {} });
    expect(answer?.failure?.message).toBe("The connection ended before the question had arrived. Ask again.");
    expect(server.questions).toHaveLength(1);
  });

  it("stops the server's run when it is stopped while it is taken up", async () => {
    const server = await start();
    server.answerWith(
      pieces(
        Array.from({ length: 200 }, () => "word "),
        20,
      ),
    );
    server.faults.cut = { at: { packets: 3 } };
    const controller = new AbortController();
    const { client, recovery } = connected(server);
    let answer: Answer | undefined;
    for await (answer of ask(client, question, { recovery, signal: controller.signal })) {
      if (server.questions[0]?.cut === true && answer.text.length > 30) controller.abort();
    }
    expect(answer?.status).toBe("stopped");
    await expect.poll(() => server.questions[0]?.outcome).toBe("stopped");
  });

  it("and whose run is left to others goes on there", async () => {
    const server = await start();
    server.answerWith(pieces(PIECES, 50));
    const controller = new AbortController();
    const { client, recovery } = connected(server);
    let answer: Answer | undefined;
    for await (answer of ask(client, question, { recovery, signal: controller.signal })) {
      if (answer.text !== "") controller.abort({ leaveRunning: true });
    }
    expect(answer?.status).toBe("stopped");
    await expect.poll(() => server.questions[0]?.outcome).toBe("finished");
  });
});

describe("a server that restarts", () => {
  const message = "The server stopped in the middle of the answer. Ask again to get all of it.";

  it("before the first word leaves one sentence, and nothing is asked twice", async () => {
    const server = await start();
    server.answerWith(pieces(PIECES, 2_000));
    const sent = snapshots(server);
    await expect.poll(() => server.questions.length).toBe(1);
    await server.restart();
    expect((await sent).at(-1)).toMatchObject({ status: "failed", text: "", failure: { message, retryable: true } });
    expect(server.questions).toHaveLength(1);
  });

  it("in the text leaves what had come and one sentence, and nothing is asked twice", async () => {
    const server = await start();
    server.answerWith([...pieces(PIECES.slice(0, 2), 0), { pauseMs: 2_000 }, "days"]);
    const { client, recovery } = connected(server);
    let answer: Answer | undefined;
    for await (answer of ask(client, question, { recovery, patienceMs: 3_000 })) {
      if (answer.text.includes("days") && server.questions[0]?.outcome === "running") await server.restart();
    }
    expect(answer).toMatchObject({ status: "partial", text: "Twenty-eight days, ", failure: { message } });
    expect(server.questions).toHaveLength(1);
  });

  it("after the last word has the whole answer to give", async () => {
    const server = await start();
    server.faults.cut = { at: "before-end", how: "stall" };
    const sent = snapshots(server);
    await expect.poll(() => server.questions[0]?.outcome).toBe("finished");
    await server.restart();
    expect((await sent).at(-1)).toMatchObject({ status: "done", text: WHOLE });
    expect(server.questions).toHaveLength(1);
  });
});

describe("a server that is out of reach from first to last", () => {
  /** As a browser without a network says it: it does not tell whether the question had gone out. */
  const away = () => {
    throw Object.assign(new Error("Nothing answers there."), { outcome: "unavailable", maybeProcessed: true });
  };
  const nothing = { resume: away, getSession: away, listSessions: away, renameSession: away, stop: away };

  it.each([
    ["begins a conversation", question],
    ["goes on with one", { ...question, chat_session_id: "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f" }],
  ])("is said to be so by a question that %s, and not that an answer broke off", async (_how, asked) => {
    let answer: Answer | undefined;
    for await (answer of ask({ streamMessage: away }, asked, { recovery: nothing, patienceMs: 500 }));
    expect(answer).toMatchObject({ status: "failed", text: "", failure: { message: "Nothing answers there." } });
    expect(answer && askerWords(answer)).toMatch(/^The knowledge server cannot be reached/);
  });
});

describe("a conversation the server no longer knows", () => {
  it.each(["deleted", "unknown"] as const)("is said to be lost when its session is %s", async (how) => {
    const server = await start();
    const { conversation } = await last(server);
    server.forgetSession(conversation.chatSessionId ?? "", how);
    const answer = await last(server, { ...question, chat_session_id: conversation.chatSessionId ?? "" });
    expect(answer).toMatchObject({ status: "failed", failure: { code: "session_lost", retryable: true } });
    expect(askerWords(answer)).toBe(
      "The knowledge server no longer has this conversation. Ask again to begin a new one.",
    );
  });

  it("is said to be lost when it is another account's", async () => {
    const server = await start();
    const { conversation } = await last(server);
    const { client } = connected(server, server.keys.member);
    let answer: Answer | undefined;
    for await (answer of ask(client, { ...question, chat_session_id: conversation.chatSessionId ?? "" }));
    expect(answer?.failure?.code).toBe("session_lost");
  });

  it("is said to be lost too when only what is looked up after a cut tells it", async () => {
    const server = await start();
    const first = await last(server);
    const { chatSessionId = "" } = first.conversation;
    server.forgetSession(chatSessionId, "deleted");
    server.faults.cut = { at: "before-head" };
    const answer = await last(server, { message: "And for part-time?", chat_session_id: chatSessionId });
    expect(answer).toMatchObject({ status: "failed", failure: { code: "session_lost" } });
  });

  it("is not lost because its model fails", async () => {
    const server = await start();
    const { conversation } = await last(server);
    server.faults.model = { code: "VALIDATION_ERROR", message: "User does not have access to persona" };
    const answer = await last(server, { ...question, chat_session_id: conversation.chatSessionId ?? "" });
    expect(answer.failure?.code).toBe("VALIDATION_ERROR");
  });
});

describe("an answer asked for by an earlier process", () => {
  it("is finished from the run that still goes on", async () => {
    const server = await start();
    server.answerWith(pieces(PIECES, 30));
    const { client, recovery } = connected(server);
    let left: Answer | undefined;
    for await (left of ask(client, question, { recovery, signal: leaving(() => server.questions.length > 0) }));
    const resumed: Answer[] = [];
    const conversation = left?.conversation ?? {};
    for await (const one of resumeAnswer(recovery, { conversation, question })) resumed.push(one);
    expect(resumed.at(-1)).toMatchObject({ status: "done", text: WHOLE });
    expect(server.questions).toHaveLength(1);
  });

  it("is read from the session when it ended while nobody was there", async () => {
    const server = await start();
    server.settings.bufferMs = 0;
    const { conversation } = await last(server);
    const { recovery } = connected(server);
    const resumed: Answer[] = [];
    for await (const one of resumeAnswer(recovery, { conversation, question })) resumed.push(one);
    expect(resumed.at(-1)).toMatchObject({ status: "done", text: WHOLE, conversation });
  });

  it("is not the one from before to the same words, unless the question itself was to be answered once more", async () => {
    const server = await start();
    const { conversation } = await last(server);
    const { client, recovery } = connected(server);
    const { chatSessionId, messageId: after, userMessageId } = conversation;
    const once = { ...question, chat_session_id: chatSessionId, parent_message_id: userMessageId };
    const end = async () => {
      let found: Answer | undefined;
      for await (found of resumeAnswer(recovery, { conversation: { chatSessionId }, question: once, after }));
      return found;
    };
    expect(await end()).toMatchObject({ status: "failed", text: "" });
    server.answerWith(["Thirty days."]);
    const signal = leaving(() => server.questions.length > 1);
    for await (const answer of ask(client, once, { recovery, signal, after })) void answer;
    expect(await end()).toMatchObject({ status: "done", text: "Thirty days." });
    expect(server.questions).toHaveLength(2);
  });

  it("is found by its mark when nothing of it was heard, and no other is", async () => {
    const server = await start();
    server.answerWith(pieces(PIECES, 20));
    const { client, recovery } = connected(server);
    const signal = leaving(() => server.questions.length > 0);
    for await (const answer of ask(client, question, { recovery, mark: "turn-7", signal })) void answer;
    const ends: (Answer | undefined)[] = [];
    for (const mark of ["turn-8", "turn-7"]) {
      let end: Answer | undefined;
      for await (end of resumeAnswer(recovery, { conversation: {}, question, mark }));
      ends.push(end);
    }
    expect(ends).toMatchObject([
      { status: "failed", failure: { code: "unavailable" } },
      { status: "done", text: WHOLE },
    ]);
    expect(server.questions).toHaveLength(1);
    await expect.poll(async () => (await recovery.listSessions()).sessions[0]?.name).toBe(question.message);
  });

  it("may still be running as long as its server writes, or cannot be asked", async () => {
    const server = await start();
    server.answerWith(pieces(PIECES, 100));
    const { client, recovery } = connected(server);
    let left: Answer | undefined;
    for await (left of ask(client, question, {
      recovery,
      mark: "m",
      signal: leaving(() => server.questions.length > 0),
    }));
    const conversation = left?.conversation ?? {};
    expect(await isStillAnswered(recovery, { conversation, question })).toBe(true);
    await expect.poll(() => server.questions[0]?.outcome).toBe("finished");
    expect(await isStillAnswered(recovery, { conversation, question })).toBe(false);
    expect(await isStillAnswered(recovery, { conversation: {}, question, mark: "never asked" })).toBe(false);
    await server.down();
    expect(await isStillAnswered(recovery, { conversation, question })).toBe(true);
    await server.up();
  });

  it("fails, and can be asked again, when the server ended in the middle of it", async () => {
    const server = await start();
    server.answerWith(pieces(PIECES, 100));
    const { client, recovery } = connected(server);
    let left: Answer | undefined;
    for await (left of ask(client, question, { recovery, signal: leaving(() => server.questions.length > 0) }));
    await server.restart();
    const resumed: Answer[] = [];
    const conversation = left?.conversation ?? {};
    for await (const one of resumeAnswer(recovery, { conversation, question })) resumed.push(one);
    expect(isFinal(resumed.at(-1)?.status ?? "waiting")).toBe(true);
    expect(resumed.at(-1)?.failure).toMatchObject({ code: "partial", retryable: true });
  });
});
