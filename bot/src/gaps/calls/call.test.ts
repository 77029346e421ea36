import type { Message } from "@threadlore/chat-workspace";
import { describe, expect, it } from "vitest";
import { idle, KEYS, type Town, type TownOptions, useTowns } from "../../testing/running-bot.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const ASKED = "Where does the orange kayak trailer stand?";
const REPLY = "The orange kayak trailer stands behind the boathouse, next to the diesel tank.";

/** A town where kept answers have a place to go to, and where what is sent can soon be found. */
function town(options: TownOptions = {}): Promise<Town> {
  const env = { THREADLORE_INGEST_KEY: KEYS.owner, THREADLORE_PAIR: "none", ...options.env };
  return open({ parts: { pinTimes: { watchAfterMs: 50, spacingMs: 10 } }, ...options, env });
}

/** Bo is named as the helper of #general. */
async function withHelper(place: Town, more = ""): Promise<void> {
  const { general, bo, bot } = place;
  place.setRules(`channels:\n  ${general.id}:\n    helpers: [${bo.user.id}]\n${more}`);
  await expect.poll(() => bot.context.rules().channels.get(general.id)?.helpers, { timeout: 20_000 }).toHaveLength(1);
}

const valueOf = ({ blocks }: Message, action: RegExp): string => {
  const found = JSON.stringify(blocks)
    .match(/\{"type":"button"[^{}]*\{[^{}]*\}[^{}]*/g)
    ?.find((one) => action.test(one));
  return /"value":"([^"]+)"/.exec(found ?? "")?.[1] ?? "";
};

/** Ada asks what nobody wrote down, and wants a person. Resolves with the message that asks. */
async function called(place: Town, words = ASKED): Promise<{ threadTs: string; answer: Message; call: Message }> {
  const { ada, general, workspace } = place;
  const threadTs = await ada.mention(general.id, words);
  const answer = await place.answered(general.id, threadTs);
  const ref = valueOf(answer, /answer_human/);
  await ada.press({ channel: general.id, ts: answer.ts }, "answer_human", ref);
  const call = await workspace.until(() =>
    workspace.messages(general.id, threadTs).find(({ text }) => text.includes("needs a person")),
  );
  return { threadTs, answer, call };
}

describe("“Ask a person”", LONG, () => {
  it("asks a helper in the thread, keeps their reply by one press of theirs, and answers from it", async () => {
    const place = await town();
    await withHelper(place);
    const { ada, bo, general, workspace } = place;
    const { threadTs, call } = await called(place);
    expect(call.shown).toContain(ASKED);
    expect(call.text).toContain(`<@${bo.user.id}>`);
    await bo.say(general.id, REPLY, { threadTs });
    const shown = () => workspace.message(general.id, call.ts);
    await workspace.until(() => shown()?.shown.includes("replied") === true);
    const keep = valueOf(shown() as Message, /help_keep_0/);
    await bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", keep);
    await workspace.until(() => shown()?.shown.includes("Answered by") === true);
    const told = await workspace.until(() =>
      place.answers(general.id, threadTs).find(({ text }) => text.includes("answered this")),
    );
    expect(told.text).toContain(`<@${ada.user.id}>`);
    const again = await bo.mention(general.id, ASKED);
    const found = await place.answered(general.id, again);
    expect(found.shown).toContain("behind the boathouse");
    expect(found.shown).toContain("[1]");
    await idle(place);
    expect(place.answers(general.id, threadTs).filter(({ text }) => text.includes("answered this"))).toHaveLength(1);
  });
});
