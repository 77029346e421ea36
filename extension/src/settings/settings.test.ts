import { freshBrowser } from "../testing/fake-browser.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeBrowser } from "wxt/testing/fake-browser";
import {
  changeSettings,
  DEFAULT_SETTINGS,
  forgetKeys,
  pickSettings,
  readConnection,
  readKeys,
  readSettings,
  storeKeys,
} from "./settings.ts";

const SERVICE = "https://knowledge.example.com/api";

describe("settings", () => {
  beforeEach(freshBrowser);

  it("hold their defaults until something is set", async () => {
    expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, managed: new Set() });
    expect(await readConnection()).toBeUndefined();
  });

  it("ignore what no version of ours could have written", async () => {
    const stored = { pairId: "7", baseUrl: "javascript:alert(1)", denyList: [1], askPage: false, unknown: true };
    await fakeBrowser.storage.local.set({ settings: stored });
    expect(await readSettings()).toMatchObject({ pairId: null, baseUrl: "", denyList: [], askPage: false });
    expect(await readSettings()).not.toHaveProperty("unknown");
    expect(pickSettings("settings")).toEqual({});
  });

  it("are IT's where IT has set them, whatever a person sets", async () => {
    await fakeBrowser.storage.managed.set({ baseUrl: SERVICE, pairId: 7, denyList: ["bank.example"] });
    await changeSettings({ baseUrl: "https://other.example.com", personaId: 3 });
    const settings = await readSettings();
    expect(settings).toMatchObject({ baseUrl: SERVICE, pairId: 7, denyList: ["bank.example"], personaId: 3 });
    expect(settings.managed).toEqual(new Set(["baseUrl", "pairId", "denyList"]));
  });
});

describe("the place kept pages go to", () => {
  beforeEach(freshBrowser);
  const place = { pairId: 7, pairName: "Team", pairIsPublic: false };
  const nowhere = { pairId: null, pairName: "", pairIsPublic: null };

  it("T12 is one of its service: another service's of the same number is not meant", async () => {
    await changeSettings({ baseUrl: SERVICE });
    await changeSettings(place);
    await changeSettings({ baseUrl: "https://knowledge.example.com/v2" });
    expect(await readSettings()).toMatchObject(place);
    await changeSettings({ baseUrl: "https://other.example.com/api" });
    expect(await readSettings()).toMatchObject(nowhere);
    await changeSettings({ baseUrl: SERVICE, ...place });
    expect(await readSettings()).toMatchObject(place);
  });

  it("T12 is not taken for private because another one was", async () => {
    await changeSettings({ baseUrl: SERVICE, ...place });
    await fakeBrowser.storage.managed.set({ pairId: 9 });
    expect(await readSettings()).toMatchObject({ pairId: 9, pairName: "", pairIsPublic: null });
    await changeSettings({ pairId: 9, pairIsPublic: false });
    expect(await readSettings()).toMatchObject({ pairId: 9, pairIsPublic: false });
    await fakeBrowser.storage.managed.set({ pairId: 9, pairIsPublic: true });
    expect(await readSettings()).toMatchObject({ pairId: 9, pairIsPublic: true });
  });
});

describe("keys", () => {
  beforeEach(freshBrowser);

  it("T10 are forgotten when the service becomes another one, and kept when only its path changes", async () => {
    await changeSettings({ baseUrl: SERVICE });
    await storeKeys({ askKey: " key-1 " });
    await changeSettings({ baseUrl: "https://knowledge.example.com/v2" });
    expect(await readConnection()).toMatchObject({ askKey: "key-1", ingestKey: "key-1" });
    await changeSettings({ baseUrl: "https://evil.example.com/api" });
    expect(await readKeys()).toBeUndefined();
    await changeSettings({ baseUrl: SERVICE });
    expect(await readKeys()).toBeUndefined();
  });

  it("T10 go nowhere when another origin was written behind our back", async () => {
    await changeSettings({ baseUrl: SERVICE });
    await storeKeys({ askKey: "key-1", ingestKey: "key-2" });
    const { settings } = await fakeBrowser.storage.local.get("settings");
    await fakeBrowser.storage.local.set({ settings: { ...(settings as object), baseUrl: "https://evil.example.com" } });
    expect(await readConnection()).toBeUndefined();
  });

  it("T8 stand in one place only: on this machine, or in memory; never in the synchronised area", async () => {
    await changeSettings({ baseUrl: SERVICE });
    await storeKeys({ askKey: "key-1" });
    expect(await fakeBrowser.storage.session.get()).toEqual({});
    await changeSettings({ keyStorage: "session" });
    await storeKeys({ askKey: "key-2" });
    expect(await fakeBrowser.storage.local.get("keys")).toEqual({});
    expect((await readKeys())?.askKey).toBe("key-2");
    expect(await fakeBrowser.storage.sync.get()).toEqual({});
    await forgetKeys();
    expect(await readKeys()).toBeUndefined();
  });

  it("T8 are there at every moment while others take their place, and those others at once", async () => {
    await changeSettings({ baseUrl: SERVICE });
    await storeKeys({ askKey: "key-1" });
    const seen: Promise<string | undefined>[] = [];
    const look = () => void seen.push(readKeys().then((keys) => keys?.askKey));
    fakeBrowser.storage.onChanged.addListener(look);
    for (const [number, keyStorage] of (["local", "session", "session", "local", "local"] as const).entries()) {
      await changeSettings({ keyStorage });
      await Promise.all(seen.splice(0));
      await storeKeys({ askKey: `key-${number + 2}` });
      expect(new Set(await Promise.all(seen.splice(0)))).toEqual(new Set([`key-${number + 2}`]));
      const other = keyStorage === "local" ? "session" : "local";
      expect(await fakeBrowser.storage[other].get("keys")).toEqual({});
    }
    fakeBrowser.storage.onChanged.removeListener(look);
  });

  it("need a service to belong to", async () => {
    await expect(storeKeys({ askKey: "key" })).rejects.toThrow(TypeError);
  });
});
