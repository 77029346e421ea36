import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { closedPort, type DeployedServer, startFaultServer, afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { answerStream } from "./testing/streams.ts";
import { deployed, type Person, personAt } from "./testing/deployed.ts";
import type { Run } from "./testing/in-process.ts";
import { InterruptedError } from "./exit-codes.ts";

const QUESTION = "How fast are travel costs paid back?";
const ANSWER = "Travel costs are paid back within ten days [1].\n\nSources\n[1] Travel";
const INGEST = ["ingest", "--pair", "3", "--collection", "notes", "docs"];

let server: DeployedServer;
let person: Person;

/** A server that knows one document, and somebody with an administrator's key. */
async function begin(options: Parameters<typeof deployed>[0] = {}): Promise<void> {
  server = await deployed(options);
  server.addDocument({
    id: "travel",
    title: "Travel",
    link: "https://wiki.example.com/travel",
    text: "Travel costs are paid back within ten days.",
  });
  person = personAt(server);
}

const ask = (...args: string[]): Promise<Run> => person.run(["ask", ...args, QUESTION]);
/** Words of the questions that arrived. */
const asked = (): string[] => server.questions.map(({ message }) => message);
const askedTwice = (): boolean => server.questions.some(({ whileRunning }) => whileRunning);

/** An answer that stands still in its text until the test lets it go on. */
function slowAnswer(): { readonly goOn: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.answerWith([
    { search: "travel costs" },
    "Travel costs are paid back\n\nand that ",
    { until: promise },
    "within ten days [1].",
  ]);
  return { goOn: () => resolve() };
}

/** What stands on the screen in the end: "up N lines, erase to the end" is followed, styles are left out. */
function screenOf(written: string): string {
  let lines: string[] = [];
  // oxlint-disable-next-line no-control-regex -- control sequences are what is followed
  for (const part of written.replaceAll(/\u001b\[[0-9;]*m/g, "").split(/(?=\u001b\[\d+A\r)/)) {
    // oxlint-disable-next-line no-control-regex -- likewise
    const up = /^\u001b\[(\d+)A\r\u001b\[K\u001b\[C\u001b\[J\r/.exec(part);
    if (up !== null) lines = lines.slice(0, lines.length - Number(up[1]));
    lines.push(
      ...part
        .slice(up?.[0].length ?? 0)
        .split("\n")
        .slice(0, -1),
    );
  }
  return lines.join("\n");
}

/** Asks with the slow answer, and has something happen once its first paragraph is printed. */
async function askAndThen(happens: () => void | Promise<void>, args: readonly string[] = []): Promise<Run> {
  let done: void | Promise<void> = undefined;
  let happened = false;
  const run = await person.run(["ask", ...args, QUESTION], {
    onOutput: (written) => {
      if (happened || !written.includes("paid back")) return;
      happened = true;
      done = happens();
    },
  });
  await done;
  return run;
}

describe("the address", () => {
  it("where nothing listens: says so, exits 7, and keeps everything", async () => {
    const origin = await closedPort();
    const run = await personAt({ origin, keys: { admin: "tl_TESTkey", member: "", scoped: "", service: "" } }).run([
      "ask",
      QUESTION,
    ]);
    expect(run).toEqual({
      code: 7,
      stdout: "",
      stderr: `The server at ${new URL(origin).host} cannot be reached: nothing listens there. Check that the service is running, and its port.\n`,
    });
  });

  it("of a website: says that it is one in a sentence, exits 8, and sends no key there", async () => {
    const website = await startFaultServer(() => ({
      headers: { "content-type": "text/html" },
      body: "<html>Welcome</html>",
    }));
    afterThisTest(() => website.close());
    const there = personAt({ origin: website.url, keys: { admin: "tl_TESTkey", member: "", scoped: "", service: "" } });
    for (const args of [["ask", QUESTION], INGEST]) {
      there.write("docs/a.md", "# A\n\ntext\n");
      const run = await there.run(args);
      expect(run.code).toBe(8);
      expect(run.stderr).toBe(
        `There is a website at ${website.url}, and no service, neither there nor with /api at the end.\n` +
          "`threadlore doctor` finds out what is wrong with the address.\n",
      );
    }
    expect((await there.run(["doctor"])).stdout).toMatch(/^fix {2}base URL: There is a website/);
    expect(website.requests.filter(({ headers }) => headers["authorization"] !== undefined)).toEqual([]);
  });

  it("of a server that is away for a moment is found when it is back, and its key goes to no other", async () => {
    const gateway = { status: 502, headers: { "content-type": "text/html" }, body: "<html>Bad gateway</html>" };
    let looked = 0;
    const away = await startFaultServer(({ path }) => {
      if (path.endsWith("/health")) looked += 1;
      if (looked <= 2) return gateway;
      if (path === "/api/health") return { json: { success: true, message: "ok" } };
      return path === "/api/chat/send-chat-message"
        ? answerStream("28 days")
        : { status: 404, json: { detail: "404: Not Found" } };
    });
    afterThisTest(() => away.close());
    const there = personAt({ origin: away.url, keys: { admin: "tl_TESTkey", member: "", scoped: "", service: "" } });
    expect(await there.run(["ask", QUESTION])).toMatchObject({ code: 0, stdout: expect.stringContaining("28 days") });
    const keyed = away.requests.filter(({ headers }) => headers["authorization"] !== undefined);
    expect(keyed.filter(({ path }) => !path.startsWith("/api/"))).toEqual([]);
  });

  it("without /api is read as the one with it: by ask, ingest, doctor and login alike", async () => {
    await begin();
    expect(await ask()).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER), stderr: "" });
    const withApi = await person.run(["ask", QUESTION], { env: { THREADLORE_URL: server.url } });
    expect(withApi.stdout).toContain(ANSWER);
    expect((await person.run(["doctor", "--pair", "3"])).stdout).toContain(
      `ok   base URL: The service answers at ${server.url}.`,
    );
    expect((await person.run(["login", server.origin])).stderr).toContain(`Logged in to ${server.url};`);
  });
});

describe("the key", () => {
  it("that is wrong: one sentence and where to get another, exit 4, nothing asked", async () => {
    await begin();
    const run = await person.run(["ask", QUESTION], { key: "onyx_pat_TESTwrong" });
    expect(run).toMatchObject({ code: 4, stdout: "" });
    expect(run.stderr).toMatch(
      /^127\.0\.0\.1:\d+ does not accept this key \(403\)\. [^\n]*\n`threadlore doctor` [^\n]*\n$/,
    );
    expect(asked()).toEqual([]);
  });

  it("that is wrong where everybody is let in: refuses to ask or ingest as nobody, exit 4", async () => {
    await begin({ allowAnonymous: true });
    person.write("docs/a.md", "# A\n\ntext\n");
    for (const args of [["ask", QUESTION], INGEST]) {
      const run = await person.run(args, { key: "onyx_pat_TESTwrong" });
      expect(run).toMatchObject({ code: 4, stdout: "" });
      expect(run.stderr).toContain("does not know this key and takes you for a caller without one");
    }
    expect(asked()).toEqual([]);
    expect(server.documents.size).toBe(1);
    // Without any key it is what was meant.
    const open = await person.run(["ask", QUESTION], { env: { THREADLORE_API_KEY: "" } });
    expect(open).toMatchObject({ code: 0, stdout: expect.stringContaining("ten days") });
  });

  it("of another account: the last conversation is not its own, so the question begins a new one and a line says so", async () => {
    await begin();
    await ask();
    const run = await person.run(["ask", "-c", QUESTION], { key: server.keys.member });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER) });
    expect(run.stderr).toBe(
      "The server no longer has the last conversation: this question begins a new one, without what was said before.\n",
    );
    expect(server.questions.map(({ account }) => account)).toEqual(["admin", "member"]);
  });

  it("that is revoked while it answers: the answer comes whole, and the next question is refused", async () => {
    await begin();
    const { goOn } = slowAnswer();
    const run = await askAndThen(() => {
      server.revoke(server.keys.admin);
      goOn();
    });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("and that within ten days [1].") });
    expect(await ask()).toMatchObject({ code: 4 });
    expect(asked()).toHaveLength(1);
  });

  it("that is revoked while it answers, and the connection cut: what came stays, and the reason is said", async () => {
    await begin();
    const { goOn } = slowAnswer();
    const run = await askAndThen(() => {
      server.revoke(server.keys.admin);
      server.cutConnections();
    });
    goOn();
    expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining("Travel costs are paid back\n") });
    expect(run.stderr).toMatch(/does not accept this key \(403\)/);
    expect(asked()).toHaveLength(1);
  });

  it("of narrow scope asks; doctor finds nothing wrong with it and says what it may not", async () => {
    await begin();
    person.write("docs/a.md", "# A\n\ntext\n");
    expect(await person.run(["ask", QUESTION], { key: server.keys.scoped })).toMatchObject({ code: 0 });
    const doctor = await person.run(["doctor"], { key: server.keys.scoped });
    expect(doctor.stdout).toMatch(/^\? {4}ingestion: This key may not add documents\.$/m);
    expect(doctor.code).toBe(0);
    expect(await person.run(["doctor", "--needs", "ingest"], { key: server.keys.scoped })).toMatchObject({ code: 11 });
    const ingest = await person.run(INGEST, { key: server.keys.scoped });
    expect(ingest.code).toBe(4);
    expect(ingest.stderr).toContain("\nThis key may not do that on ");
    expect(ingest.stderr).not.toContain("Nothing to send");
  });

  it("of a service account with memory on is found by doctor, and mended by one command", async () => {
    await begin();
    const found = await person.run(["doctor"], { key: server.keys.service });
    expect(found.code).toBe(11);
    expect(found.stdout).toMatch(/^fix {2}memory: .*\n {5}.*`threadlore doctor --fix-memory`/m);
    const fixed = await person.run(["doctor", "--fix-memory"], { key: server.keys.service });
    expect(fixed).toMatchObject({ code: 0, stderr: expect.stringContaining("is off now") });
    expect(server.account(server.keys.service).personalization).toMatchObject({
      use_memories: false,
      enable_memory_tool: false,
    });
    expect(await person.json(["doctor", "--fix-memory"], { key: server.keys.service })).toMatchObject({
      code: 0,
      document: { memory: "was_off" },
    });
  });
});

