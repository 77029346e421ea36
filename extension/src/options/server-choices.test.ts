import { freshBrowser } from "../testing/fake-browser.ts";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { changeSettings, storeKeys } from "../settings/settings.ts";
import { type Heard, readChoices } from "./server-choices.ts";

/** What the service says of the key. */
let me: { readonly status?: number; readonly body: unknown };

beforeEach(async () => {
  await freshBrowser();
  vi.stubGlobal("fetch", async (asked: Request | string) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : asked);
    if (pathname === "/health") return Response.json({ success: true });
    if (pathname === "/me") return Response.json(me.body, { status: me.status ?? 200 });
    return Response.json([]);
  });
  await changeSettings({ baseUrl: "https://knowledge.example.com" });
  await storeKeys({ askKey: "tl_TESTanna" });
});

describe("who is signed in", () => {
  it.each([
    [{ id: "anna", key_id: 3, name: "Anna Ångström", email: "anna@example.com" }, "Anna Ångström (anna@example.com)"],
    [{ id: "anna", key_id: 3, name: null, email: "anna@example.com" }, "anna@example.com"],
    [{ id: "anna", key_id: 3, name: "anna@example.com", email: "anna@example.com" }, "anna@example.com"],
    [{ id: "نور", key_id: 3 }, "نور"],
    // Nothing that nobody sees, or that turns what stands behind it around.
    [{ id: "x", key_id: 3, name: "Ann\u202Ea", email: null }, "Anna"],
    // A key that was made by hand, and one of a deployed server.
    [{ id: "owner", email: "owner@threadlore.invalid" }, undefined],
    [{ id: "1", key_id: "3", email: "anna@example.com" }, undefined],
  ])("by %j is %j", async (body, person) => {
    me = { body };
    expect((await readChoices()).person).toBe(person);
  });

  it("is nobody where the key is refused, which is told apart from silence", async () => {
    let heard: Heard = "answer";
    for (const [status, what] of [
      [401, "refusal"],
      [503, "silence"],
    ] as const) {
      me = { status, body: { error_code: "UNAUTHENTICATED", detail: "Access denied." } };
      vi.stubGlobal("fetch", async () => Response.json(me.body, { status }));
      expect(await readChoices((instead) => (heard = instead))).toEqual({});
      expect(heard).toBe(what);
    }
  });
});
