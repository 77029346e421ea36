import { describe, expect, it } from "vitest";
import { type DeployedTown, LEAVE, startDeployedTown } from "../testing/deployed-town.ts";
import { idle } from "../testing/running-bot.ts";

const LONG = { timeout: 60_000 };
/** Long enough to be shown while the answer is still being written. */
const HALVES = [
  "The harbour office keeps the keys of the boat house, and hands them out against a signature. ".repeat(3),
  "Whoever loses one tells the office at once.",
] as const;
const WHOLE = HALVES.join("");

/** An answer in two halves, the second of which comes when `go` is called. */
function inHalves(town: DeployedTown): { go: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  town.server.answerNext([{ piece: HALVES[0] }, { until: promise }, { piece: HALVES[1] }]);
  return { go: resolve };
}

/** Every question was asked once, and its thread holds one message of the bot. */
async function expectOnce(town: DeployedTown, ts: string): Promise<void> {
  await idle(town);
  expect(town.server.questions.map(({ whileRunning }) => whileRunning)).toEqual([false]);
  expect(town.answers(town.general.id, ts)).toHaveLength(1);
  town.expectNoRefusals();
}

/** The answer, once it shows these words; a bot that starts closes first what it finds open. */
async function shownWith(town: DeployedTown, ts: string, words: string): Promise<string> {
  const shown = (): string => town.answers(town.general.id, ts)[0]?.shown ?? "";
  await town.workspace.until(() => shown().includes(words));
  return shown();
}

async function asked({ server }: DeployedTown): Promise<void> {
  await expect.poll(() => server.questions.length).toBeGreaterThan(0);
}

describe("an answer whose connection is cut", LONG, () => {
  it.each([
    ["before its first byte", "before-head"],
    ["before its first line", "after-head"],
    ["after its first line", { lines: 1 }],
    ["in the middle of a line", { insidePacket: 2 }],
    ["in its text", { packets: 3 }],
    ["after its last packet", "before-end"],
  ] as const)("%s is finished from the server's own run, and asked once", async (_, at) => {
    const town = await startDeployedTown();
    town.server.answerNext(WHOLE);
    town.server.faults.cut = { at };
    const ts = await town.ada.mention(town.general.id, LEAVE);
    const { shown } = await town.answered(town.general.id, ts);
    expect(shown).toContain(WHOLE);
    expect(shown).not.toContain("broke off");
    await expectOnce(town, ts);
    await expect.poll(() => [...town.server.sessions.values()].map(({ name }) => name)).toEqual([LEAVE]);
  });

  it("in a follow-up is finished likewise, in the conversation of its thread", async () => {
    const town = await startDeployedTown();
    const ts = await town.ada.mention(town.general.id, LEAVE);
    await town.answered(town.general.id, ts);
    town.server.answerNext(WHOLE);
    town.server.faults.cut = { at: "before-head" };
    await town.ada.mention(town.general.id, "And the boat house?", { threadTs: ts });
    expect((await town.answered(town.general.id, ts, 2)).shown).toContain(WHOLE);
    await idle(town);
    expect(town.server.questions).toHaveLength(2);
    expect(town.server.sessions.size).toBe(1);
  });

  it("is not the one from before, where a question that is answered once more never arrived", async () => {
    let isInTheWay = false;
    const town = await startDeployedTown({
      parts: {
        patience: { resumeMs: 2_000 },
        serverFetch: (request) =>
          isInTheWay && request.url.endsWith("/send-chat-message")
            ? Promise.resolve(new Response("<html>Bad Gateway</html>", { status: 502 }))
            : fetch(request),
      },
    });
    const ts = await town.ada.mention(town.general.id, LEAVE);
    const { ts: message } = await town.answered(town.general.id, ts);
    isInTheWay = true;
    await town.ada.press({ channel: town.general.id, ts: message }, "answer_regenerate");
    const failed = await town.answered(town.general.id, ts, 2);
    expect(failed.shown).not.toContain("thirty days");
    expect(failed.shown).toContain("I could not answer this.");
    await town.ada.press({ channel: town.general.id, ts: failed.ts }, "question_retry");
    const again = await town.answered(town.general.id, ts, 3);
    expect(again.shown).not.toContain("thirty days");
    expect(again.shown).toContain("I could not answer this.");
    expect(town.server.questions).toHaveLength(1);
    isInTheWay = false;
    town.server.answerNext(WHOLE);
    await town.ada.press({ channel: town.general.id, ts: again.ts }, "question_retry");
    expect((await town.answered(town.general.id, ts, 4)).shown).toContain(WHOLE);
    expect(town.server.questions).toHaveLength(2);
  });
});

