import { EventEmitter } from "node:events";
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api";
import { UnavailableError } from "@threadlore/client";
import { describe, expect, it } from "vitest";
import type { LogLevel } from "../settings/config.ts";
import { createLog, guardProcess } from "./log.ts";
import { createSecrets } from "../settings/secrets.ts";
import { sdkLog } from "./sdk-log.ts";

const token = (...parts: string[]) => parts.join("-");
/** What must never be in a log, at any level. */
const KEYS = [
  token("xoxb", "12345", "canary"),
  token("xapp", "1", "A0", "canary"),
  token("xoxe.xoxb", "1", "canary"),
  token("xoxe", "1", "canary"),
  token("sk", "canarycanarycanary"),
  `tl_${"canary".repeat(7)}`,
  "registered-canary-key",
  "pass-canary",
];
/** What must never be in a log above debug. */
const TEXT = "The merger canary is planned for May";

function logAt(level: LogLevel) {
  const lines: string[] = [];
  const registered = ["registered-canary-key"];
  const secrets = createSecrets(registered);
  const log = createLog({ level, secrets, to: { write: (line) => void lines.push(line) } });
  return { log, lines, all: () => lines.join("") };
}

/** Errors of every library in the house, stuffed with what they are known to carry. */
const ERRORS: readonly [string, () => unknown][] = [
  [
    "a refusal of Slack",
    () => new WebAPIPlatformError({ ok: false, error: "channel_not_found", text: TEXT, token: KEYS[0] } as never),
  ],
  [
    "an HTTP error of Slack",
    () => new WebAPIHTTPError(503, TEXT, { authorization: `Bearer ${KEYS[0]}` }, TEXT + KEYS[1]),
  ],
  ["a lost request", () => new WebAPIRequestError(new Error(`fetch ${TEXT} ${KEYS[2]}`))],
  ["a rate limit", () => new WebAPIRateLimitedError(30)],
  ["an error of the client", () => new UnavailableError(`${TEXT} ${KEYS[5]}`, false, { status: 503, host: "h" })],
  ["a parser's error", () => parseError(`${TEXT} ${KEYS[4]}`)],
  [
    "an error with everything attached",
    () => Object.assign(new Error(TEXT), { request: { headers: KEYS }, body: TEXT, config: KEYS }),
  ],
  ["an error whose message imitates a stack", () => new Error(`x\n    at ${TEXT} (/srv/${KEYS[6]}/file.ts:1:1)`)],
  ["an error within errors", () => new Error("a", { cause: new Error(TEXT, { cause: new Error(KEYS[7]) }) })],
  ["text", () => TEXT],
  ["nothing", () => undefined],
  ["an object", () => ({ message: TEXT, token: KEYS[0] })],
];

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

