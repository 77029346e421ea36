import { describe, expect, it } from "vitest";
import { settingsFor } from "../../rules/rules.ts";
import { buttonOf } from "../../testing/buttons.ts";
import { askForPerson, keepFirst, keepValue } from "../../testing/calling.ts";
import { documentsOf } from "../../testing/documents-of.ts";
import { keepingTown, withHelper } from "../../testing/kept-answers.ts";
import { idle, type Town, useTowns } from "../../testing/running-bot.ts";

const open = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 90_000 };
const ASKED = "Where does the orange kayak trailer stand?";
const REPLY = "The orange kayak trailer stands behind the boathouse.";

/** Ada asked for a person in #general, whose helpers these are. */
async function called(
  helpers = ["bo"],
  rules = (place: Town, ids: readonly string[]) =>
    `channels:\n  ${place.general.id}:\n    helpers: [${ids.join(", ")}]\n`,
) {
  const place = await open(keepingTown({ isEmpty: false }));
  const { bo, bot, general } = place;
  const ids = helpers.map((one) => (one === "bo" ? bo.user.id : one));
  place.setRules(rules(place, ids));
  const held = () => settingsFor(bot.context.rules(), { id: general.id, kind: "public" }).helpers;
  await expect.poll(held, { timeout: 20_000 }).toEqual(ids);
  return { place, ...(await askForPerson(place, ASKED)) };
}

