import { afterThisTest, seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { KEYS, startTown, type Town, type TownOptions } from "../testing/running-bot.ts";

const LONG = { timeout: 300_000 };

/** A town whose bot Slack's assistant may reach. */
async function town(options: TownOptions = {}): Promise<Town> {
  const place = await startTown({ ...options, env: { ASSISTANT_PORT: "0", ...options.env } });
  afterThisTest(() => place.close());
  return place;
}

const urlOf = ({ bot }: Town): string => bot.assistantUrl ?? "";

/** What the server was asked for somebody. */
const requestsOf = ({ knowledge }: Town): number => knowledge.forSomebody().length;

/** The first text of what a tool gave, and whether it is an error. */
async function call(
  place: Town,
  tool: string,
  given: Record<string, unknown>,
  asker: { user?: string; team?: string; enterprise?: string } | null = {},
) {
  const { workspace, ada } = place;
  const who = asker && { user: ada.user.id, team: workspace.team.id, ...asker };
  const { status, result, error } = await workspace.slackbot(urlOf(place), {
    method: "tools/call",
    params: { name: tool, arguments: given },
    ...(who !== null && { asker: who }),
  });
  const content = (result?.["content"] ?? []) as { text?: string }[];
  return { status, text: content[0]?.text ?? JSON.stringify(error), isError: result?.["isError"] === true };
}

const LEAVE = { question: "How many days of annual leave?" };
const ALLOWED = "assistants:\n  who_may_ask: everyone\n";

describe("Slack's own assistant", LONG, () => {
  it("finds the tools, and answers a person with the rights the rules give, cited", async () => {
    const place = await town({ rules: ALLOWED });
    const { workspace } = place;
    const hello = await workspace.slackbot(urlOf(place), {
      method: "initialize",
      params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "slackbot", version: "1" } },
    });
    expect(hello.result).toMatchObject({ serverInfo: { name: "threadlore" } });
    const { result } = await workspace.slackbot(urlOf(place), { method: "tools/list" });
    const tools = result?.["tools"] as { name: string; annotations: { readOnlyHint: boolean } }[];
    expect(tools.map(({ name }) => name)).toEqual(["ask", "search", "read"]);
    expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
    const answer = await call(place, "ask", LEAVE);
    expect(answer).toMatchObject({ status: 200, isError: false });
    expect(answer.text).toContain("thirty days");
    expect(answer.text).toContain("https://handbook.example/leave");
  });

  it("asks with the channel key, and with the wider one where the rules say so", async () => {
    const place = await town({ rules: ALLOWED, restricted: true });
    const keys: (string | null)[] = [];
    place.knowledge.fault = async (request) => {
      if (request.url.endsWith("/chat/send-chat-message")) keys.push(request.headers.get("authorization"));
      return undefined;
    };
    expect((await call(place, "ask", LEAVE)).text).not.toContain("thirty days");
    place.setRules("assistants:\n  key: dm\n");
    await expect.poll(async () => (await call(place, "ask", LEAVE)).text).toContain("thirty days");
    expect(keys[0]).toBe(`Bearer ${KEYS.channel}`);
    expect(keys.at(-1)).toBe(`Bearer ${KEYS.dm}`);
  });

  it("is told in plain words how to be let in where the rules say nothing of it", async () => {
    const place = await town();
    const before = place.knowledge.asked.length;
    for (const tool of ["ask", "search", "read"] as const) {
      const given = { ask: LEAVE, search: { query: "leave" }, read: { document: "leave" } }[tool];
      expect(await call(place, tool, given)).toEqual({
        status: 200,
        isError: true,
        text: expect.stringContaining("`assistants:` in the rules file"),
      });
    }
    expect(place.knowledge.asked).toHaveLength(before);
  });

  it("answers nobody the rules leave out, from elsewhere, or without a name", async () => {
    const place = await town({ rules: "assistants:\n  who_may_ask: [admins]\n" });
    const { workspace } = place;
    const guest = workspace.addUser({ name: "gil", kind: "guest" });
    const boss = workspace.addUser({ name: "boss", kind: "admin" });
    const seen = requestsOf(place);
    const refused = async (asker: Parameters<typeof call>[3], words: string) => {
      expect(await call(place, "ask", LEAVE, asker)).toMatchObject({
        isError: true,
        text: expect.stringContaining(words),
      });
    };
    await refused({}, "Only some people may ask me here");
    await refused({ user: guest.user.id }, "full members only");
    await refused({ user: "U0NOBODY" }, "could not find out whose account");
    await refused({ user: boss.user.id, team: "T0OTHER" }, "members of my own workspace only");
    await refused({ user: boss.user.id, team: "T0OTHER", enterprise: "E0OTHER" }, "members of my own workspace only");
    await refused(null, "did not say who asks");
    expect(requestsOf(place)).toBe(seen);
    expect((await call(place, "ask", LEAVE, { user: boss.user.id })).text).toContain("thirty days");
  });

  it("counts what is asked, searched and read as questions", async () => {
    const place = await town({ rules: ALLOWED, env: { QUESTIONS_PER_USER: "2/1h" } });
    await call(place, "ask", LEAVE);
    await call(place, "search", { query: "leave" });
    expect(await call(place, "ask", LEAVE)).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^You have asked as many questions as one person may for now\. Ask again after 20[-\d]+ [:\d]+ UTC\.$/,
      ),
    });
    expect(await call(place, "read", { document: "leave" })).toMatchObject({ isError: true });
  });

  it("is told in a sentence that something failed, and nothing of the server's own words, its address or the key", async () => {
    const place = await town({ rules: ALLOWED });
    const said = { detail: "User bot@corp.local lacks permission on persona 7 (HR confidential)" };
    for (const status of [400, 401, 403, 422, 500, 503]) {
      place.knowledge.fault = () => Promise.resolve(Response.json(said, { status }));
      for (const [tool, given] of [
        ["ask", LEAVE],
        ["search", { query: "leave" }],
        ["read", { document: "leave" }],
      ] as const) {
        const { text, isError } = await call(place, tool, given);
        expect([status, tool, isError]).toEqual([status, tool, true]);
        expect(text).not.toMatch(/corp\.local|persona 7|127\.0\.0\.1|\bkey\b|doctor|\b[45]\d\d\b/i);
      }
    }
  });

  it("goes on in nobody's conversation, since all share a key", async () => {
    const place = await town({ rules: ALLOWED });
    const first = await call(place, "ask", LEAVE);
    expect(first.text).not.toContain("conversation");
    const { result } = await place.workspace.slackbot(urlOf(place), { method: "tools/list" });
    expect(JSON.stringify(result)).not.toContain("From the result of a former question");
  });

  it("adds nothing, whatever the key may", async () => {
    const place = await town({ rules: ALLOWED, env: { THREADLORE_KEY: KEYS.owner } });
    const reply = await call(place, "ingest", { title: "Decision", text: "Tea is free." });
    expect(reply.text).toContain("ingest");
    expect(place.knowledge.requests).not.toContain("POST /service-api/ingestion");
  });

  it("is there only where somebody said so", async () => {
    const place = await startTown();
    afterThisTest(() => place.close());
    expect(place.bot.assistantUrl).toBeUndefined();
  });
});

