import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { idle, KEYS, type Town, type TownOptions, useTowns } from "../testing/running-bot.ts";
import { toldBelow } from "../testing/told-below.ts";
import { closeGap, closeGapOf, gapOfQuestion, reopenGap } from "./tell-askers.ts";
import { lookAtGaps } from "./look-at-gaps.ts";
import { noteQuestion } from "./note-question.ts";

const town = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const BOAT = "Where is the spare key of the boat house?";
const BOAT_AGAIN = "The boat house: where are its spare keys?";
const LEAVE = "How many days of annual leave do I have?";

/** The bot may note gaps at the server. */
const AT_SERVER: TownOptions = { env: { THREADLORE_INGEST_KEY: KEYS.owner } };

const waitingOf = ({ bot, workspace }: Town, user: string) =>
  bot.context.store.waitingOf(`${workspace.team.id}:${user}`);

/** Asks in a channel and waits for the end of the answer. */
async function ask(place: Town, who: Town["ada"], channel: string, text: string, threadTs?: string): Promise<string> {
  const before = threadTs === undefined ? 0 : place.answers(channel, threadTs).length;
  const ts = await who.mention(channel, text, threadTs === undefined ? {} : { threadTs });
  await place.answered(channel, threadTs ?? ts, before + 1);
  await idle(place);
  return ts;
}

/** What answers the question about the boat house. */
function closingIn(place: Town, channel: string, over: { owner?: string; documentId?: string } = {}) {
  const { bo, workspace } = place;
  const permalink = `https://${workspace.team.domain}.slack.com/archives/${channel}/p1700000000000100`;
  return { documentId: "boat", title: BOAT, permalink, owner: bo.user.id, beginning: "Under the mat.", ...over };
}

async function close(place: Town, gap: string | undefined, channel: string, over = {}): Promise<void> {
  await closeGap(place.bot.context, gap ?? "none", closingIn(place, channel, over));
  await idle(place);
}

