import { createGoodAnswers } from "@threadlore/client/good-answers";
import { describe, expect, it } from "vitest";
import { settleOwed } from "./good-answers.ts";
import { watchGaps } from "./look-at-gaps.ts";
import { idle, KEYS, type Town, useTowns } from "../testing/running-bot.ts";

const town = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const QUESTION = "How many days of annual leave do I have?";
const AT_SERVER = { env: { THREADLORE_INGEST_KEY: KEYS.owner } };

const listed = async ({ knowledge }: Town) =>
  (await createGoodAnswers({ baseUrl: "http://127.0.0.1:8412", apiKey: KEYS.owner, fetch: knowledge.fetch }).list())
    .good_answers;
const told = ({ knowledge }: Town) => knowledge.requests.filter((request) => request.includes("/good-answers"));

/** A question that is answered: its message, the answer's, and the reference of its buttons. */
async function asked(place: Town, channel: string, ts: string): Promise<{ ts: string; answer: string; ref: string }> {
  const message = await place.answered(channel, ts);
  await idle(place);
  const ref = /"answer_regenerate","value":"([^"]+)"/.exec(JSON.stringify(message.blocks))?.[1] ?? "";
  expect(ref).not.toBe("");
  return { ts, answer: message.ts, ref };
}

async function mark(
  place: Town,
  who: Town["ada"],
  at: { answer: string; ref: string; channel: string },
  word: "good" | "bad",
) {
  const { answer: ts, ref, channel } = at;
  await who.press({ channel, ts }, `answer_${word}`, `${word}:${ref}`);
  await expect
    .poll(() => place.bot.context.store.recall(`judgement:${ref}:${who.user.id}`))
    .toMatch(/^(?:good|bad|asked)$/);
  await idle(place);
}

describe("an answer that is marked as good", LONG, () => {
  it("is told with what it cited, once, by whomever; until somebody marks it as bad, or its message changes", async () => {
    const place = await town(AT_SERVER);
    const { ada, bo, general } = place;
    const at = { ...(await asked(place, general.id, await ada.mention(general.id, QUESTION))), channel: general.id };
    expect(await listed(place)).toEqual([]);
    await mark(place, bo, at, "good");
    await mark(place, ada, at, "good");
    const [good, ...others] = await listed(place);
    expect(others).toEqual([]);
    expect(good?.question).toBe(QUESTION);
    expect(good?.document_ids).not.toEqual([]);
    await mark(place, bo, at, "bad");
    expect(await listed(place)).toEqual([]);
    await mark(place, bo, at, "good");
    expect(await listed(place)).toHaveLength(1);
    await ada.edit(general.id, at.ts, `<@${place.workspace.app.botUserId}> Who signs the travel form for Norway?`);
    await expect.poll(() => listed(place)).toEqual([]);
    await idle(place);
  });

  it("goes with its message, with its asker's other questions, and with the app", async () => {
    const place = await town(AT_SERVER);
    const { ada, bo, general } = place;
    const good = async (who: Town["ada"]) => {
      const at = { ...(await asked(place, general.id, await who.mention(general.id, QUESTION))), channel: general.id };
      await mark(place, who, at, "good");
      return at.ts;
    };
    const [first] = [await good(ada), await good(ada), await good(bo)];
    expect(await listed(place)).toHaveLength(3);
    await ada.delete(general.id, first);
    await expect.poll(() => listed(place)).toHaveLength(2);
    await idle(place);
    await ada.command(general.id, "/ask", "gaps forget");
    await expect.poll(() => listed(place)).toHaveLength(1);
    await idle(place);
    place.workspace.faults.uninstall();
    await place.bot.ended;
    expect(await listed(place)).toEqual([]);
  });

  it("goes with an app that was uninstalled while the server was away, once a bot runs there again", async () => {
    const place = await town(AT_SERVER);
    const { ada, bot, general, knowledge } = place;
    const at = { ...(await asked(place, general.id, await ada.mention(general.id, QUESTION))), channel: general.id };
    await mark(place, ada, at, "good");
    knowledge.fault = async () => new Response("{}", { status: 503 });
    place.workspace.faults.uninstall();
    await bot.ended;
    expect(await bot.context.store.allPins()).toEqual([]);
    await expect(settleOwed(bot.context)).rejects.toThrow();
    knowledge.fault = undefined;
    expect(await listed(place)).toHaveLength(1);
    const rounds = watchGaps(bot.context);
    await expect.poll(() => listed(place)).toEqual([]);
    await rounds.end();
    const before = told(place).length;
    await settleOwed(bot.context);
    expect(told(place)).toHaveLength(before);
  });

  it("is told of nowhere where not everybody in the company could read it", async () => {
    const place = await town(AT_SERVER);
    const { ada, workspace } = place;
    const dm = workspace.dmOf(ada.user.id).id;
    const secret = workspace.addChannel({ name: "secret", kind: "private", members: [ada.user.id], withApp: true });
    for (const [channel, ts] of [
      [dm, await ada.dm(QUESTION)],
      [secret.id, await ada.mention(secret.id, QUESTION)],
    ] as const) {
      await mark(place, ada, { ...(await asked(place, channel, ts)), channel }, "good");
    }
    expect(told(place)).toEqual([]);
  });

  it("is told to a server that is away once it is back, and to one that keeps none, or not for this key, never", async () => {
    const place = await town(AT_SERVER);
    const { ada, general, knowledge } = place;
    const at = { ...(await asked(place, general.id, await ada.mention(general.id, QUESTION))), channel: general.id };
    const fails = (status: number) => async (request: Request) =>
      request.url.includes("/good-answers") ? new Response("{}", { status }) : undefined;
    knowledge.fault = fails(503);
    await ada.press({ channel: general.id, ts: at.answer }, "answer_good", `good:${at.ref}`);
    await expect.poll(() => told(place).length).toBeGreaterThan(0);
    knowledge.fault = undefined;
    await expect.poll(() => listed(place), { timeout: 30_000 }).toHaveLength(1);
    await idle(place);
    knowledge.fault = fails(404);
    await mark(place, place.bo, at, "bad");
    knowledge.fault = fails(403);
    await mark(place, place.bo, at, "good");
    expect(await place.bot.context.store.backlog()).toEqual({ waiting: 0, running: 0 });
  });
});
