import type { Message } from "@threadlore/chat-workspace";
import { describe, expect, it } from "vitest";
import { type DeployedTown, startDeployedTown } from "../../testing/deployed-town.ts";
import { idle } from "../../testing/running-bot.ts";

const LONG = { timeout: 90_000 };
const ASKED = "Where does the orange kayak trailer stand?";
const REPLY = "The orange kayak trailer stands behind the boathouse, next to the diesel tank.";

/** What stands under a button of a message, by the beginning of its action. */
const valueOf = (message: Message | undefined, action: string): string =>
  new RegExp(`"action_id":"${action}[^"]*","value":"([^"]+)"`).exec(JSON.stringify(message?.blocks))?.[1] ?? "";

/** A deployed server, which knows nothing of gaps, and a bot whose rules name Bo as the helper of #general. */
async function town(): Promise<DeployedTown> {
  const place = await startDeployedTown({
    parts: {
      pinTimes: { confirmEveryMs: 20, spacingMs: 10, watchAfterMs: 20 },
      patience: { confirm: { first: 50, longest: 200 } },
      times: { pollMs: 30, backoffMs: () => 100 },
    },
  });
  const { general, bo, bot } = place;
  place.setRules(`channels:\n  ${general.id}:\n    helpers: [${bo.user.id}]\n`);
  await expect.poll(() => bot.context.rules().channels.get(general.id)?.helpers, { timeout: 20_000 }).toHaveLength(1);
  return place;
}

/** Somebody asks what nothing is found for. Resolves with their thread and the answer in it. */
async function asked({ general, ...place }: DeployedTown, who: DeployedTown["ada"]) {
  const threadTs = await who.mention(general.id, ASKED);
  return { threadTs, answer: await place.answered(general.id, threadTs) };
}

describe("people who are asked where the server knows nothing of gaps", LONG, () => {
  it.each([
    ["finds it at once", "up"],
    ["takes it and finds it later", "down"],
  ] as const)("have their reply kept, and whoever asked is told once, where they asked: it %s", async (_, embedder) => {
    const place = await town();
    const { ada, bo, bot, general, server, workspace } = place;
    const mia = workspace.addUser({ name: "mia" });
    await mia.join(general.id);
    const first = await asked(place, ada);
    const other = await asked(place, mia);
    await mia.press({ channel: general.id, ts: other.answer.ts }, "answer_bad", valueOf(other.answer, "answer_bad"));
    await mia.dismiss((await workspace.until(() => mia.modals()[0])).id);
    await ada.press({ channel: general.id, ts: first.answer.ts }, "answer_human", valueOf(first.answer, "answer_human"));
    const call = await workspace.until(() =>
      workspace.messages(general.id, first.threadTs).find(({ text }) => text.includes("needs a person")),
    );
    await idle(place);
    for (const { user } of [ada, mia]) {
      const waiting = await bot.context.store.waitingOf(`${workspace.team.id}:${user.id}`);
      expect(waiting.map(({ gap }) => gap)).toEqual(["o1"]);
    }
    server.faults.embedder = embedder;
    await bo.say(general.id, REPLY, { threadTs: first.threadTs });
    const shown = (): Message | undefined => workspace.message(general.id, call.ts);
    await workspace.until(() => valueOf(shown(), "help_keep") !== "");
    await bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", valueOf(shown(), "help_keep"));
    const told = (at: { readonly threadTs: string }): readonly string[] =>
      place
        .answers(general.id, at.threadTs)
        .map(({ text }) => text)
        .filter((text) => /answered (?:this|your question)/.test(text));
    if (embedder === "down") {
      const pin = async () => (await bot.context.store.pinsOf(general.id)).find(({ how }) => how === "answer");
      await expect.poll(async () => (await pin())?.state, { timeout: 20_000 }).toBe("unconfirmed");
      expect(shown()?.shown).toContain("It is being kept");
      expect([...told(first), ...told(other)]).toEqual([]);
      server.faults.embedder = "up";
    }
    await workspace.until(() => shown()?.shown.includes("Answered by") === true);
    await expect.poll(() => [told(first).length, told(other).length], { timeout: 30_000 }).toEqual([1, 1]);
    await idle(place);
    expect([told(first).length, told(other).length]).toEqual([1, 1]);
    expect(told(first)[0]).toContain(`<@${ada.user.id}>`);
    expect(told(other)[0]).toContain(`<@${mia.user.id}>`);
    expect((await asked(place, mia)).answer.shown).toContain("behind the boathouse");
  });
});
