import { createDeployment } from "@threadlore/client/deployment";
import { describe, expect, it } from "vitest";
import { KEYS } from "../testing/running-bot.ts";
import { CAN_CONNECT, connectAccount, personKey } from "../testing/own-accounts.ts";
import { LEAVE, LONG, passage, sessionsOf, town, withSearch } from "./lookups.harness.ts";
import { wordsFor } from "./search.ts";

const TOO_MANY = /^You have asked as many questions as one person may for now\. Ask again after 20[-\d]+ [:\d]+ UTC\.$/;

describe("the platform's search", LONG, () => {
  it("shows what the person would be answered from, keeps nothing of it, and counts it as a question", async () => {
    const place = await town({ env: { QUESTIONS_PER_USER: "2/1h" } });
    const { results, said } = await place.ada.search("How many days of annual leave?");
    expect(said).toBeUndefined();
    expect(results[0]).toMatchObject({ title: "Leave", link: LEAVE, external_ref: { type: "document" } });
    expect(results[0]?.description).toContain("thirty days");
    expect(await sessionsOf(place)).toBe(0);
    expect(await place.bot.context.store.backlog()).toEqual({ waiting: 0, running: 0 });
    expect((await place.ada.search("zzzz qqqq")).results).toEqual([]);
    const third = await place.ada.search("travel");
    expect(third).toEqual({ results: [], said: expect.stringMatching(TOO_MANY) });
    place.expectNoRefusals();
  });

  it("finds what an answer would be made from where the server has no search of its own, and keeps no conversation", async () => {
    const place = await town({ rules: "direct_messages:\n  persona: 0\n" });
    place.knowledge.fault = (request) =>
      Promise.resolve(
        request.url.endsWith("/search") ? Response.json({ detail: "Not Found" }, { status: 404 }) : undefined,
      );
    const { results } = await place.ada.search("How many days of annual leave?");
    expect(results[0]).toMatchObject({ title: "Leave", link: LEAVE });
    expect(results[0]?.description).toContain("thirty days");
    expect(place.knowledge.asked).toHaveLength(1);
    expect(await sessionsOf(place)).toBe(0);
    expect((await place.ada.search("zzzz qqqq")).results).toEqual([]);
  });

  it("is not made with the searcher's own account unless the rules say so: a workflow can search in their name", async () => {
    const env = { ...CAN_CONNECT, THREADLORE_DM_KEY: KEYS.channel };
    const place = await town({ restricted: true, env });
    await connectAccount(place.workspace, place.ada, personKey(place.knowledge, "ada"));
    expect((await place.ada.search("annual leave")).results).toEqual([]);
    place.setRules("direct_messages:\n  own_account: only\n");
    const refused = { results: [], said: expect.stringContaining("searches in Slack are not made with those") };
    await expect.poll(() => place.ada.search("annual leave"), { timeout: 20_000 }).toEqual(refused);
  });

  it("is made with the searcher's own account where the rules say so, and says so where that is refused", async () => {
    const rules = "direct_messages:\n  own_account_in_search: on\n";
    const place = await town({ rules, restricted: true, env: { ...CAN_CONNECT, THREADLORE_DM_KEY: KEYS.channel } });
    const { workspace, ada, bo, knowledge } = place;
    const key = personKey(knowledge, "ada");
    expect((await ada.search("annual leave")).results).toEqual([]);
    await connectAccount(workspace, ada, key);
    expect((await ada.search("annual leave")).results).toHaveLength(1);
    expect((await bo.search("annual leave")).results).toEqual([]);
    knowledge.fault = async (request) =>
      request.headers.get("authorization") === `Bearer ${key}`
        ? Response.json({ detail: "Invalid API key" }, { status: 401 })
        : undefined;
    const refused = { results: [], said: expect.stringContaining("no longer accepts your own account") };
    // What the server said of it a moment ago counts for ten seconds.
    await expect.poll(() => ada.search("annual leave"), { timeout: 30_000, interval: 1_000 }).toEqual(refused);
  });

  it("finds with the rights of a direct message, and narrows by what the rules and the person say", async () => {
    const place = await town({ rules: "direct_messages:\n  document_sets: [Staff, IT]\n  sources: [web]\n" });
    const asked: [string, unknown][] = [];
    withSearch(place, (key, { document_sets: sets, sources }) => {
      asked.push([key, [sets, sources]]);
      return [passage("leave"), passage("leave", "More."), { ...passage("file"), link: null }, passage("travel")];
    });
    const { results } = await place.ada.search("leave");
    expect(results.map(({ title, description, date_updated: day }) => [title, description, day])).toEqual([
      ["leave", "All about leave. … More.", "2026-03-02"],
      ["travel", "All about travel.", "2026-03-02"],
    ]);
    await place.ada.search("leave", { document_sets: ["IT", "Secret"] });
    await place.ada.search("leave", { document_sets: ["Secret"] });
    expect(asked).toEqual([
      [KEYS.dm, [["Staff", "IT"], ["web"]]],
      [KEYS.dm, [["IT"], ["web"]]],
      [KEYS.dm, [["Staff", "IT"], ["web"]]],
    ]);
  });

  it("is brought twice and answered once", async () => {
    const logged: string[] = [];
    const place = await town({ env: { LOG_LEVEL: "info" }, onLog: (line) => logged.push(line) });
    place.workspace.faults.duplicateEvents(2);
    expect((await place.ada.search("annual leave")).results).toHaveLength(1);
    place.workspace.faults.duplicateEvents(1);
    await place.bot.stop();
    const ended = place.workspace.calls.filter(({ method }) => method.startsWith("functions."));
    expect(ended.filter(({ response }) => response["ok"] === true)).toHaveLength(1);
    expect(logged.filter((line) => line.includes("search failed"))).toEqual([]);
  });

  it("shows guests, strangers and whoever may not ask nothing but why", async () => {
    const place = await town({ rules: "direct_messages:\n  who_may_ask: [admins]\n" });
    const { workspace, knowledge } = place;
    const people = {
      member: [place.ada, "Only some people may ask me here"],
      guest: [workspace.addUser({ name: "gil", kind: "guest" }), "full members only"],
      stranger: [workspace.addUser({ name: "sid", kind: "stranger" }), "members of this workspace only"],
    } as const;
    const before = knowledge.asked.length;
    for (const [person, why] of Object.values(people)) {
      expect(await person.search("leave")).toEqual({ results: [], said: expect.stringContaining(why) });
      expect(await person.searchFilters()).toEqual([]);
    }
    expect(knowledge.asked.length).toBe(before);
    const boss = workspace.addUser({ name: "boss", kind: "admin" });
    expect((await boss.search("annual leave")).results).not.toEqual([]);
  });

  it("says in plain words why nothing was searched, and nothing of the server's own words", async () => {
    const logged: string[] = [];
    const place = await town({ env: { LOG_LEVEL: "warn" }, onLog: (line) => logged.push(line) });
    for (const [status, words] of [
      [500, "The knowledge server cannot be reached at the moment. Ask again in a few minutes."],
      [404, "Something in the setup needs the attention of whoever runs this."],
      [400, "Something in the setup needs the attention of whoever runs this."],
      [403, "The knowledge server does not let me ask at the moment. Whoever set this up has to look at it."],
    ] as const) {
      const reply = { error_code: status === 404 ? "NOT_FOUND" : "", detail: "secret-host: unknown document set" };
      place.knowledge.fault = () => Promise.resolve(Response.json(reply, { status }));
      const { results, said } = await place.ada.search("leave");
      expect([status, results, said]).toEqual([status, [], words]);
    }
    expect(logged.filter((line) => line.includes("search failed"))).toHaveLength(4);
  });

  it("says that the server took too long, where it did", async () => {
    const { promise: never } = Promise.withResolvers<Response>();
    const options = { baseUrl: "http://127.0.0.1:9/api", apiKey: "key", fetch: () => never };
    const signal = AbortSignal.timeout(20);
    const error: unknown = await createDeployment(options)
      .search({ query: "leave" }, { signal })
      .catch((thrown: unknown) => thrown);
    for (const late of [error, signal.reason]) expect(wordsFor(late)).toContain("did not answer in time");
  });

  it("shows fifty results at most, and words of documents as words", async () => {
    const place = await town();
    withSearch(place, () => [
      passage("leave", "Ask <!channel> \u202Eesrever, see https://evil.example"),
      ...Array.from({ length: 80 }, (_, index) => passage(`page-${index}`)),
    ]);
    const { results } = await place.ada.search("leave");
    expect(results).toHaveLength(50);
    expect(results[0]?.description).not.toMatch(/<!|\u202E|:\/\//);
  });

  it("offers document sets to choose between where there are several", async () => {
    const place = await town();
    const sets = ["HR", "IT"].map((name, id) => ({ id, name, description: "" }));
    place.knowledge.fault = (request) =>
      Promise.resolve(request.url.endsWith("/manage/document-set") ? Response.json(sets) : undefined);
    expect(await place.ada.searchFilters()).toMatchObject([
      { name: "document_sets", type: "multi_select", options: [{ value: "HR" }, { value: "IT" }] },
    ]);
    sets.pop();
    expect(await place.ada.searchFilters()).toEqual([]);
  });
});

describe("an app installed for a whole organisation", LONG, () => {
  it("is searched from each of its workspaces, and from no other organisation", async () => {
    const place = await town();
    const { workspace, ada, bot } = place;
    const searched = (execution: string) =>
      workspace.calls.some(({ args }) => args["function_execution_id"] === execution);
    const event = (execution: string) => ({
      type: "function_executed",
      function: { callback_id: "search" },
      inputs: { query: "leave", filters: {}, user_context: { id: ada.user.id } },
      function_execution_id: execution,
    });
    const from = (organisation: string) => ({
      team_id: "T0ELSEWHERE",
      enterprise_id: organisation,
      authorizations: [{ enterprise_id: organisation, team_id: null, is_enterprise_install: true }],
    });
    Object.assign(bot.context.self, { organisation: "E0OURS" });
    // What is for others is not acknowledged, and would be brought again for minutes.
    void workspace.deliver(event("FxTheirs"), from("E0THEIRS"));
    void workspace.deliver(event("FxOurs"), from("E0OURS"));
    await workspace.until(() => searched("FxOurs"));
    expect(searched("FxTheirs")).toBe(false);
  });
});
