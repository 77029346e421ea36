import { readdirSync, readFileSync } from "node:fs";
import { WebClient } from "@slack/web-api";
import { startWorkspace } from "@threadlore/chat-workspace";
import { describe, expect, it } from "vitest";
import {
  ALL_FEATURES,
  ASKED_FOR,
  CALLBACKS,
  createManifest,
  eventsFor,
  type Feature,
  type Manifest,
  ManifestError,
  type ManifestOptions,
  optionalScopesFor,
  scopesFor,
} from "./manifest.ts";

/** Every choice of features: 2^11. */
const CHOICES = Array.from({ length: 2 ** ALL_FEATURES.length }, (_, bits) =>
  ALL_FEATURES.filter((__, index) => (bits & (1 << index)) !== 0),
);

const DOMAINS = ["wiki.example.com"];
const ASSISTANT = "https://bot.example.com/mcp";

/** Scopes an event is delivered for; events that need none are left out. */
const SCOPE_OF_EVENT: Readonly<Record<string, string>> = {
  app_mention: "app_mentions:read",
  "message.im": "im:history",
  "message.channels": "channels:history",
  "message.groups": "groups:history",
  "message.mpim": "mpim:history",
  pin_added: "pins:read",
  pin_removed: "pins:read",
  app_context_changed: "assistant:write",
  agent_session_stopped: "assistant:write",
  agent_session_title_changed: "assistant:write",
  member_joined_channel: "channels:read",
  link_shared: "links:read",
};

/** What each part allows alone, and Slack refuses together. */
function contradictions({ features, oauth_config, settings }: Manifest): string[] {
  const { bot: scopes } = oauth_config.scopes;
  const { bot_events: events, request_url: eventsUrl } = settings.event_subscriptions;
  const urls = [
    eventsUrl,
    settings.interactivity.request_url,
    ...(features.slash_commands ?? []).map(({ url }) => url),
  ];
  const needed = [
    ...events.flatMap((event) => SCOPE_OF_EVENT[event] ?? []),
    ...(features.agent_view === undefined ? [] : ["assistant:write"]),
    ...((features.shortcuts ?? features.slash_commands) === undefined ? [] : ["commands"]),
  ];
  return [
    ...needed.filter((scope) => !scopes.includes(scope)).map((scope) => `the scope ${scope} is missing`),
    ...events.filter((event) => event.startsWith("assistant_thread_")).map((event) => `${event} is for older apps`),
    ...(urls.some((url) => (url === undefined) !== settings.socket_mode_enabled)
      ? ["a request URL or Socket Mode"]
      : []),
    ...(new Set(scopes).size === scopes.length ? [] : ["a scope is named twice"]),
    ...(new Set(events).size === events.length ? [] : ["an event is named twice"]),
  ];
}

describe("a manifest", () => {
  it("is one that Slack takes, for every choice of features, by socket and by HTTP", () => {
    for (const features of CHOICES) {
      for (const requestUrl of [undefined, "https://bot.example.com/slack/events"]) {
        const manifest = createManifest({
          features,
          domains: DOMAINS,
          assistantUrl: ASSISTANT,
          ...(requestUrl !== undefined && { requestUrl }),
        });
        expect(contradictions(manifest)).toEqual([]);
        expect(manifest.settings.socket_mode_enabled).toBe(requestUrl === undefined);
      }
    }
  });

  it("asks for no scope and no event that its features do not need", () => {
    expect(scopesFor([])).toEqual([
      "app_mentions:read",
      "channels:history",
      "channels:read",
      "chat:write",
      "groups:history",
      "groups:read",
      "im:history",
      "im:read",
      "im:write",
      "mpim:history",
      "mpim:read",
      "users:read",
    ]);
    const beyond: Record<Feature, readonly string[]> = {
      agent: ["assistant:write"],
      follow_ups: [],
      pins: ["pins:read", "reactions:write"],
      shortcuts: ["commands"],
      command: ["commands"],
      files: [],
      home: [],
      groups: [],
      search: [],
      previews: ["links:read", "links:write"],
      assistant: ["mcp:connect"],
      workspace_search: [],
    };
    // What whoever installs the app may leave out.
    const optional: Partial<Record<Feature, readonly string[]>> = {
      pins: ["users:read.email"],
      home: ["users:read.email"],
      files: ["files:read"],
      groups: ["usergroups:read"],
      workspace_search: ["search:read.public"],
    };
    for (const feature of ALL_FEATURES) {
      expect(optionalScopesFor([feature])).toEqual(optional[feature] ?? []);
      const { scopes } = createManifest({
        features: [feature],
        domains: DOMAINS,
        assistantUrl: ASSISTANT,
      }).oauth_config;
      expect(scopes.bot_optional).toEqual(optional[feature]);
      expect(scopesFor([feature]).filter((scope) => !scopesFor([]).includes(scope))).toEqual(beyond[feature]);
    }
    expect(eventsFor(["home"])).not.toContain("message.channels");
    expect(eventsFor(["follow_ups"])).toContain("message.channels");
  });

  it("has an agent's conversation, or not", () => {
    const agent = createManifest({ features: ALL_FEATURES, domains: DOMAINS, assistantUrl: ASSISTANT });
    // What can be answered is offered by the bot while it runs, in one list.
    expect(agent.features.agent_view).toEqual({ agent_description: expect.any(String) });
    expect(agent.settings.event_subscriptions.bot_events).toContain("agent_session_stopped");
    const plain = createManifest({
      features: ALL_FEATURES.filter((feature) => feature !== "agent"),
      domains: DOMAINS,
      assistantUrl: ASSISTANT,
    });
    expect(plain.features.agent_view).toBeUndefined();
    expect(plain.oauth_config.scopes.bot).not.toContain("assistant:write");
  });

  it("has a search, and previews of links, for whoever asks for them", async () => {
    const searched = createManifest({ features: ["search"] });
    expect(searched.settings.org_deploy_enabled).toBe(true);
    const { features, functions = {} } = searched;
    expect(Object.keys(functions).toSorted()).toEqual(Object.values(features.search ?? {}).toSorted());
    expect(features.unfurl_domains).toBeUndefined();
    const plain = createManifest({ features: ALL_FEATURES.filter((one) => !ASKED_FOR.includes(one)) });
    expect(plain.settings.org_deploy_enabled).toBe(false);
    expect([plain.features.search, plain.features.unfurl_domains, plain.functions]).toEqual(Array(3).fill(undefined));
    expect(createManifest({ features: ["previews"], domains: DOMAINS }).features.unfurl_domains).toEqual(DOMAINS);
  });

  it("names where Slack's assistant asks, for whoever lets it", () => {
    const asked = createManifest({ features: ["assistant"], assistantUrl: ASSISTANT });
    expect(asked.mcp_servers).toEqual({ threadlore: { url: ASSISTANT, auth_type: "slack_identity_auth" } });
    expect(createManifest({ features: [] }).mcp_servers).toBeUndefined();
  });

  it("offers to add to the knowledge only where messages are kept", () => {
    const names = (features: readonly Feature[]) =>
      createManifest({ features }).features.shortcuts?.map(({ name }) => name);
    expect(names(["shortcuts", "pins"])).toEqual(["Ask about this", "Add to knowledge", "Why no answer?", "Ask"]);
    expect(names(["shortcuts"])).toEqual(["Ask about this", "Why no answer?", "Ask"]);
  });

  const refused: { options: ManifestOptions; says: string }[] = [
    { options: { features: [], name: "N".repeat(36) }, says: "name" },
    { options: { features: ["previews"], domains: [] }, says: "name at least one domain" },
    { options: { features: ["previews"], domains: ["https://wiki.example.com/"] }, says: "without https://" },
    { options: { features: ["assistant"], assistantUrl: "http://bot.example.com/mcp" }, says: "mcp_servers" },
    { options: { features: [], requestUrl: "http://bot.example.com/slack/events" }, says: "must begin with https://" },
  ];
  it.each(refused)("that Slack would refuse is an error: $says", ({ options, says }) => {
    expect(() => createManifest(options)).toThrow(ManifestError);
    expect(() => createManifest(options)).toThrow(says);
  });
});

