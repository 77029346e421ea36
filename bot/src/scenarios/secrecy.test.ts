import { describe, expect, it } from "vitest";
import { idle, type Town, useTowns } from "../testing/running-bot.ts";
import { scriptedAnswer } from "../testing/scripted-answer.ts";

const town = useTowns((one) => one.expectNoRefusals());

const LONG = { timeout: 120_000 };
const SECRET = "BLUEFIN-CANARY";

async function withSecret(place: Town): Promise<void> {
  await place.knowledge.add({
    id: "merger",
    title: "Merger",
    text: `The merger is called ${SECRET}, and nobody may know.`,
  });
}

describe("restricted documents", LONG, () => {
  it.each(["public", "private", "mpim"] as const)("are never answered from in a %s channel", async (kind) => {
    const place = await town({ restricted: true });
    const { ada, bo, workspace, knowledge } = place;
    await withSecret(place);
    const room = workspace.addChannel({
      name: `room-${kind}`,
      kind,
      members: [ada.user.id, bo.user.id],
      withApp: true,
    });
    const asked: string[] = [];
    for (let count = 0; count < 10; count += 1)
      asked.push(await ada.mention(room.id, `What is the merger called? (${count})`));
    for (const ts of asked) await place.answered(room.id, ts);
    await ada.command(room.id, "/ask", "What is the merger called?");
    await workspace.until(() =>
      ada
        .ephemerals(room.id)
        .some(({ shown }) => shown.includes("Ask again") || shown.includes("[Share]") || shown.includes("Reference")),
    );
    await idle(place);
    expect(knowledge.asked).toHaveLength(11);
    const everything = [...asked.flatMap((ts) => place.answers(room.id, ts)), ...ada.ephemerals()]
      .map(({ shown }) => shown)
      .join("\n");
    expect(everything).not.toContain(SECRET);
  });

  it("are answered from in a direct message", async () => {
    const place = await town({ restricted: true });
    await withSecret(place);
    const ts = await place.ada.dm("What is the merger called?");
    const dm = place.workspace.dmOf(place.ada.user.id);
    expect((await place.answered(dm.id, ts)).shown).toContain(SECRET);
  });

  it("of a private answer made with the wider key stay out of what is shared", async () => {
    const place = await town({
      restricted: true,
      rules: "defaults:\n  key: channel\n",
    });
    const { ada, general, workspace, knowledge } = place;
    await withSecret(place);
    place.setRules(`channels:\n  ${general.id}:\n    key: dm\n    answer: ephemeral\n`);
    await expect.poll(() => place.bot.context.rules().channels.get(general.id)?.key).toBe("dm");
    await ada.command(general.id, "/ask", "What is the merger called?");
    const shown = await workspace.until(() => ada.ephemerals(general.id).find((one) => one.shown.includes(SECRET)));
    await ada.press({ channel: general.id, ts: shown.ts }, "answer_share");
    const root = await workspace.until(() =>
      workspace.messages(general.id).find(({ text }) => text.includes("asked:")),
    );
    await place.answered(general.id, root.ts, 2);
    expect(knowledge.asked).toHaveLength(2);
    expect(
      workspace
        .messages(general.id, root.ts)
        .map(({ shown: said }) => said)
        .join("\n"),
    ).not.toContain(SECRET);
  });
});

