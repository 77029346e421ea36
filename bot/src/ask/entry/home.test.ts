import { afterEach, describe, expect, it } from "vitest";
import { KEYS, startTown, type Town, type TownOptions } from "../../testing/running-bot.ts";

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
const CAN_KEEP = { THREADLORE_INGEST_KEY: KEYS.owner, THREADLORE_PAIR: "1" };

/** The Home, opened again until it holds this. */
async function homeOf({ workspace }: Town, person: Town["ada"], holds: string): Promise<string> {
  for (let look = 0; look < 30; look += 1) {
    await person.openHome();
    const found = await workspace
      .until(() => {
        const text = JSON.stringify(person.home() ?? {});
        return text.includes(holds) && text;
      }, 500)
      .catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw new Error(`The Home does not show “${holds}”: ${JSON.stringify(person.home())}`);
}

describe("the Home", LONG, () => {
  it("says of a channel shared with another company that nothing is answered or kept there", async () => {
    const place = await town({ rules: "defaults:\n  pins: members\n", env: CAN_KEEP });
    place.workspace.share(place.general.id, "yes");
    const home = await homeOf(place, place.ada, "shared with another company");
    expect(home).toContain("I answer nothing here, and nothing is kept");
    expect(home).not.toContain("I answer when I am mentioned.");
    expect(home).not.toContain("Pinned messages are kept");
  });

  it("does not say that nothing is kept where helpers' answers may be", async () => {
    const place = await town({ env: CAN_KEEP });
    expect(await homeOf(place, place.ada, "I answer when I am mentioned.")).toContain("Nothing is kept.");
    place.setRules(`channels:\n  ${place.general.id}:\n    helpers: [${place.bo.user.id}]\n`);
    const home = await homeOf(place, place.ada, "An answer is kept if whoever gave it says so.");
    expect(home).not.toContain("Nothing is kept.");
  });

  it("tells rules, what is kept and what is left, of the person's own channels only", async () => {
    const place = await town({
      rules: "defaults:\n  pins: members\n",
      env: { ...CAN_KEEP, QUESTIONS_PER_USER: "3/1h" },
    });
    const { workspace, ada, bo, general } = place;
    const other = workspace.addChannel({ name: "other", members: [bo.user.id], withApp: true });
    const [ts, hidden] = [await ada.say(general.id, "Door code 12"), await bo.say(other.id, "canary-elsewhere")];
    await ada.pin(general.id, ts);
    await bo.pin(other.id, hidden);
    for (const [channel, one] of [[general.id, ts] as const, [other.id, hidden] as const]) {
      await workspace.until(() =>
        workspace.message(channel, one)?.reactions.some(({ name }) => name === "white_check_mark"),
      );
    }
    const question = await ada.mention(general.id, "How many days of leave?");
    await place.answered(general.id, question);
    const home = await homeOf(place, ada, "Door code 12");
    expect(home).toContain("I answer when I am mentioned.");
    expect(home).toContain("Pinned messages are kept.");
    expect(home).toContain("2 of 3 questions");
    expect(home).not.toContain("canary-elsewhere");
    expect(home).not.toContain(other.id);
    expect(home).not.toContain("Lately not answered");
    place.expectNoRefusals();
  });

  it("shows admins what was lately not answered, without what was asked", async () => {
    const place = await town({ rules: "defaults:\n  who_may_ask: [U0NOBODY]\n" });
    const { workspace, ada, general } = place;
    const boss = workspace.addUser({ name: "boss", kind: "admin" });
    const ts = await ada.mention(general.id, "canary-question");
    await place.answered(general.id, ts).catch(() => undefined);
    const home = await homeOf(place, boss, "not among those who may ask");
    expect(home).not.toContain("canary");
    expect(home).toContain("Lately not answered (only admins see this)");
    place.expectNoRefusals();
  });

  it("shows admins a question whose failure nobody could be told, and its trace says so", async () => {
    const place = await town({ parts: { times: { pollMs: 50, backoffMs: () => 20, maxAttempts: 1 } } });
    const { workspace, ada, general, bot } = place;
    const boss = workspace.addUser({ name: "boss", kind: "admin" });
    workspace.faults.refuse("*", "not_allowed_here", { times: 1_000_000 });
    const ts = await ada.mention(general.id, "canary-question");
    const key = `question:${workspace.team.id}:${general.id}:${ts}`;
    await expect
      .poll(async () => (await bot.context.store.findByKey(key))?.outcome, { timeout: 60_000 })
      .toBe("failed");
    workspace.faults.clear();
    const home = await homeOf(place, boss, "nobody could be told");
    expect(home).toContain("It failed too often, and nobody could be told: not_allowed_here.");
    expect(home).not.toContain("canary");
    await ada.shortcut("why_message", { channel: general.id, ts });
    const modal = JSON.stringify(await workspace.until(() => ada.modals().at(-1)));
    expect(modal).toContain("It failed too often, and nobody could be told: not_allowed_here.");
    expect(modal.split("given up")).toHaveLength(2);
    expect(place.answers(general.id, ts)).toEqual([]);
  });

  it("stays within what a Home takes, however many channels there are", async () => {
    const place = await town();
    const { workspace, ada } = place;
    for (let index = 0; index < 60; index += 1) {
      workspace.addChannel({ name: `c${index}`, members: [ada.user.id], withApp: true });
    }
    const home = await homeOf(place, ada, "In your channels");
    expect(home).toContain("I answer when I am mentioned.");
    place.expectNoRefusals();
  });

  it("knows the person's channels also where the bot is in more than one page of a list has", async () => {
    const place = await town();
    const { workspace, ada, bo } = place;
    for (let index = 0; index < 1_000; index += 1) {
      workspace.addChannel({ name: `c${index}`, members: [bo.user.id], withApp: true });
    }
    const last = workspace.addChannel({ name: "the-last", members: [ada.user.id], withApp: true });
    expect(await homeOf(place, ada, "In your channels")).toContain(last.id);
    place.expectNoRefusals();
  });
});
