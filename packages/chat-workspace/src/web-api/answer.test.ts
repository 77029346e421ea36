import { describe, expect, it } from "vitest";
import type { Workspace } from "../index.ts";
import { callApi, startPlace } from "../testing/bolt.harness.ts";

/** A call as the SDK makes it: a form, JSON inside as text. */
async function callForm(workspace: Workspace, method: string, args: Record<string, string>): Promise<Response> {
  return fetch(`${workspace.slackApiUrl}${method}`, {
    method: "POST",
    headers: { authorization: `Bearer ${workspace.credentials.botToken}` },
    body: new URLSearchParams(args),
  });
}

describe("a call of the Web API", () => {
  it("may be a form or JSON", async () => {
    const { workspace, general } = await startPlace();
    const metadata = { event_type: "asked", event_payload: { id: "1" } };
    await callApi(workspace, "chat.postMessage", { channel: general.id, text: "json", metadata });
    const form = { channel: general.id, text: "form", metadata: JSON.stringify(metadata) };
    expect(await (await callForm(workspace, "chat.postMessage", form)).json()).toMatchObject({ ok: true });
    expect(workspace.messages(general.id).map(({ text, metadata: kept }) => [text, kept])).toEqual([
      ["json", metadata],
      ["form", metadata],
    ]);
    expect(workspace.calls.map(({ method, args }) => [method, args["metadata"]])).toEqual([
      ["chat.postMessage", metadata],
      ["chat.postMessage", metadata],
    ]);
  });

  it("of an unknown method is answered 200 with a word for it", async () => {
    const { workspace } = await startPlace();
    const response = await callForm(workspace, "chat.shout", {});
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ok: false, error: "unknown_method" });
  });

  it.each(["__proto__", "constructor", "toString"])(
    "%s is no method, and no page of the workspace either",
    async (name) => {
      const { workspace } = await startPlace();
      const response = await callForm(workspace, name, {});
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ ok: false, error: "unknown_method" });
      expect((await fetch(new URL(`/page/library/${name}`, workspace.url))).status).toBe(404);
    },
  );

  it("needs a token of the right kind", async () => {
    const { workspace } = await startPlace();
    const { botToken, appToken } = workspace.credentials;
    const error = async (method: string, token: string) => (await callApi(workspace, method, {}, token))["error"];
    expect(await error("auth.test", botToken)).toBeUndefined();
    expect(await error("auth.test", "xoxb-nobody")).toBe("invalid_auth");
    expect(await error("auth.test", appToken)).toBe("not_allowed_token_type");
    expect(await error("apps.connections.open", botToken)).toBe("not_allowed_token_type");
    const bare = await fetch(`${workspace.slackApiUrl}auth.test`, { method: "POST" });
    expect(await bare.json()).toEqual({ ok: false, error: "not_authed" });
  });

  it("needs the scope, and says which", async () => {
    const { workspace, general } = await startPlace({ app: { scopes: ["channels:read", "chat:write"] } });
    expect(await callApi(workspace, "pins.list", { channel: general.id })).toEqual({
      ok: false,
      error: "missing_scope",
      needed: "pins:read",
      provided: "channels:read,chat:write",
    });
    const { id } = workspace.addChannel({ name: "secret", kind: "private" });
    expect(await callApi(workspace, "conversations.info", { channel: id })).toMatchObject({ needed: "groups:read" });
    expect(await callApi(workspace, "conversations.info", { channel: general.id })).toMatchObject({ ok: true });
  });

  it("is refused once the token is revoked or the app is gone", async () => {
    const { workspace } = await startPlace();
    workspace.faults.revokeToken();
    expect(await callApi(workspace, "auth.test")).toEqual({ ok: false, error: "token_revoked" });
    workspace.faults.uninstall();
    expect(await callApi(workspace, "auth.test")).toEqual({ ok: false, error: "account_inactive" });
  });

  it("is answered only under a name of this machine, and to no page but its own", async () => {
    const { workspace } = await startPlace();
    const { port } = new URL(workspace.url);
    const { request } = await import("node:http");
    const status = (host: string, origin?: string) =>
      new Promise((resolve) => {
        const headers = { host, ...(origin !== undefined && { origin }) };
        request({ host: "127.0.0.1", port, path: "/", headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).end();
      });
    expect(await status("rebound.example")).toBe(403);
    expect(await status(`localhost:${port}`)).toBe(200);
    expect(await status(`127.0.0.1:${port}`, "https://elsewhere.example")).toBe(403);
    expect(await status(`127.0.0.1:${port}`, "http://127.0.0.1:1")).toBe(403);
    expect(await status(`127.0.0.1:${port}`, "null")).toBe(403);
    expect(await status(`127.0.0.1:${port}`, `http://127.0.0.1:${port}`)).toBe(200);
  });
});