describe("a server that restarts while it answers", () => {
  it("before the first packet: one sentence, exit 7, asked once", async () => {
    await begin();
    let restarted: Promise<void> | undefined;
    const { promise } = Promise.withResolvers<void>();
    server.answerWith(() => {
      restarted ??= server.restart();
      return [{ until: promise }, "never"];
    });
    const run = await ask();
    await restarted;
    expect(run).toEqual({
      code: 7,
      stdout: "",
      stderr: "The server stopped in the middle of the answer. Ask again to get all of it.\n",
    });
    expect(asked()).toHaveLength(1);
  });

  it("in the text: what came stays, one sentence, exit 3, and -c goes on in the same conversation", async () => {
    await begin();
    slowAnswer();
    const run = await askAndThen(() => server.restart());
    expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining("Travel costs are paid back\n") });
    expect(run.stderr).toBe("The server stopped in the middle of the answer. Ask again to get all of it.\n");
    expect(asked()).toHaveLength(1);
    server.answerWith(undefined);
    expect(await ask("-c")).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER) });
    expect(new Set(server.questions.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(askedTwice()).toBe(false);
  });

  it("after the last packet: the answer is whole, exit 0", async () => {
    await begin();
    server.faults.cut = { at: "before-end", how: "stall" };
    const running = ask();
    await expect.poll(() => server.questions[0]?.outcome).toBe("finished");
    await server.restart();
    expect(await running).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER), stderr: "" });
    expect(asked()).toHaveLength(1);
  });
});

