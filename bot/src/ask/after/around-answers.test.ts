import { delay } from "@threadlore/client/delay";
import { Database } from "@threadlore/service";
import { afterEach, describe, expect, it } from "vitest";
import { answerBehind } from "../presses.ts";
import { idle, startTown, type Town, type TownOptions } from "../../testing/running-bot.ts";

const open: Town[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function town(options: TownOptions = {}): Promise<Town> {
  const started = await startTown(options);
  open.push(started);
  return started;
}

const LONG = { timeout: 90_000 };
const QUESTION = "How many days of annual leave do I have?";

/** Ada's question in the channel, answered: the answer's message and the reference of its buttons. */
async function answered(place: Town): Promise<{ ts: string; threadTs: string; ref: string }> {
  const threadTs = await place.ada.mention(place.general.id, QUESTION);
  const message = await place.answered(place.general.id, threadTs);
  const ref = /"answer_regenerate","value":"([^"]+)"/.exec(JSON.stringify(message.blocks))?.[1] ?? "";
  expect(ref).not.toBe("");
  return { ts: message.ts, threadTs, ref };
}

/** What only this person was told, from the n-th on. */
function told({ workspace, general }: Town, person: Town["ada"], count: number): Promise<string[]> {
  return workspace.until(() => {
    const texts = person.ephemerals(general.id).map(({ text }) => text);
    return texts.length >= count && texts;
  });
}

/** Feedback as the server keeps it. */
function feedbackOf({ knowledge }: Town): Record<string, unknown>[] {
  const db = new Database(knowledge.database);
  try {
    const tables = db.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%feedback%'");
    return db.all(`SELECT * FROM ${String(tables[0]?.["name"])}`);
  } finally {
    db.close();
  }
}

const feedbackCalls = ({ knowledge }: Town): number =>
  knowledge.requests.filter((request) => request.endsWith("/chat/create-chat-message-feedback")).length;

