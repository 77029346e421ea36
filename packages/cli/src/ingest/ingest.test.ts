import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FaultServer, startFaultServer } from "@threadlore/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedService, startEmbedded } from "../testing/embedded-service.ts";
import { pdfOf } from "@threadlore/testkit/files";
import { type Run, runIn } from "../testing/in-process.ts";
import { type Home, newHome, runCli, type SpawnOptions } from "../testing/spawn-cli.ts";

let service: EmbeddedService;
beforeAll(async () => {
  service = await startEmbedded();
});
afterAll(() => service.stop());

const servers: FaultServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function write(home: Home, name: string, content: string | Uint8Array): void {
  const path = join(home.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const cli = (args: readonly string[], input?: string): Promise<Run> =>
  runIn(service.home, args, input === undefined ? {} : { input });

/** The answer's text and the titles of the documents it cites. */
async function ask(question: string): Promise<{ answer: string; cited: string[] }> {
  const { answer, citations, sources } = JSON.parse((await cli(["ask", "--json", question])).stdout) as {
    answer: string;
    citations: { document_id: string }[];
    sources: { document_id: string; title: string }[];
  };
  const titles = new Map(sources.map((source) => [source.document_id, source.title]));
  return { answer, cited: citations.map((citation) => titles.get(citation.document_id) ?? "") };
}

describe("what was ingested, asked for at once", () => {
  const sent: Run[] = [];
  beforeAll(async () => {
    write(service.home, "kinds/tariff.pdf", pdfOf([["A berth for a trawler costs 412 crowns a night."]]));
    write(
      service.home,
      "kinds/ferry.html",
      "<!doctype html><title>Ferry times</title><nav>Home</nav><main><p>The last ferry to Aldersholm sails at 22:35.</p></main>",
    );
    write(service.home, "kinds/lamps.md", "# Lamps\n\nThe harbour lamp is lit with whale-free colza oil.\n");
    sent.push(await runCli(["ingest", "--pair", "none", "kinds"], { home: service.home }));
    const note = "The diver's bell rings twice when the sluice opens.";
    sent.push(await cli(["ingest", "--pair", "none", "--title", "Call with the diver", "-"], note));
  });

  it("was all sent", () => {
    expect(sent.map(({ code }) => code)).toEqual([0, 0]);
    expect(sent.map(({ stderr }) => /\d added\.$/m.exec(stderr)?.[0])).toEqual(["3 added.", "1 added."]);
  });

  it.each([
    ["a PDF", "What does a berth for a trawler cost?", "412 crowns", "tariff"],
    ["an HTML page", "When does the last ferry to Aldersholm sail?", "22:35", "Ferry times"],
    ["a Markdown file", "Which oil is the harbour lamp lit with?", "colza", "Lamps"],
    ["standard input", "How often does the diver's bell ring?", "twice", "Call with the diver"],
  ])("%s is found again and cited", async (_kind, question, fact, title) => {
    const { answer, cited } = await ask(question);
    expect(answer).toContain(fact);
    expect(cited).toEqual([expect.stringContaining(title)]);
  });

  it("is found also when indexing takes a while: ingest ends when it is done", async () => {
    const filler = Array.from({ length: 45_000 }, (_, n) => `Buoy ${n} was painted in the week ${n % 52}.`);
    for (let n = 0; n < 4; n += 1) {
      const last = `The lantern of the ${n === 3 ? "breakwater" : "quay"} is violet.`;
      write(service.home, `long/buoys-${n}.txt`, [...filler, last].join("\n\n"));
    }
    expect(await cli(["ingest", "--pair", "none", "long"])).toMatchObject({ code: 0, stdout: "" });
    expect((await ask("Which colour is the lantern of the breakwater?")).answer).toContain("violet");
  }, 60_000);

  it("is sent again to another database at the same address", async () => {
    const home = newHome();
    write(home, "a.md", "# A\n\nThe gate is painted green.\n");
    const args = ["ingest", "--pair", "none", "a.md"];
    const first = await startEmbedded(home);
    expect((await runIn(home, args)).stderr).toContain("1 added.");
    expect((await runIn(home, args)).stderr).toContain("1 unchanged.");
    await first.stop();
    rmSync(join(home.folder, ".local/share/threadlore/threadlore.db"));
    const second = await startEmbedded(home, ["--port", new URL(first.url).port]);
    expect((await runIn(home, args)).stderr).toContain("1 added.");
    await second.stop();
  });

  it("is sent again after a backup without it was restored", async () => {
    const home = newHome();
    write(home, "a.md", "# A\n\nThe gate is painted green.\n");
    const args = ["ingest", "--pair", "none", "a.md"];
    const first = await startEmbedded(home);
    await runIn(home, ["backup", "before.db"]);
    expect((await runIn(home, args)).stderr).toContain("1 added.");
    await first.stop();
    expect(await runIn(home, ["restore", "before.db"])).toMatchObject({ code: 0 });
    const second = await startEmbedded(home, ["--port", new URL(first.url).port]);
    expect((await runIn(home, args)).stderr).toContain("1 added.");
    await second.stop();
  });

  it("tells what of a file did not come through", async () => {
    write(service.home, "cut/endless.txt", "The pier is long. ".repeat(130_000));
    const { code, stderr } = await cli(["ingest", "--pair", "none", "cut"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^endless\.txt: .*(longer|cut|only|first)/m);
  });
});

/** A server that takes documents and tells of its pair 3 what `pair` says, each time it is asked. */
async function serverWith(
  pair: (asked: number) => object | undefined,
): Promise<SpawnOptions & { home: Home; server: FaultServer }> {
  let asked = 0;
  const server = await startFaultServer((request) => {
    if (request.path.endsWith("/service-api/ingestion")) {
      const { document } = JSON.parse(request.text) as { document: { id: string } };
      return { json: { already_existed: false, document_id: document.id } };
    }
    if (request.path.endsWith("/manage/admin/cc-pair/3")) {
      asked += 1;
      const told = pair(asked);
      if (told !== undefined) return { json: { connector: { id: 1 }, credential: { id: 1 }, ...told } };
    }
    return { status: 404, json: { detail: "Not Found" } };
  });
  servers.push(server);
  const home = newHome();
  write(home, "a.md", "# A\n\nThe gate is painted green.\n");
  return { home, server, env: { THREADLORE_URL: `${server.url}/api`, THREADLORE_API_KEY: "tl_TESTwait0000" } };
}

const QUICKNESS = /^1 document, <0\.1 MB in \d+\.\d s: [\d.,<]+\/s, [\d.<]+ MB\/s\.\n/m;
const INGEST = ["ingest", "--pair", "3", "--collection", "notes", "a.md"];

/** Ingests, and answers what is said after the line that tells where everything goes, without how quick it was. */
async function ingestInto(
  there: Awaited<ReturnType<typeof serverWith>>,
  options: SpawnOptions & { args?: string[] } = {},
) {
  const { args = [], ...more } = options;
  const typed = [...INGEST, ...args];
  // A signal needs a process.
  const run = more.onStart === undefined ? runIn(there.home, typed, there) : runCli(typed, { ...there, ...more });
  const { code, stderr } = await run;
  const [target = "", ...rest] = stderr.split("\n");
  expect(target).toContain(`Server ${there.server.url}/api (THREADLORE_URL); pair 3; collection `);
  const said = rest.join("\n");
  expect(said).toMatch(QUICKNESS);
  return { code, stderr: said.replace(QUICKNESS, "") };
}

it("a server that has no time for a while is waited for, unless there is no patience", async () => {
  let busy = 7;
  const server = await startFaultServer(({ path, text }) => {
    if (!path.endsWith("/service-api/ingestion")) return { status: 404, json: { detail: "Not Found" } };
    if (busy-- > 0) return { status: 503, headers: { "retry-after-ms": "5" }, json: { detail: "Maintenance" } };
    return {
      json: { already_existed: false, document_id: (JSON.parse(text) as { document: { id: string } }).document.id },
    };
  });
  servers.push(server);
  const home = newHome();
  write(home, "a.md", "# A\n\nThe gate is painted green.\n");
  const env = { THREADLORE_URL: `${server.url}/api`, THREADLORE_API_KEY: "tl_TESTwait0000" };
  const hasty = await runIn(home, [...INGEST, "--no-wait", "--patience", "0"], { env });
  expect(hasty).toMatchObject({ code: 7, stderr: expect.stringContaining("Run the same command again") });
  expect(await runIn(home, [...INGEST, "--no-wait"], { env })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("1 added."),
  });
  expect(busy).toBeLessThan(0);
});

describe("the wait for the index", () => {
  it("asks until nothing is pending", async () => {
    const there = await serverWith((asked) => ({ documents: { pending: 3 - asked }, document_list: [] }));
    expect(await ingestInto(there)).toEqual({ code: 0, stderr: "1 added.\n" });
    expect(there.server.requests.filter(({ path }) => path.includes("/cc-pair/"))).toHaveLength(3);
  });

  it("tells which document cannot be found and why, and exits 9", async () => {
    let id = "";
    const there = await serverWith(() => {
      const lines = readFileSync(join(there.home.folder, JOURNAL), "utf8").trim().split("\n");
      id = (JSON.parse(lines.at(-1) ?? "") as { id: string }).id;
      const others = { document_id: "of-long-ago", status: "failed", failure: "not ours" };
      const document = { document_id: id, status: "failed", failure: "No text in any section." };
      return { documents: { pending: 0, failed: 2 }, document_list: [others, document] };
    });
    const { code, stderr } = await ingestInto(there);
    expect(stderr).toBe("not indexed a.md: No text in any section.\n1 added.\n");
    expect(code).toBe(9);
  });

  it("says so where the server does not tell", async () => {
    for (const told of [undefined, { id: 3, name: "Files", num_docs_indexed: 4 }]) {
      const there = await serverWith(() => told);
      const { code, stderr } = await ingestInto(there);
      expect(stderr).toBe(
        "1 added.\nThe server does not say when they can be found; give it a moment before you ask.\n",
      );
      expect(code).toBe(0);
      expect((await ingestInto(there)).stderr).toBe("1 unchanged.\n");
    }
  });

  it("is ended by Ctrl-C, with all sent", async () => {
    let interrupt: (() => void) | undefined;
    // Whoever asks how far the index is has sent everything.
    const there = await serverWith(() => {
      interrupt?.();
      return { documents: { pending: 7 } };
    });
    const { code, stderr } = await ingestInto(there, { onStart: (child) => (interrupt = () => child.kill("SIGINT")) });
    expect(code).toBe(130);
    expect(stderr).toMatch(/^1 added\.\nStopped\.\nAll is sent\./);
  });

  it("says after a while what it waits for", async () => {
    const there = await serverWith((asked) => ({ documents: { pending: asked > 8 ? 0 : 7 } }));
    const { stderr } = await ingestInto(there);
    expect(stderr).toBe("Sent. Waiting until the server has indexed 7 documents.\n1 added.\n");
  });

  it("is left out with --no-wait", async () => {
    const there = await serverWith(() => ({ documents: { pending: 7 } }));
    expect(await ingestInto(there, { args: ["--no-wait"] })).toEqual({ code: 0, stderr: "1 added.\n" });
    expect(there.server.requests.some(({ path }) => path.includes("/cc-pair/"))).toBe(false);
  });
});

const JOURNAL = ".local/state/threadlore/ingested.jsonl";
