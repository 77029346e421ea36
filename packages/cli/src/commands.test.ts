import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedService, startEmbedded } from "./testing/embedded-service.ts";
import { type Run, runIn } from "./testing/in-process.ts";
import { type Finished, newHome, runCli, runShell } from "./testing/spawn-cli.ts";

let service: EmbeddedService;

/** In a process of its own, with real streams. */
const apart = (args: readonly string[], input?: string): Promise<Finished> =>
  runCli(args, { home: service.home, ...(input !== undefined && { input }) });

/** In this process, as most command lines need no other. */
const cli = (args: readonly string[], input?: string): Promise<Run> =>
  runIn(service.home, args, input === undefined ? {} : { input });

/** Writes a file into the home the commands run in. */
function write(name: string, text: string | Uint8Array): void {
  const path = join(service.home.folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

async function json(args: readonly string[], input?: string): Promise<Record<string, unknown>> {
  return JSON.parse((await cli([...args, "--json"], input)).stdout) as Record<string, unknown>;
}

beforeAll(async () => {
  service = await startEmbedded();
  write("docs/tea.md", "# Tea\n\nThe kettle in the kitchen is descaled every second Friday.\n");
  write("docs/dogs/dogs.md", "# Dogs\n\nDogs are welcome in the Leith office on Tuesdays.\n");
});

afterAll(() => service.stop());

describe("serve", () => {
  it("says where it listens, and keeps data, key and folder to their owner", async () => {
    const data = join(service.home.folder, ".local/share/threadlore");
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, "key")).mode & 0o777).toBe(0o600);
    await expect.poll(() => service.said()).toContain("Ctrl-C stops it");
    expect(service.said()).toContain(join(data, "threadlore.db"));
    expect(service.said()).not.toContain(readFileSync(join(data, "key"), "utf8").trim());
  });

  it("stops in order on SIGTERM and SIGINT, and keeps its key and data for the next start", async () => {
    const home = newHome();
    const first = await startEmbedded(home);
    const key = readFileSync(join(home.folder, ".local/share/threadlore/key"), "utf8");
    expect(await first.stop("SIGTERM")).toMatchObject({ code: 0, signal: null });
    expect(existsSync(join(home.folder, ".local/share/threadlore/running.json"))).toBe(false);
    const second = await startEmbedded(home);
    expect(readFileSync(join(home.folder, ".local/share/threadlore/key"), "utf8")).toBe(key);
    expect(second.said()).not.toContain("made just now");
    expect(await second.stop("SIGINT")).toMatchObject({ code: 0, signal: null });
  });

  it("refuses data another service works with, and a port another program has, and says what to do", async () => {
    const same = await runCli(["serve", "--port", "0"], { home: service.home });
    expect(same).toMatchObject({ code: 2 });
    expect(same.stderr).toContain("Stop it first");
    const taken = await runCli(["serve", "--port", new URL(service.url).port]);
    expect(taken).toMatchObject({ code: 2 });
    expect(taken.stderr).toContain("choose another port");
  });

  it("refuses a data folder that is none, in plain words", async () => {
    write("a-file", "x");
    const { code, stderr } = await apart(["serve", "--data", "a-file", "--port", "0"]);
    expect(code).toBe(2);
    expect(stderr).toContain("has to be a folder");
  });

  it("--pair-extension shows a code without starting a second service", async () => {
    const { code, stdout } = await apart(["serve", "--pair-extension"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Pairing code: [A-Z0-9]{4}-[A-Z0-9]{4}\n$/);
  });

  it("wants a model's name where its address is set", async () => {
    const { code, stderr } = await runCli(["serve"], { env: { MODEL_BASE_URL: "http://127.0.0.1:9/v1" } });
    expect(code).toBe(2);
    expect(stderr).toContain("set MODEL_NAME");
    const other = await runCli(["serve"], { env: { EMBEDDING_BASE_URL: "http://127.0.0.1:9/v1" } });
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("set EMBEDDING_NAME");
  });
});