describe("feedback", LONG, () => {
  it("of the asker goes to the server, with a comment when it is bad; once, and nothing is said but that people can be asked", async () => {
    const place = await town();
    const { workspace, ada, general } = place;
    const { ts, ref } = await answered(place);
    await ada.press({ channel: general.id, ts }, "answer_good", `good:${ref}`);
    await expect.poll(() => feedbackCalls(place)).toBe(1);
    await ada.press({ channel: general.id, ts }, "answer_good", `good:${ref}`);
    await ada.press({ channel: general.id, ts }, "answer_bad", `bad:${ref}`);
    const modal = await workspace.until(() => ada.modals().at(-1));
    await ada.submit(modal.id, { words: "It is thirty-one days since May." });
    await expect.poll(() => feedbackCalls(place)).toBe(2);
    await expect.poll(() => JSON.stringify(feedbackOf(place))).toContain("thirty-one days since May");
    await ada.press({ channel: general.id, ts }, "answer_bad", `bad:${ref}`);
    await workspace.until(() => ada.ephemerals().length > 0);
    expect(ada.ephemerals().map(({ shown }) => shown)).toEqual([
      expect.stringContaining("Do you want to ask a person?"),
    ]);
    expect(feedbackOf(place)).toMatchObject([{ is_positive: 0 }]);
    place.expectNoRefusals();
  });

  it("that is given twice at the same moment goes to the server once, and opens one form", async () => {
    const place = await town();
    const { workspace, ada, general, knowledge } = place;
    const { ts, ref } = await answered(place);
    // So that both are heard of before either is done.
    knowledge.fault = async () => {
      await delay(300);
      return undefined;
    };
    const press = (action: string, value: string) => ada.press({ channel: general.id, ts }, action, `${value}:${ref}`);
    await Promise.all([press("answer_good", "good"), press("answer_good", "good")]);
    await expect.poll(() => place.bot.context.store.recall(`judgement:${ref}:${ada.user.id}`)).toBe("good");
    await Promise.all([press("answer_bad", "bad"), press("answer_bad", "bad")]);
    const modal = await workspace.until(() => ada.modals().at(-1));
    await delay(500);
    expect(ada.modals()).toHaveLength(1);
    expect(feedbackCalls(place)).toBe(1);
    await Promise.all([ada.submit(modal.id, { words: "Thirty-one." }), press("answer_bad", "bad")]);
    await expect.poll(() => feedbackCalls(place)).toBe(2);
    await expect.poll(() => JSON.stringify(feedbackOf(place))).toContain("Thirty-one");
    await idle(place);
    expect(feedbackCalls(place)).toBe(2);
  });

  it("that an answer was bad is one record also where the form is closed without a word", async () => {
    const place = await town();
    const { workspace, ada, general } = place;
    const { ts, ref } = await answered(place);
    await ada.press({ channel: general.id, ts }, "answer_bad", `bad:${ref}`);
    const modal = await workspace.until(() => ada.modals().at(-1));
    await ada.dismiss(modal.id);
    await expect.poll(() => feedbackCalls(place)).toBe(1);
    await expect.poll(() => feedbackOf(place).length).toBe(1);
    await workspace.until(() => ada.ephemerals().length > 0);
    expect(ada.ephemerals()).toHaveLength(1);
  });

  it("of others is noted by person and does not speak for the asker; strangers and forged values do nothing", async () => {
    const place = await town();
    const { workspace, bo, general, bot } = place;
    const { ts, ref } = await answered(place);
    await bo.press({ channel: general.id, ts }, "answer_good", `good:${ref}`);
    await expect.poll(() => bot.context.store.recall(`judgement:${ref}:${bo.user.id}`)).toBe("good");
    const guest = workspace.addUser({ name: "gus", kind: "guest" });
    await guest.join(general.id).catch(() => undefined);
    await guest.press({ channel: general.id, ts }, "answer_good", `good:${ref}`);
    expect(await told(place, guest, 1)).toEqual(["Only members of this workspace can do this."]);
    expect(await answerBehind(bot.context, { user: bo.user.id, channel: general.id, ref: "NOSUCHTASK" })).toBe(
      undefined,
    );
    expect((await told(place, bo, 1)).at(-1)).toContain("no longer know");
    const elsewhere = workspace.dmOf(bo.user.id).id;
    expect(await answerBehind(bot.context, { user: bo.user.id, channel: elsewhere, ref })).toBe(undefined);
    expect(feedbackCalls(place)).toBe(0);
    expect(await bot.context.store.recall(`judgement:${ref}:${guest.user.id}`)).toBeUndefined();
  });

  it("that the server does not take can be given again", async () => {
    const place = await town();
    const { ada, bot, general, knowledge } = place;
    const { ts, threadTs, ref } = await answered(place);
    knowledge.fault = async () => Response.json({ detail: "broken" }, { status: 500 });
    await ada.press({ channel: general.id, ts }, "answer_good", `good:${ref}`);
    expect(await told(place, ada, 1)).toEqual([expect.stringContaining("could not pass this on")]);
    expect(ada.ephemerals(general.id)[0]?.threadTs).toBe(threadTs);
    knowledge.fault = undefined;
    await ada.press({ channel: general.id, ts }, "answer_good", `good:${ref}`);
    await expect.poll(() => bot.context.store.recall(`judgement:${ref}:${ada.user.id}`)).toBe("good");
  });
});

