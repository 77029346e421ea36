import { freshBrowser } from "../testing/fake-browser.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findLocalService, pairWithLocalService } from "./pairing.ts";
import { changeSettings, readConnection, readSettings } from "../settings/settings.ts";
import { startService, type TestService } from "../testing/service.ts";

const EXTENSION = `chrome-extension://${"abcdefghijklmnop".repeat(2)}`;

/** Sends as an extension's page does. */
const send = ((url: string, init: RequestInit) =>
  fetch(url, { ...init, headers: { ...(init.headers as object), origin: EXTENSION } })) as typeof fetch;

describe("pairing", () => {
  let service: TestService;
  beforeEach(async () => {
    await freshBrowser();
    service = await startService();
  });
  afterEach(() => service.close());

  it("finds the service, and sets service and key for the typed code", async () => {
    expect(await findLocalService(service.url, send)).toBe(true);
    expect(await pairWithLocalService(` ${service.pairingCode()} `, service.url, send)).toEqual({
      paired: true,
      role: "editor",
    });
    const connection = await readConnection();
    expect(connection).toMatchObject({ baseUrl: service.url, origin: service.url });
    const me = await send(`${service.url}/me`, { headers: { authorization: `Bearer ${connection?.askKey}` } });
    expect(me.status).toBe(200);
  });

  it("takes the private place the service names for kept pages, and none that was chosen before from it", async () => {
    await pairWithLocalService(service.pairingCode(), service.url, send);
    expect(await readSettings()).toMatchObject({ pairId: 1, pairName: "Default", pairIsPublic: false });
    await changeSettings({ pairId: 7, pairName: "Mine", pairIsPublic: null });
    await pairWithLocalService(service.pairingCode(), service.url, send);
    expect(await readSettings()).toMatchObject({ pairId: 7, pairName: "Mine", pairIsPublic: null });
  });

  it.each([undefined, null, "1", { cc_pair_id: 0 }, { cc_pair_id: "1" }, { cc_pair_id: 1.5 }])(
    "leaves the place to be chosen where the service names none: %j",
    async (place) => {
      const reply = { api_key: "a-key", role: "editor", ...(place !== undefined && { keep_in: place }) };
      const answers = (() => Promise.resolve(Response.json(reply))) as typeof fetch;
      expect(await pairWithLocalService("AAAA-AAAA", service.url, answers)).toMatchObject({ paired: true });
      expect(await readSettings()).toMatchObject({ pairId: null, pairIsPublic: null });
    },
  );

  it("reaches a service at the IPv6 address of this machine by its name, which a page's policy can allow", async () => {
    const asked: string[] = [];
    const answers = ((url: string) => {
      asked.push(url);
      return Promise.resolve(Response.json({ api_key: "a-key", role: "editor" }));
    }) as typeof fetch;
    expect(await pairWithLocalService("AAAA-AAAA", "http://[::1]:8411/", answers)).toMatchObject({ paired: true });
    expect(asked).toEqual(["http://localhost:8411/pairing"]);
    expect((await readConnection())?.baseUrl).toBe("http://localhost:8411");
  });

  it("says which of the things that can go wrong it was, and sets nothing", async () => {
    expect(await pairWithLocalService("AAAA-AAAA", service.url, send)).toEqual({ paired: false, why: "wrong-code" });
    const { url } = service;
    await service.close();
    expect(await findLocalService(url, send)).toBe(false);
    expect(await pairWithLocalService("AAAA-AAAA", url, send)).toEqual({ paired: false, why: "no-service" });
    expect(await readConnection()).toBeUndefined();
    service = await startService();
  });
});
