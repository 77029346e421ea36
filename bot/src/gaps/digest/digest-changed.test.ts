import type { Message, Person } from "@threadlore/chat-workspace";
import { describe, expect, it } from "vitest";
import { buttonOf } from "../../testing/buttons.ts";
import {
  DAY_MS,
  type DigestTown,
  type DigestTownOptions,
  digestsIn,
  digestTown,
  nextDigest,
  pressBelow,
  somebodyWaits,
  toldTo,
} from "../../testing/digest-town.ts";
import { forgedPresses } from "../../testing/forged-press.ts";
import { keepAnswer } from "../../testing/kept-answers.ts";
import { idle, useTowns } from "../../testing/running-bot.ts";
import { lookStillTrue } from "../still-true/look-still-true.ts";
import { changesAreTold, mayChange } from "./digest-changed.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 120_000 };
const QUESTION = "How many people have to be aboard the Gannet?";
const ANSWER = "Two people have to be aboard the Gannet inside the harbour.";
const TITLE = "Crews of our boats";
/** Says otherwise, of which no rule is sure. */
const OTHERWISE = "Nobody takes the Gannet out without three colleagues any more.";
const BOATS = ["Heron", "Plover", "Curlew", "Dunlin", "Whimbrel", "Turnstone"];
const PART = "Kept answers a newer document may change";

/** Long before what the server is told: whatever it found is new to the clock of the bot. */
const FRIDAY = Date.UTC(2026, 9, 2, 10);

/** A town where that is kept. */
async function town(options: DigestTownOptions = {}): Promise<DigestTown> {
  const place = await digestTown(open, { friday: FRIDAY, ...options });
  await keepAnswer(place, { question: QUESTION, answer: ANSWER });
  return place;
}

/** And as much of other boats. */
async function keepAll(place: DigestTown): Promise<void> {
  for (const boat of BOATS) {
    await keepAnswer(place, { question: QUESTION.replace("Gannet", boat), answer: ANSWER.replace("Gannet", boat) });
  }
}

/** A program sends a document: nobody brought it by hand. */
const programSends = ({ knowledge }: DigestTown, text = OTHERWISE): Promise<void> =>
  knowledge.add({ id: "crews", title: TITLE, text });

/** What the bot asked somebody directly. */
function askedOf({ workspace }: DigestTown, person: Person): readonly Message[] {
  const direct = workspace.channels().find(({ kind, members }) => kind === "im" && members.includes(person.user.id));
  const all = direct === undefined ? [] : workspace.messages(direct.id);
  return all.filter(({ user }) => user === workspace.app.botUserId);
}

const doubted = ({ knowledge }: DigestTown): readonly string[] =>
  knowledge.requests.filter((one) => one.endsWith("/kept-answers/doubted"));