describe("faults of calls", () => {
  it("limit, fail and refuse before anything is done, as often as said", async () => {
    const { workspace, general } = await startPlace();
    const post = () => callForm(workspace, "chat.postMessage", { channel: general.id, text: "x" });
    workspace.faults.rateLimit("chat.postMessage", { retryAfterS: 7 });
    const limited = await post();
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(await limited.json()).toEqual({ ok: false, error: "ratelimited" });
    workspace.faults.fail("*", { status: 503, times: 2 });
    expect([(await post()).status, (await post()).status]).toEqual([503, 503]);
    workspace.faults.refuse("chat.postMessage", "is_archived", { fields: { detail: 1 } });
    expect(await (await post()).json()).toEqual({ ok: false, error: "is_archived", detail: 1 });
    expect(workspace.messages(general.id)).toEqual([]);
    expect((await post()).status).toBe(200);
    expect(workspace.messages(general.id)).toHaveLength(1);
  });

  it("drop the answer after the effect", async () => {
    const { workspace, general } = await startPlace();
    workspace.faults.dropResponse("chat.postMessage");
    await expect(callForm(workspace, "chat.postMessage", { channel: general.id, text: "x" })).rejects.toThrow(
      "fetch failed",
    );
    expect(workspace.messages(general.id)).toHaveLength(1);
    expect(workspace.calls.at(-1)).toMatchObject({ method: "chat.postMessage", status: 0, response: { ok: true } });
  });

  it("delay the answer, or the effect too", async () => {
    const { workspace, general } = await startPlace();
    workspace.faults.delay("chat.postMessage", 1_000);
    const late = callForm(workspace, "chat.postMessage", { channel: general.id, text: "effect at once" });
    let answered = false;
    void late.then(() => (answered = true));
    await workspace.until(() => workspace.messages(general.id).length === 1);
    expect(answered).toBe(false);
    await late;
    workspace.faults.delay("chat.postMessage", 100, { before: true });
    const both = callForm(workspace, "chat.postMessage", { channel: general.id, text: "effect later" });
    await workspace.until(() => workspace.messages(general.id).length === 2);
    expect((await both).status).toBe(200);
  });

  it("can be taken back", async () => {
    const { workspace } = await startPlace();
    workspace.faults.fail("*", { times: 99 });
    workspace.faults.clear();
    expect(await callApi(workspace, "auth.test")).toMatchObject({ ok: true });
  });
});

describe("rate limits", () => {
  it("are off unless asked for", async () => {
    const { workspace } = await startPlace();
    for (let each = 0; each < 25; each += 1) await callApi(workspace, "conversations.list");
    expect(workspace.calls.every(({ status }) => status === 200)).toBe(true);
  });

  it("follow the tier of the method, each method for itself", async () => {
    const { workspace } = await startPlace({ rateLimits: true });
    for (let each = 0; each < 20; each += 1) await callApi(workspace, "conversations.list");
    const limited = await callForm(workspace, "conversations.list", {});
    expect(limited.status).toBe(429);
    const seconds = Number(limited.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await callApi(workspace, "users.list")).toMatchObject({ ok: true });
  });
});

describe("a message's timestamp", () => {
  it("is later than every one before, even when the clock stands still or goes back", async () => {
    let now = 1_800_000_000_000;
    const { workspace, ann, general } = await startPlace({ now: () => now });
    const first = await ann.say(general.id, "1");
    expect(first).toBe("1800000000.000000");
    await ann.say(general.id, "2");
    now -= 60_000;
    await ann.say(general.id, "3");
    const all = workspace.messages(general.id).map(({ ts }) => ts);
    expect(all).toEqual([...new Set(all)].toSorted());
    expect(all.every((ts) => /^\d{10}\.\d{6}$/.test(ts))).toBe(true);
  });
});
