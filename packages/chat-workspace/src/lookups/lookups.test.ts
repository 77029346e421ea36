import type { App } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { boltApp, callApi, connect, type Place, startPlace } from "../testing/bolt.harness.ts";
import type { WorkspaceOptions } from "../index.ts";

const SEARCH = { callbackId: "search", filtersCallbackId: "filters" };
const WIKI = { unfurlDomains: ["wiki.example.com"] };

async function running(app: WorkspaceOptions["app"], make: (app: App, place: Place) => void): Promise<Place> {
  const place = await startPlace({ app });
  const bolt = boltApp(place.workspace);
  make(bolt, place);
  await connect(bolt, place.workspace);
  return place;
}

const LEAVE = {
  external_ref: { id: "leave" },
  title: "Leave",
  description: "Thirty days a year.",
  link: "https://wiki.example.com/leave",
  date_updated: "2026-11-20",
};

const entity = (url: string, title = "Leave") => ({
  app_unfurl_url: url,
  url,
  external_ref: { id: "leave" },
  entity_type: "slack#/entities/content_item",
  entity_payload: {
    attributes: { title: { text: title } },
    fields: { description: { value: "Thirty days a year." }, date_updated: { value: 1_764_000_000 } },
  },
});

describe("the platform's search", () => {
  it("asks the app with who searches, and shows what it gives back or says", async () => {
    const { ann, workspace } = await running({ search: SEARCH }, (app) => {
      app.function("search", { autoAcknowledge: false }, async ({ inputs, complete, fail, ack }) => {
        if (inputs["query"] === "nothing") await fail({ error: "There is nothing." });
        else await complete({ outputs: { search_results: [{ ...LEAVE, description: JSON.stringify(inputs) }] } });
        await ack();
      });
      app.function("filters", async ({ complete }) => {
        const filter = [{ name: "new", display_name: "New", type: "toggle" }];
        await complete({ outputs: { filter } });
      });
    });
    const { results } = await ann.search("leave", { new: true });
    expect(results).toMatchObject([{ title: "Leave", link: LEAVE.link }]);
    expect(JSON.parse(results[0]?.description ?? "")).toMatchObject({
      query: "leave",
      filters: { new: true },
      user_context: { id: ann.user.id },
    });
    expect(await ann.searchFilters()).toMatchObject([{ name: "new" }]);
    expect(await ann.search("nothing")).toEqual({ results: [], said: "There is nothing." });
    const [done] = workspace.calls.filter(({ method }) => method === "functions.completeSuccess");
    expect(await callApi(workspace, "functions.completeSuccess", { ...done?.args })).toMatchObject({
      error: "execution_not_in_running_state",
    });
  });

  it.each([
    ["more than fifty results", Array.from({ length: 51 }, () => LEAVE), "no more than 50"],
    ["a result without a date", [{ ...LEAVE, date_updated: undefined }], "date_updated"],
    ["a day that does not exist", [{ ...LEAVE, date_updated: "2026-02-30" }], "no such day"],
    ["a date with a time", [{ ...LEAVE, date_updated: "2026-11-20T10:00:00Z" }], "YYYY-MM-DD"],
    ["a result that describes nothing", [{ ...LEAVE, description: "" }], "description"],
    ["a link that is none", [{ ...LEAVE, link: "wiki" }], "URL"],
  ])("does not take %s", async (_, results, words) => {
    const { ann, workspace } = await running({ search: SEARCH }, (app) => {
      app.function("search", async ({ complete, fail }) => {
        await complete({ outputs: { search_results: results } }).catch(() => fail({ error: "refused" }));
      });
    });
    expect(await ann.search("leave")).toEqual({ results: [], said: "refused" });
    const refused = workspace.calls.find(({ method }) => method === "functions.completeSuccess");
    expect(refused?.response["error"]).toBe("parameter_validation_failed");
    expect(JSON.stringify(refused?.response)).toContain(words);
  });

  it("is not there for an app that offers none", async () => {
    const { ann } = await startPlace();
    await expect(ann.search("leave")).rejects.toThrow("offers nothing to search");
  });
});

