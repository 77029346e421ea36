import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { type Bot, createBot } from "../bot.ts";
import { taskKey } from "@threadlore/inbox";
import { startTown, type Town } from "../testing/running-bot.ts";

const QUESTION = "How many days of annual leave do I have?";
/** No call is given up while the test has it held; what may come still later is looked for at once. */
const PATIENCE = { callMs: 60_000, lateCallsMs: [100] };
const TIMES = { pollMs: 50, backoffMs: () => 100, leaseMs: 60_000, renewMs: 30_000 };

let town: Town | undefined;
let second: Bot | undefined;
let folder = "";

afterEach(async () => {
  await second?.stop();
  await town?.close();
  [town, second] = [undefined, undefined];
  rmSync(folder, { recursive: true, force: true });
});

/** Two bots on one file. */
async function twoBots(streaming: "on" | "off"): Promise<{ at: Town; path: string }> {
  folder = mkdtempSync(join(tmpdir(), "threadlore-mend-"));
  const path = join(folder, "bot.db");
  const at = await startTown({
    env: { DATABASE_URL: `sqlite:${path}`, STREAMING: streaming },
    parts: { times: TIMES, patience: PATIENCE },
  });
  town = at;
  const { config, log } = at.bot.context;
  second = await createBot(config, { log, serverFetch: at.knowledge.fetch, times: TIMES, patience: PATIENCE });
  await second.start();
  return { at, path };
}

const keyOf = (at: Town, ts: string): string =>
  taskKey("question", { team: at.workspace.team.id, channel: at.general.id, ts });

/** What happens to a run whose process is paused for longer than its lease: the task is anybody's again. */
function endLease(path: string): void {
  const other = new DatabaseSync(path, { timeout: 5_000 });
  other.exec("UPDATE tasks SET lease_until = 0 WHERE state = 'running'");
  other.close();
}

/** Expects one whole answer in the end, with nobody at work; its messages. */
async function expectOneAnswer(at: Town, ts: string): Promise<readonly string[]> {
  const { workspace, general } = at;
  const { store } = at.bot.context;
  await expect.poll(async () => (await store.backlog()).running + (await store.backlog()).waiting).toBe(0);
  const answers = at.answers(general.id, ts);
  expect(answers.map(({ shown }) => shown)).toEqual([expect.stringContaining("thirty days")]);
  expect(answers[0]?.stream?.state).not.toBe("in_progress");
  expect(workspace.session(general.id, ts)?.status ?? "active").toBe("active");
  expect(await store.findByKey(keyOf(at, ts))).toMatchObject({ state: "ended", outcome: "answered" });
  return answers.map((answer) => answer.ts);
}

describe("a call that takes effect after another run has answered", () => {
  it.each([
    ["a start", "chat.startStream", "on"],
    ["a post", "chat.postMessage", "off"],
  ] as const)(
    "%s leaves nothing behind",
    async (_, method, streaming) => {
      const { at, path } = await twoBots(streaming);
      const { workspace, ada, general } = at;
      const held = workspace.faults.hold(method);
      const ts = await ada.mention(general.id, QUESTION);
      // The lease was asked for just now, and the call is on its way.
      await held.came;
      endLease(path);
      await workspace.until(() => at.answers(general.id, ts).length === 1);
      const first = at.answers(general.id, ts)[0]?.ts;
      held.release();
      await workspace.until(() => at.answers(general.id, ts).length === 2);
      await workspace.until(() => at.answers(general.id, ts).length === 1);
      expect(await expectOneAnswer(at, ts)).toEqual([first]);
    },
    60_000,
  );
});

describe("an answer that a late call damaged", () => {
  it("is delivered again, once", async () => {
    const { at } = await twoBots("on");
    const { workspace, ada, general } = at;
    const ts = await ada.mention(general.id, QUESTION);
    const answer = await at.answered(general.id, ts);
    const { store, clients } = at.bot.context;
    await expect.poll(async () => (await store.findByKey(keyOf(at, ts)))?.state).toBe("ended");
    const task = await store.findByKey(keyOf(at, ts));
    await clients.posts.chat.delete({ channel: general.id, ts: answer.ts });
    await store.accept(
      {
        key: `mend:${ts}`,
        kind: "mend",
        partitionKey: task?.partitionKey ?? "",
        body: { task: task?.id, touched: [answer.ts], lostStarts: [] },
      },
      Date.now(),
    );
    await workspace.until(() => at.answers(general.id, ts).some(({ shown }) => shown.includes("thirty days")));
    await expectOneAnswer(at, ts);
  }, 60_000);

  it("of which nothing is missing stays as it is", async () => {
    const { at } = await twoBots("on");
    const { ada, general } = at;
    const ts = await ada.mention(general.id, QUESTION);
    const answer = await at.answered(general.id, ts);
    const { store } = at.bot.context;
    await expect.poll(async () => (await store.findByKey(keyOf(at, ts)))?.state).toBe("ended");
    const task = await store.findByKey(keyOf(at, ts));
    const body = { task: task?.id, touched: [answer.ts], lostStarts: ["something"] };
    await store.accept({ key: `mend:${ts}`, kind: "mend", partitionKey: task?.partitionKey ?? "", body }, Date.now());
    await expect.poll(async () => (await store.findByKey(`mend:${ts}`))?.outcome).toBe("done");
    await expectOneAnswer(at, ts);
    expect(at.answers(general.id, ts)[0]?.ts).toBe(answer.ts);
    expect(at.knowledge.asked).toHaveLength(1);
  }, 60_000);
});
