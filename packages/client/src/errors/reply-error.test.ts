import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  AuthError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ProtocolError,
  RateLimitError,
  UnavailableError,
  UnsupportedError,
  WrongBaseUrlError,
} from "./errors.ts";
import { refusalOf } from "./reply-error.ts";

const refusal = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  refusalOf({
    status,
    headers: new Headers({ "content-type": "application/json", ...headers }),
    body: typeof body === "string" ? body : JSON.stringify(body),
    host: "service.test",
    operation: "POST /chat/send-chat-message",
  });
const errorOf = (...reply: Parameters<typeof refusal>) => refusal(...reply).error;

describe("a wait nobody can sit out", () => {
  it.each<[string, object, Record<string, string>]>([
    ["more seconds than there are", { retry_after_seconds: 1e300 }, {}],
    ["a moment in the year 275,760", { reset_at: "+275760-09-13T00:00:00Z" }, {}],
    ["such a moment, by a clock of 1970", { reset_at: "+275760-09-13T00:00:00Z" }, { date: new Date(0).toUTCString() }],
    ["a header of twelve digits", {}, { "retry-after": "999999999999" }],
  ])("is told as later: %s", (_what, body, headers) => {
    const error = errorOf(429, body, headers);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error.message).toBe("A usage limit on service.test is reached. Try again later.");
  });
});

describe("a key whose person has to sign in again", () => {
  it("is not told as a wrong one, for which another is to be got", () => {
    const detail =
      "Sign in again: open https://knowledge.example.com/sign-in in a browser; this key then goes on as before.";
    const { message } = errorOf(401, { error_code: "SIGN_IN_AGAIN", detail });
    expect(message).toContain("service.test does not accept this key for now.");
    expect(message).toContain("Sign in again: open");
    expect(message).not.toContain("get a new one");
  });
});

describe("which error a reply becomes", () => {
  it.each([
    [401, { detail: "Token gone" }, AuthError],
    [403, { detail: "Access denied. User is not authenticated." }, AuthError],
    [403, { detail: "Unauthorized" }, AuthError],
    [403, { error_code: "SESSION_EXPIRED", detail: "x" }, AuthError],
    [403, { error_code: "INSUFFICIENT_PERMISSIONS", detail: "You lack a permission." }, PermissionError],
    [403, { detail: "Access denied" }, PermissionError],
    [400, { message: "No credential of that number" }, InvalidRequestError],
    [400, { detail: "No operation" }, InvalidRequestError],
    [409, { detail: "In use" }, InvalidRequestError],
    [413, "<html><h1>Too Large</h1></html>", InvalidRequestError],
    [407, "<html>Proxy Authentication Required</html>", UnavailableError],
    [404, { detail: "404: Not Found" }, UnsupportedError],
    [404, { detail: "Not Found" }, UnsupportedError],
    [405, { detail: "Method Not Allowed" }, UnsupportedError],
    [501, { detail: "Needs a vector database." }, UnsupportedError],
    [402, { detail: { error: "license_expired", message: "The licence has ended." } }, UnsupportedError],
    [404, { error_code: "SESSION_NOT_FOUND", detail: "No such session" }, NotFoundError],
    [404, "", NotFoundError],
    [404, { message: "This API is only available in development mode. Use something else." }, WrongBaseUrlError],
    [404, "<!doctype html><title>Chat</title>", WrongBaseUrlError],
    [403, "<html>Blocked</html>", WrongBaseUrlError],
    [429, { detail: "Too Many Requests" }, RateLimitError],
    [408, "", UnavailableError],
    [425, "", UnavailableError],
    [500, { detail: "boom" }, UnavailableError],
    [502, "<html>502 Bad Gateway</html>", UnavailableError],
    [503, "", UnavailableError],
    [599, "{", UnavailableError],
    [199, "", ProtocolError],
  ])("%i %j", (status, body, type) => {
    const error = errorOf(status, body);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ status, host: "service.test" });
    expect(error.message).not.toMatch(/undefined|\[object/);
  });

  it("tells whether a failed server may have done the work", () => {
    expect(errorOf(500, "")).toMatchObject({ maybeProcessed: true });
    expect(errorOf(504, "<html>")).toMatchObject({ maybeProcessed: true });
    expect(errorOf(503, "")).toMatchObject({ maybeProcessed: false });
    expect(errorOf(507, { detail: "The disk is full." })).toMatchObject({ maybeProcessed: false });
  });

  it("keeps the server's own code and whose budget it is", () => {
    expect(errorOf(404, { error_code: "NO_PAIR", detail: "No such pair" })).toMatchObject({ code: "NO_PAIR" });
    expect(errorOf(429, { error_code: "RATE_LIMITED", scope: "user_group", detail: "x" })).toMatchObject({
      code: "RATE_LIMITED",
      scope: "user_group",
    });
  });
});