describe("a connection that is cut while the server writes on", () => {
  it.each([
    ["before the head", { at: "before-head" }],
    ["after the head", { at: "after-head" }],
    ["after five packets", { at: { packets: 5 } }],
    ["in the middle of a line", { at: { insidePacket: 6 } }],
  ] as const)("%s: the whole answer is printed once, exit 0, asked once", async (_where, cut) => {
    await begin();
    server.faults.cut = cut;
    const { code, stdout, stderr } = await ask();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(ANSWER);
    expect(stdout.match(/Travel costs/g)).toHaveLength(1);
    expect(asked()).toHaveLength(1);
  });

  it("on a terminal: the text goes on where it stood and nothing is repeated", async () => {
    await begin();
    const { goOn } = slowAnswer();
    let isCut = false;
    const run = await person.run(["ask", QUESTION], {
      isTerminal: true,
      onOutput: (written) => {
        if (isCut || !written.includes("paid back")) return;
        isCut = true;
        server.cutConnections();
        setImmediate(goOn);
      },
    });
    expect(run.code).toBe(0);
    expect(screenOf(run.stdout)).toMatch(
      /^Travel costs are paid back\n\nand that within ten days \[1\]\.\n\nSources\n\[1\] Travel/,
    );
    expect(asked()).toHaveLength(1);
  });

  it("where the run was finished while we were away: its stored answer is printed, exit 0", async () => {
    await begin({ bufferMs: 0 });
    server.faults.cut = { at: { packets: 5 } };
    const { code, stdout } = await ask();
    expect([code, stdout]).toEqual([0, expect.stringContaining(ANSWER)]);
    expect(asked()).toHaveLength(1);
  });

  it("and Ctrl-C while it is waited for: stops the run on the server, exit 130", async () => {
    await begin();
    slowAnswer();
    const stop = new AbortController();
    const running = person.run(["ask", QUESTION], {
      interrupted: stop.signal,
      onOutput: (written) => {
        if (written.includes("paid back")) server.cutConnections();
      },
    });
    await expect.poll(() => server.log.some(({ path }) => path.includes("/resume-stream"))).toBe(true);
    stop.abort(new InterruptedError("Stopped."));
    expect(await running).toMatchObject({ code: 130, stderr: "Stopped.\n" });
    await expect.poll(() => server.questions[0]?.outcome).toBe("stopped");
  });

  it("and the server away for longer than is waited: what came stays, one sentence, exit 3; -c finds the conversation", async () => {
    await begin();
    const { goOn } = slowAnswer();
    const run = await askAndThen(() => server.down({ answers: "go-on" }), ["--patience", "0"]);
    expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining("Travel costs are paid back\n") });
    expect(run.stderr).toBe(
      "The answer broke off: the connection ended before it was complete. Ask again to get all of it.\n",
    );
    goOn();
    await expect.poll(() => server.questions[0]?.outcome).toBe("finished");
    await server.up();
    server.answerWith(undefined);
    expect((await ask("-c")).code).toBe(0);
    expect(askedTwice()).toBe(false);
  });
});