describe("a log", () => {
  it("is one JSON line for each event, with level, time and facts", () => {
    const { log, lines } = logAt("info");
    log.info("question ended", { task: "T1", outcome: "answered", ms: 812, channel: "C1" });
    log.debug("not shown");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      level: "info",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      event: "question ended",
      task: "T1",
      outcome: "answered",
      ms: 812,
      channel: "C1",
    });
  });

  it("leaves out facts it does not know, whatever a caller passes", () => {
    const { log, all } = logAt("info");
    log.info("question ended", { task: "T1", question: TEXT, message: { text: TEXT } } as never);
    expect(all()).toContain("T1");
    expect(all()).not.toContain("canary");
  });

  it("takes a server's code for one only where it is a word", () => {
    const { log, all } = logAt("info");
    log.warn("answer failed", { task: "T1", code: TEXT });
    log.warn("answer failed", { task: "T2", code: "RATE_LIMITED" });
    expect(all()).not.toContain("canary");
    expect(all()).toContain("RATE_LIMITED");
  });

  it("shows text at debug only", () => {
    const quiet = logAt("info");
    quiet.log.info("heard", { text: TEXT });
    expect(quiet.all()).not.toContain("canary");
    const open = logAt("debug");
    open.log.info("heard", { text: TEXT });
    expect(open.all()).toContain(TEXT);
  });

  it.each(ERRORS)("tells %s without its keys, and above debug without its texts", (_, make) => {
    for (const level of ["info", "debug"] as const) {
      const { log, all } = logAt(level);
      const hidden = level === "info" ? [...KEYS.slice(0, 7), "canary"] : KEYS.slice(0, 7);
      log.error("failed", { error: make() });
      for (const text of hidden) expect(all()).not.toContain(text);
      expect(all()).toContain('"level":"error"');
    }
  });

  it("keeps of an error what an operator needs", () => {
    const { log, lines } = logAt("info");
    log.error("failed", { error: new WebAPIPlatformError({ ok: false, error: "not_in_channel" }) });
    log.error("failed", { error: new WebAPIRateLimitedError(30) });
    log.error("failed", { error: new UnavailableError("x", false, { status: 503, code: "ECONNREFUSED" }) });
    const [platform, limited, unavailable] = lines.map((line) => (JSON.parse(line) as { error: object }).error);
    expect(platform).toMatchObject({ code: "slack_webapi_platform_error", slack: "not_in_channel" });
    expect(limited).toMatchObject({ retryAfterS: 30 });
    expect(unavailable).toMatchObject({
      name: "UnavailableError",
      outcome: "unavailable",
      status: 503,
      code: "ECONNREFUSED",
    });
    expect(unavailable).toMatchObject({
      at: [expect.stringMatching(/log\.test\.ts:\d+:\d+/), ...Array(5).fill(expect.any(String))],
    });
  });

  it.each([
    `postgres://bot:pass-canary@db.example.com/bot`,
    `wss://wss-primary.slack.test/link/?ticket=canary-ticket&app_id=1`,
    `Authorization: Bearer canary.token/with+signs=`,
    `https://hooks.slack.com/actions/T1/2/canary`,
    ...KEYS.slice(0, 7),
  ])("hides what looks like a credential, wherever it stands: %s", (text) => {
    const { log, all } = logAt("debug");
    log.debug(text, { reason: text, text: `before ${text} after`, error: new Error(text) });
    expect(all()).not.toContain("canary");
    expect(all()).toContain("[hidden]");
  });
});

describe("the log as Slack's SDKs get it", () => {
  it("keeps the constant beginning of a line above debug, and everything but keys at debug", () => {
    const write = (level: LogLevel) => {
      const made = logAt(level);
      const sdk = sdkLog(made.log);
      sdk.setName("socket-mode");
      sdk.error(`Failed to parse body (${TEXT})`, new Error(TEXT));
      sdk.warn(`WebSocket error! ${JSON.stringify({ text: TEXT, token: KEYS[0] })}`);
      sdk.info(new Error(TEXT));
      sdk.debug(`apiCall: ${TEXT} ${KEYS[1]}`);
      return made;
    };
    const quiet = write("info");
    expect(quiet.lines).toHaveLength(3);
    expect(quiet.all()).not.toContain("canary");
    expect(quiet.lines.map((line) => (JSON.parse(line) as { reason?: string }).reason)).toEqual([
      "Failed to parse body",
      "WebSocket error!",
      undefined,
    ]);
    const open = write("debug");
    expect(open.lines).toHaveLength(4);
    expect(open.all()).toContain(TEXT);
    for (const key of KEYS.slice(0, 7)) expect(open.all()).not.toContain(key);
  });

  it("tells the SDK its level, so that it does not build lines nobody wants", () => {
    expect(sdkLog(logAt("warn").log).getLevel()).toBe("warn");
    expect(sdkLog(logAt("silent").log).getLevel()).toBe("error");
  });
});

describe("the process", () => {
  it("survives a rejection nobody waits for, and ends with code 70 for anything else, both in one clean line", () => {
    const { log, lines, all } = logAt("info");
    const codes: number[] = [];
    const process = new EventEmitter();
    const unguard = guardProcess(log, { exit: (code) => void codes.push(code), process: process as NodeJS.Process });
    process.emit("unhandledRejection", new TypeError(`Cannot read ${TEXT}`));
    expect(codes).toEqual([]);
    process.emit("uncaughtException", new Error(TEXT));
    expect(codes).toEqual([70]);
    expect(lines).toHaveLength(2);
    expect(all()).not.toContain("canary");
    unguard();
    expect(process.listenerCount("unhandledRejection") + process.listenerCount("uncaughtException")).toBe(0);
  });
});
