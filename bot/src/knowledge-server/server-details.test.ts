import { describe, expect, it } from "vitest";
import { publicWords } from "../ask/answer-view.ts";
import { idle, type Town, useTowns } from "../testing/running-bot.ts";
import { scriptedAnswer } from "../testing/scripted-answer.ts";

const town = useTowns();

const LONG = { timeout: 120_000 };
const ADMINS = "C0000ADMIN";
const DETAIL = "User bot@corp.local lacks permission on persona 7 (HR confidential); see http://10.0.0.7:8080/admin";
const SECRETS =
  /corp\.local|persona 7|HR confidential|10\.0\.0\.7|log says why|127\.0\.0\.1|(?<![0-9A-Z])8411(?![0-9A-Z])|THREADLORE_/;
const QUESTION = "How many days of annual leave do I have?";

const isChat = (request: Request): boolean => request.url.endsWith("send-chat-message");

/** Everything that was sent anywhere but to administrators. */
function shownToPeople({ workspace }: Town, admin?: string): string[] {
  return workspace.calls
    .filter(({ args }) => args["channel"] !== ADMINS && (admin === undefined || args["user_id"] !== admin))
    .map(({ method, args }) => `${method} ${JSON.stringify(args)}`);
}

const reply =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (): Promise<Response> =>
    Promise.resolve(Response.json(body, { status, headers }));

const line =
  (error_code: string, said = "") =>
  (): Promise<Response> => {
    const script = scriptedAnswer();
    if (said !== "") script.say(said);
    script.packet({ error: DETAIL, error_code, is_retryable: true });
    script.end();
    return Promise.resolve(script.response);
  };

/** What is said of failures: one of these. */
const SENTENCES = [
  ...[
    "RATE_LIMIT",
    "RATE_LIMITED",
    "unavailable",
    "CONTEXT_TOO_LONG",
    "CONTENT_POLICY",
    "auth",
    "protocol",
    "EMPTY_LLM_RESPONSE",
    "partial",
    "",
  ].map((code) => publicWords({ status: "failed", failure: { code, message: DETAIL, retryable: false } })),
  "Too much has been asked for now. Ask again after ",
];

const REPLIES: readonly [string, () => Promise<Response>][] = [
  ...[400, 401, 403, 404, 409, 413, 422, 500, 501, 502, 503].map((status): [string, () => Promise<Response>] => [
    `status ${status}`,
    reply(status, { detail: DETAIL }),
  ]),
  ["status 429", reply(429, { detail: DETAIL }, { "retry-after": "7200" })],
  ["a page", () => Promise.resolve(new Response(`<h1>${DETAIL}</h1>`, { headers: { "content-type": "text/html" } }))],
  ["no connection", () => Promise.reject(new TypeError(DETAIL, { cause: { code: "ECONNREFUSED" } }))],
  ...[
    "RATE_LIMIT",
    "AUTH_ERROR",
    "PERMISSION_DENIED",
    "CONTEXT_TOO_LONG",
    "CONTENT_POLICY",
    "QUERY_REJECTED",
    "BUDGET_EXCEEDED",
    "NOT_FOUND",
    "SERVICE_UNAVAILABLE",
    "EMPTY_LLM_RESPONSE",
    "VALIDATION_ERROR",
    "INSUFFICIENT_PERMISSIONS",
    "",
    DETAIL,
  ].map((code): [string, () => Promise<Response>] => [`an error line ${code.slice(0, 24)}`, line(code)]),
  ["an error after some text", line("QUERY_REJECTED", "Everybody has thirty days. ")],
];

describe("what a server says of its failures", LONG, () => {
  it("reaches no channel, thread, direct message or private answer, whatever the failure is", async () => {
    const lines: string[] = [];
    const place = await town({
      env: { ADMIN_CHANNEL: ADMINS, LOG_LEVEL: "warn", QUESTIONS_PER_USER: "off" },
      onLog: (written) => lines.push(written),
    });
    const { ada, bo, general, knowledge, workspace } = place;
    const admin = workspace.addUser({ name: "root", kind: "admin" });
    // Each is told by the number in its question, and asked in a channel of its own: Slack takes one message a second.
    const met = new Set<string>();
    knowledge.fault = async (request) => {
      if (!isChat(request)) return undefined;
      const [, number = ""] = /\((\d+)\)/.exec(await request.clone().text()) ?? [];
      const [name, fault] = REPLIES[Number(number)] ?? [];
      met.add(name ?? number);
      return fault?.();
    };
    const asked = REPLIES.map(async ([name], index) => {
      const members = [ada.user.id, bo.user.id];
      const channel = index === 0 ? general : workspace.addChannel({ name: `room-${index}`, members, withApp: true });
      const ts = await ada.mention(channel.id, `${QUESTION} (${index})`);
      return { name, channel, ts };
    });
    for (const { name, channel, ts } of await Promise.all(asked)) {
      const { shown } = await place.answered(channel.id, ts);
      expect(shown, name).toMatch(/Reference [0-9A-Z]+|\[Retry\]|👍/);
      const known = SENTENCES.some((sentence) => shown.includes(sentence));
      expect(known, `${name}: ${shown}`).toBe(true);
    }
    expect(met.size).toBe(REPLIES.length);
    knowledge.fault = (request) => (isChat(request) ? reply(403, { detail: DETAIL })() : Promise.resolve(undefined));
    await ada.command(general.id, "/ask", QUESTION);
    await bo.dm(QUESTION);
    await workspace.until(() => ada.ephemerals(general.id).some(({ shown }) => shown.includes("Reference")));
    await idle(place);
    const first = workspace.messages(general.id).find(({ user }) => user === ada.user.id);
    await bo.shortcut("why_message", { channel: general.id, ts: first?.ts ?? "" });
    await workspace.until(() => bo.modals().at(-1));
    await bo.openHome();
    await workspace.until(() => bo.home());
    await admin.openHome();
    await workspace.until(() => admin.home());
    expect(shownToPeople(place, admin.user.id).filter((said) => SECRETS.test(said))).toEqual([]);
    // Whoever runs it reads all of it.
    expect(JSON.stringify(admin.home())).toContain("HR confidential");
    expect(lines.join("\n")).toContain("HR confidential");
    const alert = workspace.calls.find(({ args }) => args["channel"] === ADMINS);
    expect(alert).toBeDefined();
  });

  it("of a file or a kept message reaches nobody either", async () => {
    const place = await town();
    const { ada, general, knowledge } = place;
    knowledge.fault = (request) =>
      Promise.resolve(request.url.includes("upload") ? Response.json({ detail: DETAIL }, { status: 403 }) : undefined);
    const files = [{ name: "notes.pdf", mimetype: "application/pdf", content: "%PDF-1.4 nothing" }];
    const ts = await ada.mention(general.id, QUESTION, { files });
    expect((await place.answered(general.id, ts)).shown).toContain("did not take it");
    await idle(place);
    expect(shownToPeople(place).filter((said) => SECRETS.test(said))).toEqual([]);
  });
});
