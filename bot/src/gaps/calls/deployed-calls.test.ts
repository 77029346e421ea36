import type { Message } from "@threadlore/chat-workspace";
import { describe, expect, it } from "vitest";
import { buttonOf } from "../../testing/buttons.ts";
import { type DeployedTown, startDeployedTown } from "../../testing/deployed-town.ts";
import { withHelper } from "../../testing/kept-answers.ts";
import { idle } from "../../testing/running-bot.ts";

const LONG = { timeout: 90_000 };
const ASKED = "Where does the orange kayak trailer stand?";
const REPLY = "The orange kayak trailer stands behind the boathouse, next to the diesel tank.";

/** A deployed server, which knows nothing of gaps, and a bot whose rules name Bo as the helper of #general. */
async function town(): Promise<DeployedTown> {
  const place = await startDeployedTown({
    parts: {
      pinTimes: { confirmEveryMs: 20, spacingMs: 10, watchAfterMs: 20 },
      patience: { confirm: { first: 50, longest: 200 } },
      times: { pollMs: 30, backoffMs: () => 100 },
    },
  });
  await withHelper(place);
  return place;
}

/** Somebody asks what nothing is found for. Resolves with their thread and the answer in it. */
async function asked({ general, ...place }: DeployedTown, who: DeployedTown["ada"]) {
  const threadTs = await who.mention(general.id, ASKED);
  return { threadTs, answer: await place.answered(general.id, threadTs) };
}

/** Bo's reply was wanted of them as the answer, by their press. */
async function replied(embedder: "up" | "down") {
  const place = await town();
  const { ada, bo, bot, general, server, workspace } = place;
  const mia = workspace.addUser({ name: "mia" });
  await mia.join(general.id);
  const first = await asked(place, ada);
  const other = await asked(place, mia);
  await mia.press({ channel: general.id, ts: other.answer.ts }, "answer_bad", buttonOf(other.answer, "answer_bad"));
  await mia.dismiss((await workspace.until(() => mia.modals()[0])).id);
  await ada.press({ channel: general.id, ts: first.answer.ts }, "answer_human", buttonOf(first.answer, "answer_human"));
  const call = await workspace.until(() =>
    workspace.messages(general.id, first.threadTs).find(({ text }) => text.includes("needs a person")),
  );
  await idle(place);
  const gaps = [ada, mia].map(({ user }) => bot.context.store.waitingOf(`${workspace.team.id}:${user.id}`));
  expect((await Promise.all(gaps)).flat().map(({ gap }) => gap)).toEqual(["o1", "o1"]);
  server.faults.embedder = embedder;
  await bo.say(general.id, REPLY, { threadTs: first.threadTs });
  const shown = (): Message | undefined => workspace.message(general.id, call.ts);
  const keep = await workspace.until(() => buttonOf(shown(), "help_keep_0"));
  await bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", keep);
  /** What Ada and Mia were told of an answer, each in their thread. */
  const told = (): (readonly string[])[] =>
    [first, other].map(({ threadTs }) =>
      place
        .answers(general.id, threadTs)
        .map(({ text }) => text)
        .filter((text) => /answered (?:this|your question)/.test(text)),
    );
  return { place, mia, shown, told };
}

/** Once the reply can be found and both were told: what they were told, and what whoever asks next reads. */
async function ended({ place, mia, shown, told }: Awaited<ReturnType<typeof replied>>) {
  await place.workspace.until(() => shown()?.shown.includes("Answered by") === true);
  await place.workspace.until(() => told().every(({ length }) => length > 0), 30_000);
  await idle(place);
  return { told: told(), next: (await asked(place, mia)).answer.shown };
}

/** Ada and Mia, once each and by name; and the answer. */
const onceEach = ({ place, mia }: Awaited<ReturnType<typeof replied>>): unknown => ({
  told: [place.ada, mia].map(({ user }) => [expect.stringContaining(`<@${user.id}>`)]),
  next: expect.stringContaining("behind the boathouse"),
});

describe("people who are asked where the server knows nothing of gaps", LONG, () => {
  it("have their reply kept, and whoever asked is told once, where they asked", async () => {
    const called = await replied("up");
    expect(await ended(called)).toEqual(onceEach(called));
  });

  it("have it said to be kept only once the server finds it", async () => {
    const called = await replied("down");
    const { place, shown, told } = called;
    const pin = async () =>
      (await place.bot.context.store.pinsOf(place.general.id)).find(({ how }) => how === "answer");
    await expect.poll(async () => (await pin())?.state, { timeout: 20_000 }).toBe("unconfirmed");
    expect(shown()?.shown).toContain("It is being kept");
    expect(told()).toEqual([[], []]);
    place.server.faults.embedder = "up";
    expect(await ended(called)).toEqual(onceEach(called));
  });
});
