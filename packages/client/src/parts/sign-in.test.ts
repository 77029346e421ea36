import { afterEach, describe, expect, it, vi } from "vitest";
import { awaitKey, beginSignIn, offersSignIn } from "./sign-in.ts";

const begun = {
  deviceCode: "device-code-of-43-letters",
  userCode: "BCDF-GHJK",
  page: "https://knowledge.example.com/sign-in/device",
  pageWithCode: "https://knowledge.example.com/sign-in/device?user_code=BCDF-GHJK",
  expiresMs: 600_000,
  intervalMs: 5_000,
};

/** A server that answers with these in turn, the last again and again; what it was sent; and when, in seconds. */
function server(...replies: readonly (readonly [status: number, body: unknown])[]) {
  const sent: { path: string; type: string | null; fields: Record<string, string> }[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const fields = Object.fromEntries(new URLSearchParams(await request.text()));
    sent.push({ path: new URL(request.url).pathname, type: request.headers.get("content-type"), fields });
    const [status, body] = replies[Math.min(sent.length, replies.length) - 1] ?? [500, {}];
    if (status === 0) throw new TypeError("fetch failed");
    return Response.json(body, { status });
  };
  return { sent, connection: { baseUrl: "https://knowledge.example.com", apiKey: "tl_TESTsecret", fetch } };
}

const pending = [400, { error: "authorization_pending", error_description: "Not yet." }] as const;

afterEach(() => vi.useRealTimers());

describe("signing in with a code", () => {
  it("begins by saying who asks, and takes no page that cannot be opened", async () => {
    const reply = {
      device_code: begun.deviceCode,
      user_code: begun.userCode,
      verification_uri: begun.page,
      verification_uri_complete: begun.pageWithCode,
      expires_in: 600,
      interval: 5,
    };
    const { sent, connection } = server([200, reply], [200, { ...reply, verification_uri: "javascript:alert(1)" }]);
    const request = { client: "Terminal", purpose: "x".repeat(150), expectedEmail: "anna@example.com" };
    expect(await beginSignIn(connection, request)).toEqual(begun);
    expect(sent[0]).toEqual({
      path: "/sign-in/device",
      type: "application/x-www-form-urlencoded;charset=UTF-8",
      fields: { client_id: "Terminal", purpose: "x".repeat(100), expected_email: "anna@example.com" },
    });
    await expect(beginSignIn(connection, request)).rejects.toThrow("names no web page");
  });

  it("asks as often as the server allows, goes on while it is away, and gives the key", async () => {
    vi.useFakeTimers();
    const { sent, connection } = server(
      pending,
      [400, { error: "slow_down" }],
      [0, {}],
      [502, {}],
      [200, { access_token: "tl_TESTkey", token_type: "Bearer" }],
    );
    const start = performance.now();
    const key = awaitKey(connection, begun);
    while (sent.length < 5) await vi.advanceTimersByTimeAsync(1_000);
    expect(await key).toBe("tl_TESTkey");
    // Five seconds more for slow_down; twice as long each time while it is away, up to half a minute.
    expect(Math.round((performance.now() - start) / 1_000)).toBe(5 + 5 + 10 + 20 + 30);
    expect(sent[0]).toMatchObject({ path: "/sign-in/token", fields: { device_code: begun.deviceCode } });
  });

  it.each([
    ["access_denied", "refused"],
    ["expired_token", "Nobody agreed in time"],
  ])("ends at %s in plain words", async (error, words) => {
    const { connection } = server([400, { error }]);
    await expect(awaitKey(connection, { ...begun, intervalMs: 1 })).rejects.toMatchObject({
      outcome: "auth",
      message: expect.stringContaining(words),
    });
  });

  it("is not offered by servers that do not say so", async () => {
    expect(await offersSignIn(server([200, { device_sign_in_enabled: true }]).connection)).toBe(true);
    expect(await offersSignIn(server([200, { anonymous_user_enabled: false }]).connection)).toBe(false);
    expect(await offersSignIn(server([404, { detail: "Not Found" }]).connection)).toBe(false);
  });
});
