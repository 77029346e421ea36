import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deployed, personAt } from "../testing/deployed.ts";

const INGEST = ["ingest", "--pair", "3", "--collection", "notes", "docs"];

/** What is said after the line that tells where everything goes, without how quick it was. */
const said = (stderr: string): string =>
  stderr.slice(stderr.indexOf("\n") + 1).replace(/^\d+ documents?, .* MB\/s\.\n/m, "");

describe("documents that a server accepts and does not index", () => {
  it("of 300 every third is lost: all are found after one more run of the same command", async () => {
    const server = await deployed();
    const person = personAt(server);
    for (let n = 0; n < 300; n += 1) person.write(`docs/${n}.md`, `# buoy${n}\n\nkeeper${n} paints${n}.\n`);
    server.faults.embedder = (_id, number) => number % 3 === 2;
    const first = await person.run(INGEST);
    expect(first.code).toBe(12);
    expect(first.stderr).toContain("\n200 added, 100 accepted, but not found yet.\n");
    expect(first.stderr.match(/^not found yet \d+\.md$/gm)).toHaveLength(100);
    expect(server.index.size).toBe(200);
    server.faults.embedder = "up";
    const second = await person.run(INGEST);
    expect(second).toMatchObject({ code: 0, stdout: "" });
    expect(said(second.stderr)).toContain("100 added, 200 unchanged.\n");
    expect(server.index.size).toBe(300);
    expect(said((await person.run(INGEST)).stderr)).toBe("300 unchanged.\n");
  });

  it("are named, counted and noted as unconfirmed, and sent again with a later time of change until they are found", async () => {
    const server = await deployed();
    const person = personAt(server);
    person.write("docs/gate.md", "# Gate\n\nThe gate is painted green.\n");
    server.faults.embedder = "down";
    expect(await person.json(INGEST)).toMatchObject({
      code: 12,
      document: {
        ok: false,
        counts: { created: 0, unconfirmed: 1 },
        unconfirmed: ["gate.md"],
        exit_code: 12,
      },
    });
    expect((await person.run(INGEST)).stderr).toMatch(/Run the same command again in a while/);
    const journal = readFileSync(join(person.home, ".local/state/threadlore/ingested.jsonl"), "utf8");
    expect(journal.match(/"unconfirmed":"added"/g)).toHaveLength(2);
    server.faults.embedder = "up";
    expect(said((await person.run(INGEST)).stderr)).toContain("1 added.\n");
    const sent = server.log.filter(({ method, path }) => method === "POST" && path === "/onyx-api/ingestion");
    const times = sent.map(({ body }) =>
      Date.parse((body as { document: { doc_updated_at: string } }).document.doc_updated_at),
    );
    expect(times).toHaveLength(3);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(1_000);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBe(1_000);
  });

  it("are told from changes: what stays in its former state there is unconfirmed too", async () => {
    const server = await deployed();
    const person = personAt(server);
    person.write("docs/gate.md", "# Gate\n\nThe gate of the harbour is painted green, and opens at 06:40 every day.\n");
    expect((await person.run(INGEST)).code).toBe(0);
    person.write("docs/gate.md", "# Gate\n\nThe gate of the harbour is painted green, and opens at 07:10 every day.\n");
    server.faults.embedder = "down";
    expect((await person.run(INGEST)).stderr).toContain("not found yet gate.md\n1 accepted, but not found yet.");
    expect((await person.run(INGEST)).code).toBe(12);
    server.faults.embedder = "up";
    expect((await person.run(INGEST)).stderr).toContain("1 updated.");
    expect([...server.index.values()][0]?.content).toContain("07:10");
  });

  it("are known by a search where another machine sent them before", async () => {
    const server = await deployed();
    const [one, other] = [personAt(server), personAt(server)];
    for (const person of [one, other]) person.write("docs/gate.md", "# Gate\n\nThe gate is painted green.\n");
    expect((await one.run(INGEST)).stderr).toContain("1 added.");
    expect(await other.run(INGEST)).toMatchObject({ code: 0, stderr: expect.stringContaining("1 updated.") });
  });

  it("stay unconfirmed where the server has no search to look with", async () => {
    const server = await deployed();
    const person = personAt(server);
    person.write("docs/gate.md", "# Gate\n\nThe gate is painted green.\n");
    server.faults.missing = ["/search"];
    server.faults.embedder = "down";
    expect((await person.run(INGEST)).code).toBe(12);
    expect((await person.run(INGEST)).code).toBe(12);
    server.faults.embedder = "up";
    expect(await person.run(INGEST)).toMatchObject({ code: 0, stderr: expect.stringContaining("1 added.") });
  });
});

describe("what changes beside the text", () => {
  it("arrives: a new link base, and everything with --again", async () => {
    const server = await deployed();
    const person = personAt(server);
    person.write("docs/gate.md", "# Gate\n\nThe gate is painted green.\n");
    const link = () => [...server.index.values()].map((document) => document.link);
    const based = (base: string) => person.run([...INGEST, "--link-base", base]);
    expect((await based("https://old.example.com")).stderr).toContain("1 added.");
    expect((await based("https://new.example.com")).stderr).toContain("1 updated.");
    expect(link()).toEqual(["https://new.example.com/gate.md#gate"]);
    const before = server.index.values().next().value?.indexedAt;
    expect((await person.run([...INGEST, "--link-base", "https://new.example.com", "--again"])).stderr).toContain(
      "1 updated.",
    );
    expect(server.index.values().next().value?.indexedAt).not.toBe(before);
  });

  it("is sent over what an earlier version noted, which kept no time of change", async () => {
    const server = await deployed();
    const person = personAt(server);
    person.write("docs/gate.md", "# Gate\n\nThe gate is painted green.\n");
    await person.run([...INGEST, "--link-base", "https://old.example.com"]);
    const path = join(person.home, ".local/state/threadlore/ingested.jsonl");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/,"changed":"[^"]*"/g, ""));
    await person.run([...INGEST, "--link-base", "https://new.example.com"]);
    expect([...server.index.values()].map((document) => document.link)).toEqual([
      "https://new.example.com/gate.md#gate",
    ]);
  });
});
