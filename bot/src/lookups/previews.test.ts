import { describe, expect, it } from "vitest";
import { ALL_FEATURES, scopesFor } from "../settings/manifest.ts";
import { startDeployedTown } from "../testing/deployed-town.ts";
import { KEYS, type Town } from "../testing/running-bot.ts";
import { LEAVE, LONG, passage, SEARCH, sessionsOf, town, withSearch } from "./lookups.harness.ts";

describe("a link to a document", LONG, () => {
  const previews = ({ workspace }: Town, channel: string, ts: string) => workspace.message(channel, ts)?.entities ?? [];
  const unfurled = ({ workspace }: Town) => workspace.calls.filter(({ method }) => method === "chat.unfurl");

  /** Resolves once the bot has done all it does for links posted until now. */
  async function settled(place: Town): Promise<void> {
    const { workspace, ada } = place;
    const elsewhere = workspace.addChannel({ name: `last-${workspace.calls.length}` });
    const ts = await ada.say(elsewhere.id, "https://handbook.example/travel");
    await workspace.until(() => previews(place, elsewhere.id, ts).length > 0);
  }

  it("has a preview with title, words and day, once, and a longer one when it is opened", async () => {
    const place = await town();
    const { workspace, general, ada, bo } = place;
    await place.knowledge.add({
      id: "parking",
      title: "Parking",
      text: `Cars stand in the yard. ${"Bicycles go to the cellar. ".repeat(30)}`,
      link: "https://handbook.example/parking",
      updatedAt: "2026-03-02T10:00:00Z",
    });
    const url = "https://handbook.example/parking#bicycles";
    const ts = await ada.say(general.id, `Read <${url}|this> and ${url}`);
    await workspace.until(() => previews(place, general.id, ts).length > 0);
    const [entity] = previews(place, general.id, ts);
    expect(entity).toMatchObject({
      app_unfurl_url: url,
      entity_type: "slack#/entities/content_item",
      entity_payload: {
        attributes: { title: { text: "Parking" } },
        fields: { date_updated: { value: Date.parse("2026-03-02T10:00:00Z") / 1_000 } },
      },
    });
    expect(workspace.message(general.id, ts)?.shown).toContain("Cars stand in the yard.");
    const { metadata, error } = await bo.openPreview(general.id, ts, url);
    expect([JSON.stringify(metadata).includes("Cars stand"), error]).toEqual([true, undefined]);
    // Everybody sees below the message what one person opened.
    expect(JSON.stringify(previews(place, general.id, ts)[0])).toBe(JSON.stringify({ ...entity, ...metadata }));
    expect(JSON.stringify(metadata).length).toBeGreaterThan(JSON.stringify(entity).length);
    expect(unfurled(place)).toHaveLength(1);
    expect(await sessionsOf(place)).toBe(0);
    place.expectNoRefusals();
  });

  it("has none where nothing is known of it, and none for what others may not see", async () => {
    const place = await town({ restricted: true, isEmpty: true });
    const { general, ada, workspace } = place;
    const keys: string[] = [];
    withSearch(place, (key) => {
      keys.push(key);
      return key === KEYS.dm ? [passage("salaries"), passage("travel")] : [passage("travel")];
    });
    const ts = await ada.say(general.id, "https://handbook.example/salaries and https://handbook.example/unknown");
    await settled(place);
    expect(previews(place, general.id, ts)).toEqual([]);
    expect(new Set(keys)).toEqual(new Set([KEYS.channel]));
    // In the conversation of one person with the bot they see what they may.
    const direct = workspace.dmOf(ada.user.id);
    const written = await ada.dm("https://handbook.example/salaries");
    await workspace.until(() => previews(place, direct.id, written).length > 0);
    // What somebody still writes may go anywhere.
    const composed = await ada.compose("https://handbook.example/salaries https://handbook.example/travel");
    await workspace.until(() => ada.composed(composed).length > 0);
    expect(ada.composed(composed)).toEqual(["travel"]);
  });

  it("has none in channels of other companies, where answers are private, for guests, and where the bot is not let", async () => {
    const place = await town();
    const { workspace, ada, general } = place;
    const shared = workspace.addChannel({ name: "shared" });
    workspace.share(shared.id, "yes");
    const [quiet, off] = [workspace.addChannel({ name: "quiet" }), workspace.addChannel({ name: "off" })];
    place.setRules(`channels:\n  ${quiet.id}:\n    answer: ephemeral\n  ${off.id}:\n    enabled: false\n`);
    await expect.poll(() => place.bot.context.rules().channels.size, { timeout: 10_000 }).toBe(2);
    const gil = workspace.addUser({ name: "gil", kind: "guest" });
    await gil.join(general.id);
    const hidden = workspace.addChannel({ name: "hidden", kind: "private", withApp: false });
    const posted = [
      [shared.id, await ada.say(shared.id, LEAVE)],
      [quiet.id, await ada.say(quiet.id, LEAVE)],
      [off.id, await ada.say(off.id, LEAVE)],
      [general.id, await gil.say(general.id, LEAVE)],
      [hidden.id, await ada.say(hidden.id, LEAVE)],
    ] as const;
    await settled(place);
    for (const [channel, ts] of posted) expect(previews(place, channel, ts)).toEqual([]);
    expect(unfurled(place)).toHaveLength(1);
    place.expectNoRefusals();
  });

  it("is found by its address, or by the name of a document the bot has cited, where its words say nothing", async () => {
    const place = await town();
    const { general, ada, knowledge, workspace } = place;
    const link = "https://handbook.example/pages/3141592653";
    await knowledge.add({ id: "x", title: "Parking rules", text: "Cars stand in the yard behind the office.", link });
    const found = await ada.say(general.id, `${link}#yard`);
    await workspace.until(() => previews(place, general.id, found).length > 0);
    // A server that finds by words alone, asked by a bot that knows nothing of the link.
    await place.restart();
    const words = { ...passage("x"), title: "Parking rules", link };
    withSearch(place, (_, { query }) => (query === "Parking rules" ? [words] : [passage("travel")]));
    const before = await ada.say(general.id, link);
    await settled(place);
    expect(previews(place, general.id, before)).toEqual([]);
    const question = await ada.mention(general.id, "Where do cars stand?");
    await place.answered(general.id, question);
    const after = await ada.say(general.id, link);
    await workspace.until(() => previews(place, general.id, after).length > 0);
  });

  it("is not looked up without end for one person", async () => {
    const place = await town();
    const { general, ada, bo, workspace, bot } = place;
    const { store, now } = bot.context;
    const looked = { name: `previews:${ada.user.id}`, most: 30, windowMs: 600_000 };
    for (let each = 0; each < 29; each += 1) await store.hit([looked], now());
    const last = await ada.say(general.id, LEAVE);
    await workspace.until(() => previews(place, general.id, last).length > 0);
    const beyond = await ada.say(general.id, LEAVE);
    const other = await bo.say(general.id, LEAVE);
    await workspace.until(() => previews(place, general.id, other).length > 0);
    await bot.stop();
    expect(previews(place, general.id, beyond)).toEqual([]);
  });

  it("is shown by blocks where the workspace has no Work Objects", async () => {
    const place = await town();
    const { workspace, general, ada } = place;
    workspace.faults.refuse("chat.unfurl", "feature_not_enabled");
    const ts = await ada.say(general.id, LEAVE);
    await workspace.until(() => workspace.message(general.id, ts)?.shown.includes("thirty days"));
    expect(previews(place, general.id, ts)).toEqual([]);
    place.expectNoRefusals();
  });

  it("is shown to nobody where the app may not, and an administrator is told once", async () => {
    const lines: string[] = [];
    const scopes = scopesFor(ALL_FEATURES).filter((scope) => scope !== "links:write");
    const { workspace, general, ada } = await town({
      workspace: { app: { scopes } },
      env: { LOG_LEVEL: "warn" },
      onLog: (line) => lines.push(line),
    });
    const refused = () => workspace.calls.filter(({ response }) => response["error"] === "missing_scope");
    for (const count of [1, 2]) {
      await ada.say(general.id, LEAVE);
      await workspace.until(() => refused().length === count);
    }
    await expect.poll(() => lines.filter((line) => line.includes("links:write")).length).toBe(1);
    expect(lines.filter((line) => line.includes("background work failed"))).toEqual([]);
  });

  it("comes twice and is shown once; gone by then, nobody hears of it", async () => {
    const logged: string[] = [];
    const place = await town({ env: { LOG_LEVEL: "info" }, onLog: (line) => logged.push(line) });
    const { workspace, general, ada } = place;
    workspace.faults.duplicateEvents(2);
    const ts = await ada.say(general.id, LEAVE);
    workspace.faults.duplicateEvents(1);
    await workspace.until(() => previews(place, general.id, ts).length > 0);
    await settled(place);
    expect(unfurled(place).filter(({ args }) => args["ts"] === ts)).toHaveLength(1);
    workspace.faults.refuse("chat.unfurl", "cannot_find_message");
    await ada.say(general.id, LEAVE);
    await workspace.until(() => unfurled(place).some(({ response }) => response["ok"] === false));
    await settled(place);
    expect(logged.filter((line) => line.includes("background work failed"))).toEqual([]);
  });

  it("opened by somebody who may not see it says so; a result is opened with the searcher's own rights", async () => {
    const place = await town();
    const { workspace, general, ada } = place;
    withSearch(place, (key) => (key === KEYS.dm ? [passage("salaries")] : []));
    const { results } = await ada.search("salaries");
    const [result] = results;
    if (result === undefined) throw new Error("nothing found");
    expect(JSON.stringify((await ada.openResult(result)).metadata)).toContain("All about salaries.");
    const gil = workspace.addUser({ name: "gil", kind: "guest" });
    expect(await gil.openResult(result)).toMatchObject({ error: { status: "restricted" } });
    place.knowledge.fault = undefined;
    const ts = await ada.say(general.id, LEAVE);
    await workspace.until(() => previews(place, general.id, ts).length > 0);
    await gil.join(general.id);
    expect(await gil.openPreview(general.id, ts, LEAVE)).toMatchObject({ error: { status: "restricted" } });
    place.expectNoRefusals();
  });
});