describe("a conversation", () => {
  it.each(["deleted", "unknown"] as const)(
    "that is %s there: the question begins a new one, with one line",
    async (how) => {
      await begin();
      await ask();
      server.forgetSession(server.questions[0]?.sessionId ?? "", how);
      const { code, document } = await person.json(["ask", "-c", QUESTION]);
      expect([code, document]).toEqual([
        0,
        expect.objectContaining({
          answer: expect.stringContaining("ten days"),
          notes: [expect.stringContaining("no longer has the last conversation")],
        }),
      ]);
      expect(await ask("-c")).toMatchObject({ code: 0, stderr: "" });
      const [first, second, third] = server.questions.map(({ sessionId }) => sessionId);
      expect([second === first, third === second]).toEqual([false, true]);
    },
  );

  it("has the words of its first question as its name there, and nobody waits for a server that does not take it", async () => {
    await begin();
    await ask();
    expect([...server.sessions.values()].map(({ name }) => name)).toEqual([QUESTION]);
    server.faults.missing = ["/chat/rename-chat-session"];
    expect(await ask()).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("a limit", () => {
  it("with a time: said once, exit 6, and the question is the person's to ask again", async () => {
    await begin();
    server.faults.rateLimit = { scope: "global", resetAt: new Date(Date.now() + 7_200_000) };
    const run = await ask();
    expect(run).toMatchObject({ code: 6, stdout: "" });
    expect(run.stderr).toMatch(
      /^The usage limit that everybody on 127\.0\.0\.1:\d+ shares is reached\. Try again in about 2 hours \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)\.\n$/,
    );
    const { document } = await person.json(["ask", QUESTION]);
    expect(document).toMatchObject({
      ok: false,
      error: { cause: "rateLimited", retry_at: expect.stringMatching(/Z$/) },
    });
    server.faults.rateLimit = undefined;
    expect((await ask()).code).toBe(0);
  });

  it("without a time: said once, exit 6", async () => {
    await begin();
    server.faults.rateLimit = {};
    expect((await ask()).stderr).toMatch(/^A usage limit on 127\.0\.0\.1:\d+ is reached\. Try again later\.\n$/);
  });
});

describe("a server whose database is away", () => {
  it("ask says that it failed, exit 7; ingest sends nothing more after the first, exit 7", async () => {
    await begin();
    for (let n = 0; n < 20; n += 1) person.write(`docs/${n}.md`, `# ${n}\n\ntext ${n}\n`);
    server.faults.database = "down";
    const run = await ask();
    expect(run.code).toBe(7);
    expect(run.stderr).toMatch(
      /^The server at 127\.0\.0\.1:\d+ failed \(500\)\. Its log says why\.\nThe server may have carried it out all the same\.\n$/,
    );
    const ingest = await person.run([...INGEST, "--concurrency", "1"]);
    expect(ingest.code).toBe(7);
    expect(ingest.stderr.match(/failed \(500\)/g)).toHaveLength(1);
    expect(ingest.stderr).toContain("Run the same command again");
    server.faults.database = "up";
    expect((await person.run(INGEST)).stderr).toContain("20 added.");
  });

  it("doctor finds it and exits 11; login keeps nothing and exits 7", async () => {
    await begin();
    server.faults.database = "down";
    const doctor = await person.run(["doctor"]);
    expect(doctor.code).toBe(11);
    expect(doctor.stdout).toMatch(/^fix {2}server: It is up, but a call with this key failed: [^\n]*\n {5}\S/m);
    const login = await person.run(["login", server.origin]);
    expect([login.code, login.stderr]).toEqual([7, expect.stringContaining("Not logged in; nothing was kept.\n")]);
    expect(existsSync(join(person.home, ".config/threadlore/config.json"))).toBe(false);
  });
});

describe("the model", () => {
  it("fails before the first word: its sentence, exit 10", async () => {
    await begin();
    server.faults.model = { code: "RATE_LIMIT" };
    expect(await ask()).toEqual({
      code: 10,
      stdout: "",
      stderr: "The language model is busy (rate limit). Ask again in a minute.\n",
    });
  });

  it("fails in the text: what came stays, its sentence, exit 10", async () => {
    await begin();
    server.answerWith(["Travel costs are\n\npaid ", { error: "CONNECTION_ERROR" }]);
    const run = await ask();
    expect(run).toMatchObject({ code: 10, stdout: expect.stringContaining("Travel costs are\n") });
    expect(run.stderr).toBe("The server lost its connection to the language model. Ask again in a minute.\n");
  });

  it("is silent for long, with and without heartbeats: the answer is waited for, exit 0", async () => {
    await begin({ heartbeatMs: 15 });
    server.faults.silence = { packets: 3, ms: 120 };
    for (const heartbeats of [true, false]) {
      server.faults.heartbeats = heartbeats;
      expect(await ask()).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER), stderr: "" });
    }
    expect(askedTwice()).toBe(false);
  });
});