describe("a request that Slack did not send", LONG, () => {
  it("never gets in: 10,000 forged, changed, late and replayed ones", async () => {
    const place = await town({ rules: ALLOWED });
    const { workspace, ada } = place;
    const url = urlOf(place);
    const random = seededRandom(14);
    const asker = { user: ada.user.id, team: workspace.team.id };
    const body = (n: number) =>
      JSON.stringify({
        jsonrpc: "2.0",
        id: n,
        method: "tools/call",
        params: { name: "ask", arguments: LEAVE, _meta: { slack: { user_id: asker.user, team_id: asker.team } } },
      });
    const now = () => Math.floor(Date.now() / 1_000);
    // One that was sent, and heard of by somebody who sends it again.
    const heard = { body: body(0), timestamp: now() };
    expect((await workspace.postSigned(url, heard.body, { ...ACCEPT, timestamp: heard.timestamp })).status).toBe(200);
    const seen = requestsOf(place);
    const forms: ((n: number) => Promise<{ status: number }>)[] = [
      (n) => workspace.postSigned(url, body(n), { ...ACCEPT, secret: `guess-${random()}` }),
      (n) => workspace.postSigned(url, body(n), { ...ACCEPT, timestamp: now() - 301 - Math.floor(random() * 1e6) }),
      (n) => workspace.postSigned(url, body(n), { ...ACCEPT, timestamp: now() + 320 + Math.floor(random() * 1e6) }),
      () => workspace.postSigned(url, heard.body, { ...ACCEPT, timestamp: heard.timestamp }),
      (n) => workspace.postSigned(url, body(n), { headers: { ...ACCEPT.headers, "x-slack-signature": "" } }),
      (n) => workspace.postSigned(url, body(n), { headers: { ...ACCEPT.headers, origin: "https://slack.com" } }),
      (n) => fetch(url, { method: "POST", body: body(n), headers: ACCEPT.headers }),
    ];
    const statuses = new Map<number, number>();
    for (let n = 1; n <= 10_000; n += 50) {
      const batch = Array.from({ length: 50 }, (_, k) => forms[Math.floor(random() * forms.length)]?.(n + k));
      for (const reply of await Promise.all(batch))
        statuses.set(reply?.status ?? 0, (statuses.get(reply?.status ?? 0) ?? 0) + 1);
    }
    expect([...statuses.keys()].toSorted()).toEqual([401, 403]);
    expect([...statuses.values()].reduce((sum, count) => sum + count)).toBe(10_000);
    expect(requestsOf(place)).toBe(seen);
  });

  it("is told what is wrong with it in the protocol's own shape", async () => {
    const place = await town({ rules: ALLOWED });
    const { workspace } = place;
    const url = urlOf(place);
    const said = async (body: string) => {
      const { status, text } = await workspace.postSigned(url, body, ACCEPT);
      return [status, (JSON.parse(text) as { error: { message: string } }).error.message];
    };
    expect(await said("[]")).toEqual([400, "That is no single message of the protocol."]);
    expect(await said("{")).toEqual([400, "That is no single message of the protocol."]);
    expect(await said(`{"method":"${"x".repeat(1_100_000)}"}`)).toEqual([413, "The message is larger than 1 MB."]);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url.replace("/mcp", "/other"), { method: "POST" })).status).toBe(404);
    // What two people's assistants send in one second while they look around is the same.
    const look = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    const timestamp = Math.floor(Date.now() / 1_000);
    for (const _ of [1, 2]) expect((await workspace.postSigned(url, look, { ...ACCEPT, timestamp })).status).toBe(200);
  });
});

const ACCEPT = { headers: { accept: "application/json, text/event-stream", "content-type": "application/json" } };