describe("a bot that ends in the middle of an answer", LONG, () => {
  it("goes on with the run that still writes", async () => {
    const town = await startDeployedTown({ parts: { drainMs: 50 } });
    const { go } = inHalves(town);
    const ts = await town.ada.mention(town.general.id, LEAVE);
    await shownWith(town, ts, "harbour");
    await town.restart();
    go();
    await shownWith(town, ts, WHOLE);
    await expectOnce(town, ts);
    expect(town.server.questions[0]?.outcome).toBe("finished");
    await expect.poll(() => [...town.server.sessions.values()].map(({ name }) => name)).toEqual([LEAVE]);
  });

  it("shows what was finished while it was away", async () => {
    const town = await startDeployedTown({ parts: { drainMs: 50 } });
    const { go } = inHalves(town);
    const ts = await town.ada.mention(town.general.id, LEAVE);
    await asked(town);
    await town.bot.stop();
    go();
    await expect.poll(() => town.server.questions[0]?.outcome).toBe("finished");
    await town.restart();
    await shownWith(town, ts, WHOLE);
    await expectOnce(town, ts);
  });

  it("finds a run of which it never heard a word", async () => {
    const town = await startDeployedTown({ parts: { drainMs: 50 } });
    const { go } = inHalves(town);
    // Everything of that answer is withheld, as from a bot that was killed before it read it.
    town.server.faults.cut = { at: "after-head", how: "stall" };
    const ts = await town.ada.mention(town.general.id, LEAVE);
    await asked(town);
    await town.restart();
    go();
    expect(await shownWith(town, ts, WHOLE)).not.toContain("broke off");
    await expectOnce(town, ts);
  });

  it("asks again where the server ended as well, and has nothing of it", async () => {
    const town = await startDeployedTown({ parts: { drainMs: 50 } });
    inHalves(town);
    const ts = await town.ada.mention(town.general.id, LEAVE);
    await asked(town);
    await town.bot.stop();
    await town.server.restart();
    await town.restart();
    await shownWith(town, ts, "thirty days of annual leave");
    await idle(town);
    expect(town.server.questions.map(({ outcome }) => outcome)).toEqual(["died", "finished"]);
    expect(town.server.questions.some(({ whileRunning }) => whileRunning)).toBe(false);
    expect(town.answers(town.general.id, ts)).toHaveLength(1);
  });
});

describe("a server that restarts in the middle of an answer", LONG, () => {
  it("in its text: what came stays, is called incomplete, and Retry asks again, once", async () => {
    const town = await startDeployedTown();
    inHalves(town);
    const ts = await town.ada.mention(town.general.id, LEAVE);
    await shownWith(town, ts, "harbour");
    await town.server.restart();
    const { shown, ts: message } = await town.answered(town.general.id, ts);
    expect(shown).toContain(HALVES[0].trim());
    expect(shown).toContain("The answer broke off before it was complete. Ask again to get all of it.");
    expect(shown).toContain("[Retry]");
    expect(shown).not.toContain("[↻ Ask again]");
    expect(shown).not.toContain("No source was cited");
    await town.ada.press({ channel: town.general.id, ts: message }, "question_retry");
    expect((await town.answered(town.general.id, ts, 2)).shown).toContain("thirty days of annual leave");
    expect(town.server.questions.map(({ outcome }) => outcome)).toEqual(["died", "finished"]);
  });

  it("before its first word: one sentence, no card at work, and Retry asks again", async () => {
    const town = await startDeployedTown();
    town.server.answerNext([{ until: new Promise(() => {}) }, "Never."]);
    const ts = await town.ada.mention(town.general.id, LEAVE);
    await asked(town);
    await town.server.restart();
    const { shown, stream, ts: message } = await town.answered(town.general.id, ts);
    expect(shown).toContain("I could not answer this. The answer broke off before it was complete.");
    expect(shown).not.toContain("Reading the question");
    expect(stream?.tasks.map(({ status }) => status)).toEqual(["error"]);
    await town.ada.press({ channel: town.general.id, ts: message }, "question_retry");
    expect((await town.answered(town.general.id, ts, 2)).shown).toContain("thirty days of annual leave");
  });

  it("after its last packet: the answer is whole all the same", async () => {
    const town = await startDeployedTown();
    town.server.answerNext(WHOLE);
    town.server.faults.cut = { at: "before-end", how: "stall" };
    const ts = await town.ada.mention(town.general.id, LEAVE);
    await expect.poll(() => town.server.questions[0]?.outcome).toBe("finished");
    await town.server.restart();
    const { shown } = await town.answered(town.general.id, ts);
    expect(shown).toContain(WHOLE);
    expect(shown).not.toContain("broke off");
    await expectOnce(town, ts);
  });

  it("and is away for longer than an answer waits: Retry finds what it had finished, without asking", async () => {
    const town = await startDeployedTown({ parts: { patience: { resumeMs: 1_000 } } });
    const { go } = inHalves(town);
    const ts = await town.ada.mention(town.general.id, LEAVE);
    await shownWith(town, ts, "harbour");
    await town.server.down({ answers: "go-on" });
    go();
    const { ts: message, shown } = await town.answered(town.general.id, ts);
    expect(shown).toContain("broke off");
    await town.server.up();
    await town.ada.press({ channel: town.general.id, ts: message }, "question_retry");
    expect((await town.answered(town.general.id, ts, 2)).shown).toContain(WHOLE);
    expect(town.server.questions).toHaveLength(1);
  });
});