describe("validation errors", () => {
  it("are read from the documented body", () => {
    const detail = [
      { loc: ["body", "sections", 0, "text"], msg: "Field required", type: "missing", input: "canary-input" },
    ];
    const error = errorOf(422, { detail });
    expect(error).toMatchObject({
      issues: [{ loc: ["body", "sections", 0, "text"], msg: "Field required", type: "missing" }],
    });
    expect(error.message).toContain("body.sections.0.text: Field required");
    expect(JSON.stringify(error) + error.message).not.toContain("canary-input");
  });

  it("are read from a printed Python object, whose echoed input and server paths are never shown", () => {
    const message =
      `2 validation errors: {'type': 'string_type', 'loc': ('body', 'message'), 'msg': 'Input should be a valid string', 'input': {'q': 'it\\'s "canary-input" {'}} ` +
      `{'type': 'value_error', 'loc': ('body', 'llm_override', 0), 'msg': "Value isn't right", 'input': None, 'ctx': {'error': ValueError('x')}}  File "/srv/canary/path.py", line 7, in send   POST /chat`;
    const error = errorOf(422, { status_code: 422, message, data: null });
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      issues: [
        { loc: ["body", "message"], msg: "Input should be a valid string", type: "string_type" },
        { loc: ["body", "llm_override", 0], msg: "Value isn't right", type: "value_error" },
      ],
    });
    expect(JSON.stringify(error) + error.message).not.toMatch(/canary/);
  });

  it("show nothing of a printed object that cannot be read, but that there was one", () => {
    const error = errorOf(422, { message: "1 validation error: <canary at 0x7f> /srv/canary" });
    expect(error).toMatchObject({ issues: [], status: 422 });
    expect(error.message).toBe("The server at service.test refused the request (422). It says: 1 validation error.");
  });

  it("name a place and some of what would do, not all of what a server takes", () => {
    const names = Array.from({ length: 59 }, (_, at) => `'source_${at}'`);
    const msg = `Input should be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
    const printed = `{'type': 'enum', 'loc': ('body', 'document', 'source'), 'msg': "${msg}", 'input': 'canary'}`;
    for (const body of [
      { status_code: 422, message: `1 validation error: ${printed}  File "/srv/x.py"` },
      { detail: [{ type: "enum", loc: ["body", "document", "source"], msg }] },
    ]) {
      const error = errorOf(422, body);
      const short = "Input should be one of 59 values, such as 'source_0', 'source_1' or 'source_2'";
      expect(error).toMatchObject({ issues: [{ loc: ["body", "document", "source"], msg: short, type: "enum" }] });
      expect(error.message).toBe(
        `The server at service.test refused the request (422). It says: body.document.source: ${short}.`,
      );
    }
    const few = "Input should be 'public', 'private' or 'sync'";
    expect(errorOf(422, { detail: [{ type: "enum", loc: ["body", "access_type"], msg: few }] }).message).toContain(few);
  });

  it.each([
    { detail: "just text" },
    { detail: { message: "inside" } },
    { detail: [] },
    { detail: [1, null, { msg: 5 }, { loc: "x" }] },
    { detail: null, message: null, error: null },
    { error: { message: "nested" } },
    [],
    null,
    "plain words",
    "x".repeat(100_000),
    `{"detail": "${"y".repeat(100_000)}`,
  ])("survive any body and stay short: %#", (body) => {
    const error = errorOf(422, body);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message.length).toBeLessThan(2200);
  });

  it("count the places beyond the first", () => {
    const detail = Array.from({ length: 200 }, (_, at) => ({ loc: ["body", at], msg: "m", type: "t" }));
    const error = errorOf(422, { detail });
    expect(error.message).toContain("and 45 more");
    expect(error).toMatchObject({ issues: { length: 50 } });
  });
});

describe("what is never shown", () => {
  it.each([
    "(psycopg2.errors) invalid input\nLINE 3: WHERE id = 'canary'\n[SQL: SELECT canary FROM users]",
    'Traceback (most recent call last):\n  File "/srv/canary.py", line 1',
    "KeyError: 'canary'",
    "open /var/lib/canary failed",
    `canary ${"long ".repeat(100)}`,
  ])("details of server errors: %#", (detail) => {
    for (const status of [500, 502, 503, 504, 507]) expect(errorOf(status, { detail }).message).not.toContain("canary");
  });

  it("a short reason before any work is passed on", () => {
    expect(errorOf(507, { detail: "The disk is full" }).message).toContain("The disk is full.");
  });

  it("control characters and text that turns direction", () => {
    const { message } = errorOf(400, { detail: "a\u001b[31mb\u0007\u202ec\u200bd\r\n\n e" });
    expect(message).toContain("a [31mb c d e");
  });
});