describe("links", () => {
  const URL = "https://wiki.example.com/leave";

  it("of a registered domain are told wherever they are posted, other links and the app's own are not", async () => {
    const told: unknown[] = [];
    const { ann, general, workspace } = await running(WIKI, (app) => {
      app.event("link_shared", async ({ event }) => void told.push(event));
    });
    const elsewhere = workspace.addChannel({ name: "elsewhere", withApp: false });
    await callApi(workspace, "chat.postMessage", { channel: general.id, text: URL });
    await ann.say(general.id, "See https://example.com/a and https://evilwiki.example.com.test/b");
    const ts = await ann.say(elsewhere.id, `<https://sub.wiki.example.com/x?a=1&amp;b=2|here> and ${URL}`);
    await workspace.until(() => told.length > 0);
    expect(told).toMatchObject([
      {
        channel: elsewhere.id,
        message_ts: ts,
        is_bot_user_member: false,
        user: ann.user.id,
        source: "conversations_history",
        links: [
          { domain: "wiki.example.com", url: "https://sub.wiki.example.com/x?a=1&b=2" },
          { domain: "wiki.example.com", url: URL },
        ],
      },
    ]);
  });

  it("are shown as Work Objects below the message, and while somebody writes them", async () => {
    const { ann, general, workspace } = await running(WIKI, (app) => {
      app.event("link_shared", async ({ event, client }) => {
        const entities = event.links.map(({ url }) => entity(url));
        const target =
          event.source === "composer"
            ? { unfurl_id: event.unfurl_id ?? "", source: "composer" as const }
            : { channel: event.channel, ts: event.message_ts };
        await client.chat.unfurl({ ...target, metadata: { entities } });
      });
    });
    const written = await ann.compose(`Look at ${URL}`);
    await workspace.until(() => ann.composed(written).includes("Leave"));
    const ts = await ann.say(general.id, `Look at ${URL}`);
    await workspace.until(() => workspace.message(general.id, ts)?.shown.endsWith("Leave\nThirty days a year."));
    expect(workspace.calls.flatMap(({ refusals }) => refusals)).toEqual([]);
  });

  it.each([
    ["no kind of Work Object", { entity_type: "slack#/entities/page" }, "invalid_metadata_format"],
    ["none without a title", { entity_payload: { attributes: {} } }, "invalid_metadata_format"],
    ["none for an address that is not in the message", { app_unfurl_url: `${URL}/other` }, "cannot_unfurl_message"],
    ["none for a domain nobody registered", { app_unfurl_url: "https://example.com/" }, "cannot_unfurl_url"],
  ])("take %s", async (_, change, error) => {
    const { ann, general, workspace } = await startPlace({ app: WIKI });
    const ts = await ann.say(general.id, `${URL} https://example.com/`);
    const metadata = { entities: [{ ...entity(URL), ...change }] };
    expect(await callApi(workspace, "chat.unfurl", { channel: general.id, ts, metadata })).toMatchObject({ error });
    expect(workspace.message(general.id, ts)?.entities).toEqual([]);
  });

  it("are answered by their place, or by the id they came with", async () => {
    const { ann, general, workspace } = await startPlace({ app: WIKI });
    const ts = await ann.say(general.id, URL);
    const metadata = { entities: [entity(URL)] };
    const outcome = async (target: object) =>
      (await callApi(workspace, "chat.unfurl", { ...target, metadata }))["error"];
    expect(await outcome({ ts })).toBe("missing_channel");
    expect(await outcome({ channel: general.id })).toBe("missing_ts");
    expect(await outcome({ channel: general.id, ts: "1.000001" })).toBe("cannot_find_message");
    expect(await outcome({ unfurl_id: "x" })).toBe("missing_source");
    expect(await outcome({ source: "composer" })).toBe("missing_unfurl_id");
    expect(await outcome({ unfurl_id: "x", source: "mail" })).toBe("invalid_source");
    expect(await outcome({ unfurl_id: "x", source: "composer" })).toBe("invalid_unfurl_id");
    expect(await outcome({ channel: general.id, ts })).toBeUndefined();
    expect(await outcome({ channel: general.id, ts })).toBeUndefined();
    expect(workspace.message(general.id, ts)?.entities).toHaveLength(1);
  });

  it("are opened: what the app tells one person, everybody sees below the message", async () => {
    const { ann, general, workspace } = await running(WIKI, (app) => {
      app.event("entity_details_requested", async ({ event, client }) => {
        const { app_unfurl_url: _, ...shown } = entity(event.entity_url, "Leave, in full");
        await client.entity.presentDetails({ trigger_id: event.trigger_id, metadata: shown });
      });
    });
    const ts = await ann.say(general.id, URL);
    const metadata = { entities: [entity(URL)] };
    await callApi(workspace, "chat.unfurl", { channel: general.id, ts, metadata });
    const { metadata: shown } = await ann.openPreview(general.id, ts, URL);
    expect(JSON.stringify(shown)).toContain("Leave, in full");
    expect(workspace.message(general.id, ts)?.shown).toContain("Leave, in full");
    expect(await callApi(workspace, "entity.presentDetails", { trigger_id: "1.2.3" })).toMatchObject({
      error: "invalid_metadata",
    });
    const error = { status: "not_found" };
    expect(await callApi(workspace, "entity.presentDetails", { trigger_id: "1.2.3", error })).toMatchObject({
      error: "invalid_trigger_id",
    });
  });
});

