import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import { type Reply, startFaultServer, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import type { Serving } from "../embedded/serving.ts";
import { InterruptedError } from "../exit-codes.ts";
import { deployed, personAt } from "../testing/deployed.ts";
import { newHome, runCli } from "../testing/spawn-cli.ts";
import { answerStream } from "../testing/streams.ts";
import { byAddress, serve } from "../testing/replaced-server.ts";
import { type HereOptions, type Run, runHere } from "../testing/in-process.ts";
import type { TestRun } from "./record.ts";

/** A person with a service, documents in it, and a file of tests. */
interface Desk {
  readonly home: string;
  readonly serving: Serving;
  run(args: readonly string[], options?: Partial<HereOptions>): Promise<Run>;
  /** Puts a document into a pair, and waits until it is found. */
  put(id: string, text: string, more?: { pair?: number; title?: string; updated?: string }): Promise<void>;
  remove(id: string, pairId?: number | "all"): Promise<void>;
  tests(yaml: string): void;
  json(args?: readonly string[], options?: Partial<HereOptions>): Promise<TestRun>;
}

const LEAVE = "Everyone has 28 working days of annual leave a year.";
const HOTEL = "The limit for a hotel night is 160 euros.";
const PROBATION = "Probation lasts six months for everybody who joins.";

const QUESTIONS = `tests:
  - id: leave
    ask: How many days of annual leave does everyone have a year?
    says: 28 working days
    cites: leave
  - id: hotel
    ask: What is the limit for a hotel night?
    says: [[160 euros, 160 EUR]]
    says_not: 150 euros
    cites: hotel
  - id: olympiad
    ask: Who won the 1978 chess olympiad in Buenos Aires?
    refuses: true
`;

async function desk(): Promise<Desk> {
  const home = temporaryFolder();
  const serving = await serve(join(home, "data"));
  const server = { baseUrl: serving.url, apiKey: serving.apiKey ?? "" };
  const run: Desk["run"] = (args, options = {}) => {
    const at = byAddress(home, serving);
    return runHere(args, { ...at, ...options, env: { ...at.env, ...options.env } });
  };
  const made: Desk = {
    home,
    serving,
    run,
    put: async (id, text, { pair = 1, title = `${id}.md`, updated } = {}) => {
      await createClient(server).ingest({
        cc_pair_id: pair,
        document: {
          id,
          semantic_identifier: title,
          source: "file",
          sections: [{ text }],
          ...(updated !== undefined && { doc_updated_at: updated }),
        },
      });
      await serving.listening.service.drain();
    },
    remove: async (id, pairId = "all") => {
      await createDeployment(server).deleteDocument(id, { pairId });
      await serving.listening.service.drain();
    },
    tests: (yaml) => writeFileSync(join(home, "q.yaml"), yaml),
    json: async (args = [], options = {}) =>
      JSON.parse((await run(["test", "q.yaml", "--json", ...args], options)).stdout) as TestRun,
  };
  await made.put("leave", LEAVE);
  await made.put("hotel", HOTEL);
  made.tests(QUESTIONS);
  return made;
}

const outcomes = ({ tests }: TestRun): Record<string, string> =>
  Object.fromEntries(tests.map(({ id, outcome }) => [id, outcome]));
const causes = ({ tests }: TestRun, id: string): string[] =>
  (tests.find((test) => test.id === id)?.causes ?? []).map(({ kind, title }) => `${kind} ${title ?? ""}`.trim());

/** Makes another pair, and a key that sees the set of the first alone. */
async function secondPair({ run, home }: Desk): Promise<{ pair: number; key: string }> {
  const data = ["--data", join(home, "data")];
  const made = async (...args: string[]): Promise<string> =>
    (await run([...args, ...data], { env: { THREADLORE_URL: "" } })).stdout.trim().split(/\s/)[0] ?? "";
  const first = await made("connector", "add", "file", "Handbook");
  const credential = await made("credential", "add", "file", "Reader");
  const open = await made("pair", "add", "Open", "--connector", first, "--credential", credential);
  const second = await made("connector", "add", "file", "Closed");
  const pair = await made("pair", "add", "Closed", "--connector", second, "--credential", credential);
  await made("document-set", "add", "Everyone", "--pair", open);
  return { pair: Number(pair), key: await made("key", "add", "reader", "--document-set", "Everyone") };
}

describe("threadlore test", () => {
  it("passes where all answers are as they must be, deletes what it asked, and keeps the run for its owner alone", async () => {
    const { run, home, serving } = await desk();
    const first = await run(["test", "q.yaml"]);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^3 passed, in [\d.]+ s\.\n$/) });
    const second = await run(["test", "q.yaml"]);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^3 passed, in [\d.]+ s\.\n$/) });
    const { sessions } = await createDeployment({ baseUrl: serving.url, apiKey: serving.apiKey ?? "" }).listSessions();
    expect(sessions).toEqual([]);
    const folder = join(home, ".local/state/threadlore/answer-tests");
    const [kept = ""] = readdirSync(folder);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(statSync(join(folder, kept)).mode & 0o077).toBe(0);
  });

  it("fails with what was expected, what came, which document did it, and since when", async () => {
    const { run, put, remove } = await desk();
    await run(["test", "q.yaml"]);
    await put("leave", LEAVE.replace("28", "25"));
    const changed = await run(["test", "q.yaml"]);
    expect(changed.code).toBe(13);
    expect(changed.stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "NOW").replace(/in [\d.]+ s/, "in T")).toBe(
      `Failed  leave: How many days of annual leave does everyone have a year?
  expected  must say "28 working days"
  answered  Everyone has 25 working days of annual leave a year.
  cited     leave.md
  because   leave.md was changed
  since     this run; compared with the one of NOW UTC
2 passed, 1 failed, in T.
`,
    );
    await remove("hotel");
    const gone = await run(["test", "q.yaml"]);
    expect(gone.stdout).toContain("hotel.md is gone: the server has it no more");
    // What did it stands there as long as it lasts.
    expect(gone.stdout).toMatch(/because {3}leave\.md was changed\n {2}since {5}the run of .*, in 2 runs/);
    await put("leave", LEAVE);
    await put("hotel", HOTEL);
    expect((await run(["test", "q.yaml"])).stdout).toContain("3 passed, 2 of them failed before");
  });

  it("says of the first run which document is not there", async () => {
    const { run, remove } = await desk();
    await remove("hotel");
    const { stdout } = await run(["test", "q.yaml", "--only", "hotel"]);
    expect(stdout).toContain("because   hotel is not found: there is none of this name");
  });

  it("warns where an answer passes and a document it rests on is another, and fails for it with --strict", async () => {
    const { run, put } = await desk();
    await run(["test", "q.yaml"]);
    await put("leave", `${LEAVE} It was 27 once, long ago, in another office.`);
    const warned = await run(["test", "q.yaml", "--since", "none.json", "--report", "r.json"]);
    expect(warned).toMatchObject({ code: 0, stderr: expect.stringContaining("There is no report none.json yet") });
    await put("leave", `${LEAVE} It was 26 once, long ago, in another office.`);
    const changed = await run(["test", "q.yaml", "--since", "r.json"]);
    expect(changed.code).toBe(0);
    expect(changed.stdout).toContain("Changed  leave: ");
    expect(changed.stdout).toContain("because   leave.md was changed");
    expect(changed.stdout).toContain("3 passed, 1 of them with changed documents");
    expect(await run(["test", "q.yaml", "--since", "r.json", "--strict"])).toMatchObject({ code: 13 });
  });

  it("tells a hidden document from one that is gone, and asks each test with its own key", async () => {
    const here = await desk();
    const { pair, key } = await secondPair(here);
    await here.put("probation", PROBATION, { pair: pair - 1 });
    const question = "  - ask: How long does probation last for who joins?\n    says: six months\n";
    here.tests(`defaults: { key: reader }\ntests:\n${question}`);
    const env = { THREADLORE_KEY_READER: key };
    expect(outcomes(await here.json([], { env }))).toEqual({ "How long does probation last for who joins?": "passed" });
    await here.remove("probation", pair - 1);
    await here.put("probation", PROBATION, { pair });
    const run = await here.json([], { env });
    expect(run.exit_code).toBe(13);
    expect(run.tests[0]?.causes).toMatchObject([{ kind: "hidden", title: "probation.md" }]);
    const refused = await here.run(["test", "q.yaml"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("THREADLORE_KEY_READER is not set") });
    expect(JSON.stringify(run)).not.toContain(key);
  });

  it("says that the filters leave a document out, whether the test or the server changed them", async () => {
    const here = await desk();
    const { pair } = await secondPair(here);
    await here.put("probation", PROBATION, { pair: pair - 1 });
    const test = (set: string): string =>
      `- ask: How long does probation last for who joins?\n  says: six months\n  document_sets: ${set}\n`;
    here.tests(test("Everyone"));
    await here.json();
    await here.run(["document-set", "add", "Nobody", "--pair", String(pair), "--data", join(here.home, "data")], {
      env: { THREADLORE_URL: "" },
    });
    here.tests(test("Nobody"));
    const own = await here.json();
    expect(causes(own, "How long does probation last for who joins?")).toEqual(["settings", "filtered probation.md"]);
    here.tests(test("Everyone"));
    await here.json();
    await here.remove("probation", pair - 1);
    await here.put("probation", PROBATION, { pair });
    expect(causes(await here.json(), "How long does probation last for who joins?")).toEqual(["filtered probation.md"]);
  });

  it("compares with a report where no run is kept, as in a pipeline", async () => {
    const { run, put, home } = await desk();
    await run(["test", "q.yaml", "--report", "out/last.json", "--junit", "out/results.xml"]);
    await put("leave", LEAVE.replace("28", "25"));
    const elsewhere = temporaryFolder();
    const next = await run(["test", join(home, "q.yaml"), "--since", join(home, "out/last.json"), "--json"], {
      home: elsewhere,
    });
    expect(causes(JSON.parse(next.stdout) as TestRun, "leave")).toEqual(["changed leave.md"]);
    expect(readFileSync(join(home, "out/results.xml"), "utf8")).toContain('<testsuite name="q.yaml" tests="3"');
    expect(await run(["test", "q.yaml", "--since", "q.yaml"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("q.yaml is no report of `threadlore test --report`."),
    });
  });

  it("keeps what is known of tests that were left out", async () => {
    const { run, json, put } = await desk();
    await run(["test", "q.yaml"]);
    await run(["test", "q.yaml", "--only", "hotel"]);
    await put("leave", LEAVE.replace("28", "25"));
    expect(causes(await json(), "leave")).toEqual(["changed leave.md"]);
    expect(await run(["test", "q.yaml", "--only", "nowhere"])).toMatchObject({ code: 2 });
  });

  it("says that the test was edited where the answer is the same", async () => {
    const { run, json, tests } = await desk();
    await run(["test", "q.yaml"]);
    tests(QUESTIONS.replace("28 working days", "30 working days"));
    expect(causes(await json(), "leave")).toEqual(["expectation"]);
  });

  it("reads tests from standard input", async () => {
    const { run } = await desk();
    expect(await run(["test", "-"], { input: QUESTIONS })).toMatchObject({ code: 0 });
    expect(await run(["test", "-"], { input: "- aks: x\n" })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("standard input line 1: 1 → aks"),
    });
    expect(await run(["test", "nowhere.yaml"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no such file"),
    });
  });

  it("of two runs at once keeps one whole, whichever ends last", async () => {
    const { home, serving, json } = await desk();
    const { env } = byAddress(home, serving);
    const at = { home: { folder: home, env: { ...newHome().env, HOME: home, ...env } } };
    const ended = await Promise.all([1, 2, 3].map(() => runCli(["test", "q.yaml"], at)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await json()).toMatchObject({ compared_with: expect.any(String), counts: { passed: 3, changed: 0 } });
    expect(readdirSync(join(home, ".local/state/threadlore/answer-tests"))).toHaveLength(1);
  });

  it("finds a document by the path it was ingested from", async () => {
    const { run, tests, home } = await desk();
    mkdirSync(join(home, "docs/travel"), { recursive: true });
    writeFileSync(join(home, "docs/travel/abroad.md"), "# Abroad\n\nIn an emergency abroad call +47 22 55 01 90.\n");
    await run(["ingest", "--pair", "1", "docs"]);
    tests("- ask: What number do I call in an emergency abroad?\n  cites: travel/abroad.md\n  says: +47 22 55 01 90\n");
    expect(await run(["test", "q.yaml"])).toMatchObject({ code: 0 });
  });

  it("shows control bytes of documents to no terminal", async () => {
    const { run, put, tests } = await desk();
    await put("lamp", "A red lamp means \u001b[2Jwater \u202Einside the gauge.", { title: "lamp\u001b]0;x\u0007.md" });
    tests("- ask: What does a red lamp mean?\n  says: fire\n");
    const { stdout } = await run(["test", "q.yaml"], { isTerminal: true });
    expect(stdout).toContain("Failed");
    const unstyled = ["0", "31", "32"].reduce((text, style) => text.replaceAll(`\u001b[${style}m`, ""), stdout);
    for (const sign of ["\u001b", "\u0007", "\u202E"]) expect(unstyled).not.toContain(sign);
  });
});