describe("what a program’s document may change", LONG, () => {
  it("stands in the digest with both sentences; an administrator’s press has the owner asked, once", async () => {
    const place = await town();
    const { ada, bo, boss, admins, workspace } = place;
    await programSends(place);
    const digest = await nextDigest(place);
    for (const words of [PART, QUESTION, ANSWER, TITLE, OTHERWISE, "[Ask its owner]"]) {
      expect(digest.shown).toContain(words);
    }
    expect(askedOf(place, bo)).toEqual([]);
    await ada.join(admins.id);
    await pressBelow(ada, digest, "digest_changed");
    await workspace.until(() => toldTo(ada, admins.id).includes("Only administrators"));
    await idle(place);
    expect([doubted(place), askedOf(place, bo)]).toEqual([[], []]);
    await pressBelow(boss, digest, "digest_changed");
    await workspace.until(() => toldTo(boss, admins.id).includes("Bo Lind is asked whether it still holds"));
    await idle(place);
    await pressBelow(boss, digest, "digest_changed");
    await idle(place);
    await place.restart();
    await pressBelow(boss, digest, "digest_changed");
    await idle(place);
    for (let times = 0; times < 2; times += 1) await lookStillTrue(place.bot.context);
    await idle(place);
    const [asked, ...again] = askedOf(place, bo);
    expect(again).toEqual([]);
    for (const words of [QUESTION, "Two people", TITLE, "three colleagues"]) expect(asked?.shown).toContain(words);
    // It ends as every doubt does.
    const value = /"action_id":"still_holds","value":"([^"]+)"/.exec(JSON.stringify(asked?.blocks))?.[1] ?? "";
    await bo.press({ channel: asked?.channel ?? "", ts: asked?.ts ?? "" }, "still_holds", value);
    await idle(place);
    expect(askedOf(place, bo)[0]?.shown).toContain("Still true");
    await pressBelow(boss, digest, "digest_changed");
    await workspace.until(() => toldTo(boss, admins.id).includes("still holds, so nobody is asked again"));
    expect(askedOf(place, bo)).toHaveLength(1);
  });

  it("stands in one digest, also where nobody does anything; and in what an administrator looks at before", async () => {
    const place = await town();
    const { boss, general, workspace } = place;
    await somebodyWaits(place);
    await programSends(place);
    await boss.join(general.id);
    await boss.command(general.id, "/ask", "digest");
    await workspace.until(() => boss.ephemerals(general.id).some(({ shown }) => shown.includes(OTHERWISE)));
    const [first, second] = [await nextDigest(place), await nextDigest(place)];
    expect([first, second].map(({ shown }) => shown.includes(PART))).toEqual([true, false]);
    expect(second.shown).toContain("boat house");
    // What it says otherwise by then is another matter.
    await programSends(place, "Nobody takes the Gannet out without five colleagues any more.");
    expect((await nextDigest(place)).shown).toContain("five colleagues");
  });

  it("is chosen once for a week, however often its digest is begun, and told once it is posted; a look before takes nothing away", async () => {
    const place = await town();
    const { bot, admins, clock } = place;
    const { context } = bot;
    await programSends(place);
    const at = clock.now();
    const digest = { at, channel: admins.id };
    const shownIn = async (week?: string): Promise<number> =>
      (await mayChange(context, { ...digest, week })).rows.length;
    expect([await shownIn(), await shownIn(), await shownIn("one"), await shownIn("one")]).toEqual([1, 1, 1, 1]);
    // That one was never posted.
    expect([await shownIn(), await shownIn("two")]).toEqual([1, 1]);
    await changesAreTold(context, "two");
    expect([await shownIn(), await shownIn("three"), await shownIn("two")]).toEqual([0, 0, 1]);
  });

  it("that a digest which was stopped had chosen stands in it, also where nearer ones came since", async () => {
    const place = await town();
    const { bot, admins, clock, knowledge } = place;
    await keepAll(place);
    await knowledge.add({ id: "Heron", title: "Crew of the Heron", text: OTHERWISE.replace("Gannet", "Heron") });
    const digest = { at: clock.now(), channel: admins.id, week: "one" };
    const shown = async () => (await mayChange(bot.context, digest)).rows.map(({ newer }) => newer.title);
    expect(await shown()).toEqual(["Crew of the Heron"]);
    for (const boat of BOATS.slice(1)) {
      await knowledge.add({ id: boat, title: `Crew of the ${boat}`, text: OTHERWISE.replace("Gannet", boat) });
    }
    expect(await shown()).toEqual(["Crew of the Heron"]);
  });

  it.each([
    ["the document", "sources: [slack]"],
    ["the kept answer", "sources: [ingestion_api]"],
  ])("is not shown where the channel of the digest does not find %s", async (_which, inAdmins) => {
    const place = await town({ inAdmins });
    await somebodyWaits(place);
    await programSends(place);
    const { shown } = await nextDigest(place);
    expect(shown).toContain("boat house");
    for (const hidden of [PART, ANSWER, "three colleagues", TITLE]) expect(shown).not.toContain(hidden);
  });

  it("is not shown where the answer stands in a channel that is not everybody’s", async () => {
    const place = await town();
    const { general, workspace, bot } = place;
    await somebodyWaits(place);
    await programSends(place);
    workspace.convert(general.id, "private");
    await expect.poll(async () => (await bot.context.people.place(general.id))?.kind).toBe("private");
    const { shown } = await nextDigest(place);
    for (const hidden of [PART, QUESTION, ANSWER, "three colleagues"]) expect(shown).not.toContain(hidden);
  });

  it("is not shown where somebody pinned it and was asked about the same sentences", async () => {
    const place = await town({ inGeneral: "pins: members" });
    const { ada, general, bot } = place;
    await somebodyWaits(place);
    const ts = await ada.say(general.id, `${TITLE}\n${OTHERWISE}`);
    await ada.pin(general.id, ts);
    await expect.poll(async () => (await bot.context.store.findPin(general.id, ts))?.state).toBe("indexed");
    await idle(place);
    expect(ada.ephemerals(general.id).some(({ shown }) => shown.includes("three colleagues"))).toBe(true);
    expect((await nextDigest(place)).shown).not.toContain(PART);
  });

  it("is asked for of four weeks; a server that is away is waited for, one that has no such list is not", async () => {
    const place = await town();
    const { knowledge, clock, workspace, bot } = place;
    await somebodyWaits(place);
    await programSends(place);
    const asked: string[] = [];
    let reply: Response | undefined = new Response("", { status: 503 });
    knowledge.fault = ({ url }) => {
      if (!url.includes("/maybe-changed")) return Promise.resolve(undefined);
      asked.push(new URL(url).searchParams.get("since") ?? "");
      return Promise.resolve(reply?.clone());
    };
    clock.advance(3 * DAY_MS);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect(digestsIn(place)).toEqual([]);
    reply = undefined;
    clock.advance(600_000);
    const digest = await workspace.until(() => digestsIn(place)[0]);
    expect(digest.shown).toContain(PART);
    await idle(place);
    reply = Response.json({ detail: "Not Found" }, { status: 404 });
    const next = await nextDigest(place);
    expect(next.shown).toContain("boat house");
    expect(next.shown).not.toContain(PART);
    const at = Number(await bot.context.store.recall("digest gathered 2026-10-12"));
    expect(asked.at(-1)).toBe(new Date(at - 28 * DAY_MS).toISOString());
  });

  it("of which one digest has no room is shown by the next", async () => {
    const place = await town();
    const { knowledge } = place;
    await somebodyWaits(place);
    await keepAll(place);
    for (const boat of ["Gannet", ...BOATS]) {
      await knowledge.add({ id: boat, title: `Crew of the ${boat}`, text: OTHERWISE.replace("Gannet", boat) });
    }
    const [first, second, third] = [await nextDigest(place), await nextDigest(place), await nextDigest(place)];
    const shownBy = ({ shown }: Message): string[] =>
      ["Gannet", ...BOATS].filter((boat) => shown.includes(`Crew of the ${boat}`));
    expect([shownBy(first).length, shownBy(second).length, shownBy(third)]).toEqual([5, 2, []]);
    expect(first.shown).toContain("and 2 more");
    expect(new Set([...shownBy(first), ...shownBy(second)]).size).toBe(7);
  });
});