/** A workspace whose server finds these documents by any words; `asked`: what it was searched for. `later`: minutes pass. */
async function counted(...names: string[]) {
  let ahead = 0;
  const place = await town({ parts: { now: () => Date.now() + ahead } });
  const asked: unknown[] = [];
  withSearch(place, (_, { query }) => {
    asked.push(query);
    return names.map((name) => passage(name));
  });
  const seen = async (channel: string, ts: string): Promise<void> => {
    await place.workspace.until(() => (place.workspace.message(channel, ts)?.entities ?? []).length > 0);
  };
  const later = (minutes: number): void => void (ahead += minutes * 60_000);
  return { ...place, asked, seen, later };
}

describe("a link costs the server", LONG, () => {
  it("one look in three minutes, found or not and however often it is posted, for each key", async () => {
    const { workspace, general, ada, bo, asked, seen, later } = await counted("leave");
    const words = `${LEAVE} and https://handbook.example/gone`;
    const posted = await Promise.all([
      ada.say(general.id, words),
      bo.say(general.id, words),
      ada.say(general.id, words),
    ]);
    for (const ts of posted) await seen(general.id, ts);
    // The address finds what is there; what is not is looked for by its words as well.
    const once = [LEAVE, "https://handbook.example/gone", "gone"];
    await expect.poll(() => asked).toEqual(once);
    expect((await bo.openPreview(general.id, posted[0] ?? "", LEAVE)).error).toBeUndefined();
    await seen(general.id, await ada.say(general.id, words));
    expect(asked).toEqual(once);
    // A direct message is another key's.
    const direct = await ada.dm(LEAVE);
    await seen(workspace.dmOf(ada.user.id).id, direct);
    expect(asked.splice(0)).toEqual([...once, LEAVE]);
    later(4);
    await seen(general.id, await ada.say(general.id, words));
    expect(asked).toEqual(once);
  });

  it("eight looks for all links of a message, in turns", async () => {
    const { general, ada, asked, seen } = await counted("e");
    const links = ["a", "b", "c", "d", "e"].map((name) => `https://handbook.example/${name}`);
    await seen(general.id, await ada.say(general.id, links.join(" ")));
    expect(asked).toEqual([...links, "a", "b", "c"]);
  });

  it("no run of a model where it has no search: there is no preview, an administrator is told once, an opened one says why", async () => {
    const lines: string[] = [];
    const place = await town({ env: { LOG_LEVEL: "warn" }, onLog: (line) => lines.push(line) });
    const { workspace, general, ada } = place;
    const kept = await ada.say(general.id, LEAVE);
    await workspace.until(() => (workspace.message(general.id, kept)?.entities ?? []).length > 0);
    await place.restart();
    place.knowledge.fault = (request) =>
      Promise.resolve(
        request.url.endsWith("/search") ? Response.json({ detail: "Not Found" }, { status: 404 }) : undefined,
      );
    const posted = [await ada.say(general.id, LEAVE), await ada.say(general.id, "https://handbook.example/travel")];
    const { error } = await ada.openPreview(general.id, kept, LEAVE);
    expect(error).toMatchObject({ status: "custom", custom_message: expect.stringContaining("no search of its own") });
    await place.bot.stop();
    expect(posted.map((ts) => workspace.message(general.id, ts)?.entities ?? [])).toEqual([[], []]);
    expect(place.knowledge.asked).toEqual([]);
    expect(lines.filter((line) => line.includes("no search of its own"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("background work failed"))).toEqual([]);
  });
});

it("opened in a channel that names no message shows what the channel may see", LONG, async () => {
  const { workspace, ada, general, ...place } = await town();
  const keys: string[] = [];
  withSearch({ workspace, ada, general, ...place }, (key) => {
    keys.push(key);
    return key === KEYS.dm ? [passage("salaries")] : [];
  });
  const url = "https://handbook.example/salaries";
  void workspace.deliver({
    type: "entity_details_requested",
    user: ada.user.id,
    channel: general.id,
    trigger_id: "1.2.3",
    entity_url: url,
    link: { url, domain: "handbook.example" },
    user_locale: "en-US",
  });
  const shown = await workspace.until(() => workspace.calls.find(({ method }) => method === "entity.presentDetails"));
  expect(JSON.stringify(shown.args)).not.toContain("All about salaries");
  expect(new Set(keys)).toEqual(new Set([KEYS.channel]));
});

it("is found and previewed from a deployed server as well", LONG, async () => {
  const { workspace, ada, general, expectNoRefusals } = await startDeployedTown({
    workspace: { app: { search: SEARCH, unfurlDomains: ["handbook.example"] } },
  });
  const { results } = await ada.search("How many days of annual leave?");
  expect(results[0]).toMatchObject({ title: "Leave", link: LEAVE });
  const ts = await ada.say(general.id, LEAVE);
  await workspace.until(() => workspace.message(general.id, ts)?.shown.includes("thirty days"));
  expectNoRefusals();
});
