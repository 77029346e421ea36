import type { Message } from "@threadlore/chat-workspace";
import { describe, expect, it } from "vitest";
import { buttonOf } from "../../testing/buttons.ts";
import { keepingTown } from "../../testing/kept-answers.ts";
import { idle, type Town, useTowns } from "../../testing/running-bot.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const ASKED = "Where does the orange kayak trailer stand?";
const WRITTEN = "The orange kayak trailer stands behind the boathouse.";

/** A town whose channel keeps pins and names nobody as a helper; what Bo wrote in it is pinned by Mia. */
async function town(env: Readonly<Record<string, string>> = {}): Promise<Town & { readonly mia: Town["ada"] }> {
  const place = await open(keepingTown({ isEmpty: false, env }));
  const { bo, bot, general, workspace } = place;
  place.setRules(`channels:\n  ${general.id}:\n    pins: members\n`);
  await expect.poll(() => bot.context.rules().channels.has(general.id), { timeout: 20_000 }).toBe(true);
  const mia = workspace.addUser({ name: "mia" });
  await mia.join(general.id);
  await mia.pin(general.id, await bo.say(general.id, WRITTEN));
  const states = async () => (await bot.context.store.pinsOf(general.id)).map(({ state }) => state);
  await expect.poll(states, { timeout: 20_000 }).toEqual(["indexed"]);
  return Object.assign(place, { mia });
}

/** Ada asks there, marks the answer as bad, and is offered a person. Resolves with her thread and the offer. */
async function offered(place: Town, words: string): Promise<{ threadTs: string; offer: Message }> {
  const { ada, general, workspace } = place;
  const threadTs = await ada.mention(general.id, words);
  const answer = await place.answered(general.id, threadTs);
  await ada.press({ channel: general.id, ts: answer.ts }, "answer_bad", buttonOf(answer, "answer_bad"));
  await ada.dismiss((await workspace.until(() => ada.modals().at(-1))).id);
  const offer = await workspace.until(() =>
    ada.ephemerals(general.id).find(({ text, threadTs: at }) => at === threadTs && text.includes("ask a person")),
  );
  return { threadTs, offer };
}

async function wantPerson({ ada, general }: Town, offer: Message): Promise<void> {
  await ada.press({ channel: general.id, ts: offer.ts }, "answer_human", buttonOf(offer, "answer_human"));
}

describe("whoever marked an answer as bad where nobody is named as a helper", LONG, () => {
  it("can ask a person: those who wrote, or had kept, what it cited", async () => {
    const place = await town();
    const { ada, bo, general, mia, workspace } = place;
    const { threadTs, offer } = await offered(place, ASKED);
    await wantPerson(place, offer);
    const calls = (): readonly Message[] =>
      workspace.messages(general.id, threadTs).filter(({ text }) => text.includes("needs a person"));
    await workspace.until(() => calls().length > 0);
    await idle(place);
    expect(calls()).toHaveLength(1);
    expect(calls()[0]?.text).toContain(`<@${bo.user.id}>`);
    expect(calls()[0]?.text).toContain(`<@${mia.user.id}>`);
    const asker = `${workspace.team.id}:${ada.user.id}`;
    const reasons = async () => (await place.bot.context.store.waitingOf(asker)).map((one) => one.reasons.toSorted());
    await expect.poll(reasons).toEqual([["bad_mark", "human"]]);
  });

  it("is told plainly where there is nobody, and the question counts, and stands in the digest", async () => {
    const place = await town({ ADMIN_CHANNEL: "C0000ADMIN" });
    const { ada, general, workspace } = place;
    const { threadTs, offer } = await offered(place, "How many days of annual leave do I have?");
    await wantPerson(place, offer);
    const said = await workspace.until(() =>
      ada.ephemerals(general.id).find(({ text }) => text.includes("Nobody is named as a helper here")),
    );
    expect(said.text).toContain("weekly digest");
    await idle(place);
    expect(workspace.messages(general.id, threadTs).some(({ text }) => text.includes("needs a person"))).toBe(false);
    const gaps = await place.bot.context.gaps.list(10);
    expect(gaps.map(({ people, words }) => [people, words])).toEqual([[1, "How many days of annual leave do I have?"]]);
  });
});