describe("a manifest with every feature", () => {
  it.each([undefined, "https://bot.example.com/slack/events"])("keeps Slack's limits: %s", async (requestUrl) => {
    const workspace = await startWorkspace();
    const slack = new WebClient(undefined, { slackApiUrl: workspace.slackApiUrl });
    const manifest = JSON.stringify(
      createManifest({ features: ALL_FEATURES, domains: DOMAINS, assistantUrl: ASSISTANT, requestUrl }),
    );
    await expect(slack.apiCall("apps.manifest.validate", { manifest })).resolves.toMatchObject({ ok: true });
    await workspace.close();
  });

  it("sets the fields that Slack knows, by their names", () => {
    const {
      display_information: about,
      features,
      settings,
    } = createManifest({ features: ALL_FEATURES, domains: DOMAINS, assistantUrl: ASSISTANT });
    expect(Object.keys(about).toSorted()).toEqual(["background_color", "description", "long_description", "name"]);
    expect(about.background_color).toMatch(/^#[0-9a-f]{6}$/);
    expect(Object.keys(features).toSorted()).toEqual([
      "agent_view",
      "app_home",
      "bot_user",
      "rich_previews",
      "search",
      "shortcuts",
      "slash_commands",
      "unfurl_domains",
    ]);
    expect(Object.keys(settings).toSorted()).toEqual([
      "event_subscriptions",
      "function_runtime",
      "interactivity",
      "org_deploy_enabled",
      "socket_mode_enabled",
      "token_rotation_enabled",
    ]);
  });
});

describe("the listeners", () => {
  const folder = new URL("../", import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes(".test.") && !file.startsWith("testing/"))
    .map((file) => readFileSync(new URL(file, folder), "utf8"))
    .join("\n");

  it("hear the events that the manifest subscribes to, all of them and no others", () => {
    const heard = new Set([...sources.matchAll(/\bapp\.event\("(\w+)"/g)].map(([, name]) => name));
    if (/\bapp\.function\(/.test(sources)) heard.add("function_executed");
    const subscribed = new Set(eventsFor(ALL_FEATURES).map((event) => event.replace(/^message\..*/, "message")));
    expect([...heard].toSorted()).toEqual([...subscribed].toSorted());
  });

  it("answer only shortcuts that the manifest offers", () => {
    const answered = [...sources.matchAll(/\bapp\.shortcut\([^)]*callback_id: (?:"(\w+)"|CALLBACKS\.(\w+))/g)].map(
      ([, id, name]) => id ?? CALLBACKS[name as keyof typeof CALLBACKS],
    );
    const offered = createManifest({
      features: ALL_FEATURES,
      domains: DOMAINS,
      assistantUrl: ASSISTANT,
    }).features.shortcuts?.map(({ callback_id: id }) => id);
    expect(answered.toSorted()).toEqual(offered?.toSorted());
  });
});
