import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Answer, ask } from "@threadlore/ask";
import { createClient } from "@threadlore/client";
import { addKey, createService, Database } from "@threadlore/service";
import { seededRandom } from "@threadlore/testkit";
import { type Bar, missedOf } from "../bars.ts";
import { API_KEY, fill } from "../filled-service.ts";
import { type Contestant, median, medianRows, percentile, shuffled } from "../measure.ts";
import { columnsOf, type Group, type Outcome } from "../report.ts";
import { type ServedApart, withServed } from "../scale/crowd.ts";
import { generateCorpus } from "../search/search-corpus.ts";
import { withFolder } from "../with-folder.ts";

const MAIN = join(import.meta.dirname, "../../../cli/src/main.ts");

const OWN = "the client's own call (control)";
const STDIO = "threadlore mcp, over standard input and output";
const HTTP = "/mcp of the service";
const ONE = "an answer for one assistant";
const MORE = "p95 ms more";

/** How much is measured. */
interface Size {
  readonly passages: number;
  /** Questions of a run. */
  readonly questions: number;
  readonly runs: number;
  /** Asking at once over HTTP. */
  readonly askers: number;
}

const crowdOf = (askers: number): string => `${askers} assistants at once over HTTP, each with a key of its own`;

/** What an assistant's question takes beside the client's own call, and many of them at once. */
export async function benchAssistants({ passages, questions, runs, askers }: Size): Promise<Outcome> {
  return withFolder(async (folder) => {
    const database = join(folder, "asked.db");
    const { pages, questions: all } = generateCorpus(passages, undefined);
    const service = createService({ database, apiKey: API_KEY });
    await fill(service, pages);
    await service.close();
    const keys = Array.from({ length: askers }, (_, at) => ["tl", `ASKER${at}`.padEnd(32, "0")].join("_"));
    const db = new Database(database);
    for (const [at, key] of keys.entries()) db.transact(addKey(key, { name: `asker ${at}`, role: "ordinary" }, 0));
    db.close();
    const asked = all.slice(0, questions);
    return withServed(database, async (served) => {
      const groups = [await oneAsker(served, asked, runs), await crowd(served, keys, asked, runs)];
      const bars: readonly Bar[] = [
        { group: ONE, row: STDIO, column: MORE, most: 15 },
        { group: crowdOf(askers), row: HTTP, column: "answered", least: askers },
      ];
      return { groups, missed: missedOf(groups, bars) };
    });
  });
}

async function oneAsker({ url }: ServedApart, asked: readonly string[], runs: number): Promise<Group> {
  const client = createClient({ baseUrl: url, apiKey: API_KEY });
  const env = { ...process.env, THREADLORE_URL: url, THREADLORE_API_KEY: API_KEY } as Record<string, string>;
  const overStdio = await connected(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp"], env, stderr: "ignore" }),
  );
  const overHttp = await assistantAt(url, API_KEY);
  const ways: readonly { readonly name: string; readonly ours: boolean; ask(question: string): Promise<void> }[] = [
    {
      name: OWN,
      ours: false,
      async ask(message) {
        let answer: Answer | undefined;
        for await (answer of ask(client, { message, origin: "api" }));
        if (answer?.status !== "done") throw new Error(`No answer: ${answer?.status}`);
      },
    },
    { name: STDIO, ours: true, ask: (question) => askThrough(overStdio, question) },
    { name: HTTP, ours: true, ask: (question) => askThrough(overHttp, question) },
  ];
  for (const way of ways) await way.ask(asked[0] ?? "");
  const random = seededRandom(5);
  const times = ways.map(() => asked.map((): number[] => []));
  for (let run = 0; run < runs; run++) {
    for (const [at, question] of asked.entries()) {
      for (const [place, way] of shuffled([...ways.entries()], random)) {
        const begun = performance.now();
        await way.ask(question);
        times[place]?.[at]?.push(performance.now() - begun);
      }
    }
  }
  await Promise.all([overStdio.close(), overHttp.close()]);
  // Another program's turn on the processor hits one run of a question, not the median of three.
  const figures = times.map((all) => all.map(median));
  const own = percentile(figures[0] ?? [], 0.95);
  return {
    name: ONE,
    columns: columnsOf({ "p50 ms": 1, "p95 ms": 1, [MORE]: 1 }),
    rows: ways.map(({ name, ours }, place) => {
      const p95 = percentile(figures[place] ?? [], 0.95);
      return {
        name,
        ours,
        figures: {
          "p50 ms": percentile(figures[place] ?? [], 0.5),
          "p95 ms": p95,
          [MORE]: p95 - own,
        },
      };
    }),
  };
}

async function crowd(
  served: ServedApart,
  keys: readonly string[],
  asked: readonly string[],
  runs: number,
): Promise<Group> {
  const questionOf = (at: number): string => asked[at % asked.length] ?? "";
  const own: Contestant = {
    name: OWN,
    ours: false,
    run: () =>
      together(served, keys, async (key, at) => {
        let answer: Answer | undefined;
        const client = createClient({ baseUrl: served.url, apiKey: key });
        for await (answer of ask(client, { message: questionOf(at), origin: "api" }));
        if (answer?.status !== "done") throw new Error(`No answer: ${answer?.failure?.message}`);
      }),
  };
  const assistants = await Promise.all(keys.map((key) => assistantAt(served.url, key)));
  const ours: Contestant = {
    name: HTTP,
    ours: true,
    run: () =>
      together(served, keys, async (_, at) => {
        const assistant = assistants[at];
        if (assistant !== undefined) await askThrough(assistant, questionOf(at));
      }),
  };
  const rows = await medianRows([own, ours], runs, 1);
  await Promise.all(assistants.map((assistant) => assistant.close()));
  const columns = columnsOf({ answered: 0, "ms for all": 0, "p95 ms": 0, "MB resident": 0 });
  return { name: crowdOf(keys.length), columns, rows };
}

async function together(
  served: ServedApart,
  keys: readonly string[],
  askOne: (key: string, at: number) => Promise<void>,
): Promise<Record<string, number>> {
  const begun = performance.now();
  const times: number[] = [];
  await Promise.all(
    keys.map(async (key, at) => {
      await askOne(key, at);
      times.push(performance.now() - begun);
    }),
  );
  const { megabytes } = await served.tell();
  return {
    answered: times.length,
    "ms for all": Math.max(...times),
    "p95 ms": percentile(times, 0.95),
    "MB resident": megabytes,
  };
}

async function askThrough(assistant: Client, question: string): Promise<void> {
  const { isError, content } = await assistant.callTool({ name: "ask", arguments: { question } });
  if (isError === true) throw new Error(`No answer: ${JSON.stringify(content)}`);
}

function assistantAt(url: string, key: string): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  return connected(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
}

async function connected(transport: Parameters<Client["connect"]>[0]): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  return client;
}
