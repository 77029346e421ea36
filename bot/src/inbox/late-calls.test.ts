import { describe, expect, it } from "vitest";
import { taskKey } from "@threadlore/inbox";
import { type Town, useTowns } from "../testing/running-bot.ts";

const town = useTowns();

const LEAVE = "How many days of annual leave do I have?";
const HOUR_MS = 3_600_000;

/** A bot that gives a call up at once, and looks for what came of it an hour later, by a clock that the test moves. */
async function impatient(streaming: "on" | "off", callMs = 300): Promise<{ place: Town; pass: (ms: number) => void }> {
  let ahead = 0;
  const place = await town({
    env: { STREAMING: streaming },
    parts: { now: () => Date.now() + ahead, drainMs: 50, patience: { callMs, lateCallsMs: [HOUR_MS, HOUR_MS] } },
  });
  return { place, pass: (ms) => (ahead += ms) };
}

/** Resolves when the question has ended. */
async function ended({ bot, workspace, general }: Town, ts: string): Promise<void> {
  const key = taskKey("question", { team: workspace.team.id, channel: general.id, ts });
  await expect.poll(async () => (await bot.context.store.findByKey(key))?.state).toBe("ended");
}

const CALLS = [
  ["a post", "chat.postMessage", "off"],
  ["the start of a stream", "chat.startStream", "on"],
] as const;

describe("a call that nobody waits for any more, and that takes effect after the answer has ended", () => {
  it.each(CALLS)(
    "%s leaves one answer, also where the bot was started anew meanwhile",
    async (_, method, streaming) => {
      const { place, pass } = await impatient(streaming);
      const { ada, general, workspace } = place;
      const held = workspace.faults.hold(method);
      const ts = await ada.mention(general.id, LEAVE);
      await ended(place, ts);
      const [answer, ...others] = place.answers(general.id, ts);
      expect(answer?.shown).toContain("thirty days");
      expect(others).toEqual([]);

      held.release();
      await workspace.until(() => place.answers(general.id, ts).length === 2);
      await place.restart();
      // It is deleted although the platform does not answer that at first.
      workspace.faults.fail("chat.delete", { status: 503, times: 2 });
      pass(HOUR_MS);
      await workspace.until(() => place.answers(general.id, ts).length === 1, 60_000);
      expect(place.answers(general.id, ts)).toMatchObject([{ ts: answer?.ts, shown: answer?.shown }]);
    },
    150_000,
  );

  it.each(CALLS)("%s that its bot was stopped in leaves one answer", async (_, method, streaming) => {
    const { place, pass } = await impatient(streaming, 600_000);
    const { ada, general, workspace } = place;
    const held = workspace.faults.hold(method);
    const ts = await ada.mention(general.id, LEAVE);
    await held.came;
    await place.restart();
    await ended(place, ts);
    const [answer, ...others] = place.answers(general.id, ts);
    expect(others).toEqual([]);

    held.release();
    await workspace.until(() => place.answers(general.id, ts).length === 2);
    pass(HOUR_MS);
    await workspace.until(() => place.answers(general.id, ts).length === 1);
    expect(place.answers(general.id, ts)).toMatchObject([{ ts: answer?.ts, shown: answer?.shown }]);
  });

  it("is looked for more than once, and nothing of the thread waits for that", async () => {
    const { place, pass } = await impatient("off");
    const { ada, general, workspace } = place;
    const held = workspace.faults.hold("chat.postMessage");
    const ts = await ada.mention(general.id, LEAVE);
    const { store } = place.bot.context;
    const asked = { team: workspace.team.id, channel: general.id, ts };
    const idOf = async (key: string): Promise<string> => (await store.findByKey(key))?.id ?? "";
    const looked = async (): Promise<number> => {
      const id = await idOf(taskKey("question", asked));
      const waits = await idOf(taskKey("mend", asked, `${id}-late-1`));
      const looks = [1, 2].map((look) => store.findByKey(taskKey("mend", asked, `${id}-${waits}-${look}`)));
      return (await Promise.all(looks)).filter((task) => task?.state === "ended").length;
    };
    await workspace.until(() => place.answers(general.id, ts).length === 1, 60_000);
    await ada.say(general.id, `<@${workspace.app.botUserId}> ${LEAVE}`, { threadTs: ts });
    await workspace.until(() => place.answers(general.id, ts).length === 2, 60_000);

    pass(HOUR_MS);
    await expect.poll(looked, { timeout: 60_000 }).toBe(1);
    held.release();
    await workspace.until(() => place.answers(general.id, ts).length === 3);
    pass(HOUR_MS);
    await expect.poll(looked, { timeout: 60_000 }).toBe(2);
    expect(place.answers(general.id, ts)).toHaveLength(2);
  }, 150_000);
});
