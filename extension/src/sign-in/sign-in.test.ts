import { freshBrowser } from "../testing/fake-browser.ts";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeBrowser } from "wxt/testing/fake-browser";
import { changeSettings, readKeys, storeKeys } from "../settings/settings.ts";
import { offersSignIn } from "./offer.ts";
import { signIn, signOut } from "./sign-in.ts";

const REDIRECT = `https://${"a".repeat(32)}.chromiumapp.org/`;
const SERVICE = "https://knowledge.example.com";

/** What the service is sent, as method and path, and what it answers to each; without one it is away. */
let sent: { call: string; fields: Record<string, string>; headers: Headers; init: RequestInit }[];
let replies: Record<string, [status: number, body: unknown]>;

/** What the browser does with the page: by default its person agrees. */
let open: (page: URL) => Promise<string | undefined> | string | undefined;

beforeEach(async () => {
  await freshBrowser();
  sent = [];
  replies = { "POST /sign-in/token": [200, { access_token: "tl_TESTanna" }] };
  open = (page) => `${REDIRECT}?code=abc&state=${page.searchParams.get("state")}`;
  Object.assign(fakeBrowser, {
    identity: {
      getRedirectURL: () => REDIRECT,
      launchWebAuthFlow: async ({ url }: { url: string }) => open(new URL(url)),
    },
  });
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const { method = "GET" } = init;
    const call = `${method} ${url.replace(SERVICE, "")}`;
    const fields = Object.fromEntries(new URLSearchParams(init.body as URLSearchParams | undefined));
    sent.push({ call, fields, headers: new Headers(init.headers), init });
    const [status, body] = replies[call] ?? [];
    if (status === undefined) throw new TypeError("Failed to fetch");
    return Response.json(body, { status });
  });
  await changeSettings({ baseUrl: SERVICE, ingestionPath: "/onyx-api/ingestion" });
});

describe("signing in", () => {
  it("keeps the key that comes of it, asked for with what only this sign-in knows", async () => {
    let challenged: string | null = null;
    const agree = open;
    open = (page) => {
      challenged = page.searchParams.get("code_challenge");
      return agree(page);
    };
    expect(await signIn()).toBe("done");
    expect(await readKeys()).toMatchObject({ origin: SERVICE, askKey: "tl_TESTanna", ingestKey: "" });
    expect(sent).toMatchObject([
      {
        call: "POST /sign-in/token",
        fields: { grant_type: "authorization_code", code: "abc", redirect_uri: REDIRECT },
        init: { credentials: "omit", redirect: "error" },
      },
    ]);
    expect(challenged).not.toBe(sent[0]?.fields["code_verifier"]);
  });

  it.each([
    ["closed", () => Promise.reject(new Error("The user did not approve access."))],
    ["refused", (page: URL) => `${REDIRECT}?error=access_denied&state=${page.searchParams.get("state")}`],
    ["failed", () => `${REDIRECT}?code=abc&state=another`],
    ["failed", () => undefined],
  ] as const)("that is %s asks for no key, and leaves the one that is there", async (outcome, answer) => {
    await storeKeys({ askKey: "tl_TESTbefore" });
    open = answer;
    expect(await signIn()).toBe(outcome);
    expect(sent).toEqual([]);
    expect(await readKeys()).toMatchObject({ askKey: "tl_TESTbefore" });
  });

  it.each([
    [undefined],
    [[400, { error: "invalid_grant" }] as [number, unknown]],
    [[200, { access_token: "two words" }] as [number, unknown]],
    [[200, []] as [number, unknown]],
  ])("that is answered with %j leaves the key that is there", async (reply) => {
    await storeKeys({ askKey: "tl_TESTbefore" });
    if (reply === undefined) delete replies["POST /sign-in/token"];
    else replies["POST /sign-in/token"] = reply;
    expect(await signIn()).toBe("failed");
    // A code is good for one try.
    expect(sent.filter(({ call }) => call === "POST /sign-in/token")).toHaveLength(1);
    expect(await readKeys()).toMatchObject({ askKey: "tl_TESTbefore" });
  });

  it("gives no key to another service that was set meanwhile, and ends it", async () => {
    const agree = open;
    open = async (page) => {
      await changeSettings({ baseUrl: "https://other.example" });
      return agree(page);
    };
    replies["GET /me/keys"] = [200, [{ id: 3 }, { id: 7, is_current: true }]];
    replies["DELETE /me/keys/7"] = [200, { success: true }];
    expect(await signIn()).toBe("failed");
    expect(await readKeys()).toBeUndefined();
    expect(sent.map(({ call }) => call)).toEqual(["POST /sign-in/token", "GET /me/keys", "DELETE /me/keys/7"]);
  });
});

describe("signing out", () => {
  it.each([
    ["ended", [200, [{ id: 7, is_current: true }]], [200, { success: true }]],
    ["ended", [401, { detail: "Access denied." }], undefined],
    ["forgotten", [200, [{ id: 7, is_current: true }]], [500, {}]],
    ["forgotten", [404, { detail: "It is nobody's." }], undefined],
    ["forgotten", undefined, undefined],
  ] as const)("says %s, by what the service answers (%j, %j), and keeps no key", async (outcome, keys, ended) => {
    await storeKeys({ askKey: "tl_TESTanna" });
    if (keys !== undefined) replies["GET /me/keys"] = [keys[0], keys[1]];
    if (ended !== undefined) replies["DELETE /me/keys/7"] = [ended[0], ended[1]];
    expect(await signOut()).toBe(outcome);
    expect(await readKeys()).toBeUndefined();
    expect(sent.map(({ headers }) => headers.get("authorization"))).not.toContain(null);
  });
});

describe("a service", () => {
  it.each([
    [true, [200, { code_sign_in_enabled: true }]],
    [false, [200, { code_sign_in_enabled: false }]],
    // A version before, and deployed servers.
    [false, [200, { device_sign_in_enabled: true }]],
    [false, [404, { detail: "Not Found" }]],
    [false, [200, null]],
    [false, undefined],
  ] as const)("offers it: %s, where it answers %j", async (isOffered, reply) => {
    if (reply !== undefined) replies["GET /auth/type"] = [reply[0], reply[1]];
    expect(await offersSignIn(`${SERVICE}/`)).toBe(isOffered);
    expect(sent.map(({ call, headers }) => [call, headers.get("authorization")])).toEqual([["GET /auth/type", null]]);
  });

  it("is asked nothing where none is set", async () => {
    expect(await offersSignIn("")).toBe(false);
    expect(sent).toEqual([]);
  });
});