describe.each([
  ["in the bot's own store", {}, /^o\d+$/],
  ["at the server", AT_SERVER, /^s\d+$/],
] as const)("a question nobody could answer, %s", LONG, (_where, options, id) => {
  it("is noted once, with its words where everybody could read it, and its asker is told once, where they asked", async () => {
    const place = await town(options);
    const { ada, bo, general } = place;
    await place.knowledge.add({ id: "boat", title: "Keys", text: "Nothing about it." });
    const ts = await ask(place, ada, general.id, `${BOAT} Ask <@${bo.user.id}>`);
    const [waiting, ...others] = await waitingOf(place, ada.user.id);
    expect(others).toEqual([]);
    expect(waiting).toMatchObject({
      gap: expect.stringMatching(id),
      isShared: true,
      reasons: ["nothing"],
      words: `${BOAT} Ask Bo Lind`,
      where: { channel: general.id, thread: ts },
    });
    for (const _ of [1, 2]) await close(place, waiting?.gap, general.id);
    expect(toldBelow(place, general.id, ts)).toEqual([
      expect.stringContaining(`<@${ada.user.id}>: Bo Lind has answered your question: <`),
    ]);
    expect(toldBelow(place, general.id, ts)[0]).toContain("Under the mat.");
  });

  it("of a direct message or a command is kept without its words, and told of to its asker alone", async () => {
    const place = await town(options);
    const { ada, bo, general, workspace } = place;
    const dm = workspace.dmOf(ada.user.id);
    const ts = await ada.dm(BOAT);
    await place.answered(dm.id, ts);
    await bo.command(general.id, "/ask", BOAT_AGAIN);
    await workspace.until(() => bo.ephemerals(general.id).length > 0);
    await idle(place);
    const [first] = await waitingOf(place, ada.user.id);
    const [second] = await waitingOf(place, bo.user.id);
    expect(first).toMatchObject({ isShared: false, where: { channel: dm.id, thread: ts } });
    expect(second).toMatchObject({ isShared: false, gap: first?.gap });
    expect([first?.words, second?.words, second?.where]).toEqual([undefined, undefined, undefined]);
    await close(place, first?.gap, general.id, { owner: "UNOBODY" });
    expect(toldBelow(place, dm.id, ts)).toEqual([expect.stringContaining("Under the mat.")]);
    const own = workspace.messages(workspace.dmOf(bo.user.id).id);
    expect(own.map(({ text }) => text)).toEqual([expect.stringContaining(`your question “${BOAT_AGAIN}”`)]);
    expect(workspace.messages(general.id)).toEqual([]);
  });

  it("asked by several in one thread is told of in one message, and to everybody once, where they asked last", async () => {
    const place = await town(options);
    const { ada, bo, general, workspace } = place;
    const cy = workspace.addUser({ name: "cy" });
    await cy.join(general.id);
    const first = await ask(place, ada, general.id, BOAT);
    await ask(place, bo, general.id, BOAT_AGAIN, first);
    const alone = await ask(place, cy, general.id, BOAT);
    const last = await ask(place, cy, general.id, BOAT_AGAIN);
    const gaps = await place.bot.context.gaps.list(10).catch(() => []);
    expect(gaps).toMatchObject([{ people: 3, words: BOAT }]);
    await close(place, (await waitingOf(place, cy.user.id))[0]?.gap, general.id, { owner: "UNOBODY" });
    const inFirst = place.answers(general.id, first).map(({ text }) => text);
    expect(inFirst.filter((text) => text.includes("has answered"))).toEqual([
      expect.stringContaining(`<@${ada.user.id}> <@${bo.user.id}>: `),
    ]);
    expect(toldBelow(place, general.id, alone)).toEqual([]);
    expect(toldBelow(place, general.id, last)).toEqual([expect.stringContaining(`<@${cy.user.id}>: `)]);
  });

  it("is forgotten with its message, and noted anew when that is edited", async () => {
    const place = await town(options);
    const { ada, general } = place;
    const ts = await ask(place, ada, general.id, BOAT);
    const [before] = await waitingOf(place, ada.user.id);
    await ada.edit(general.id, ts, `<@${place.workspace.app.botUserId}> Who signs the travel form for Norway?`);
    await expect.poll(async () => (await waitingOf(place, ada.user.id))[0]?.words).toContain("Norway");
    const [after] = await waitingOf(place, ada.user.id);
    expect(after?.ref).toBe(before?.ref);
    expect(after?.gap).not.toBe(before?.gap);
    await idle(place);
    await ada.delete(general.id, ts);
    await expect.poll(() => waitingOf(place, ada.user.id)).toEqual([]);
  });
});