describe("“Ask its owner”", LONG, () => {
  it("says that it is done later while the server is away, and does it then, also after a restart", async () => {
    const place = await town();
    const { bo, boss, admins, clock, knowledge, workspace } = place;
    await programSends(place);
    const digest = await nextDigest(place);
    knowledge.fault = ({ url }) =>
      Promise.resolve(url.includes("/doubted") ? new Response("", { status: 503 }) : undefined);
    await pressBelow(boss, digest, "digest_changed");
    await workspace.until(() => toldTo(boss, admins.id).includes("cannot be asked right now"));
    await place.restart();
    expect(askedOf(place, bo)).toEqual([]);
    knowledge.fault = undefined;
    clock.advance(600_000);
    await workspace.until(() => askedOf(place, bo).length === 1);
    await idle(place);
    expect(toldTo(boss, admins.id)).toContain("Bo Lind is asked");
    expect(askedOf(place, bo)).toHaveLength(1);
  });

  it("says so where one of the two is not there any more", async () => {
    const place = await town();
    const { bo, boss, admins, bot, workspace } = place;
    await programSends(place);
    const digest = await nextDigest(place);
    await bot.context.servers.ingest.deployment.deleteDocument("crews", { pairId: "all" });
    await pressBelow(boss, digest, "digest_changed");
    await workspace.until(() => toldTo(boss, admins.id).includes("not there any more"));
    await idle(place);
    expect(askedOf(place, bo)).toEqual([]);
  });

  it.each([
    ["the document", (place: DigestTown) => programSends(place, "There is soup on Fridays.")],
    [
      "the answer, whose owner wrote it anew",
      async ({ bo, general, bot, clock, knowledge }: DigestTown) => {
        const [kept] = await bot.context.store.keptAnswersSince(0, 9);
        const hash = async () => (await bot.context.store.findPin(general.id, kept?.ts ?? ""))?.hash;
        const before = await hash();
        await bo.edit(
          general.id,
          kept?.ts ?? "",
          "Three people have to be aboard the Gannet, also inside the harbour.",
        );
        const later = (): Promise<string | undefined> => {
          clock.advance(10_000);
          return hash();
        };
        await expect.poll(later, { timeout: 30_000, interval: 200 }).not.toBe(before);
        await knowledge.service.drain();
      },
    ],
  ])("has nobody asked where %s says something else by then", async (_which, change) => {
    const place = await town();
    const { bo, boss, admins, workspace } = place;
    await programSends(place);
    const digest = await nextDigest(place);
    await change(place);
    await idle(place);
    await pressBelow(boss, digest, "digest_changed");
    await workspace.until(() => toldTo(boss, admins.id).includes("says something else by now"));
    await idle(place);
    expect([askedOf(place, bo), doubted(place)]).toEqual([[], []]);
  });

  it("says so where the answer was not kept by the bot: its owner is nobody it could ask", async () => {
    const place = await town();
    const { bo, boss, admins, bot, workspace } = place;
    await programSends(place);
    const digest = await nextDigest(place);
    for (const { channel, ts } of await bot.context.store.keptAnswersSince(0, 9)) {
      await bot.context.store.forgetKeptAnswer(channel, ts);
    }
    await pressBelow(boss, digest, "digest_changed");
    await workspace.until(() => toldTo(boss, admins.id).includes("not kept by me"));
    await idle(place);
    expect(askedOf(place, bo)).toEqual([]);
  });

  it("takes nothing that was not shown, of whom it may be", async () => {
    // A signature counts for five minutes of the bot's clock.
    const env = { RECEIVER: "http", PORT: "0" };
    const place = await town({ friday: Date.now(), env });
    const { ada, boss, admins, clock, workspace, bot } = place;
    const forge = await forgedPresses(workspace, bot, "digest_changed");
    await programSends(place);
    clock.advance(7 * DAY_MS);
    const ref = buttonOf(await workspace.until(() => digestsIn(place)[0]), "digest_changed") ?? "";
    await idle(place);
    clock.advance(-7 * DAY_MS);
    await forge(ada, admins.id, ref);
    for (const value of ["crews", "", "__proto__", `${ref}0`]) await forge(boss, admins.id, value);
    await workspace.until(() => toldTo(boss, admins.id).includes("too long ago"));
    await idle(place);
    expect(doubted(place)).toEqual([]);
    // The right one counts.
    await forge(boss, admins.id, ref);
    await expect.poll(() => bot.context.store.openDoubts(9)).toHaveLength(1);
  });
});