describe("who is answered, and where", LONG, () => {
  const KINDS = ["member", "admin", "guest", "single_channel_guest", "stranger"] as const;
  const PLACES = ["public", "private", "mpim", "shared", "pending"] as const;

  it.each(PLACES)("in a %s channel only members and administrators, and nobody where it is shared", async (kind) => {
    const place = await town();
    const { workspace, knowledge } = place;
    const people = KINDS.map((one) => ({ one, person: workspace.addUser({ name: one, kind: one }) }));
    const isShared = kind === "shared" || kind === "pending";
    const room = workspace.addChannel({
      name: `room-${kind}`,
      kind: kind === "private" || kind === "mpim" ? kind : "public",
      members: people.map(({ person }) => person.user.id),
      withApp: true,
    });
    if (isShared) workspace.share(room.id, kind === "shared" ? "yes" : "pending");
    for (const { one, person } of people) {
      const ts = await person.mention(room.id, "How many days of annual leave do I have?");
      const answer = await place.answered(room.id, ts);
      const allowed = !isShared && (one === "member" || one === "admin");
      const wanted = allowed ? /thirty days/ : /^(?![^]*thirty days)[^]*(?:shared with another company|members)/;
      expect(answer.shown, `${one} in ${kind}`).toMatch(wanted);
    }
    expect(knowledge.asked).toHaveLength(isShared ? 0 : 2);
  });

  it("not any more when the channel is shared while the answer is written", async () => {
    const place = await town();
    const { ada, general, workspace, knowledge } = place;
    const script = scriptedAnswer();
    knowledge.fault = (request) =>
      Promise.resolve(request.url.endsWith("send-chat-message") ? script.response : undefined);
    const ts = await ada.mention(general.id, "What is the merger called?");
    script.say(`It is called ${SECRET}. `.repeat(10));
    await workspace.until(() => place.answers(general.id, ts)[0]?.text.includes(SECRET));
    workspace.share(general.id, "yes");
    script.say("And more.");
    script.end();
    await idle(place);
    const answers = place.answers(general.id, ts);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.shown).toContain("shared with another company");
    expect(answers[0]?.shown).not.toContain(SECRET);
  });

  it.each([
    [
      "the bot's own way to stop",
      (place: Town, partitionKey: string) => place.bot.context.inbox.requestStop(partitionKey),
    ],
    [
      "Slack's Stop button",
      (place: Town, partitionKey: string) => place.ada.stop(place.general.id, partitionKey.split(":").at(-1) ?? ""),
    ],
  ])("not even the part that was there when it was shared and then stopped, by %s", async (_, stop) => {
    const place = await town();
    const { ada, general, workspace, knowledge } = place;
    const script = scriptedAnswer();
    knowledge.fault = (request) =>
      Promise.resolve(request.url.endsWith("send-chat-message") ? script.response : undefined);
    const ts = await ada.mention(general.id, "What is the merger called?");
    script.say(`It is called ${SECRET}. `.repeat(10));
    await workspace.until(() => place.answers(general.id, ts)[0]?.text.includes(SECRET));
    workspace.share(general.id, "yes");
    await stop(place, `${workspace.team.id}:${general.id}:${ts}`);
    await idle(place);
    const answers = place.answers(general.id, ts);
    expect(answers.map(({ shown }) => shown).join()).not.toContain(SECRET);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.shown).toContain("shared with another company");
  });

  it("refuses with the reset time when a budget is used up", async () => {
    const place = await town({ env: { QUESTIONS_PER_USER: "2/h" } });
    const { ada, bo, general, knowledge } = place;
    for (let count = 0; count < 2; count += 1) {
      await place.answered(general.id, await ada.mention(general.id, "How many days of annual leave do I have?"));
    }
    const ts = await ada.mention(general.id, "How many days of annual leave do I have?");
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toMatch(/as many questions as one person may/);
    expect(knowledge.asked).toHaveLength(2);
    await place.answered(general.id, await bo.mention(general.id, "How many days of annual leave do I have?"));
    expect(knowledge.asked).toHaveLength(3);
  });
});

describe("other programs", LONG, () => {
  it("are not answered, unless the rules allow them, and then only so often", async () => {
    const place = await town();
    const { general, workspace, knowledge } = place;
    const robot = workspace.addUser({ name: "robot", kind: "bot" });
    await robot.join(general.id);
    const first = await robot.mention(general.id, "How many days of annual leave do I have?");
    await place.answered(general.id, await place.ada.mention(general.id, "How are train tickets booked?"));
    await idle(place);
    expect(place.answers(general.id, first)).toEqual([]);
    expect(knowledge.asked).toHaveLength(1);

    place.setRules(`defaults:\n  bots: [${robot.user.id}]\n`);
    await expect.poll(() => place.bot.context.rules().otherChannels.bots).toHaveLength(1);
    const root = await robot.mention(general.id, "How many days of annual leave do I have?");
    for (let count = 0; count < 9; count += 1)
      await robot.mention(general.id, "And how are train tickets booked?", { threadTs: root });
    await idle(place);
    expect(knowledge.asked.length - 1).toBeLessThanOrEqual(5);
    // Not even a refusal for the others: the other program could answer that.
    expect(place.answers(general.id, root)).toHaveLength(knowledge.asked.length - 1);
  });
});
