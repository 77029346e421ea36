import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  ALL_FEATURES,
  CALLBACKS,
  createManifest,
  eventsFor,
  type Feature,
  ManifestError,
  scopesFor,
} from "./manifest.ts";
import { Manifest } from "./manifest-model.ts";

/** Every choice of features: 2^8. */
const CHOICES = Array.from({ length: 2 ** ALL_FEATURES.length }, (_, bits) =>
  ALL_FEATURES.filter((__, index) => (bits & (1 << index)) !== 0),
);

describe("a manifest", () => {
  it("is one that Slack takes, for every choice of features, by socket and by HTTP", () => {
    for (const features of CHOICES) {
      for (const requestUrl of [undefined, "https://bot.example.com/slack/events"]) {
        const manifest = createManifest({ features, ...(requestUrl !== undefined && { requestUrl }) });
        expect(Manifest.safeParse(manifest).success).toBe(true);
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
      pins: ["pins:read", "reactions:write", "users:read.email"],
      shortcuts: ["commands"],
      command: ["commands"],
      files: ["files:read"],
      home: [],
      groups: ["usergroups:read"],
    };
    for (const feature of ALL_FEATURES) {
      expect(scopesFor([feature]).filter((scope) => !scopesFor([]).includes(scope))).toEqual(beyond[feature]);
    }
    expect(eventsFor(["home"])).not.toContain("message.channels");
    expect(eventsFor(["follow_ups"])).toContain("message.channels");
  });

  it("has an agent's conversation, or not", () => {
    const agent = createManifest({ features: ALL_FEATURES });
    expect(agent.features.agent_view?.suggested_prompts.length).toBeGreaterThan(0);
    expect(agent.settings.event_subscriptions.bot_events).toContain("agent_session_stopped");
    const plain = createManifest({ features: ALL_FEATURES.filter((feature) => feature !== "agent") });
    expect(plain.features.agent_view).toBeUndefined();
    expect(plain.oauth_config.scopes.bot).not.toContain("assistant:write");
  });

  it("offers to add to the knowledge only where messages are kept", () => {
    const names = (features: readonly Feature[]) =>
      createManifest({ features }).features.shortcuts?.map(({ name }) => name);
    expect(names(["shortcuts", "pins"])).toEqual(["Ask about this", "Add to knowledge", "Why no answer?", "Ask"]);
    expect(names(["shortcuts"])).toEqual(["Ask about this", "Why no answer?", "Ask"]);
  });

  it.each([
    { options: { features: [], name: "N".repeat(36) }, says: "name" },
    { options: { features: [], requestUrl: "http://bot.example.com/slack/events" }, says: "must begin with https://" },
  ])("that Slack would refuse is an error: $says", ({ options, says }) => {
    expect(() => createManifest(options)).toThrow(ManifestError);
    expect(() => createManifest(options)).toThrow(says);
  });
});

describe("the model of a manifest", () => {
  const good = createManifest({ features: ALL_FEATURES });
  const changed = (change: (manifest: Manifest) => void) => {
    const copy = structuredClone(good);
    change(copy);
    return Manifest.safeParse(copy).error?.issues.map(({ message }) => message) ?? [];
  };

  it.each<[string, (manifest: Manifest) => void]>([
    [
      "the event pin_added needs the scope pins:read",
      ({ oauth_config: { scopes } }) => scopes.bot.splice(scopes.bot.indexOf("pins:read"), 1),
    ],
    [
      "agent_view needs the scope assistant:write",
      ({ oauth_config: { scopes } }) => scopes.bot.splice(scopes.bot.indexOf("assistant:write"), 1),
    ],
    [
      "shortcuts and slash commands need the scope commands",
      ({ oauth_config: { scopes } }) => scopes.bot.splice(scopes.bot.indexOf("commands"), 1),
    ],
    [
      "the event assistant_thread_started does not go with agent_view",
      ({ settings }) => settings.event_subscriptions.bot_events.push("assistant_thread_started"),
    ],
    [
      "with Socket Mode there is no request URL",
      ({ settings }) => Object.assign(settings.interactivity, { request_url: "https://bot.example.com" }),
    ],
    [
      "without Socket Mode events, interactions and commands each need a request URL",
      ({ settings }) => Object.assign(settings, { socket_mode_enabled: false }),
    ],
    ["a scope is named twice", ({ oauth_config: { scopes } }) => scopes.bot.push("commands")],
    ["an event is named twice", ({ settings }) => settings.event_subscriptions.bot_events.push("app_mention")],
  ])("finds: %s", (message, change) => {
    expect(changed(change)).toContain(message);
  });

  it("knows every field: a misspelt one is refused", () => {
    expect(changed((manifest) => Object.assign(manifest.features, { agentview: {} }))).not.toEqual([]);
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
    const subscribed = new Set(eventsFor(ALL_FEATURES).map((event) => event.replace(/^message\..*/, "message")));
    expect([...heard].toSorted()).toEqual([...subscribed].toSorted());
  });

  it("answer only shortcuts that the manifest offers", () => {
    const answered = [...sources.matchAll(/\bapp\.shortcut\([^)]*callback_id: (?:"(\w+)"|CALLBACKS\.(\w+))/g)].map(
      ([, id, name]) => id ?? CALLBACKS[name as keyof typeof CALLBACKS],
    );
    const offered = createManifest({ features: ALL_FEATURES }).features.shortcuts?.map(({ callback_id: id }) => id);
    expect(answered.toSorted()).toEqual(offered?.toSorted());
  });
});