describe("ingest", () => {
  it("refuses to choose a pair in silence", async () => {
    const { code, stderr } = await cli(["ingest", "docs"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--pair NUMBER");
    expect(stderr).toContain("readable by everybody");
  });

  it("sends what is new or changed, and skips the rest", async () => {
    const dry = await cli(["ingest", "--pair", "none", "--dry-run", "docs"]);
    expect(dry).toMatchObject({ code: 0, stdout: "add dogs/dogs.md\nadd tea.md\n" });
    const first = await apart(["ingest", "--pair", "none", "docs"]);
    expect(first.stderr).toContain("2 added.\n");
    expect(first).toMatchObject({ code: 0, stdout: "" });
    const second = await cli(["ingest", "--pair", "none", "docs"]);
    expect(second.stderr).toContain("2 unchanged.\n");
    appendFileSync(join(service.home.folder, "docs/tea.md"), "\nSugar is in the blue tin.\n");
    const third = await cli(["ingest", "--pair", "none", "docs"]);
    expect(third.stderr).toContain("1 updated, 1 unchanged.\n");
    expect((await cli(["ingest", "--pair", "none", "--again", "docs"])).stderr).toContain("2 updated.\n");
    expect((await json(["ask", "Where is the sugar?"]))["answer"]).toContain("blue tin");
  });

  it("reports what it could not send, with reasons, and exits 9", async () => {
    write("mixed/good.txt", "The spare lamp is in room 12.");
    write("mixed/photo.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
    write("mixed/empty.md", "");
    const { code, stderr } = await cli(["ingest", "--pair", "none", "mixed", "missing.md"]);
    expect(code).toBe(9);
    expect(stderr).toContain("not sent missing.md: there is no such file");
    expect(stderr).toMatch(/not sent photo\.png: .*picture/);
    expect(stderr).toMatch(/not sent empty\.md: .*no text/);
    expect(stderr).toContain("1 added, 3 not sent.");
    const { stdout } = await cli(["ingest", "--pair", "none", "--json", "mixed", "missing.md"]);
    const lines = stdout.trimEnd().split("\n");
    const told = lines.map((line) => JSON.parse(line) as { path: string; outcome: string; reason: string | null });
    expect(told.at(-1)).toMatchObject({
      type: "summary",
      ok: false,
      counts: { failed: 3, unchanged: 1 },
      exit_code: 9,
    });
    expect(told.filter(({ outcome, reason }) => outcome === "failed" && reason !== null)).toHaveLength(3);
    // Also where nothing could be begun there is a line.
    const wrong = await cli(["ingest", "--pair", "none", "--json", "https://a.example"]);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ ok: false, exit_code: 2 });
    expect(wrong.stdout.trimEnd()).not.toContain("\n");
  });

  it("is silent with --quiet but for what went wrong", async () => {
    write("still/good.txt", "The quiet lamp is in room 12.");
    expect(await cli(["ingest", "--pair", "none", "--quiet", "still"])).toEqual({ code: 0, stdout: "", stderr: "" });
    const failed = await cli(["ingest", "--pair", "none", "--quiet", "still", "missing.md"]);
    expect(failed).toMatchObject({ code: 9, stderr: "not sent missing.md: there is no such file or folder\n" });
  });

  it("takes and leaves out what the command line says, in its order, and what ignore files say", async () => {
    const names = ["a.md", "draft-b.md", "draft-c.md", "notes.txt", "old/d.md", ".threadloreignore", ".gitignore"];
    for (const name of names) write(`sift/${name}`, `The text of ${name}.`);
    write("sift/.threadloreignore", "old/\n");
    write("sift/.gitignore", "notes.txt\n");
    const sift = (...args: string[]) => cli(["ingest", "--pair", "none", "--dry-run", ...args, "sift"]);
    const ordered = await sift("--exclude", "draft-*", "--include", "draft-b.md", "--exclude", "*.txt");
    expect(ordered.stdout).toBe("add a.md\nadd draft-b.md\n");
    expect(ordered.stderr).toContain("2 would be added, 3 left out.");
    expect((await sift("--include", "*.txt")).stdout).toBe("add notes.txt\n");
    expect((await sift("--gitignore", "--include", "*.txt")).stderr).toContain("5 left out.");
    expect(await sift("--exclude", "!a.md")).toMatchObject({ code: 2 });
  });

  it("takes standard input under a title, and updates it under the same one", async () => {
    const args = ["ingest", "--pair", "none", "--title", "Call with the harbour", "-"];
    expect((await apart(args, "The pilot boat leaves at 05:40.")).stderr).toContain("1 added.");
    expect((await cli(args, "The pilot boat leaves at 06:10.")).stderr).toContain("1 updated.");
    const answer = await json(["ask", "When does the pilot boat leave?"]);
    expect(answer["answer"]).toContain("06:10");
    expect((await cli(["ingest", "--pair", "none", "-"], "x")).stderr).toContain("--title");
  });

  it("fetches web addresses only when allowed to, and private ones only when allowed to twice", async () => {
    const site = createServer((_request, response) =>
      response.setHeader("content-type", "text/html").end("<title>Crane</title><p>The crane lifts 40 tonnes.</p>"),
    );
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/crane`;
    try {
      const args = ["ingest", "--pair", "none", address];
      expect(await cli(args)).toMatchObject({ code: 2 });
      const guarded = await cli([...args, "--allow-url"]);
      expect(guarded).toMatchObject({ code: 9 });
      expect(guarded.stderr).toContain("private address");
      expect((await cli([...args, "--allow-url", "--allow-private"])).stderr).toContain("1 added.");
      expect((await json(["ask", "How much does the crane lift?"]))["answer"]).toContain("40 tonnes");
    } finally {
      site.close();
    }
  });

  it("links sources to their place under --link-base", async () => {
    write("linked/hours office.md", "# Hours\n\nThe archive opens at quarter past nine.\n");
    await cli(["ingest", "--pair", "none", "--link-base", "https://wiki.example.com/base/", "linked"]);
    const answer = await json(["ask", "When does the archive open?"]);
    expect(answer["sources"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ link: expect.stringContaining("https://wiki.example.com/base/hours%20office.md") }),
      ]),
    );
  });

  it("ends at a wrong key, and says that the rest can go on later", async () => {
    const env = { THREADLORE_URL: service.url, THREADLORE_API_KEY: "tl_TESTwrong" };
    const { code, stderr } = await runIn(newHome(), ["ingest", "--pair", "none", "."], { env });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing to send") });
    const home = newHome();
    writeFileSync(join(home.folder, "a.md"), "a text");
    const failed = await runIn(home, ["ingest", "--pair", "none", "a.md"], { env });
    expect(failed.code).toBe(4);
    expect(failed.stderr).toContain("Run the same command again");
  });
});

describe("ask", () => {
  it("says below an answer that was kept where from, by whom and since when", async () => {
    const document = {
      semantic_identifier: "Who winds the tower clock?",
      sections: [{ text: "Kim winds the tower clock on Sundays." }],
      source: "slack",
      metadata: { kept: "answer", channel: "town" },
      primary_owners: [{ display_name: "Kim Noble" }],
      doc_updated_at: "2025-03-02T09:00:00Z",
    };
    const apiKey = readFileSync(join(service.home.folder, ".local/share/threadlore/key"), "utf8").trim();
    await createClient({ baseUrl: service.url, apiKey }).ingest({ document } as never);
    const asked = async (): Promise<string> => (await apart(["ask", "Who winds the tower clock?"])).stdout;
    const shown = "[1] Who winds the tower clock?  kept from #town by Kim Noble, 2025-03-02\n";
    await expect.poll(asked, { timeout: 20_000 }).toContain(shown);
  });

  it("finds the embedded service and its key by itself, and says so once, on stderr", async () => {
    const { code, stdout, stderr } = await apart(["ask", "When", "is", "the", "kettle", "descaled?"]);
    expect(code).toBe(0);
    expect(stdout).toContain("every second Friday");
    expect(stdout).toMatch(/\n\nSources\n\[1\] Tea {2}\d{4}-\d\d-\d\d\n$/);
    expect(stderr).toBe(`Embedded service ${service.url}, key in .local/share/threadlore/key\n`);
  });

  it("reads the question from standard input", async () => {
    expect((await apart(["ask"], "When is the kettle descaled?\n")).stdout).toContain("every second Friday");
    expect((await apart(["ask", "-"], "When is the kettle descaled?\n")).stdout).toContain("every second Friday");
    expect((await apart(["ask"], "  \n")).code).toBe(2);
  });

  it("goes on in the last conversation with --continue", async () => {
    const first = (await json(["ask", "When is the kettle descaled?"]))["conversation"];
    const second = (await json(["ask", "-c", "Where is the sugar?"]))["conversation"];
    expect(second).toMatchObject({ chat_session_id: (first as { chat_session_id: string }).chat_session_id });
    const other = (await json(["ask", "Where is the sugar?"]))["conversation"] as { chat_session_id: string };
    expect(other.chat_session_id).not.toBe((first as { chat_session_id: string }).chat_session_id);
  });

  it("says so when there is no conversation to continue", async () => {
    const env = { THREADLORE_URL: service.url, THREADLORE_API_KEY: "tl_TESTwrong" };
    expect(await runIn(newHome(), ["ask", "-c", "And?"], { env })).toMatchObject({ code: 2 });
  });

  it("answers from a context that is never stored", async () => {
    const args = ["ask", "--context", "-", "What is the code word of the regatta?"];
    expect((await apart(args, "The code word of the regatta is pemmican.")).stdout).toContain("pemmican");
    expect((await cli(["ask", "What is the code word of the regatta?"])).stdout).not.toContain("pemmican");
  });

  it("answers from an attached file", async () => {
    write("attached.txt", "The mooring fee of berth nine is 77 crowns.");
    const { stdout } = await cli(["ask", "--file", "attached.txt", "What is the mooring fee of berth nine?"]);
    expect(stdout).toContain("77 crowns");
  });

  it.each([
    ["--file", "nowhere.txt", "The file nowhere.txt cannot be read: there is no such file."],
    ["--file", ".", "The file . cannot be read: it is no plain file."],
    ["--file", "/dev/null", "The file /dev/null cannot be read: it is no plain file."],
    // Nobody writes into it: who waits for that waits for ever.
    ["--file", "pipe", "The file pipe cannot be read: it is no plain file."],
    ["--context", "nowhere.txt", "The context file nowhere.txt cannot be read: there is no such file."],
    ["--context", ".", "The context file . cannot be read: it is a folder."],
  ])("says why %s %s cannot be read, and asks nothing", async (flag, path, why) => {
    if (path === "pipe") execFileSync("mkfifo", [join(service.home.folder, path)]);
    const { code, stdout, stderr } = await cli(["ask", flag, path, "What is the mooring fee of berth nine?"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(why);
  });

  it("filters by source, tag and time", async () => {
    const question = "When is the kettle descaled?";
    const answers = await Promise.all([
      cli(["ask", "--source", "file", question]),
      cli(["ask", "--source", "web", question]),
      cli(["ask", "--since", "2999-01-01", question]),
      cli(["ask", "--tag", "path=tea.md", question]),
      cli(["ask", "--tag", "path=other.md", question]),
    ]);
    expect(answers.map(({ stdout }) => stdout.includes("Friday"))).toEqual([true, false, false, true, false]);
  });

  it("leaves citations out on request", async () => {
    const { stdout } = await cli(["ask", "--no-citations", "When is the kettle descaled?"]);
    expect(stdout).toContain("Friday");
    expect(stdout).not.toMatch(/\[1\]|Sources/);
  });

  it("researches in rounds with --deep", async () => {
    const { code, stdout } = await cli(["ask", "--deep", "When is the kettle descaled and where is the sugar?"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Friday");
  });
});

describe("keys, pairs and document sets of the embedded service", () => {
  it("makes, lists and revokes keys; the key itself is shown once", async () => {
    const made = await apart(["key", "add", "Ada", "--role", "ordinary"]);
    const key = made.stdout.trim();
    expect(key).toMatch(/^tl_[\w-]{43}$/);
    const env = { THREADLORE_URL: service.url, THREADLORE_API_KEY: key };
    const home = newHome();
    expect(await runIn(home, ["ask", "When is the kettle descaled?"], { env })).toMatchObject({ code: 0 });
    writeFileSync(join(home.folder, "a.md"), "a text");
    const refused = await runIn(home, ["ingest", "--pair", "none", "a.md"], { env });
    expect(refused.code).toBe(4);
    const list = await cli(["key", "list"]);
    expect(list.stdout).toMatch(/Ada +ordinary/);
    expect(list.stdout).not.toContain(key);
    const id = /^(\d+) +Ada/m.exec(list.stdout)?.[1] ?? "";
    expect(await cli(["key", "revoke", id])).toMatchObject({ code: 0 });
    expect(await cli(["key", "revoke", id])).toMatchObject({ code: 2 });
    expect(await runIn(home, ["ask", "q"], { env })).toMatchObject({ code: 4 });
  });

  it("swaps the credential of a connector", async () => {
    const number = async (args: readonly string[]) => (await cli(args)).stdout.trim();
    const connector = await number(["connector", "add", "web", "Wiki"]);
    const old = await number(["credential", "add", "web", "old"]);
    const fresh = await number(["credential", "add", "web", "fresh"]);
    const pair = await number(["pair", "add", "Wiki", "--connector", connector, "--credential", old]);
    const swapped = await cli(["credential", "swap", fresh, connector]);
    expect(swapped).toMatchObject({ code: 0, stdout: expect.stringContaining("swapped") });
    const pairs = await cli(["pair", "list"]);
    expect(pairs.stdout).toMatch(new RegExp(`^${pair} +web +${connector} +${fresh} +private`, "m"));
    expect((await cli(["connector", "list"])).stdout).toContain("Wiki");
    expect((await cli(["credential", "list"])).stdout).toContain("fresh");
    const unknown = await cli(["credential", "swap", "4711", connector]);
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain("4711");
    const wrong = await cli(["credential", "swap", "one", connector]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("whole number from 0. See") });
  });

  it("restricts questions to a document set", async () => {
    const made = (await json(["pair", "list"]))["entries"] as { id: string; name: string }[];
    const wiki = made.find((pair) => pair.name === "Wiki")?.id ?? "";
    expect(await cli(["document-set", "add", "Wiki set", "--pair", wiki])).toMatchObject({ code: 0 });
    expect((await cli(["document-set", "list"])).stdout).toContain("Wiki set");
    const { stdout } = await cli(["ask", "--document-set", "Wiki set", "When is the kettle descaled?"]);
    expect(stdout).not.toContain("Friday");
    expect(await cli(["document-set", "add", "Wiki set", "--pair", wiki])).toMatchObject({ code: 2 });
  });

  it("refuses a pair of different sources", async () => {
    const connector = (await cli(["connector", "add", "file", "Files"])).stdout.trim();
    const credential = (await cli(["credential", "add", "imap", "Post"])).stdout.trim();
    const { code, stderr } = await cli(["pair", "add", "x", "--connector", connector, "--credential", credential]);
    expect(code).toBe(2);
    expect(stderr).toContain("same source");
  });

  it("says what to do where no embedded service ever ran", async () => {
    const { code, stderr } = await runIn(newHome(), ["key", "list"]);
    expect(code).toBe(2);
    expect(stderr).toContain("threadlore serve");
  });
});

describe("tool validate", () => {
  const definition = {
    openapi: "3.0.0",
    info: { title: "Tides", description: "Tide tables" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/tides": { get: { operationId: "list.tides", summary: "List tides" } } },
  };

  it("prints the methods as a table", async () => {
    write("tool.json", JSON.stringify(definition));
    const { code, stdout } = await apart(["tool", "validate", "tool.json"]);
    expect(code).toBe(0);
    expect(stdout).toBe("NAME        METHOD  PATH    SUMMARY\nlist_tides  GET     /tides  List tides\n");
    expect(await json(["tool", "validate", "-"], JSON.stringify(definition))).toMatchObject({
      ok: true,
      methods: [{ name: "list_tides" }],
    });
  });

  it("prints where and why a definition will not do", async () => {
    const { code, stderr } = await apart(["tool", "validate", "-"], JSON.stringify({ ...definition, servers: [] }));
    expect(code).toBe(5);
    expect(stderr).toMatch(/^body\.definition\S*: .*URL/m);
  });

  it("says what it takes: one JSON object", async () => {
    expect((await cli(["tool", "validate", "-"], "openapi: 3.0.0")).stderr).toContain("YAML");
    expect(await cli(["tool", "validate", "-"], "[]")).toMatchObject({ code: 2 });
    expect(await cli(["tool", "validate", "nowhere.json"])).toMatchObject({ code: 2 });
    const guarded = await cli(["tool", "validate", "http://127.0.0.1:1/x"]);
    expect(guarded.stderr).toContain("private address");
  });
});

describe("backup and restore", () => {
  it("copies a running service's data, refuses to restore under it, and brings everything back", async () => {
    const backup = await apart(["backup", "copy.db"]);
    expect(backup.stderr).toMatch(/Copied \d+ documents/);
    expect(statSync(join(service.home.folder, "copy.db")).mode & 0o777).toBe(0o600);
    expect(await cli(["backup", "copy.db"])).toMatchObject({ code: 2 });
    expect(await cli(["backup", "--force", "copy.db"])).toMatchObject({ code: 0 });
    expect(await cli(["restore", "copy.db"])).toMatchObject({ code: 2 });

    const home = newHome();
    writeFileSync(join(home.folder, "copy.db"), readFileSync(join(service.home.folder, "copy.db")));
    const other = await startEmbedded(home);
    await other.stop();
    const restored = await runCli(["restore", "copy.db"], { home });
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining("is kept as") });
    const again = await startEmbedded(home);
    try {
      const key = readFileSync(join(service.home.folder, ".local/share/threadlore/key"), "utf8").trim();
      const env = { THREADLORE_URL: again.url, THREADLORE_API_KEY: key };
      expect((await runIn(home, ["ask", "When is the kettle descaled?"], { env })).stdout).toContain("Friday");
    } finally {
      await again.stop();
    }
  });

  it("refuses a file that is no database, and leaves the data alone", async () => {
    const home = newHome();
    await (await startEmbedded(home)).stop();
    const data = join(home.folder, ".local/share/threadlore");
    const before = readdirSync(data).toSorted();
    writeFileSync(join(home.folder, "no.db"), "x".repeat(5_000));
    expect(await runIn(home, ["restore", "no.db"])).toMatchObject({ code: 2 });
    expect(await runIn(home, ["restore", "gone.db"])).toMatchObject({ code: 2 });
    expect(readdirSync(data).toSorted()).toEqual(before);
  });
});

describe("login and doctor", () => {
  const keyOf = (): string => readFileSync(join(service.home.folder, ".local/share/threadlore/key"), "utf8").trim();

  it("checks a key from standard input, keeps it to its owner, and is used from then on", async () => {
    const home = newHome();
    const login = await runCli(["login", service.url, "--pair", "none"], { home, input: `${keyOf()}\n` });
    expect(login).toMatchObject({ code: 0, stdout: "" });
    expect(login.stderr).not.toContain(keyOf());
    const path = join(home.folder, ".config/threadlore/config.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const asked = await runCli(["ask", "When is the kettle descaled?"], { home });
    // Nobody named the server in this command, so it is said.
    expect(asked).toMatchObject({ code: 0, stderr: `Server ${service.url} (logged in)\n` });
    writeFileSync(join(home.folder, "a.md"), "The gate is painted green.");
    expect(await runCli(["ingest", "a.md"], { home })).toMatchObject({ code: 0 });
    const doctor = await runCli(["doctor"], { home });
    expect(doctor.code).toBe(0);
    expect(doctor.stdout).toMatch(/^ok {3}base URL: /);
  });

  it("does not send a kept key to another address", async () => {
    const home = newHome();
    await runIn(home, ["login", service.url], { env: { THREADLORE_API_KEY: keyOf() } });
    const keys: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await runIn(home, ["ask", "--url", url, "q"]);
    other.close();
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => key !== undefined)).toEqual([]);
  });

  it("keeps nothing of a wrong key or address", async () => {
    const home = newHome();
    const wrong = await runIn(home, ["login", service.url], { input: "tl_TESTwrongwrong" });
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining("Not logged in") });
    const nowhere = await runIn(home, ["login", "http://127.0.0.1:9"], { input: "tl_TESTkey" });
    expect(nowhere.code).toBe(7);
    expect(existsSync(join(home.folder, ".config/threadlore/config.json"))).toBe(false);
  });

  it("doctor's advice can be typed: it names flags and commands, not fields of the wire", async () => {
    const unset = await cli(["doctor"]);
    expect(unset.stdout).toMatch(/^\? {4}pair: No connector\/credential pair is set/m);
    expect(unset.stdout).toContain("`threadlore ingest --pair NUMBER`");
    expect(unset.stdout).not.toMatch(/cc_pair_id|profile/);
    const wrong = await cli(["doctor", "--pair", "4711"]);
    expect(wrong.code).toBe(11);
    expect(wrong.stdout).toMatch(/^fix {2}pair: There is no pair 4711/m);
    expect((await cli(["doctor", "--pair", "1"])).stdout).toMatch(/^ok {3}pair: Pair 1 .*exists/m);
    expect(await cli(["doctor", "--pair", "one"])).toMatchObject({ code: 2 });
  });

  it("doctor says what is wrong and how to fix it, and exits 11", async () => {
    const env = { THREADLORE_URL: service.url, THREADLORE_API_KEY: "tl_TESTwrong" };
    const { code, stdout } = await runIn(newHome(), ["doctor"], { env });
    expect(code).toBe(11);
    expect(stdout).toMatch(/^fix {2}key: .+\n {5}\S/m);
    const document = await runIn(newHome(), ["doctor", "--json"], { env });
    expect(JSON.parse(document.stdout)).toMatchObject({ ok: false, exit_code: 11 });
  });
});

describe("--json", () => {
  it("gives one document for every command that ends", async () => {
    const key = (await json(["key", "add", "short-lived"])) as { id: number };
    expect(await json(["key", "revoke", String(key.id)])).toMatchObject({ ok: true, id: key.id });
    expect(await json(["backup", "json.db"])).toMatchObject({ ok: true, file: expect.stringContaining("json.db") });
    expect(await json(["restore", "json.db"])).toMatchObject({ ok: false, exit_code: 2 });
  });
});

describe("settings", () => {
  it("lists every problem at once, and shows no key", async () => {
    const { code, stderr } = await runIn(newHome(), ["ask", "q"], {
      env: { THREADLORE_URL: "ftp://x:y@z", THREADLORE_API_KEY: "tl_TEST with spaces" },
    });
    expect(code).toBe(2);
    expect(stderr).toContain("THREADLORE_API_KEY holds a space");
    expect(stderr).toContain("THREADLORE_URL is not a web address");
    expect(stderr).not.toContain("with spaces");
  });

  it("says what to do when nothing is configured", async () => {
    const { code, stderr } = await runCli(["ask", "q"]);
    expect(code).toBe(2);
    expect(stderr).toContain("threadlore login URL");
    expect(stderr).toContain("threadlore serve");
  });

  it("says so when the config file is damaged, and warns when others can read it", async () => {
    const home = newHome();
    const folder = join(home.folder, ".config/threadlore");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.json"), "{", { mode: 0o644 });
    const { code, stderr } = await runIn(home, ["ask", "q"]);
    expect(code).toBe(2);
    expect(stderr).toContain("are damaged");
    expect(stderr).toContain("chmod 600");
  });

  it("takes no key as an argument, where every process of the machine could read it", async () => {
    const { stdout } = await runShell("threadlore login http://127.0.0.1:9 --key tl_TESTx 2>&1; echo $?");
    expect(stdout).toContain("unknown option '--key'");
    expect(stdout.trim().endsWith("2")).toBe(true);
  });
});
