import { describe, expect, it } from "vitest";
import { type DeployedTown, LEAVE, startDeployedTown } from "../testing/deployed-town.ts";
import { idle } from "../testing/running-bot.ts";

const LONG = { timeout: 60_000 };
const GONE = "The earlier conversation is gone on the server, so I answered from this thread.";
const TRAVEL = "How are train tickets booked?";

/** A thread with one answered question. */
async function begunThread(town: DeployedTown): Promise<string> {
  const ts = await town.ada.mention(town.general.id, LEAVE);
  expect((await town.answered(town.general.id, ts)).shown).toContain("thirty days");
  return ts;
}

function lastSession({ server }: DeployedTown): string {
  return server.questions.at(-1)?.sessionId ?? "";
}

describe("a conversation the server no longer knows", LONG, () => {
  it.each(["deleted", "unknown"] as const)("(%s) begins anew, with the thread and one line of why", async (how) => {
    const town = await startDeployedTown();
    const { server, ada, general } = town;
    const ts = await begunThread(town);
    const before = lastSession(town);
    server.forgetSession(before, how);
    await ada.mention(general.id, TRAVEL, { threadTs: ts });
    const { shown } = await town.answered(general.id, ts, 2);
    expect(shown).toContain("second class");
    expect(shown.split(GONE)).toHaveLength(2);
    expect(server.questions.at(-1)?.contextShown).toContain("thirty days of annual leave");
    expect(lastSession(town)).not.toBe(before);
    // And the thread goes on from there.
    await ada.mention(general.id, "Who books them?", { threadTs: ts });
    const third = await town.answered(general.id, ts, 3);
    expect(third.shown).not.toContain(GONE);
    expect(server.questions.map(({ sessionId }) => sessionId === before)).toEqual([true, false, false]);
    expect(server.questions.at(-1)?.historyShown.map(({ text }) => text)).toContain(TRAVEL);
    await idle(town);
    expect(town.answers(general.id, ts)).toHaveLength(3);
    town.expectNoRefusals();
  });

  it("in a direct message begins anew likewise", async () => {
    const town = await startDeployedTown();
    const { server, ada, workspace } = town;
    const ts = await ada.dm(LEAVE);
    const channel = workspace.dmOf(ada.user.id).id;
    await town.answered(channel, ts);
    server.forgetSession(lastSession(town), "deleted");
    await ada.dm(TRAVEL, { threadTs: ts });
    expect((await town.answered(channel, ts, 2)).shown).toContain(GONE);
    await workspace.until(() => [...server.sessions.values()].filter((session) => !session.deleted).length === 1);
  });

  it("is no end of asking again", async () => {
    const town = await startDeployedTown();
    const { server, ada, general } = town;
    const ts = await begunThread(town);
    server.forgetSession(lastSession(town), "deleted");
    const [answer] = town.answers(general.id, ts);
    await ada.press({ channel: general.id, ts: answer?.ts ?? "" }, "answer_regenerate");
    expect((await town.answered(general.id, ts, 2)).shown).toContain("thirty days");
    await ada.mention(general.id, TRAVEL, { threadTs: ts });
    expect((await town.answered(general.id, ts, 3)).shown).toContain("second class");
    expect(new Set(server.questions.slice(1).map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  it("is no end of Retry", async () => {
    const town = await startDeployedTown();
    const { server, ada, general } = town;
    const ts = await begunThread(town);
    server.faults.model = { code: "RATE_LIMIT", times: 1 };
    await ada.mention(general.id, TRAVEL, { threadTs: ts });
    const failed = await town.answered(general.id, ts, 2);
    expect(failed.shown).toContain("[Retry]");
    server.forgetSession(lastSession(town), "unknown");
    await ada.press({ channel: general.id, ts: failed.ts }, "question_retry");
    const { shown } = await town.answered(general.id, ts, 3);
    expect(shown).toContain("second class");
    expect(shown).toContain(GONE);
  });
});

describe("a conversation on the server", LONG, () => {
  it("is called by the words of its first question, also where its answer failed", async () => {
    const town = await startDeployedTown();
    const { server, ada, general } = town;
    await begunThread(town);
    const names = (): string[] => [...server.sessions.values()].map(({ name }) => name);
    await expect.poll(names).toEqual([LEAVE]);
    server.faults.model = { code: "AUTH_ERROR", times: 1 };
    const ts = await ada.mention(general.id, TRAVEL);
    await town.answered(general.id, ts);
    await expect.poll(names).toEqual([LEAVE, TRAVEL]);
  });
});
