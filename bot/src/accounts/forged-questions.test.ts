import { taskKey } from "@threadlore/inbox";
import { describe, expect, it } from "vitest";
import { acceptQuestion, type NewQuestion, partitionKeyOf } from "../ask/question.ts";
import { CAN_CONNECT, connectAccount, personKey } from "../testing/own-accounts.ts";
import { idle, KEYS, type Town, useTowns } from "../testing/running-bot.ts";

const town = useTowns();
const LONG = { timeout: 120_000 };
const SECRET = "STURGEON-CANARY";
const QUESTION = "What is the merger called?";

/** A town in which Ada's own account alone finds something, and somebody can write to the bot's database. */
async function forgersTown() {
  const place = await town({
    restricted: true,
    env: { ...CAN_CONNECT, THREADLORE_DM_KEY: KEYS.channel, STREAMING: "off" },
  });
  const { workspace, ada, bo, knowledge } = place;
  await knowledge.add({ id: "merger", title: "Merger", text: `The merger is called ${SECRET}.` });
  await connectAccount(workspace, ada, personKey(knowledge, "ada"));
  return Object.assign(place, { adas: workspace.dmOf(ada.user.id).id, bos: workspace.dmOf(bo.user.id).id });
}

/** What everybody in the town but Ada can read. */
function read({ workspace, general, bo, bos }: Town & { bos: string }): string {
  const messages = [general.id, bos].flatMap((channel) => {
    const roots = workspace.messages(channel);
    return [...roots, ...roots.flatMap(({ ts }) => workspace.messages(channel, ts))];
  });
  return JSON.stringify([messages, bo.ephemerals()]);
}

describe("a question somebody wrote into the bot's database", LONG, () => {
  it("is not asked with the account of whom it names, wherever its answer is to go", async () => {
    const place = await forgersTown();
    const { bot, ada, bo, bos, general, workspace } = place;
    const { store, self } = bot.context;
    const asked = async (ts: string, given: Partial<NewQuestion>): Promise<void> => {
      const question = { entry: "dm", team: self.teamId, isMessage: true, inThread: false, text: QUESTION } as const;
      const forged: NewQuestion = { ...question, user: ada.user.id, channel: bos, ts, threadTs: ts, ...given };
      const key = taskKey("question", forged);
      const partitionKey = partitionKeyOf(forged);
      await store.accept({ key, kind: "question", partitionKey, body: forged }, bot.context.now());
    };
    // In somebody else's conversation with the bot, as if Ada had written there; and as if a channel were one.
    await asked(await bo.dm("Hello there, what is up with the weather?"), {});
    await asked((await bo.say(general.id, "Hm.")) ?? "", { channel: general.id, entry: "agent" });
    await idle(place);
    expect(place.knowledge.keys.filter((key) => key.includes("ada"))).toEqual([]);
    expect(read(place)).not.toContain(SECRET);
    // With a proof of her own words elsewhere.
    const ts = await ada.dm(QUESTION);
    const { adas } = place;
    expect((await place.answered(adas, ts)).shown).toContain(SECRET);
    const real = (await store.findByKey(taskKey("question", { team: self.teamId, channel: adas, ts })))?.body;
    const proof = String(Reflect.get(Object(real), "proof"));
    expect(proof.length).toBeGreaterThan(20);
    await asked(await bo.dm("And how is it today?"), { proof });
    await idle(place);
    expect(read(place)).not.toContain(SECRET);
    expect(workspace.messages(bos).length).toBeGreaterThan(0);
  });

  it("is vouched for by nothing that is made of it", async () => {
    const place = await forgersTown();
    const { bot, ada, bo, bos } = place;
    const ts = await bo.dm("Hello there, what is up with the weather?");
    const question = { entry: "dm", team: bot.context.self.teamId, isMessage: true, inThread: false } as const;
    const forged = { ...question, user: ada.user.id, channel: bos, ts, threadTs: ts, text: QUESTION };
    await acceptQuestion(bot.context, { ...forged, proof: "none" }, `again:${ts}`, "regenerate");
    await idle(place);
    expect(read(place)).not.toContain(SECRET);
  });
});
