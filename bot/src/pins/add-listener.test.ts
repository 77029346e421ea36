import { createDeployment } from "@threadlore/client/deployment";
import { afterEach, describe, expect, it } from "vitest";
import { KEYS, startTown, type Town, type TownOptions } from "../testing/running-bot.ts";

const open: Town[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const CAN_KEEP = { THREADLORE_INGEST_KEY: KEYS.owner, THREADLORE_PAIR: "1" };
const KEEPS = "defaults:\n  pins: members\n";

async function town(options: TownOptions = {}): Promise<Town> {
  const started = await startTown({ rules: KEEPS, env: CAN_KEEP, ...options });
  open.push(started);
  return started;
}

const LONG = { timeout: 90_000 };

/** Titles of what came from the channel. */
async function keptTitles({ knowledge }: Town): Promise<string[]> {
  await knowledge.service.drain();
  const owner = createDeployment({
    baseUrl: "http://127.0.0.1:8412",
    apiKey: KEYS.owner,
    fetch: (request: Request) => knowledge.service.fetch(request),
  });
  const documents = await owner.documents();
  return documents.filter((one) => one.document_id.startsWith("slack-")).map((one) => one.semantic_id ?? "");
}

async function modalOf({ workspace }: Town, person: Town["ada"], count = 1): Promise<{ id: string; text: string }> {
  const modal = await workspace.until(() => person.modals().length >= count && person.modals().at(-1));
  return { id: modal.id, text: JSON.stringify(modal) };
}

const isMarked = ({ workspace, general }: Town, ts: string, name: string) =>
  workspace.until(() => workspace.message(general.id, ts)?.reactions.some((one) => one.name === name));

describe("“Add to knowledge”", LONG, () => {
  it("shows what would be kept and who would find it; then the next question is answered from it", async () => {
    const place = await town();
    const { workspace, ada, bo, general } = place;
    const ts = await bo.say(general.id, "The *bicycle cellar* opens with the code 5150 <!here>");
    await ada.shortcut("ingest_message", { channel: general.id, ts });
    const { id, text } = await modalOf(place, ada);
    expect(text).toContain("The **bicycle cellar** opens with the code 5150 @here");
    expect(text).toContain("Everybody who may read kept messages (pair 1 of the knowledge server) will find it");
    await ada.submit(id, { title: "Cellar code" });
    await isMarked(place, ts, "white_check_mark");
    expect(await keptTitles(place)).toEqual(["Cellar code"]);
    const question = await ada.mention(general.id, "Which code opens the bicycle cellar?");
    const answer = await place.answered(general.id, question);
    expect(answer.shown).toContain("5150");
    expect(answer.shown).toContain("Cellar code");
    await bo.edit(general.id, ts, "The bicycle cellar opens with the code 6160");
    await workspace.until(() => place.knowledge.requests.filter((one) => one.endsWith("/ingestion")).length >= 2);
    expect(await keptTitles(place)).toEqual(["Cellar code"]);
    place.expectNoRefusals();
  });

  it("is not undone by unpinning, but by its own button", async () => {
    const place = await town();
    const { ada, general, bot, workspace } = place;
    const ts = await ada.say(general.id, "Lost property is kept in room 12");
    await ada.shortcut("ingest_message", { channel: general.id, ts });
    await ada.submit((await modalOf(place, ada)).id, {});
    await isMarked(place, ts, "white_check_mark");
    await ada.pin(general.id, ts);
    await ada.unpin(general.id, ts);
    const stays = async () =>
      (await bot.context.store.traceOf(`${workspace.team.id}:${general.id}:${ts}`)).some(({ words }) =>
        words.includes("unpinning does not remove it"),
      );
    for (let look = 0; look < 400 && !(await stays()); look += 1)
      await new Promise((resolve) => setTimeout(resolve, 25));
    expect(await keptTitles(place)).toHaveLength(1);
    await ada.shortcut("ingest_message", { channel: general.id, ts });
    const { id, text } = await modalOf(place, ada);
    expect(text).toContain("It is kept already");
    await ada.press({ viewId: id }, "kept_remove");
    await workspace.until(() => workspace.message(general.id, ts)?.reactions.length === 0);
    expect(await keptTitles(place)).toEqual([]);
    place.expectNoRefusals();
  });

  it.each([
    ["the channel has not opted in", "{}", CAN_KEEP, "not opted in"],
    ["this person may not", "defaults:\n  pins: [U0NOBODY]\n", CAN_KEEP, "Only some people"],
    ["no pair was decided", KEEPS, { THREADLORE_INGEST_KEY: KEYS.owner }, "Nobody has decided yet"],
  ])("says why not where %s", async (_, rules, env, words) => {
    const place = await town({ rules, env });
    const { ada, general } = place;
    const ts = await ada.say(general.id, "Not for everybody");
    await ada.shortcut("ingest_message", { channel: general.id, ts });
    const { text } = await modalOf(place, ada);
    expect(text).toContain(words);
    expect(text).not.toContain("Not for everybody");
    place.expectNoRefusals();
  });

  it("warns in private places", async () => {
    const place = await town();
    const { workspace, ada } = place;
    const hidden = workspace.addChannel({ name: "leads", kind: "private", members: [ada.user.id], withApp: true });
    place.setRules(`channels:\n  ${hidden.id}: {pins: members}\n`);
    await place.restart();
    const ts = await ada.say(hidden.id, "The budget is 40");
    await ada.shortcut("ingest_message", { channel: hidden.id, ts });
    expect((await modalOf(place, ada)).text).toContain("This is a private conversation");
    place.expectNoRefusals();
  });
});

describe("a pinned message, end to end", LONG, () => {
  it("answers the next question; `/ask pins` lists it and adds what was pinned before the bot listened", async () => {
    const place = await town();
    const { workspace, ada, bo, general, bot } = place;
    const ts = await bo.say(general.id, "The projector remote lives in drawer seven of the blue cupboard.");
    await ada.pin(general.id, ts);
    await isMarked(place, ts, "white_check_mark");
    const question = await ada.mention(general.id, "Where does the projector remote live?");
    const answer = await place.answered(general.id, question);
    expect(answer.shown).toContain("drawer seven");
    expect(answer.shown).not.toContain("travel");
    // Pinned while events were lost.
    await bot.context.store.forgetPin(general.id, ts);
    const reply = await ada.command(general.id, "/ask", "pins");
    expect(JSON.stringify(reply)).toContain("1 still to look at");
    const listed = await workspace.until(() =>
      ada
        .ephemerals(general.id)
        .find(({ shown }) => shown.includes("message is kept") && !shown.includes("still to look")),
    );
    expect(listed.shown).toContain("projector remote lives in drawer seven");
    place.expectNoRefusals();
  });
});
