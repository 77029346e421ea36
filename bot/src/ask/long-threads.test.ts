import { describe, expect, it } from "vitest";
import { registerMessages } from "../listeners.ts";
import { hearOfKept, registerPins } from "../pins/pin-listener.ts";
import { startKnowledge, startPinsBot, until } from "../testing/pins-setup.ts";
import { idle, type Town, useTowns } from "../testing/running-bot.ts";

const PIN_LISTENERS = [registerMessages([hearOfKept]), registerPins];

const town = useTowns();

const LONG = { timeout: 120_000 };
const QUESTION = "How many days of annual leave do I have?";

/** A thread people wrote before the bot came. */
async function longThread(
  { workspace, ada, bo }: Town,
  count: number,
  write: (index: number) => string = (index) => `note ${index}`,
): Promise<{ channel: string; root: string; replies: string[] }> {
  const { id: channel } = workspace.addChannel({
    name: `long-${count}`,
    members: [ada.user.id, bo.user.id],
    withApp: false,
  });
  const root = await ada.say(channel, "The first of very many");
  const replies: string[] = [];
  for (let index = 1; index < count; index += 1) {
    replies.push(await bo.say(channel, write(index), { threadTs: root }));
  }
  workspace.inviteApp(channel);
  return { channel, root, replies };
}

const reads = ({ workspace }: Town): number =>
  workspace.calls.filter(({ method }) => method === "conversations.replies").length;

/** Asks in a thread; what the bot answered. Looked at once, at the end: the threads are long. */
async function ask(place: Town, { channel, root }: { channel: string; root: string }): Promise<string> {
  await place.ada.mention(channel, QUESTION, { threadTs: root });
  return answered(place, { channel, root });
}

async function answered(place: Town, { channel, root }: { channel: string; root: string }): Promise<string> {
  await expect.poll(() => place.knowledge.asked.length, { timeout: 60_000 }).toBe(1);
  await idle(place);
  const answers = place.answers(channel, root);
  expect(answers).toHaveLength(1);
  return answers[0]?.shown ?? "";
}

/** A thread of so many messages, ten seconds apart until now: how many reads find its end depends on how they are spread. */
async function evenThread(count: number) {
  let now = Date.now() - count * 10_000;
  const place = await town({ workspace: { now: () => now } });
  const thread = await longThread(place, count, (index) => {
    now += 10_000;
    return `note ${index}`;
  });
  now = Date.now();
  return { place, ...thread };
}