describe("a question", LONG, () => {
  it("is told of by its own task, and once more never, though what closed it was opened again", async () => {
    const place = await town();
    const { ada, bo, general, bot, workspace } = place;
    const { context } = bot;
    const ts = await ada.mention(general.id, BOAT);
    await expect.poll(() => context.store.backlog()).not.toEqual({ waiting: 0, running: 0 });
    const task = (await context.store.findByKey(`question:${workspace.team.id}:${general.id}:${ts}`))?.id ?? "";
    // While it is still answered.
    await closeGapOf(context, task, closingIn(place, general.id));
    await idle(place);
    const gap = (await gapOfQuestion(context, task)) ?? "";
    expect(toldBelow(place, general.id, ts)).toHaveLength(1);
    await reopenGap(context, gap, "1");
    await idle(place);
    expect(await context.store.ownGap(gap)).toMatchObject({ state: "open" });
    const later = await ask(place, bo, general.id, BOAT_AGAIN);
    expect(toldBelow(place, general.id, later)).toHaveLength(0);
    await close(place, gap, general.id, { owner: "UNOBODY", documentId: "other" });
    expect(toldBelow(place, general.id, later)).toHaveLength(1);
    expect(toldBelow(place, general.id, ts)).toHaveLength(1);
    // Whoever asks after it was closed, and finds nothing still, is told at once.
    const { user } = ada;
    const cy = workspace.addUser({ name: "cy" });
    await cy.join(general.id);
    const last = await ask(place, cy, general.id, BOAT);
    expect(toldBelow(place, general.id, last)).toEqual([expect.stringContaining(`<@${cy.user.id}>: somebody`)]);
    expect(user.id).not.toBe(cy.user.id);
  });

  it("asked again is the same one, and waits no more once it is answered, unless its asker marked an answer as bad", async () => {
    const place = await town();
    const { ada, general, knowledge } = place;
    const ts = await ask(place, ada, general.id, BOAT);
    const [answer] = place.answers(general.id, ts);
    await ada.press({ channel: general.id, ts: answer?.ts ?? "" }, "answer_regenerate");
    await place.answered(general.id, ts, 2);
    await idle(place);
    expect(await waitingOf(place, ada.user.id)).toHaveLength(1);
    await knowledge.add({
      id: "boat",
      title: "The boat house",
      text: "The spare key of the boat house is under the mat.",
    });
    // In other words, by themselves.
    const again = await ask(place, ada, general.id, `${BOAT.toUpperCase()}`);
    expect(place.answers(general.id, again)[0]?.shown).toContain("under the mat");
    expect(await waitingOf(place, ada.user.id)).toEqual([]);
    const leave = await ask(place, ada, general.id, LEAVE);
    const shown = place.answers(general.id, leave)[0];
    await ada.press({ channel: general.id, ts: shown?.ts ?? "" }, "answer_bad");
    await place.workspace.until(() => ada.modals().length > 0);
    await ada.dismiss(ada.modals()[0]?.id ?? "");
    await expect.poll(() => waitingOf(place, ada.user.id)).toMatchObject([{ reasons: ["bad_mark"], words: LEAVE }]);
    await ada.press({ channel: general.id, ts: shown?.ts ?? "" }, "answer_good");
    await expect.poll(() => waitingOf(place, ada.user.id)).toEqual([]);
  });

  it("whose asker agreed may be read by others", async () => {
    const place = await town();
    const { ada, bot, workspace } = place;
    const dm = workspace.dmOf(ada.user.id);
    const ts = await ada.dm(BOAT);
    await place.answered(dm.id, ts);
    await idle(place);
    const task = await bot.context.store.findByKey(`question:${workspace.team.id}:${dm.id}:${ts}`);
    const question = { team: workspace.team.id, channel: dm.id, ts, user: ada.user.id, private: false };
    const noted = { taskId: task?.id ?? "", question, reason: "human" as const, isAgreed: true };
    await noteQuestion(bot.context, noted);
    await noteQuestion(bot.context, noted);
    await idle(place);
    expect(await waitingOf(place, ada.user.id)).toMatchObject([
      { isShared: true, words: BOAT, reasons: ["nothing", "human"] },
    ]);
  });

  it("of somebody who wants to be forgotten is forgotten, also where it is still to be noted", async () => {
    const place = await town(AT_SERVER);
    const { ada, general, knowledge, bot } = place;
    await ask(place, ada, general.id, BOAT);
    const [waiting] = await waitingOf(place, ada.user.id);
    expect(waiting?.gap).toMatch(/^s/);
    // The server is away for whatever is asked next.
    let isAway = true;
    knowledge.fault = async ({ url, method }) =>
      isAway && method === "POST" && url.includes("/gaps/questions") ? new Response("", { status: 503 }) : undefined;
    const ts = await ada.mention(general.id, "Who signs the travel form for Norway?");
    await place.answered(general.id, ts);
    await pause(500);
    const say = await ada.command(general.id, "/ask", "gaps forget");
    expect(JSON.stringify(say ?? ada.ephemerals(general.id).map(({ text }) => text))).toContain("forgotten");
    isAway = false;
    await idle(place);
    expect(await waitingOf(place, ada.user.id)).toEqual([]);
    expect(await bot.context.gaps.list(10)).toEqual([]);
  });
});