describe("assistant.search.context", () => {
  it("finds messages of public channels for whoever spoke to the app, and nothing else", async () => {
    const tokens: string[] = [];
    const { ann, general, workspace } = await running({}, (app) => {
      app.event("app_mention", async ({ event }) => {
        tokens.push(String(Reflect.get(event, "action_token")));
      });
    });
    const hidden = workspace.addChannel({ name: "hidden", kind: "private" });
    const open = workspace.addChannel({ name: "open", withApp: false });
    const ts = await ann.say(open.id, "The kettle is in the pantry.");
    await ann.say(hidden.id, "The kettle costs 9,000.");
    await ann.mention(general.id, "hm?");
    await workspace.until(() => tokens.length > 0);
    const [action_token] = tokens;
    const search = (given: object) =>
      callApi(workspace, "assistant.search.context", { query: "Where is the kettle?", action_token, ...given });
    expect(await search({})).toMatchObject({
      ok: true,
      results: {
        messages: [
          {
            channel_id: open.id,
            channel_name: "open",
            message_ts: ts,
            content: "The kettle is in the pantry.",
            author_user_id: ann.user.id,
            is_author_bot: false,
          },
        ],
      },
    });
    expect(await search({ action_token: "made up" })).toMatchObject({ error: "invalid_action_token" });
    expect(await search({ channel_types: ["public_channel", "im"] })).toMatchObject({
      error: "missing_scope",
      needed: "search:read.im",
    });
    expect(await search({ limit: 21 })).toMatchObject({ error: "invalid_arguments" });
    expect(await search({ query: "" })).toMatchObject({ error: "invalid_arguments" });
  });

  it("needs its scope", async () => {
    const { workspace } = await startPlace({ app: { scopes: ["chat:write"] } });
    const asked = { query: "kettle", action_token: "x" };
    expect(await callApi(workspace, "assistant.search.context", asked)).toMatchObject({ error: "missing_scope" });
  });
});

describe("a manifest", () => {
  const withSearch = {
    display_information: { name: "Kettle" },
    features: { search: { search_function_callback_id: "search" } },
    functions: {
      search: {
        title: "Search",
        description: "Searches",
        input_parameters: { query: { type: "string", title: "Query", name: "query" } },
        output_parameters: {
          search_results: { type: "slack#/types/search_results", title: "Results", name: "search_results" },
        },
      },
    },
    settings: {
      event_subscriptions: { bot_events: ["function_executed"] },
      org_deploy_enabled: true,
      function_runtime: "remote",
    },
  };
  const judge = async (manifest: object) => {
    const { workspace } = await startPlace();
    const { errors } = await callApi(workspace, "apps.manifest.validate", { manifest: JSON.stringify(manifest) });
    return (errors as { pointer: string }[]).map(({ pointer }) => pointer);
  };

  it("has for a search the function, the event, and what an organisation needs", async () => {
    expect(await judge(withSearch)).toEqual([]);
    expect(await judge({ ...withSearch, functions: {} })).toEqual(["/features/search/search_function_callback_id"]);
    expect(await judge({ ...withSearch, settings: {} })).toEqual([
      "/settings/event_subscriptions",
      "/settings/org_deploy_enabled",
      "/settings/function_runtime",
    ]);
  });

  it.each(["https://wiki.example.com", "wiki", "10.0.0.1", "wiki.example.com/pages", "*.example.com"])(
    "hears of no links of %s",
    async (domain) => {
      const features = { unfurl_domains: [domain] };
      expect(await judge({ display_information: { name: "Kettle" }, features })).toEqual([
        "/features/unfurl_domains/0",
      ]);
    },
  );

  it("needs scopes and an event for links", async () => {
    const manifest = { display_information: { name: "Kettle" }, features: { unfurl_domains: ["wiki.example.com"] } };
    expect(await judge(manifest)).toHaveLength(3);
  });
});