const NOT_THERE = { status: 404, json: { detail: "Not Found" } } as const;
const MANY = Array.from({ length: 40 }, (_, n) => `- ask: Question ${n}?\n`).join("");

/** Runs 40 tests against a server that answers questions as told, and knows nothing else but whether it is well. */
async function askAt(
  questions: (count: number) => Reply,
  { isWell = () => true, tests = MANY, args = [], interrupted }: AskAtOptions = {},
): Promise<Run & { readonly asked: number; readonly home: string }> {
  const home = temporaryFolder();
  writeFileSync(join(home, "q.yaml"), tests);
  let asked = 0;
  const { url, close } = await startFaultServer(({ path }) => {
    if (path.endsWith("/health")) return isWell() ? { json: { success: true, message: "ok" } } : { status: 503 };
    if (path.endsWith("/send-chat-message")) return questions(asked++);
    return NOT_THERE;
  });
  const env = { THREADLORE_URL: url, THREADLORE_API_KEY: "k".repeat(20) };
  const run = await runHere(["test", "q.yaml", ...args], { home, env, ...(interrupted && { interrupted }) });
  await close();
  return { ...run, asked, home };
}

interface AskAtOptions {
  readonly isWell?: () => boolean;
  readonly tests?: string;
  readonly args?: readonly string[];
  readonly interrupted?: AbortSignal;
}

