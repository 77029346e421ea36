import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { withoutConversation } from "../ask/turn.ts";
import { CAN_CONNECT, connectAccount, disconnectAccount, personKey } from "../testing/own-accounts.ts";
import { idle, useTowns } from "../testing/running-bot.ts";
import { scriptedAnswer } from "../testing/scripted-answer.ts";

const town = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 120_000 };
const SECRET = "HALIBUT-CANARY";

/** A town in which Ada's own account is answered packet by packet. */
async function scriptedTown(env: Readonly<Record<string, string>> = {}) {
  const place = await town({ env: { ...CAN_CONNECT, ...env } });
  const { knowledge, workspace, ada } = place;
  const key = personKey(knowledge, "ada");
  await connectAccount(workspace, ada, key);
  const script = scriptedAnswer();
  knowledge.fault = async (request) =>
    request.url.endsWith("send-chat-message") && request.headers.get("authorization") === `Bearer ${key}`
      ? script.response
      : undefined;
  return Object.assign(place, { key, script, dm: workspace.dmOf(ada.user.id).id });
}

it("what is kept of a question once its account is disconnected holds no word of its answer", () => {
  const delivery = { stage: "closed", messages: [], doubts: { starts: [SECRET], posts: false } };
  const kept = withoutConversation({ key: "own:1", ending: "answered", conversation: { messageId: 2 }, delivery });
  expect(kept).toMatchObject({ ending: "answered", delivery: { stage: "closed" } });
  expect(JSON.stringify(kept)).not.toMatch(/CANARY|own:1|messageId/);
});

describe("an account whose person left", LONG, () => {
  it("is forgotten also where Slack told it while no bot was there to hear", async () => {
    let ahead = 0;
    const place = await town({
      env: CAN_CONNECT,
      // An app that is not told of people.
      workspace: { app: { commands: ["/ask"], events: ["app_home_opened", "message.im"] } },
      parts: { now: () => Date.now() + ahead },
    });
    const { workspace, ada, bo, knowledge } = place;
    for (const person of [ada, bo]) await connectAccount(workspace, person, personKey(knowledge, person.user.name));
    await place.bot.stop();
    workspace.deactivate(ada.user.id);
    ahead = 600_000;
    await place.restart();
    const { store, self } = place.bot.context;
    await expect
      .poll(async () => (await store.allAccounts()).map(({ holder }) => holder), { timeout: 20_000 })
      .toEqual([`${self.teamId}:${bo.user.id}`]);
  });
});

describe("an account that is disconnected while an answer with it is written", LONG, () => {
  it.each([
    ["streamed", {}],
    ["posted at its end", { STREAMING: "off" }],
  ])("leaves nothing of the answer, which is %s, to see or to keep", async (_, env) => {
    const place = await scriptedTown(env);
    const { workspace, ada, bot, dm, script } = place;
    const marks = (await bot.context.store.allAccounts()).map(({ id }) => id);
    const ts = await ada.dm("What is the merger called?");
    const shown = (): string => JSON.stringify(place.answers(dm, ts));
    await workspace.until(() => place.knowledge.asked.length > 0, 20_000);
    script.say(`The merger is called ${SECRET}.\n\n${"It is told of in the book of harbours. ".repeat(20)}\n\n`);
    if (!("STREAMING" in env)) await workspace.until(() => shown().includes(SECRET), 20_000);
    await disconnectAccount(workspace, ada);
    // The server is not read any further, whatever it goes on to say.
    await Promise.race([script.left, delay(10_000).then(() => expect.unreachable("the server is read on"))]);
    await idle(place);
    expect(shown()).not.toContain(SECRET);
    expect(shown()).toContain("disconnected");
    const task = await bot.context.store.findByKey(`question:${bot.context.self.teamId}:${dm}:${ts}`);
    expect(JSON.stringify(task?.progress ?? {})).not.toContain(marks[0]);
  });

  it("leaves nothing where the answer was complete, and not yet shown", async () => {
    const place = await scriptedTown({ STREAMING: "off" });
    const { workspace, ada, dm, script, bot } = place;
    const ts = await ada.dm("What is the merger called?");
    await workspace.until(() => place.knowledge.asked.length > 0, 20_000);
    script.say(`The merger is called ${SECRET}.`);
    // By the command line, or another instance: this one is told nothing.
    await bot.context.accounts.remove(ada.user.id);
    script.end();
    await idle(place);
    expect(JSON.stringify(place.answers(dm, ts))).not.toContain(SECRET);
  });
});
