import { realpathSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import { afterThisTest, startFaultServer, temporaryFolder } from "@threadlore/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Serving, startServing } from "../embedded/serving.ts";
import { waitUntilIndexed } from "../ingest/indexing.ts";
import { deployed, personAt } from "../testing/deployed.ts";
import { type HereOptions, runHere } from "../testing/in-process.ts";
import { allDocuments } from "./listing.ts";

let serving: Serving;
let home: string;

beforeAll(async () => {
  home = realpathSync(temporaryFolder());
  serving = await startServing({ folder: join(home, ".local/share/threadlore"), port: 0, log: () => {} });
  const document = (id: string, title: string, text: string, pair = 1) =>
    createClient({ baseUrl: serving.url, apiKey: serving.apiKey }).ingest({
      document: { id, semantic_identifier: title, sections: [{ text, link: `https://x.example/${id}` }], metadata: {} },
      cc_pair_id: pair,
    });
  await document("tide", "Tide tables", "High water is at ten.");
  await document("torn", "Torn \u001b[2Jletter", "It is torn.");
  for (let n = 0; n < 7; n += 1) await document(`buoy ${n}/ü`, `Buoy ${n}`, `Buoy ${n} is red.`);
  const deployment = createDeployment({ baseUrl: serving.url, apiKey: serving.apiKey });
  const fates = [{ name: "tide", fate: "created", pair: 1 }] as const;
  await waitUntilIndexed({ deployment, fates, signal: new AbortController().signal });
});
afterAll(() => serving.close());

const documents = (args: readonly string[], options: Partial<HereOptions> = {}) =>
  runHere(["documents", ...args], { home, ...options });

async function lines(...args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await documents([...args, "--json"]);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("documents list", () => {
  it("shows title, pair, status, why one failed and its address, with nothing that moves the cursor", async () => {
    const { code, stdout, stderr } = await documents(["list"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^STATUS +PAIR +ID +TITLE +LINK$/m);
    expect(stdout).toMatch(/^indexed +1 +tide +Tide tables +https:\/\/x\.example\/tide$/m);
    expect(stdout).toMatch(/^indexed +1 +torn +Torn \[2Jletter +https:\/\/x\.example\/torn$/m);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toContain("9 documents.");
  });

  it.each([
    [["--status", "failed"], []],
    [["--name", "tIDE"], ["tide"]],
    [["--id", "buoy 3/ü"], ["buoy 3/ü"]],
    [["--pair", "1", "--name", "Buoy", "--status", "indexed"], [6, 5, 4, 3, 2, 1, 0].map((n) => `buoy ${n}/ü`)],
    [["--name", "nothing begins like this"], []],
  ])("of %j", async (filters, ids) => {
    const listed = await lines("list", ...filters);
    expect(listed.slice(0, -1).map(({ id }) => id)).toEqual(ids);
    expect(listed.at(-1)).toEqual({ type: "summary", ok: true, documents: ids.length, exit_code: 0 });
  });

  it("has the same fields for each document", async () => {
    const [document] = await lines("list", "--id", "tide");
    const link = "https://x.example/tide";
    const told = { id: "tide", title: "Tide tables", pair: 1, status: "indexed", reason: null, link };
    expect(document).toEqual({ type: "document", ...told });
  });

  it("turns its pages by itself, whatever their size, and shows what is written meanwhile at most twice", async () => {
    const deployment = createDeployment({ baseUrl: serving.url, apiKey: serving.apiKey });
    for (const size of [1, 2, 4, 9, 10]) {
      const listed = await allDocuments(deployment, {}, new AbortController().signal, size);
      expect(listed.map(({ id }) => id)).toHaveLength(9);
      expect(new Set(listed.map(({ id }) => id)).size).toBe(9);
    }
  });

  it("of a server without pages is whole, and says that it tells no state", async () => {
    const all = Array.from({ length: 1_203 }, (_, n) => ({ document_id: `d${n}`, semantic_id: `D ${n}`, link: "" }));
    const { env } = await serverListing(all);
    const { stdout, stderr } = await documents(["list"], { env });
    expect(stdout.match(/\bd\d+\b/g)).toHaveLength(1_203);
    expect(stderr).toContain("1203 documents.");
    expect(await documents(["list", "--status", "failed"], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not tell in which state"),
    });
  });
});

/** A server that lists these, whatever it is asked for, and has nothing else. */
async function serverListing(list: readonly object[]): Promise<{ env: Record<string, string> }> {
  const server = await startFaultServer(({ method, path }) => {
    const isList = method === "GET" && path.startsWith("/api/service-api/ingestion");
    if (isList) return { json: list };
    return {
      status: method === "DELETE" ? 405 : 404,
      json: { detail: method === "DELETE" ? "Method Not Allowed" : "Not Found" },
    };
  });
  afterThisTest(() => server.close());
  return { env: { THREADLORE_URL: `${server.url}/api`, THREADLORE_API_KEY: "tl_TESTlist0000" } };
}

const FAILED = {
  document_id: "torn",
  semantic_id: "Torn letter",
  link: "",
  status: "failed",
  failure: "No text in it.",
  cc_pair_id: 4,
  older: 0,
};

describe("documents show", () => {
  it("tells all that is known of one, and why it failed", async () => {
    const { stdout } = await documents(["show", "torn"], await serverListing([FAILED]));
    expect(stdout).toBe(
      "Title   Torn letter\nPair    4\nStatus  failed\nReason  No text in it.\nLink    none\nId      torn\n",
    );
    const { stdout: listed } = await documents(["list", "--status", "failed"], await serverListing([FAILED]));
    expect(listed).toMatch(/^failed +4 +torn +Torn letter +\(No text in it\.\)$/m);
    expect(await documents(["show", "none"])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("no document with the id none"),
    });
  });
});

describe("documents delete", () => {
  it("asks whoever sits there, and wants --yes where nobody does", async () => {
    const nobody = await documents(["delete", "buoy 0/ü"]);
    expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining("Say --yes") });
    const no = await documents(["delete", "buoy 0/ü"], { isTerminal: true, answer: "no" });
    expect(no).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Buoy 0 {2}pair 1 {2}buoy 0\/ü\nDelete this\?/),
    });
    expect((await lines("list", "--id", "buoy 0/ü")).at(-1)).toMatchObject({ documents: 1 });
    const yes = await documents(["delete", "buoy 0/ü"], { isTerminal: true, answer: "yes" });
    expect(yes).toMatchObject({ code: 0, stderr: expect.stringContaining("Deleted buoy 0/ü.") });
    expect((await lines("list", "--id", "buoy 0/ü")).at(-1)).toMatchObject({ documents: 0 });
  });

  it("goes on where one is not there, and exits 9", async () => {
    const { code, stdout } = await documents(["delete", "--yes", "--json", "gone", "buoy 1/ü"]);
    const told = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(told).toEqual([
      { type: "document", id: "gone", outcome: "failed", reason: expect.stringContaining("no document") },
      { type: "document", id: "buoy 1/ü", outcome: "deleted", reason: null },
      { type: "summary", ok: false, deleted: 1, failed: 1, exit_code: 9 },
    ]);
    expect(code).toBe(9);
  });

  it("does not guess which is meant where several pairs have one", async () => {
    const second = await runHere(["connector", "add", "file", "Second"], { home });
    const credential = await runHere(["credential", "add", "file", "Second"], { home });
    const pairArgs = ["--connector", second.stdout.trim(), "--credential", credential.stdout.trim()];
    const pair = (await runHere(["pair", "add", "Second", ...pairArgs], { home })).stdout.trim();
    const client = createClient({ baseUrl: serving.url, apiKey: serving.apiKey });
    for (const of of [1, Number(pair)]) {
      const document = { id: "twice", semantic_identifier: `Of ${of}`, sections: [{ text: "Twice." }], metadata: {} };
      await client.ingest({ document, cc_pair_id: of });
    }
    const unclear = await documents(["delete", "--yes", "twice"]);
    expect(unclear).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Say which with --pair, or --all-pairs"),
    });
    expect((await documents(["show", "twice"])).stdout.match(/^Title/gm)).toHaveLength(2);
    expect(await documents(["delete", "--yes", "--pair", pair, "twice"])).toMatchObject({ code: 0 });
    expect((await documents(["show", "twice"])).stdout).toContain("Of 1");
    expect(await documents(["delete", "--yes", "--all-pairs", "twice"])).toMatchObject({ code: 0 });
    expect(await documents(["show", "twice"])).toMatchObject({ code: 5 });
  });

  it("works with a deployed server's own ids, and says where there is no such operation", async () => {
    const server = await deployed();
    const person = personAt(server);
    person.write("docs/a.md", "# A\n\nThe gate is green.\n");
    await person.run(["ingest", "--pair", "none", "--no-wait", "docs"]);
    const [first = ""] = (await person.run(["documents", "list", "--json"])).stdout.split("\n");
    const { id, status, pair } = JSON.parse(first) as { id: string; status: null; pair: null };
    expect([status, pair]).toEqual([null, null]);
    expect(await person.run(["documents", "delete", "--yes", id])).toMatchObject({ code: 0 });
    expect(server.documents.size).toBe(0);

    const { env } = await serverListing([{ document_id: "a", semantic_id: "A", link: "" }]);
    expect(await documents(["delete", "--yes", "a"], { env })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Whoever administers it can delete them there"),
    });
  });
});