describe("threadlore test and a server in trouble", () => {
  it("tells an outage from a wrong answer, and asks nobody in vain", async () => {
    let isWell = true;
    const { code, stdout, asked } = await askAt(
      (count) => {
        isWell = count < 10;
        return isWell ? answerStream("Twenty-eight.") : { status: 500, json: { detail: "The database is away" } };
      },
      { isWell: () => isWell },
    );
    expect(code).toBe(7);
    expect(stdout).toMatch(/\n2\d tests were not asked: /);
    expect(stdout).toMatch(/10 passed, \d+ without an answer, 2\d not asked/);
    expect(stdout).not.toContain("Failed");
    expect(asked).toBeLessThan(20);
  });

  it("goes on where a single question fails", async () => {
    const { code, stdout } = await askAt((count) =>
      count === 3 ? { status: 500, json: { detail: "Something is wrong" } } : answerStream("Twenty-eight."),
    );
    expect(stdout).toMatch(/39 passed, 1 without an answer, in/);
    expect(code).toBe(7);
  });

  it("says that a key may not ask, once", async () => {
    const { code, stdout, asked } = await askAt(() => ({ status: 403, json: { detail: "Invalid API key" } }));
    expect(code).toBe(4);
    expect(asked).toBeLessThan(8);
    expect(stdout).toMatch(/3\d tests were not asked: /);
  });

  it("waits as long as a server asks for", async () => {
    const { code, stdout } = await askAt((count) =>
      count === 5
        ? {
            status: 429,
            headers: { "retry-after": "1", "content-type": "application/json" },
            json: { detail: "Later" },
          }
        : answerStream("Twenty-eight."),
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("40 passed")]);
  });

  it("goes on when a budget is there again, however often it is used up", async () => {
    const used: number[] = [];
    const { code, stdout } = await askAt(
      () => {
        const now = performance.now();
        if (used.filter((moment) => moment > now - 1_000).length < 3) {
          used.push(now);
          return answerStream("Twenty-eight.");
        }
        const headers = { "retry-after-ms": "100", "content-type": "application/json" };
        return { status: 429, headers, json: { detail: "Later" } };
      },
      { tests: MANY.split("\n").slice(0, 8).join("\n") },
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("8 passed")]);
  });

  it("does not ask with a key that the server takes for none", async () => {
    const server = await deployed({ allowAnonymous: true });
    const person = personAt(server);
    person.write("q.yaml", "defaults: { key: left }\ntests: [Who is there?]\n");
    const gone = server.addKey();
    server.revoke(gone);
    const { code, stderr } = await person.run(["test", "q.yaml"], { env: { THREADLORE_KEY_LEFT: gone } });
    expect([code, stderr]).toEqual([4, expect.stringContaining("THREADLORE_KEY_LEFT: ")]);
    expect(server.questions).toEqual([]);
  });

  it("gives up an answer that does not end, and is not stopped by it", async () => {
    const endless: Reply = { ...answerStream("Twenty-eight."), stall: { afterBody: 200 } };
    const { code, stdout } = await askAt((count) => (count === 2 ? endless : answerStream("Twenty-eight.")), {
      args: ["--patience", "1"],
    });
    expect(code).toBe(7);
    expect(stdout).toContain("No whole answer came within 1 seconds.");
    expect(stdout).toContain("39 passed, 1 without an answer");
  });

  it("stops asking a server that says it is well and hangs in every answer", async () => {
    const endless: Reply = { ...answerStream("Twenty-eight."), stall: { afterBody: 200 } };
    const { code, stdout } = await askAt((count) => (count > 6 ? endless : answerStream("Twenty-eight.")), {
      args: ["--patience", "1"],
    });
    expect(code).toBe(7);
    expect(stdout).toMatch(/tests were not asked: \d+ in a row had no answer\. No whole answer came within 1 s/);
    const [, answered = "", without = ""] = /(\d+) passed, (\d+) without an answer, \d+ not asked/.exec(stdout) ?? [];
    expect(Number(answered)).toBe(7);
    expect(Number(without)).toBeLessThan(16);
  });

  it("stopped by Ctrl-C tells and keeps what was done", async () => {
    const stop = new AbortController();
    const { code, stdout, home } = await askAt(
      (count) => {
        if (count === 12) stop.abort(new InterruptedError("Stopped."));
        return answerStream("Twenty-eight.");
      },
      { interrupted: stop.signal, args: ["--report", "r.json"] },
    );
    expect(code).toBe(130);
    expect(stdout).toMatch(/tests were not asked: Stopped/);
    const { counts } = JSON.parse(readFileSync(join(home, "r.json"), "utf8")) as TestRun;
    expect(counts["passed"]).toBeGreaterThan(5);
    expect((counts["passed"] ?? 0) + (counts["not_asked"] ?? 0)).toBe(40);
  });

  it("keeps of an outage what was known before", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "q.yaml"), "- ask: Question?\n  says: twenty-eight\n");
    let state: "well" | "away" | "wrong" = "well";
    const { url, close } = await startFaultServer(({ path }) => {
      if (!path.endsWith("/send-chat-message")) return NOT_THERE;
      return state === "away" ? { status: 500 } : answerStream(state === "well" ? "Twenty-eight." : "Thirty.");
    });
    const run = () => runHere(["test", "q.yaml"], { home, env: { THREADLORE_URL: url } });
    expect((await run()).code).toBe(0);
    state = "away";
    expect((await run()).code).toBe(7);
    state = "wrong";
    const { code, stdout } = await run();
    expect([code, stdout]).toEqual([13, expect.stringContaining("the answer is worded otherwise")]);
    await close();
  });
});