describe("“Ask a person”", LONG, () => {
  it("calls the channel's helpers into the thread, once, until somebody resolves it", async () => {
    const place = await town();
    const { workspace, ada, bo, general } = place;
    place.setRules(`channels:\n  ${general.id}:\n    helpers: [${bo.user.id}, S0NIGHT]\n`);
    await workspaceRules(place);
    const { ts, threadTs, ref } = await answered(place);
    expect(JSON.stringify(workspace.message(general.id, ts)?.blocks)).toContain("Ask a person");
    await ada.press({ channel: general.id, ts }, "answer_human", ref);
    const call = await workspace.until(() =>
      workspace.messages(general.id, threadTs).find(({ text }) => text.includes("needs a person")),
    );
    expect(call.text).toBe(
      `:raising_hand: <@${bo.user.id}> <!subteam^S0NIGHT>: <@${ada.user.id}> needs a person for this question: ${QUESTION}`,
    );
    await ada.press({ channel: general.id, ts }, "answer_human", ref);
    expect(await told(place, ada, 1)).toEqual(["They have been called already."]);
    await bo.press({ channel: general.id, ts: call.ts }, "help_resolve", ref);
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("marked this as resolved"));
    expect(workspace.message(general.id, call.ts)?.shown).not.toContain("[Mark as resolved]");
    expect(workspace.messages(general.id, threadTs).filter(({ text }) => text.includes("needs a person"))).toEqual([]);
    place.expectNoRefusals();
  });

  it("calls into the thread that the bot began for an answer somebody shared", async () => {
    const place = await town();
    const { workspace, ada, bo, general } = place;
    place.setRules(`channels:\n  ${general.id}:\n    helpers: [${bo.user.id}, S0NIGHT]\n`);
    await workspaceRules(place);
    await ada.command(general.id, "/ask", QUESTION);
    const own = await workspace.until(() =>
      ada.ephemerals(general.id).find(({ blocks }) => JSON.stringify(blocks).includes("answer_share")),
    );
    await ada.press({ channel: general.id, ts: own.ts }, "answer_share");
    const begun = await workspace.until(() =>
      workspace.messages(general.id).find(({ text }) => text.includes("asked:")),
    );
    const shared = await workspace.until(() =>
      workspace.messages(general.id, begun.ts).find(({ blocks }) => JSON.stringify(blocks).includes("answer_human")),
    );
    await ada.press({ channel: general.id, ts: shared.ts }, "answer_human");
    await expect
      .poll(() => workspace.messages(general.id, begun.ts).map(({ text }) => text))
      .toContainEqual(expect.stringContaining("needs a person"));
    place.expectNoRefusals();
  });

  it("is offered below an answer only where somebody is named", async () => {
    const place = await town();
    const { general, workspace } = place;
    const { ts } = await answered(place);
    expect(JSON.stringify(workspace.message(general.id, ts)?.blocks)).not.toContain("Ask a person");
  });
});

/** The rules file is followed; resolves when its helpers hold. */
async function workspaceRules({ bot, general }: Town): Promise<void> {
  const began = performance.now();
  while (bot.context.rules().channels.get(general.id)?.helpers.length !== 2) {
    if (performance.now() - began > 20_000) throw new Error("The rules were not reloaded.");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("“Why no answer?”", LONG, () => {
  it("shows what was decided, step by step, and never the message", async () => {
    const place = await town({ rules: "defaults:\n  who_may_ask: [U0NOBODY]\n" });
    const { workspace, ada, general } = place;
    const ts = await ada.mention(general.id, "canary-question what is the leave?");
    await place.answered(general.id, ts).catch(() => undefined);
    await ada.shortcut("why_message", { channel: general.id, ts });
    const modal = JSON.stringify(await workspace.until(() => ada.modals().at(-1)));
    expect(modal).toContain("The bot was mentioned.");
    expect(modal).toContain("not among those who may ask here");
    expect(modal).not.toContain("canary");
    expect(modal).toMatch(/\d{1,2} \w{3,4}, \d\d:\d\d:\d\d (?:UTC|GMT)/);
    expect(modal.replaceAll(/<[#@]\w+>/g, "")).not.toContain(general.id);
    place.expectNoRefusals();
  });

  it("names what can be the cause where nothing is known", async () => {
    const place = await town();
    const { workspace, ada, general } = place;
    const ts = await ada.say(general.id, "just talk");
    await ada.shortcut("why_message", { channel: general.id, ts });
    const modal = JSON.stringify(await workspace.until(() => ada.modals().at(-1)));
    expect(modal).toContain("I know nothing about this message");
    expect(modal).toContain("only when I am mentioned");
    place.expectNoRefusals();
  });
});
