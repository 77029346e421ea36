import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import {
  addConnector,
  addCredential,
  addDocumentSet,
  addKey,
  addPair,
  createService,
  Database,
  openTruth,
  SqliteStore,
} from "@threadlore/service";
import { createClient } from "@threadlore/client";
import { startPostgres } from "@threadlore/testkit/postgres";
import { seededRandom } from "@threadlore/testkit";
import { type Bar, missedOf } from "../bars.ts";
import { API_KEY } from "../filled-service.ts";
import { median, shuffled } from "../measure.ts";
import { columnsOf, type Group, type Outcome, type Row } from "../report.ts";
import { withFolder } from "../with-folder.ts";
import { type Took, toldApart } from "./classifier.ts";

const TOLD = "told apart %";
const COLUMNS = columnsOf({ "nothing hidden ms": 1, "much hidden ms": 1, [TOLD]: 0 });

/** What a reply may tell of how much is hidden: a guess is right half of the time. */
const BAR: Omit<Bar, "group" | "row"> = { column: TOLD, most: 60 };
const BARRED = "who may see none of them";

/** How much is measured. */
interface HiddenSize {
  /** Documents that match and are hidden, in one of two services. */
  readonly hidden: number;
  /** Documents that are seen, in both. */
  readonly seen: number;
  /** How often each way is gone at each service. */
  readonly asks: number;
  /** False: over SQLite alone. */
  readonly withPostgres: boolean;
}

/** Key of somebody who sees the seen documents and no others. */
const LIMITED = ["tl", "BENCHLIMITED".padEnd(32, "0")].join("_");

/**
 * How well one who does not see them can tell, by how long replies take, whether there are no hidden documents that match or
 * very many. Two services in processes of their own are asked the same in turn, in an order by chance.
 */
export function benchHidden(size: HiddenSize): Promise<Outcome> {
  return withFolder(async (folder) => {
    const groups: Group[] = [];
    const few = join(folder, "few.db");
    const many = join(folder, "many.db");
    await fill(few, undefined, size, 0);
    await fill(many, undefined, size, size.hidden);
    const named = `${size.hidden.toLocaleString("en")} documents hidden or none`;
    groups.push(await measured(`SQLite, ${named}: ${BARRED}`, [[few], [many]], "", size));
    // What shows that times are told apart where nothing is done about them.
    groups.push(await measured(`SQLite, ${named}: answered as soon as can be (control)`, [[few], [many]], "0", size));
    if (size.withPostgres) groups.push(await overPostgres(folder, named, size));
    const bars = WAYS.map(({ name }): Bar => ({ ...BAR, group: BARRED, row: name }));
    return { groups, missed: missedOf(groups, bars) };
  });
}

async function overPostgres(folder: string, named: string, size: HiddenSize): Promise<Group> {
  const postgres = await startPostgres();
  if ("missing" in postgres) throw new Error(`There is no PostgreSQL here: ${postgres.missing}`);
  try {
    const places: [string, string][] = [];
    for (const [name, hidden] of [["few", 0] as const, ["many", size.hidden] as const]) {
      const [database, url] = [join(folder, `${name}-copy.db`), await postgres.createDatabase()];
      await fill(database, url, size, hidden);
      places.push([database, url]);
    }
    return await measured(`PostgreSQL, ${named}: ${BARRED}`, places, "", size);
  } finally {
    await postgres.stop();
  }
}

// ── What there is ───────────────────────────────────────────────────────────────────────────────────────────────

const WORDS = "lift desk canteen leave holiday office kitchen garden roof window badge parking".split(" ");
const AT_ONCE = 64;

/** A database in which what is hidden stands between what is seen, and holds the same words. */
async function fill(path: string, url: string | undefined, { seen }: HiddenSize, hidden: number): Promise<void> {
  const given = url === undefined ? { database: new Database(path) } : await openTruth(url, path);
  const store = "truth" in given ? given.truth : new SqliteStore(given.database);
  const pairs: number[] = [];
  for (const name of ["Seen", "Hidden"]) {
    pairs.push(
      await store.write(function* () {
        const connectorId = yield* addConnector({ name, source: "web" });
        const credentialId = yield* addCredential({ name, source: "web" });
        const pair = yield* addPair({ name, connectorId, credentialId });
        yield* addDocumentSet({ name, pairIds: [pair] });
        return pair;
      }),
    );
  }
  await store.write(function* () {
    yield* addKey(API_KEY, { name: "bench", role: "admin" }, 0);
    yield* addKey(LIMITED, { name: "limited", role: "editor", documentSets: ["Seen"] }, 0);
  });
  const service = createService({ ...given, logLevel: "silent" });
  const client = createClient({ baseUrl: "http://127.0.0.1:8411", apiKey: API_KEY, fetch: service.fetch });
  const send = async ({ id, pair, text, tag }: Sent): Promise<void> => {
    const document = { id, semantic_identifier: `About ${tag}`, sections: [{ text }], metadata: { about: tag } };
    await client.ingest({ document: { ...document, source: "web" as const }, cc_pair_id: pairs[pair] });
  };
  for (const { first, behind } of documents(seen, hidden)) {
    // Alone: of equals the newest is shown first, which has to be the same one in both services.
    await send(first);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of behind) await send(one);
      }),
    );
  }
  await service.drain();
  await service.close();
}

