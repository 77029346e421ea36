import { freshBrowser } from "./testing/fake-browser.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findLocalService, pairWithLocalService } from "./pairing.ts";
import { readConnection } from "./settings.ts";
import { startService, type TestService } from "./testing/service.ts";

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