describe("an answer", LONG, () => {
  it.each([
    ["archived", ({ workspace, general }: Town) => workspace.archive(general.id)],
    ["shared with another company", ({ workspace, general }: Town) => workspace.share(general.id, "yes")],
    ["closed to the bot", ({ workspace, general }: Town) => workspace.removeApp(general.id)],
  ])("is not kept where its channel is %s by then", async (_, change) => {
    const { place, threadTs, call } = await called();
    await place.bo.say(place.general.id, REPLY, { threadTs });
    await keepValue(place, call);
    await idle(place);
    change(place);
    await keepFirst(place, call, place.bo).catch(() => undefined);
    await idle(place);
    expect(documentsOf(place)).not.toContain("boathouse");
  });

  it("is not kept where its channel is private by then, and only the defaults name its helpers", async () => {
    const byDefault = (_: Town, ids: readonly string[]) => `defaults:\n  helpers: [${ids.join(", ")}]\n`;
    const { place, threadTs, call } = await called(["bo"], byDefault);
    const { bo, general, workspace } = place;
    await bo.say(general.id, REPLY, { threadTs });
    const value = await keepValue(place, call);
    workspace.convert(general.id, "private");
    await bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", value);
    await workspace.until(() => bo.ephemerals(general.id).some(({ text }) => text.includes("of private channels")));
    await idle(place);
    expect(documentsOf(place)).not.toContain("boathouse");
  });

  it("is kept where its channel was made private and has its own rules only by a press that knows it", async () => {
    const { place, threadTs, call } = await called();
    const { bo, general, workspace } = place;
    await bo.say(general.id, REPLY, { threadTs });
    const shown = () => workspace.message(general.id, call.ts);
    const value = await keepValue(place, call);
    expect(JSON.stringify(shown()?.blocks)).not.toContain("private conversation");
    workspace.convert(general.id, "private");
    await bo.press({ channel: general.id, ts: call.ts }, "help_keep_0", value);
    await workspace.until(() => bo.ephemerals(general.id).some(({ text }) => text.includes("made private meanwhile")));
    await idle(place);
    expect(documentsOf(place)).not.toContain("boathouse");
    expect(JSON.stringify(shown()?.blocks)).toContain("private conversation");
    await keepFirst(place, call, bo);
    await workspace.until(() => shown()?.shown.includes("Answered by") === true);
    expect(documentsOf(place)).toContain("boathouse");
  });

  it("bears the name its channel has by then", async () => {
    const { place, threadTs, call } = await called();
    const { bo, general, workspace } = place;
    await bo.say(general.id, REPLY, { threadTs });
    await keepValue(place, call);
    workspace.rename(general.id, "harbour-office");
    await keepFirst(place, call, bo);
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("Answered by") === true);
    expect(documentsOf(place)).toMatch(/channel\W+harbour-office/);
  });

  it("follows an edit though it was wanted once more at that moment", async () => {
    const { place, threadTs, call } = await called();
    const { bo, bot, general, workspace } = place;
    const { store } = bot.context;
    const reply = await bo.say(general.id, REPLY, { threadTs });
    await keepFirst(place, call, bo);
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("Answered by") === true);
    await idle(place);
    await bo.edit(general.id, reply, "The orange kayak trailer stands in the new shed.");
    await expect.poll(async () => (await store.backlog()).waiting).toBeGreaterThan(0);
    const pin = await store.findPin(general.id, reply);
    if (pin !== undefined) await store.savePin({ ...pin, moment: (pin.moment ?? 0) + 60_000 });
    await expect.poll(() => documentsOf(place), { timeout: 30_000 }).toContain("new shed");
  });

  it("that the rules refuse while the server is away is said not to be kept, and can be once they allow it", async () => {
    const { place, threadTs, call } = await called();
    const { bo, general, knowledge, workspace } = place;
    await bo.say(general.id, REPLY, { threadTs });
    await keepValue(place, call);
    knowledge.fault = async ({ url }) => (url.includes("ingestion") ? new Response("{}", { status: 503 }) : undefined);
    await keepFirst(place, call, bo);
    const shown = (): string => workspace.message(general.id, call.ts)?.shown ?? "";
    await workspace.until(() => shown().includes("being kept"));
    await workspace.until(() => knowledge.requests.some((one) => one.includes("ingestion")));
    place.setRules(`channels:\n  ${general.id}:\n    helpers: []\n`);
    await workspace.until(() => shown().includes("could not be kept. Nothing of this channel is kept."), 60_000);
    await idle(place);
    knowledge.fault = undefined;
    expect(documentsOf(place)).not.toContain("boathouse");
    await withHelper(place);
    const last = await bo.say(general.id, "That is all.", { threadTs });
    await bo.shortcut("ingest_message", { channel: general.id, ts: last });
    const form = await workspace.until(() => bo.modals().at(-1));
    await bo.submit(form.id, {});
    await workspace.until(() => shown().includes("Answered by"));
    expect(documentsOf(place)).toContain("boathouse");
  });

  it("is kept though the message that asked was deleted, and not asked for again", async () => {
    const { place, threadTs, answer, call } = await called();
    const { ada, bo, general, workspace } = place;
    const reply = await bo.say(general.id, REPLY, { threadTs });
    await keepValue(place, call);
    const boss = workspace.addUser({ name: "boss", kind: "admin" });
    await boss.join(general.id);
    await boss.delete(general.id, call.ts);
    await idle(place);
    await ada.press({ channel: general.id, ts: answer.ts }, "answer_human", buttonOf(answer, "answer_human"));
    await workspace.until(() => ada.ephemerals(general.id).some(({ text }) => text.includes("called already")));
    await bo.shortcut("ingest_message", { channel: general.id, ts: reply });
    const form = await workspace.until(() => bo.modals().at(-1));
    expect(JSON.stringify(form)).toContain("Keep as the answer");
    await bo.submit(form.id, {});
    await workspace.until(() => place.answers(general.id, threadTs).some(({ text }) => text.includes("answered this")));
    await idle(place);
    expect(documentsOf(place)).toContain("boathouse");
  });

  it("is found and kept whole behind more than a thousand messages of others", async () => {
    const { place, threadTs, call } = await called();
    const { ada, bo, general, workspace } = place;
    for (let at = 0; at < 1_300; at += 1) await ada.say(general.id, `And then ${at}?`, { threadTs });
    await bo.say(general.id, REPLY, { threadTs });
    await idle(place);
    await keepFirst(place, call, bo);
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("Answered by") === true);
    expect(documentsOf(place)).toContain("boathouse");
  });
});

describe("somebody who is asked", LONG, () => {
  it("may be a group, and whoever of it replies has a button of their own", async () => {
    const { place, threadTs, call } = await called(["S0NIGHT"]);
    expect(call.text).toContain("<!subteam^S0NIGHT>");
    await place.bo.say(place.general.id, REPLY, { threadTs });
    await keepValue(place, call);
  });

  it("may be a guest, whose words are not kept", async () => {
    const { place, threadTs, call } = await called();
    const { general, workspace } = place;
    const gus = workspace.addUser({ name: "gus", kind: "guest" });
    await gus.join(general.id);
    await gus.say(general.id, REPLY, { threadTs });
    await workspace.until(() => workspace.message(general.id, call.ts)?.shown.includes("replied") === true);
    await idle(place);
    expect(JSON.stringify(workspace.message(general.id, call.ts)?.blocks)).not.toContain("help_keep");
    expect(documentsOf(place)).not.toContain("boathouse");
  });
});
