import { describe, expect, it } from "vitest";
import { startDeployedServer } from "@threadlore/testkit";
import { ADMINS, type DeployedTown, LEAVE, startDeployedTown } from "../testing/deployed-town.ts";
import { idle } from "../testing/running-bot.ts";

const LONG = { timeout: 60_000 };
const WHOLE = "thirty days of annual leave";
/** Words only whoever runs the bot should read. */
const ADMINISTRATORS =
  /127\.0\.0\.1|localhost|\bkeys?\b|base URL|THREADLORE_|\/api|[Cc]heck (?!what matters)|\(\d{3}\)/;

/** Everything that was sent to others than administrators. */
function shownToPeople({ workspace }: DeployedTown): string {
  return workspace.calls
    .filter(({ args }) => args["channel"] !== ADMINS)
    .map(({ method, args }) => `${method} ${JSON.stringify({ ...args, blocks: undefined, text: args["text"] })}`)
    .join("\n");
}

/** A question, and the message it ends in. */
async function asked(town: DeployedTown): Promise<{ thread: string; ts: string; shown: string; cards: string[] }> {
  const thread = await town.ada.mention(town.general.id, LEAVE);
  const { ts, shown, stream } = await town.answered(town.general.id, thread);
  await idle(town);
  expect(town.answers(town.general.id, thread)).toHaveLength(1);
  return { thread, ts, shown, cards: stream?.tasks.map(({ status }) => String(status)) ?? [] };
}

/** What a failure looks like: one sentence, one way to try again, nothing at work, nothing for administrators. */
function expectFailure(town: DeployedTown, { shown, cards }: { shown: string; cards: string[] }, words: string): void {
  expect(shown).toContain(`I could not answer this. ${words}`);
  expect(shown).toMatch(/Reference [0-9A-Z]+/);
  expect(shown.match(/\[Retry\]|\[↻ Ask again\]/g)).toEqual(["[Retry]"]);
  expect(shown).not.toContain("Reading the question");
  expect(cards).not.toContain("in_progress");
  expect(shownToPeople(town)).not.toMatch(ADMINISTRATORS);
  expect(town.server.questions.filter(({ whileRunning }) => whileRunning)).toEqual([]);
}

/** Retry, once the server is well. */
async function expectRetried(town: DeployedTown, { thread, ts }: { thread: string; ts: string }): Promise<void> {
  await town.ada.press({ channel: town.general.id, ts }, "question_retry");
  expect((await town.answered(town.general.id, thread, 2)).shown).toContain(WHOLE);
  town.expectNoRefusals();
}

/** What an administrator reads on their Home. */
async function homeOf({ workspace }: DeployedTown): Promise<string> {
  const admin = workspace.addUser({ name: "root", kind: "admin" });
  await admin.openHome();
  return JSON.stringify(await workspace.until(() => admin.home()));
}