interface Sent {
  readonly id: string;
  /** Its place among the pairs. */
  readonly pair: number;
  readonly text: string;
  readonly tag: string;
}

/** Each document that is seen, and the hidden ones that come behind it. */
function* documents(seen: number, hidden: number): Generator<{ first: Sent; behind: Iterable<Sent> }> {
  const [ofSeen, ofHidden] = [seededRandom(3), seededRandom(4)];
  const text = (random: () => number, number: number): string => {
    const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? "";
    return `The ${word()} of the ${word()} stands by the ${word()}. Number n${number} is of the ${word()}.`;
  };
  for (let at = 0, sent = 0; at < seen; at++) {
    const first = { id: `seen${at}`, pair: 0, text: text(ofSeen, at), tag: WORDS[at % WORDS.length] ?? "" };
    const behind: Sent[] = [];
    for (; sent < ((at + 1) * hidden) / seen; sent++) {
      behind.push({ id: `hidden${sent}`, pair: 1, text: text(ofHidden, seen + sent), tag: `tag${sent % 1_000}` });
    }
    yield { first, behind: behind.values() };
  }
}

// ── Asking ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A way to look, and what is sent at its so manieth turn. */
interface LookedBy {
  readonly name: string;
  send(turn: number): readonly [path: string, body?: unknown];
}

const word = (turn: number): string => WORDS[turn % WORDS.length] ?? "";
const question = (turn: number): string => `Where is the ${word(turn)} of the ${word(turn * 5 + 1)}?`;
const tool = (name: string, given: unknown) =>
  ["/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }] as const;

const WAYS: readonly LookedBy[] = [
  { name: "search, common words", send: (turn) => ["/search", { query: question(turn) }] },
  { name: "search, all words at once", send: () => ["/search", { query: WORDS.join(" ") }] },
  { name: "search, a rare word", send: (turn) => ["/search", { query: `n${turn}` }] },
  { name: "search, a word nobody wrote", send: (turn) => ["/search", { query: `the ${word(turn)}zz of the gardn` }] },
  {
    name: "an answer, streamed",
    send: (turn) => ["/chat/send-chat-message", { message: question(turn), stream: true }],
  },
  { name: "an answer, whole", send: (turn) => ["/chat/send-chat-message", { message: question(turn), stream: false }] },
  { name: "/mcp, search", send: (turn) => tool("search", { query: question(turn) }) },
  { name: "tags", send: () => ["/query/valid-tags?limit=100"] },
  { name: "list of documents", send: () => ["/service-api/ingestion"] },
  { name: "counts by pair", send: () => ["/manage/admin/connector/status"] },
];

/** Requests of each way that do not count. */
const WARM_UP = 20;

async function measured(
  name: string,
  [few, many]: readonly (readonly string[])[],
  evenMs: string,
  { asks }: HiddenSize,
): Promise<Group> {
  const [none, much] = [await served(few ?? [], evenMs), await served(many ?? [], evenMs)];
  try {
    const random = seededRandom(7);
    const rows: Row[] = [];
    for (const { name: way, send } of WAYS) {
      const took: [Took[], Took[]] = [[], []];
      for (let turn = -Math.min(WARM_UP, asks); turn < asks; turn++) {
        const texts: string[] = [];
        for (const [place, { url }] of shuffled([...[none, much].entries()], random)) {
          const [path, body] = send(turn + WARM_UP);
          const { text, ...times } = await timed(`${url}${path}`, body);
          texts[place] = text;
          if (turn >= 0) took[place]?.push(times);
        }
        if (texts[0]?.length !== texts[1]?.length) throw new Error(`${way} tells what is hidden:\n${texts.join("\n")}`);
      }
      const [one, other] = took.map((all) => median(all.map(({ whole }) => whole)));
      rows.push({
        name: way,
        ours: true,
        figures: { "nothing hidden ms": one ?? 0, "much hidden ms": other ?? 0, [TOLD]: 100 * toldApart(...took) },
      });
    }
    return { name, columns: COLUMNS, rows };
  } finally {
    for (const { child } of [none, much]) {
      child.kill();
      await once(child, "exit");
    }
  }
}

async function served([database = "", databaseUrl]: readonly string[], evenMs: string) {
  const words = [database, evenMs, ...(databaseUrl === undefined ? [] : [databaseUrl])];
  const child = fork(join(import.meta.dirname, "hidden-child.harness.ts"), words);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return { child, url };
}

/** Sockets that stay open. */
const agent = new Agent({ keepAlive: true });

/** What came back, and how long it took. Being refused is no quick reply. */
async function timed(url: string, body: unknown): Promise<Took & { readonly text: string }> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${LIMITED}`,
    accept: "application/json, text/event-stream",
    ...(text !== undefined && { "content-type": "application/json" }),
  };
  const begun = performance.now();
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method: text === undefined ? "GET" : "POST", agent, headers }, resolve)
      .on("error", reject)
      .end(text);
  });
  const first = performance.now() - begun;
  let said = "";
  for await (const piece of reply.setEncoding("utf8") as AsyncIterable<string>) said += piece;
  if (reply.statusCode !== 200) throw new Error(`${url} is answered ${reply.statusCode} ${said}`);
  return { first, whole: performance.now() - begun, text: said };
}