describe("gaps of the server", LONG, () => {
  const OTHERS = [
    "Who signs the travel form for Norway?",
    "When does the ferry to Bergen leave?",
    "How do I order toner for the printer?",
    "Which insurance covers rented trailers?",
  ];

  /** What the bot asks of the server's gaps from now on, each with how it is answered where that is said. */
  function heard({ knowledge }: Town, reply: (path: string) => Response | undefined = () => undefined): string[] {
    const calls: string[] = [];
    knowledge.fault = async ({ url, method }) => {
      const [, path] = /\/gaps\/(.*)$/.exec(url) ?? [];
      if (path === undefined) return undefined;
      calls.push(`${method} ${path}`);
      return reply(path);
    };
    return calls;
  }

  it("are looked at with one call when several are closed at once, however many people wait in", async () => {
    const place = await town(AT_SERVER);
    const { ada, bo, general, knowledge } = place;
    await knowledge.add({ id: "boat", title: "Keys", text: "Nothing about it." });
    for (const words of OTHERS) await ask(place, ada, general.id, words);
    await ask(place, bo, general.id, BOAT);
    const calls = heard(place);
    const gaps = (await waitingOf(place, ada.user.id)).map(({ gap }) => gap);
    await Promise.all(
      gaps
        .slice(0, 3)
        .map((gap) => closeGap(place.bot.context, gap, closingIn(place, general.id, { owner: "UNOBODY" }))),
    );
    await idle(place);
    expect(calls.filter((call) => call.endsWith("/close"))).toHaveLength(3);
    // One, or one more where the moment in which looks are put together ended between them.
    const others = calls.filter((call) => !call.endsWith("/close"));
    expect(new Set(others)).toEqual(new Set(["POST questions/standings"]));
    expect(others.length).toBeLessThanOrEqual(2);
  });

  it("that somebody else closed are told of to all who wait in them, and lost ones are noted again", async () => {
    const place = await town(AT_SERVER);
    const { ada, bo, general, knowledge, bot } = place;
    await knowledge.add({ id: "boat", title: "Keys", text: "Nothing about it." });
    const first = await ask(place, ada, general.id, BOAT);
    const second = await ask(place, bo, general.id, BOAT_AGAIN);
    const lost = await ask(place, bo, general.id, OTHERS[0] ?? "");
    const [waiting, other] = await waitingOf(place, bo.user.id);
    const { gaps: server } = bot.context.servers.ingest;
    await server.close(Number(waiting?.gap.slice(1)), "boat");
    await server.forget(other?.ref ?? "");
    await lookAtGaps(bot.context, "now");
    await idle(place);
    for (const ts of [first, second]) expect(toldBelow(place, general.id, ts)).toHaveLength(1);
    expect(toldBelow(place, general.id, lost)).toEqual([]);
    expect((await server.standings([other?.ref ?? ""])).questions).toMatchObject([{ state: "open" }]);
  });

  it("are asked after one by one where the server does not say of many", async () => {
    const place = await town(AT_SERVER);
    const { ada, general, knowledge, bot } = place;
    await knowledge.add({ id: "boat", title: "Keys", text: "Nothing about it." });
    const ts = await ask(place, ada, general.id, BOAT);
    const [waiting] = await waitingOf(place, ada.user.id);
    await bot.context.servers.ingest.gaps.close(Number(waiting?.gap.slice(1)), "boat");
    heard(place, (path) =>
      path.endsWith("standings") ? Response.json({ detail: "Not Found" }, { status: 404 }) : undefined,
    );
    await lookAtGaps(bot.context, "now");
    await idle(place);
    expect(toldBelow(place, general.id, ts)).toHaveLength(1);
    await ask(place, ada, general.id, OTHERS[0] ?? "");
    expect((await waitingOf(place, ada.user.id)).map(({ gap }) => gap.slice(0, 1))).toEqual(["s", "s"]);
  });
});