describe("threadlore test and a deployed server", () => {
  it("says what such a server tells: changed by its date, and deleted or hidden where search finds it no more", async () => {
    const server = await deployed();
    const person = personAt(server);
    const put = (id: string, text: string, updatedAt: string): void =>
      server.addDocument({
        id,
        title: `${id} page`,
        text,
        link: `https://wiki.example.com/${id}`,
        updatedAt: new Date(updatedAt),
      });
    put("leave", LEAVE, "2026-01-31T10:00:00Z");
    put("hotel", HOTEL, "2026-01-31T10:00:00Z");
    person.write(
      "q.yaml",
      "- id: leave\n  ask: How many days of annual leave does everyone have?\n  cites: leave page\n  says: 28\n" +
        "- id: hotel\n  ask: What is the limit for a hotel night?\n  cites: https://wiki.example.com/hotel\n",
    );
    const run = async (): Promise<TestRun> =>
      JSON.parse((await person.run(["test", "q.yaml", "--json"])).stdout) as TestRun;
    expect(outcomes(await run())).toEqual({ leave: "passed", hotel: "passed" });
    expect((await run()).tests.flatMap((test) => test.causes)).toEqual([]);
    put("leave", LEAVE.replace("28", "25"), "2026-03-01T10:00:00Z");
    const changed = await run();
    expect([outcomes(changed)["leave"], causes(changed, "leave")]).toEqual(["failed", ["changed leave page"]]);
    // Listed still, and found no more; then neither.
    (server.index as Map<string, unknown>).delete("hotel");
    const last = join(person.home, "last.json");
    writeFileSync(last, JSON.stringify(changed));
    const causeNow = async (): Promise<string[]> => {
      const { stdout } = await person.run(["test", "q.yaml", "--json", "--since", last]);
      return causes(JSON.parse(stdout) as TestRun, "hotel");
    };
    expect(await causeNow()).toEqual(["hidden hotel page"]);
    (server.documents as Map<string, unknown>).delete("hotel");
    expect(await causeNow()).toEqual(["missing hotel page"]);
    expect([...server.sessions.values()].every(({ deleted }) => deleted)).toBe(true);
  });
});
