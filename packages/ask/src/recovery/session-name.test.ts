import { describe, expect, it } from "vitest";
import type { Answer } from "../answer/answer.ts";
import { isFinal } from "../answer/status.ts";
import { ask, resumeAnswer } from "../ask.ts";
import { connected, last, PIECES, pieces, question, start, WHOLE } from "./recovery.harness.ts";

describe("a conversation that begins", () => {
  it("is called by the words of its question once it is answered", async () => {
    const server = await start();
    const { recovery } = connected(server);
    await last(server, {
      message: "  How many days\nof leave do I have, and may I carry some of them over to the next year?",
    });
    const name = async () => (await recovery.listSessions()).sessions[0]?.name;
    await expect.poll(name).toBe("How many days of leave do I have, and may I carry some of t…");
  });

  it("is called by its mark alone, for good, where its words are to stand nowhere", async () => {
    const server = await start();
    const { recovery } = connected(server);
    await last(server, question, { mark: "k3f9q2", isNamed: false });
    await last(server, question);
    const names = async () => (await recovery.listSessions()).sessions.map(({ name }) => name).toSorted();
    await expect.poll(names).toEqual(["How many days of leave do I have?", "k3f9q2"]);
  });

  it.each([
    ["in its text", (answer: Answer) => answer.text !== "", "start"],
    ["at its last snapshot", (answer: Answer) => isFinal(answer.status), "start"],
    ["while its rest is waited for", (answer: Answer) => answer.text.length > 30, { packets: 4 }],
  ] as const)("is called by its words, without its mark, where its loop is left %s", async (_when, isLeft, cut) => {
    const server = await start();
    server.answerWith(pieces(PIECES, 20));
    if (cut !== "start") server.faults.cut = { at: cut };
    const { client, recovery } = connected(server);
    for await (const answer of ask(client, question, { recovery, mark: "turn-9" })) if (isLeft(answer)) break;
    const names = async () => (await recovery.listSessions()).sessions.map(({ name }) => name);
    await expect.poll(names).toEqual([question.message]);
  });

  it("keeps its mark where its loop is left with the snapshot that tells the session: nobody may have kept that", async () => {
    const server = await start();
    const { client, recovery } = connected(server);
    const asked = ask(client, question, { recovery, mark: "turn-9" });
    for await (const { conversation } of asked) if (conversation.chatSessionId !== undefined) break;
    let end: Answer | undefined;
    for await (end of resumeAnswer(recovery, { conversation: {}, question, mark: "turn-9" }));
    expect(end?.conversation.chatSessionId).toBe((await recovery.listSessions()).sessions[0]?.id);
    expect(server.questions).toHaveLength(1);
  });

  it("keeps its mark where its loop is left and its run is left to others: they find it by nothing else", async () => {
    const server = await start();
    server.answerWith(pieces(PIECES, 20));
    const { client, recovery } = connected(server);
    const controller = new AbortController();
    for await (const answer of ask(client, question, { recovery, mark: "turn-9", signal: controller.signal })) {
      if (answer.text === "") continue;
      controller.abort({ leaveRunning: true });
      break;
    }
    await expect.poll(() => server.questions[0]?.outcome).toBe("finished");
    let end: Answer | undefined;
    for await (end of resumeAnswer(recovery, { conversation: {}, question, mark: "turn-9" }));
    expect(end).toMatchObject({ status: "done", text: WHOLE });
  });

  it("is called by its mark alone where its loop is left, too", async () => {
    const server = await start();
    const { client, recovery } = connected(server);
    const asked = ask(client, question, { recovery, mark: "k3f9q2", isNamed: false });
    for await (const answer of asked) if (answer.text.length > 30) break;
    await last(server, { message: "What else?" });
    const names = async () => (await recovery.listSessions()).sessions.map(({ name }) => name).toSorted();
    await expect.poll(names).toEqual(["What else?", "k3f9q2"]);
  });

  it("is not there where the loop is left before anything was sent", async () => {
    const server = await start();
    const { client, recovery } = connected(server);
    for await (const answer of ask(client, question, { recovery })) if (answer.status === "waiting") break;
    await last(server, { message: "What else?" });
    expect(server.questions).toHaveLength(1);
    expect((await recovery.listSessions()).sessions).toHaveLength(1);
  });

  it("keeps the description its caller gave it", async () => {
    const server = await start();
    const { recovery } = connected(server);
    await last(server, { ...question, chat_session_info: { description: "Side panel" } });
    expect((await recovery.listSessions()).sessions[0]?.name).toBe("Side panel");
  });
});