describe("a question in a thread of", LONG, () => {
  it.each([1_300, 5_000, 10_000])("%i messages is answered with the newest of them, in few calls", async (count) => {
    const { place, channel, root } = await evenThread(count);
    const before = reads(place);
    const answer = await ask(place, { channel, root });
    expect(answer).toContain("thirty days");
    const sent = String(place.knowledge.asked[0]?.["additional_context"]);
    expect(sent).toContain("The first of very many");
    expect(sent).toContain(`note ${count - 1}`);
    expect(sent).toContain(`note ${count - 30}`);
    expect(answer).toMatch(/This thread is long: \d+ messages were left out/);
    expect(reads(place) - before).toBeLessThanOrEqual(3);
    place.expectNoRefusals();
  });

  it("5,000 messages of which nearly all came at once, at its end, is answered with the newest", async () => {
    let now = Date.now() - 40 * 86_400_000;
    const place = await town({ workspace: { now: () => now } });
    const { channel, root } = await longThread(place, 5_000, (index) => {
      now += index < 300 ? 3_600_000 : 1;
      return `note ${index}`;
    });
    now = Date.now();
    const before = reads(place);
    await ask(place, { channel, root });
    expect(String(place.knowledge.asked[0]?.["additional_context"])).toContain("note 4990");
    expect(reads(place) - before).toBeLessThanOrEqual(10);
  });

  it("2,000 messages that goes on growing is answered from what stood before it", async () => {
    const place = await town();
    const { channel, root } = await longThread(place, 2_000);
    place.workspace.faults.delay("conversations.replies", 700, { before: true });
    await place.ada.mention(channel, QUESTION, { threadTs: root });
    for (let later = 0; later < 300; later += 1) await place.bo.say(channel, `later ${later}`, { threadTs: root });
    const answer = await answered(place, { channel, root });
    const sent = String(place.knowledge.asked[0]?.["additional_context"]);
    expect(sent).toContain("note 1999");
    expect(sent).not.toContain("later");
    expect(answer).toContain("left out of what I read");
  });

  it("1,500 messages whose first one was deleted is answered", async () => {
    const place = await town();
    const { channel, root } = await longThread(place, 1_500);
    await place.ada.delete(channel, root);
    expect(await ask(place, { channel, root })).toContain("thirty days");
    const sent = String(place.knowledge.asked[0]?.["additional_context"]);
    expect(sent).toContain("note 1499");
    expect(sent).not.toContain("This message was deleted");
  });

  it("1,500 messages whose reads are refused half-way is answered from what was read, and says so", async () => {
    const place = await town();
    const { channel, root } = await longThread(place, 1_500);
    const { workspace } = place;
    place.workspace.faults.delay("conversations.replies", 300);
    await place.ada.mention(channel, QUESTION, { threadTs: root });
    await workspace.until(() => workspace.calls.some(({ method }) => method === "conversations.replies"));
    workspace.faults.refuse("conversations.replies", "invalid_arguments", { times: 1 });
    const answer = await answered(place, { channel, root });
    expect(answer).toContain("thirty days");
    expect(answer).toContain("left out of what I read");
  });

  it("1,500 messages whose reads fail half-way is answered once when Slack answers again", async () => {
    const place = await town({ parts: { patience: { restMs: 200 } } });
    const { channel, root } = await longThread(place, 1_500);
    const { workspace } = place;
    workspace.faults.delay("conversations.replies", 300);
    await place.ada.mention(channel, QUESTION, { threadTs: root });
    await workspace.until(() => workspace.calls.some(({ method }) => method === "conversations.replies"));
    workspace.faults.fail("conversations.replies", { status: 503, times: 3 });
    expect(await answered(place, { channel, root })).toContain("thirty days");
  });

  it("1,500 messages that was deleted before it was answered stays unanswered", async () => {
    const place = await town();
    const { channel, root } = await longThread(place, 1_500);
    place.workspace.faults.delay("conversations.replies", 500, { before: true });
    const ts = await place.ada.mention(channel, QUESTION, { threadTs: root });
    await place.ada.delete(channel, ts);
    const trace = () => place.bot.context.store.traceOf(`${place.workspace.team.id}:${channel}:${ts}`);
    await expect
      .poll(async () => (await trace()).map(({ words }) => words), { timeout: 60_000 })
      .toContain("The question was deleted before it was answered.");
    await idle(place);
    expect(place.answers(channel, root)).toEqual([]);
  });
});

describe("a pin in a thread of", LONG, () => {
  it.each([
    { count: 1_300, at: "root", kept: ["The first of very many", "note 900"], says: /Cut here/ },
    { count: 5_000, at: "root", kept: ["The first of very many", "note 900"], says: /Cut here/ },
    {
      count: 1_300,
      at: "end",
      kept: ["The first of very many", "note 1299", "note 1290"],
      says: /1268 messages are left out/,
    },
    {
      count: 10_000,
      at: "end",
      kept: ["The first of very many", "note 9999", "note 9990"],
      says: /9968 messages are left out/,
    },
  ])(
    "$count messages, at its $at, becomes a document that says what was left out",
    async ({ count, at, kept, says }) => {
      const { place, channel, root, replies } = await evenThread(count);
      await place.bot.stop();
      const knowledge = startKnowledge();
      const rules = `channels:\n  ${channel}:\n    pins: members\n`;
      const bot = await startPinsBot({ workspace: place.workspace, knowledge, registers: PIN_LISTENERS, rules });
      try {
        const ts = at === "root" ? root : (replies.at(-1) ?? "");
        const before = reads(place);
        await place.ada.pin(channel, ts);
        await until(async () => (await bot.context.store.findPin(channel, ts))?.state === "indexed");
        const document = await knowledge.texts();
        for (const words of kept) expect(document).toContain(words);
        expect(document).toMatch(says);
        expect(reads(place) - before).toBeLessThanOrEqual(8);
      } finally {
        await bot.stop();
        await knowledge.close();
      }
    },
  );
});
