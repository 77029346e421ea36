import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "@threadlore/chat-workspace";
import { delay } from "@threadlore/client/delay";
import { createGaps } from "@threadlore/client/gaps";
import { describe, expect, it } from "vitest";
import { startDeployedTown } from "../../testing/deployed-town.ts";
import {
  DAY_MS,
  type DigestTown,
  digestsIn,
  digestTown,
  FRIDAY,
  pressBelow,
  toldTo,
} from "../../testing/digest-town.ts";
import { clockFrom, keepAnswer, withHelpers } from "../../testing/kept-answers.ts";
import { idle, KEYS, type Town, type TownOptions, useTowns } from "../../testing/running-bot.ts";
import { lookStillTrue } from "../still-true/look-still-true.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 120_000 };
const BOAT = "Where is the spare key of the boat house?";
const OLD = "How many people have to be aboard the Gannet?";

const town = (options?: TownOptions): Promise<DigestTown> => digestTown(open, options);

async function ask(place: Town, text: string, who = place.ada): Promise<string> {
  const ts = await who.mention(place.general.id, text);
  await place.answered(place.general.id, ts);
  await idle(place);
  return ts;
}

describe("the digest", LONG, () => {
  it("says on its day who waits, what was answered, what may be old and what was asked most, without a private word", async () => {
    const folder = mkdtempSync(join(tmpdir(), "threadlore-report-"));
    const report = join(folder, "report.json");
    const causes = [{ words: "the document “Leave” was changed" }];
    writeFileSync(
      report,
      JSON.stringify({
        tests: [
          { outcome: "failed", name: "leave", causes },
          { outcome: "passed", name: "x" },
        ],
      }),
    );
    const place = await town({ env: { ANSWER_TESTS_REPORT: report } });
    const { ada, bo, clock, workspace, admins, bot } = place;
    await ask(place, BOAT);
    await ask(place, BOAT, bo);
    await ada.dm("May I bring my canary to the office?");
    await idle(place);
    await keepAnswer(place, { question: OLD, answer: "Two people have to be aboard the Gannet.", ageMs: 181 * DAY_MS });
    await lookStillTrue(bot.context);
    await keepAnswer(place, { question: "Who paints the buoys?", answer: "Nora paints the buoys in May." });
    await idle(place);
    await delay(200);
    expect(digestsIn(place)).toEqual([]);
    clock.advance(3 * DAY_MS);
    await workspace.until(() => digestsIn(place).length > 0);
    await idle(place);
    const [digest] = digestsIn(place);
    const shown = digest?.shown ?? "";
    for (const words of [BOAT, "2 people wait", "1 person asked privately", "Who paints the buoys?", OLD]) {
      expect(shown).toContain(words);
    }
    for (const words of ["1 answer test failed", "“Leave” was changed", "[Ask somebody]", "[Not for us]", "[Retire]"]) {
      expect(shown).toContain(words);
    }
    expect(shown).toMatch(/Asked most[^]*boat house\?[^]*2 people/);
    for (const hidden of ["canary", "Ada", ada.user.id]) expect(JSON.stringify(digest)).not.toContain(hidden);
    expect(workspace.messages(admins.id)).toHaveLength(1);
  });

  it("is posted once a week: after a stop over its day, and with a clock set back", async () => {
    const place = await town();
    const { clock, workspace, bot } = place;
    await ask(place, BOAT);
    clock.advance(5 * DAY_MS);
    await workspace.until(() => digestsIn(place).length === 1);
    await place.restart();
    Object.assign(place.bot.context.config, { adminChannel: place.admins.id });
    clock.advance(-6 * DAY_MS);
    await delay(300);
    clock.advance(6 * DAY_MS);
    await delay(300);
    await idle(place);
    expect(digestsIn(place)).toHaveLength(1);
    clock.advance(5 * DAY_MS);
    await workspace.until(() => digestsIn(place).length === 2);
    expect(bot).not.toBe(place.bot);
  });

  it("is not posted where there is nothing to say, nor where the rules say off", async () => {
    const place = await town();
    const { clock, bot } = place;
    clock.advance(3 * DAY_MS);
    await expect.poll(() => bot.context.store.recall("digest of week")).toBe("2026-11-30");
    await withHelpers(place, "digest: off\n");
    await expect.poll(() => bot.context.rules().digest).toBeUndefined();
    await ask(place, BOAT);
    clock.advance(7 * DAY_MS);
    await delay(300);
    expect(digestsIn(place)).toEqual([]);
  });

  it("is shown at once to an administrator alone by /ask digest", async () => {
    const place = await town();
    const { ada, boss, general, workspace } = place;
    await boss.join(general.id);
    await ask(place, BOAT);
    await ada.command(general.id, "/ask", "digest");
    await boss.command(general.id, "/ask", "digest");
    await workspace.until(() => toldTo(ada, general.id).includes("Only administrators"));
    await workspace.until(() => boss.ephemerals(general.id).some(({ shown }) => shown.includes(BOAT)));
    expect(JSON.stringify(ada.ephemerals(general.id))).not.toContain("boat");
  });
});