describe("a deployed server", LONG, () => {
  it("at a wrong address: one sentence, Retry, and the reason for administrators", async () => {
    const away = await startDeployedServer();
    await away.close();
    const town = await startDeployedTown({ env: () => ({ THREADLORE_URL: away.origin }), parts: QUICK });
    expectFailure(town, await asked(town), "The knowledge server cannot be reached at the moment.");
    expect(await homeOf(town)).toContain("The bot tries again by itself.");
  });

  it("given without /api is found, and answers", async () => {
    const town = await startDeployedTown();
    expect((await asked(town)).shown).toContain(WHOLE);
    // Pages are asked for their health at most, and never with a key.
    const pages = town.server.log.filter(({ to }) => to === "pages");
    expect(pages.filter(({ key, path }) => key !== undefined || path !== "/health")).toEqual([]);
  });

  it("with a wrong key: whoever asks reads that somebody has to look at it, administrators what to do", async () => {
    const town = await startDeployedTown({ env: () => ({ THREADLORE_KEY: "on_WRONG0000000000000" }) });
    expectFailure(town, await asked(town), "The knowledge server does not let me ask at the moment.");
    expect(await homeOf(town)).toContain("Have a new key made, set THREADLORE_KEY to it");
    expect(town.server.questions).toEqual([]);
  });

  it("whose key is another account's from one day to the next: threads begin anew, and go on", async () => {
    const town = await startDeployedTown();
    const { server, ada, general } = town;
    const { thread } = await asked(town);
    const other = server.account(server.addKey({ user: "other" }));
    for (const session of server.sessions.values()) Object.assign(session, { account: other });
    await ada.mention(general.id, "How are train tickets booked?", { threadTs: thread });
    const { shown } = await town.answered(general.id, thread, 2);
    expect(shown).toContain("second class");
    expect(shown).toContain("The earlier conversation is gone on the server, so I answered from this thread.");
  });

  it("whose key is revoked while it answers: that answer is whole, the next question is told why not", async () => {
    const town = await startDeployedTown();
    const { server, ada, general } = town;
    const { promise, resolve } = Promise.withResolvers<void>();
    server.answerNext(["Everybody has ", { until: promise }, `${WHOLE}.`]);
    const thread = await ada.mention(general.id, LEAVE);
    await expect.poll(() => server.questions.length).toBe(1);
    server.revoke(server.keys.member);
    resolve();
    expect((await town.answered(general.id, thread)).shown).toContain(WHOLE);
    expectFailure(town, await asked(town), "The knowledge server does not let me ask at the moment.");
    expect(await homeOf(town)).toContain("revoked");
  });

  it("whose key is of narrow scope: answers, follow-ups and names are as ever", async () => {
    const town = await startDeployedTown({ env: ({ keys }) => ({ THREADLORE_KEY: keys.scoped }) });
    const { thread, shown } = await asked(town);
    expect(shown).toContain(WHOLE);
    await town.ada.mention(town.general.id, "How are train tickets booked?", { threadTs: thread });
    expect((await town.answered(town.general.id, thread, 2)).shown).toContain("second class");
    expect(town.server.sessions.size).toBe(1);
  });

  it("whose budget is used up, with the moment it is new again: told once, in the reader's own time", async () => {
    const town = await startDeployedTown();
    const resetAt = new Date(Date.now() + 2 * 3_600_000);
    town.server.faults.rateLimit = { scope: "global", resetAt, times: 1 };
    const failed = await asked(town);
    expectFailure(town, failed, "Too much has been asked for now. Ask again after 20");
    expect(failed.shown.match(/again after/g)).toHaveLength(1);
    const minute = Math.ceil(resetAt.getTime() / 60_000) * 60;
    expect(shownToPeople(town) + JSON.stringify(town.workspace.calls)).toContain(`<!date^${minute}^`);
    await expectRetried(town, failed);
  });

  it("whose budget is used up, without saying until when: told so", async () => {
    const town = await startDeployedTown();
    town.server.faults.rateLimit = {};
    const failed = await asked(town);
    expectFailure(town, failed, "Too much has been asked for now. Ask again in a while.");
    town.server.faults.rateLimit = undefined;
    expect(failed.shown).not.toContain("again after");
    await expectRetried(town, failed);
  });

  it("whose database is away: one sentence, administrators and health know, and it is well by itself later", async () => {
    const town = await startDeployedTown({ parts: QUICK });
    town.server.faults.database = "down";
    const failed = await asked(town);
    expectFailure(town, failed, "The knowledge server cannot be reached at the moment.");
    await expect.poll(async () => (await town.health()).problems.join()).toContain("failed (500)");
    town.server.faults.database = "up";
    await expect.poll(async () => (await town.health()).problems).toEqual([]);
    await expectRetried(town, failed);
  });

  it.each([
    ["RATE_LIMIT", "The language model is busy or out of reach at the moment."],
    ["AUTH_ERROR", "Something in the setup needs the attention of whoever runs this."],
    ["CONTEXT_TOO_LONG", "The question and what comes with it are too long."],
    ["EMPTY_LLM_RESPONSE", "The knowledge server sent an empty answer."],
  ])("whose model fails before a word (%s): one sentence, and Retry asks again", async (code, words) => {
    const town = await startDeployedTown();
    town.server.faults.model = { code, times: 1 };
    const failed = await asked(town);
    expectFailure(town, failed, words);
    await expectRetried(town, failed);
    expect(town.server.questions).toHaveLength(2);
  });

  it("whose model fails in the stream: what came stays, is called incomplete, with Retry alone", async () => {
    const town = await startDeployedTown();
    town.server.answerNext([{ piece: "Everybody has thirty" }, { error: "CONNECTION_ERROR" }]);
    const failed = await asked(town);
    expect(failed.shown).toContain("Everybody has thirty");
    expect(failed.shown).toContain("The language model is busy or out of reach at the moment.");
    expect(failed.shown.match(/\[Retry\]|\[↻ Ask again\]/g)).toEqual(["[Retry]"]);
    expect(failed.shown).not.toContain("No source was cited");
    await expectRetried(town, failed);
  });

  it("that is silent for longer than people are let wait, with heartbeats: the answer comes whole", async () => {
    const town = await startDeployedTown({
      settings: { heartbeatMs: 200 },
      parts: {
        serverTimeouts: { firstByteMs: 1_000, slowFirstByteMs: 1_000, quietIdleMs: 1_000 },
        patience: { silence: { slowMs: 300, sayMs: [1_000] } },
      },
    });
    town.server.answerNext(["Everybody has ", { pauseMs: 3_000 }, `${WHOLE}.`]);
    const { shown } = await asked(town);
    expect(shown).toContain(WHOLE);
    expect(shown).not.toContain("broke off");
    expect(town.server.questions).toHaveLength(1);
  });

  it("that is silent without heartbeats: the answer is finished from its own run, and asked once", async () => {
    const town = await startDeployedTown({
      parts: { serverTimeouts: { firstByteMs: 500, slowFirstByteMs: 500, quietIdleMs: 500 } },
    });
    town.server.faults.heartbeats = false;
    town.server.answerNext(["Everybody has ", { pauseMs: 2_000 }, `${WHOLE}.`]);
    expect((await asked(town)).shown).toContain(WHOLE);
    expect(town.server.questions).toHaveLength(1);
  });
});

/** Nobody waits in a test as long as in life. */
const QUICK = { patience: { resumeMs: 500 } };