describe("a server without ingestion", () => {
  it("ends the run at its first reply, exit 5; doctor says so and does not fail for it", async () => {
    await begin();
    for (let n = 0; n < 60; n += 1) person.write(`docs/${n}.md`, `# ${n}\n\ntext ${n}\n`);
    server.faults.ingestion = "missing";
    const run = await person.run([...INGEST, "--concurrency", "1"]);
    expect(run.code).toBe(5);
    expect(run.stderr.split("\n").slice(1)).toEqual([
      expect.stringContaining("does not offer this (POST /onyx-api/ingestion)"),
      "",
    ]);
    expect(server.log.filter(({ path }) => path === "/onyx-api/ingestion")).toHaveLength(1);
    expect(await person.run(["doctor"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\? {4}ingestion: /m),
    });
  });

  it("has no pair of that number either: one sentence ends the run, and login keeps none", async () => {
    await begin();
    for (let n = 0; n < 60; n += 1) person.write(`docs/${n}.md`, `# ${n}\n\ntext ${n}\n`);
    const run = await person.run(["ingest", "--pair", "99", "--concurrency", "1", "docs"]);
    expect([run.code, run.stderr.match(/99 not found/g)?.length]).toEqual([5, 1]);
    const login = await person.run(["login", server.origin, "--pair", "99"]);
    expect([login.code, login.stderr]).toEqual([2, expect.stringMatching(/^fix {2}pair: There is no pair 99/m)]);
    expect(login.stderr).toContain("Not logged in; nothing was kept.\n");
    expect(existsSync(join(person.home, ".config/threadlore/config.json"))).toBe(false);
  });
});