describe("a button of the digest", LONG, () => {
  it("has somebody asked in a channel, whose answer ends the wait of all; others than administrators are refused", async () => {
    const place = await town({ parts: {} });
    const { ada, bo, boss, clock, general, workspace, admins } = place;
    const asked = await ask(place, BOAT);
    clock.advance(3 * DAY_MS);
    const digest = await workspace.until(() => digestsIn(place)[0]);
    await ada.join(admins.id);
    await pressBelow(ada, digest, "digest_ask");
    await workspace.until(() => toldTo(ada, admins.id).includes("Only administrators"));
    await pressBelow(boss, digest, "digest_ask");
    await workspace.until(() => JSON.stringify(boss.modals()).includes("Where it is asked"));
    expect(JSON.stringify(boss.modals())).toContain(BOAT);
    await boss.submit(String(boss.modals().at(-1)?.["id"]), {
      somebody_place: general.id,
      somebody_person: bo.user.id,
    });
    const call = await workspace.until(() =>
      workspace.messages(general.id).find(({ text }) => text.includes("needs a person")),
    );
    expect(call.text).toContain(`<@${bo.user.id}>`);
    expect(call.text).not.toContain(ada.user.id);
    await workspace.until(() => toldTo(boss, admins.id).includes("I asked in"));
    await bo.say(general.id, "The spare key of the boat house hangs behind the tide table.", { threadTs: call.ts });
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("replied") === true);
    await pressBelow(bo, workspace.message(general.id, call.ts) as Message, "help_keep_0");
    await workspace.until(() => place.answers(general.id, asked).some(({ text }) => text.includes("has answered")));
    await pressBelow(boss, digest, "digest_ask");
    await workspace.until(() => JSON.stringify(boss.modals()).includes("asked this already"));
  });

  it.each([["at the server"], ["in the bot's own store"]])("dismisses a gap %s", async (where) => {
    const atServer = where === "at the server";
    const env: Record<string, string> = atServer ? {} : { THREADLORE_INGEST_KEY: KEYS.channel };
    const place = await town({ env });
    const { boss, clock, workspace, admins, bot, knowledge } = place;
    await ask(place, BOAT);
    clock.advance(3 * DAY_MS);
    const digest = await workspace.until(() => digestsIn(place)[0]);
    await pressBelow(boss, digest, "digest_dismiss");
    await workspace.until(() => toldTo(boss, admins.id).includes("not asked after"));
    expect(await bot.context.gaps.list(9)).toEqual([]);
    const gaps = createGaps({ baseUrl: "http://127.0.0.1:8412", apiKey: KEYS.owner, fetch: knowledge.fetch });
    expect((await gaps.list({ state: "dismissed" })).gaps).toHaveLength(atServer ? 1 : 0);
  });
});

describe("the digest where the server has no gaps and compares no documents", LONG, () => {
  it("is of what the bot knows itself, and says plainly what it cannot know", async () => {
    const clock = clockFrom(FRIDAY);
    const parts = { now: clock.now, patience: { digestEveryMs: 50 } };
    const place = await startDeployedTown({ isEmpty: true, parts, env: () => ({ TZ: "UTC" }) });
    const { ada, bo, general, workspace, bot, server } = place;
    const admins = workspace.addChannel({ name: "admins", withApp: true });
    Object.assign(bot.context.config, { adminChannel: admins.id });
    place.setRules("digest_at: Mon 09:00 UTC\n");
    await expect.poll(() => bot.context.store.recall("digest of week")).toBeDefined();
    for (const who of [ada, bo]) {
      const ts = await who.mention(general.id, BOAT);
      const answer = await place.answered(general.id, ts);
      await idle(place);
      await who.press({ channel: general.id, ts: answer.ts }, "answer_bad");
      await workspace.until(() => who.modals().length > 0);
      await who.dismiss(who.modals()[0]?.id ?? "");
    }
    await idle(place);
    clock.advance(3 * DAY_MS);
    const digest = await workspace.until(() => workspace.messages(admins.id)[0]);
    await idle(place);
    expect(server.log.some(({ path }) => path.includes("/kept-answers/maybe-changed"))).toBe(true);
    for (const words of [BOAT, "2 people wait", "keeps no list of questions", "does not compare documents"]) {
      expect(digest.shown).toContain(words);
    }
    expect(workspace.messages(admins.id)).toHaveLength(1);
    const boss = workspace.addUser({ name: "boss", kind: "admin" });
    await boss.join(general.id);
    await boss.command(general.id, "/ask", "gaps");
    await workspace.until(() => toldTo(boss, general.id).includes("keeps no list of questions"));
    expect(server.log.some(({ path }) => path.includes("/gaps"))).toBe(true);
  });
});