describe("how long to wait", () => {
  it.each([
    [{ "retry-after": "7" }, {}, 7000],
    [{ "retry-after": "1.5" }, {}, 1500],
    [{ "retry-after-ms": "250", "retry-after": "7" }, {}, 250],
    [{ "retry-after": "0" }, {}, 0],
    [{ date: "Sat, 21 Nov 2026 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:00:09 GMT" }, {}, 9000],
    [{ date: "Sat, 21 Nov 2026 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, {}, 0],
    [{}, { retry_after_seconds: 12 }, 12_000],
    [{ date: "Sat, 21 Nov 2026 10:00:00 GMT" }, { reset_at: "2026-11-21T10:01:00+00:00" }, 60_000],
    [{ "retry-after": "soon" }, {}, undefined],
    [{ "retry-after": "-4" }, { retry_after_seconds: -3 }, 0],
    [{}, {}, undefined],
  ])("%j %j: %s ms", (headers, body, expected) => {
    expect(refusal(429, body, Object.fromEntries(Object.entries(headers))).waitMs).toBe(expected);
  });

  describe("is told in one sentence", () => {
    const NOW = Date.parse("2026-11-22T20:58:12.625Z");
    const told = (body: object, headers: Record<string, string> = {}) => {
      vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
      onTestFinished(() => void vi.useRealTimers());
      const error = errorOf(429, { error_code: "RATE_LIMITED", ...body }, headers);
      if (!(error instanceof RateLimitError)) throw error;
      return { says: error.message, retryAt: error.retryAt?.toISOString() };
    };

    it.each([
      ["global", "The usage limit that everybody on service.test shares is reached."],
      ["user", "The usage limit of this account on service.test is reached."],
      ["user_group", "The usage limit of this account's group on service.test is reached."],
      ["planet", "A usage limit on service.test is reached."],
      [undefined, "A usage limit on service.test is reached."],
    ])("to whom the limit applies: %s", (scope, sentence) => {
      expect(told({ scope }).says).toBe(`${sentence} Try again later.`);
    });

    it.each([
      [0, "Try again now."],
      [1, "Try again in about a minute."],
      [70, "Try again in about 2 minutes."],
      [900, "Try again in about 15 minutes (2026-11-22 21:14 UTC)."],
      [5_000, "Try again in about an hour (2026-11-22 22:22 UTC)."],
      [10_800, "Try again in about 3 hours (2026-11-22 23:59 UTC)."],
      [86_400, "Try again in about a day (2026-11-23 20:59 UTC)."],
      [300_000, "Try again in about 3 days (2026-11-26 08:19 UTC)."],
    ])("after %i s", (seconds, sentence) => {
      expect(told({}, { "retry-after": String(seconds) }).says).toBe(
        `A usage limit on service.test is reached. ${sentence}`,
      );
    });

    it("by the moment the server names, which is not some milliseconds later", () => {
      const body = { scope: "global", reset_at: "2026-11-23T00:00:00+00:00", retry_after_seconds: 10_908 };
      expect(told(body, { "retry-after": "10908" })).toEqual({
        says: "The usage limit that everybody on service.test shares is reached. Try again in about 3 hours (2026-11-23 00:00 UTC).",
        retryAt: "2026-11-23T00:00:00.000Z",
      });
    });

    it("by the later of two: before the budget is new again there is no use in trying", () => {
      const body = { reset_at: "2026-11-23T00:00:00Z" };
      expect(told(body, { "retry-after": "5" }).retryAt).toBe("2026-11-23T00:00:00.000Z");
      const past = { reset_at: "2026-11-22T00:00:00Z" };
      expect(told(past, { "retry-after": "3600" }).retryAt).toBe("2026-11-22T21:58:12.625Z");
    });

    it("by this machine's clock where that and the server's differ", () => {
      const date = new Date(NOW - 7_200_000).toUTCString();
      const { says, retryAt } = told({ reset_at: "2026-11-22T19:58:12Z" }, { date });
      expect(says).toContain("Try again in about an hour (2026-11-22 21:59 UTC).");
      expect(retryAt).toBe("2026-11-22T21:58:12.625Z");
    });
  });

  it("is shown as a moment by this machine's clock", () => {
    const error = errorOf(429, { detail: "x" }, { "retry-after": "3600" });
    expect(error).toBeInstanceOf(RateLimitError);
    const retryAt = error instanceof RateLimitError ? error.retryAt?.getTime() : undefined;
    expect(Math.abs((retryAt ?? 0) - Date.now() - 3_600_000)).toBeLessThan(2000);
  });
});