describe("what is refused", () => {
  it("an unknown source: the names the server knows, once", async () => {
    await begin();
    const run = await ask("--source", "wikipaedia");
    expect(run.code).toBe(5);
    expect(run.stderr).toMatch(
      /^The server at [^\n]* refused the request \(422\):\n--source: Input should be one of 59 [^\n]*\n$/,
    );
    expect(asked()).toEqual([]);
  });

  it("a swap of an unknown connector, or on a server without any: says that, and names no field of the wire", async () => {
    await begin();
    const unknown = await person.run(["credential", "swap", "2", "77"]);
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining("lists no connector 77")]);
    server.faults.ingestion = "missing";
    const none = await person.run(["credential", "swap", "2", "1"]);
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining("has no list of connectors")]);
    for (const { stderr } of [unknown, none]) expect(stderr).not.toContain("access_type");
  });
});

it("a document that never appears stays unconfirmed, is sent with every run, and is never called done", async () => {
  await begin();
  person.write("docs/gate.md", "# Gate\n\nThe gate is painted green.\n");
  server.faults.embedder = (id) => !id.includes("travel");
  for (let n = 0; n < 3; n += 1) {
    const run = await person.run(INGEST);
    expect([run.code, run.stderr]).toEqual([12, expect.stringContaining("not found yet gate.md\n")]);
  }
  expect(server.log.filter(({ path }) => path === "/onyx-api/ingestion")).toHaveLength(3);
  expect(readFileSync(join(person.home, ".local/state/threadlore/ingested.jsonl"), "utf8")).not.toMatch(
    /"id"(?!.*"unconfirmed")/,
  );
});
