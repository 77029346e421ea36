import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { deflateSync } from "node:zlib";
import { createClient } from "@threadlore/client";
import { addKey, createService, Database } from "@threadlore/service";
import { pdfOfObjects } from "@threadlore/testkit/files";
import { type Bar, missedOf } from "./bars.ts";
import { fill } from "./filled-service.ts";
import { median } from "./measure.ts";
import { columnsOf, type Outcome } from "./report.ts";
import { generateCorpus } from "./search/search-corpus.ts";
import { withFolder } from "./with-folder.ts";

const HEALTH = "health, ms more";
const QUESTION = "question, ms more";
const MEMORY = "MB resident";
const COLUMNS = columnsOf({ [HEALTH]: 0, [QUESTION]: 0, [MEMORY]: 0 });

/** A request that loads the service, as it goes over the wire. */
interface Heavy {
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Absent: nothing is sent, something is asked for. */
  readonly body?: Uint8Array<ArrayBuffer>;
  /** The status of its reply. Default: 200. */
  readonly expected?: number;
}

const words = (message: string, more: object = {}): Heavy =>
  json("/chat/send-chat-message", { message, stream: false, ...more });
const document = (id: string, semantic_identifier: string, sections: readonly { readonly text: string }[]): Heavy =>
  json("/service-api/ingestion", { document: { id, semantic_identifier, sections } });

/** How the service is loaded: requests that an ordinary key, or one that adds documents, may send. */
const HEAVY = {
  "a question of 9 MB": () => ({ ...words("why ".repeat(2_250_000)), expected: 422 }),
  "a document of 10 MB in 20,000 sections": () => {
    const texts = Array.from({ length: 20_000 }, (_, index) => `Section ${index}. ${"words ".repeat(75)}`);
    return document(
      "large",
      "Large",
      texts.map((text) => ({ text })),
    );
  },
  "a document of 9 MB in one section": () =>
    document("log", "Log", [{ text: "2026-11-22 09:30:00 INFO the pump runs at 3 bar\n".repeat(195_000) }]),
  "an upload of 24 MB of <": () => upload(new File(["<".repeat(24_000_000)], "page.html", { type: "text/html" })),
  "a PDF that unpacks to 256 MB": () =>
    upload(new File([bombPdf(256_000_000)], "small.pdf", { type: "application/pdf" })),
  "a question of the commonest words": () =>
    words("over time people may find more about other new ways through again against because"),
  "reading a conversation of 2,000 turns": (session) => ({ path: `/chat/get-chat-session/${session}`, headers: {} }),
  "a question in a conversation of 2,000 turns": (session) => words("What about it?", { chat_session_id: session }),
} satisfies Record<string, (session: string) => Heavy | Promise<Heavy>>;
export type Load = keyof typeof HEAVY;
export const LOADS = Object.keys(HEAVY) as Load[];

const name = (passages: number): string => `the longest wait of others during one request, ${passages} passages`;

/** Nobody waits a quarter of a second longer because of somebody else, and the service stays within three quarters of a GB. */
const BARS: readonly Bar[] = LOADS.flatMap((row) => [
  { group: name(10_000), row, column: HEALTH, most: 250 },
  { group: name(10_000), row, column: QUESTION, most: 250 },
  { group: name(10_000), row, column: MEMORY, most: 768 },
]);

const KEYS = { heavy: `tl_${"HEAVY".padEnd(32, "0")}`, other: `tl_${"OTHER".padEnd(32, "0")}` };

/** How one request of somebody delays a question for health and a question of others, and what memory it takes. */
export function benchFairness(options: {
  readonly passages: number;
  readonly loads?: readonly Load[];
}): Promise<Outcome> {
  const { passages, loads = LOADS } = options;
  return withFolder(async (folder) => {
    const database = join(folder, "service.db");
    const filled = await fillDatabase(database, passages);
    const rows = [];
    for (const load of loads) rows.push({ name: load, ours: true, figures: await measured(database, load, filled) });
    const groups = [{ name: name(passages), columns: COLUMNS, rows }];
    return { groups, missed: missedOf(groups, BARS) };
  });
}

/** Fills it, and tells a question that the documents answer, and a conversation of 2,000 turns. */
async function fillDatabase(database: string, passages: number) {
  const db = new Database(database);
  db.transact(addKey(KEYS.heavy, { name: "heavy", role: "editor" }, 0));
  db.transact(addKey(KEYS.other, { name: "other", role: "ordinary" }, 0));
  db.close();
  const service = createService({ database });
  const { pages, questions } = generateCorpus(passages, undefined);
  await fill(service, pages, { apiKey: KEYS.heavy });
  const question = questions[0] ?? "";
  const client = createClient({ baseUrl: "http://127.0.0.1:8411", apiKey: KEYS.heavy, fetch: service.fetch });
  const { chat_session_id: session } = await client.sendMessage({ message: question });
  await service.close();
  goOn(database);
  return { question, session: session ?? "" };
}

/** Lets the one conversation of the database go on: the same turn 2,000 times. */
function goOn(database: string): void {
  const db = new Database(database);
  db.transaction(() => {
    let parent = 2;
    for (let turn = 0; turn < 2_000; turn++) {
      for (const original of [1, 2]) {
        const { lastId } = db.run(
          `INSERT INTO messages (session_id, parent_id, role, text, status, citations, documents, created_at)
           SELECT session_id, ?, role, text, status, citations, documents, 0 FROM messages WHERE id = ?`,
          parent,
          original,
        );
        parent = lastId;
      }
    }
  });
  db.close();
}

/** Requests of a row, one after the other: what the machine does once in a while does not count. */
const ROUNDS = 3;

/** A process of its own, so that its memory and its waits are its own. */
const SERVING = `
  import { serve } from "@threadlore/service/serve";
  console.log((await serve({ database: process.argv[1], port: 0 })).url);
`;

async function measured(
  database: string,
  load: Load,
  { question, session }: Awaited<ReturnType<typeof fillDatabase>>,
): Promise<Record<string, number>> {
  const heavy = await HEAVY[load](session);
  const child = spawn(process.execPath, ["--input-type=module", "-e", SERVING, database], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const url = line.toString().trim();
    const { path, headers, body } = words(question);
    const init = { method: "POST", headers: { ...headers, authorization: `Bearer ${KEYS.other}` }, body };
    const asOther = () => fetch(url + path, init);
    const health = () => fetch(`${url}/health`);
    const usual = { health: await usualMs(health), question: await usualMs(asOther) };
    const rounds: { health: number; question: number; memory: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const watch = { going: true };
      const seen = Promise.all([longestMs(health, watch), longestMs(asOther, watch), memoryOf(child.pid ?? 0, watch)]);
      await pause(200);
      await send(url, heavy);
      // What goes on after the reply, indexing above all, delays others too.
      await pause(1_000);
      await untilIndexed(database);
      watch.going = false;
      const [healthMs, questionMs, memory] = await seen;
      rounds.push({ health: healthMs, question: questionMs, memory });
    }
    return {
      [HEALTH]: Math.max(0, median(rounds.map((round) => round.health)) - usual.health),
      [QUESTION]: Math.max(0, median(rounds.map((round) => round.question)) - usual.question),
      [MEMORY]: Math.max(...rounds.map((round) => round.memory)),
    };
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

async function usualMs(request: () => Promise<Response>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) times.push(await timed(request));
  return median(times);
}

async function longestMs(request: () => Promise<Response>, watch: { readonly going: boolean }): Promise<number> {
  let longest = 0;
  while (watch.going) {
    longest = Math.max(longest, await timed(request));
    await pause(10);
  }
  return longest;
}

async function timed(request: () => Promise<Response>): Promise<number> {
  const begun = performance.now();
  const reply = await request();
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`status ${reply.status}: ${text.slice(0, 300)}`);
  return performance.now() - begun;
}

function json(path: string, body: unknown): Heavy {
  return {
    path,
    headers: { "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

async function upload(file: File): Promise<Heavy> {
  const form = new FormData();
  form.append("files", file);
  const made = new Response(form);
  const headers = { "content-type": made.headers.get("content-type") ?? "" };
  return { path: "/user/projects/file/upload", headers, body: new Uint8Array(await made.arrayBuffer()) };
}

/** A thread of its own: sending much keeps a loop busy, and the waits of others are measured in this one. */
const SENDING = `
  const { parentPort, workerData: { url, method, headers, body } } = require("node:worker_threads");
  fetch(url, { method, headers, body }).then(async (reply) => parentPort.postMessage([reply.status, await reply.text()]));
`;

/** Waits, two minutes at most, until nothing is queued; looked up beside the service, which is measured. */
async function untilIndexed(database: string): Promise<void> {
  const db = new Database(database);
  try {
    for (let waited = 0; waited < 240; waited++) {
      if (db.get("SELECT 1 AS queued FROM queue LIMIT 1") === undefined) return;
      await pause(500);
    }
    throw new Error("What was sent is not indexed yet.");
  } finally {
    db.close();
  }
}

/** Sends what loads the service; of all loads only a question of 9 MB is refused. */
async function send(url: string, { path, headers, body, expected = 200 }: Heavy): Promise<void> {
  const authorization = `Bearer ${KEYS.heavy}`;
  const method = body === undefined ? "GET" : "POST";
  const workerData = { url: `${url}${path}`, method, headers: { ...headers, authorization }, body };
  const worker = new Worker(SENDING, { eval: true, workerData });
  const [[status, text]] = (await once(worker, "message")) as [[number, string]];
  if (status !== expected) throw new Error(`${path}: status ${status}: ${text.slice(0, 300)}`);
}

/** A PDF of a few kB whose one page is packed twice. */
function bombPdf(bytes: number): Uint8Array<ArrayBuffer> {
  const page = deflateSync(deflateSync(Buffer.alloc(bytes, " "), { level: 9 }), { level: 9 }).toString("latin1");
  return pdfOfObjects([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
    `<< /Length ${page.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${page}\nendstream`,
  ]);
}

/** The most memory a process and its children took together while watched, MB. Not known where there is no /proc. */
async function memoryOf(pid: number, watch: { readonly going: boolean }): Promise<number> {
  let most = Number.NaN;
  while (watch.going) {
    const now = residentMb(pid);
    most = Number.isNaN(most) ? now : Math.max(most, now);
    await pause(20);
  }
  return most;
}

function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_000;
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")
        .split(" ")
        .filter((child) => child !== ""),
    );
    return children.reduce((sum, child) => sum + residentMb(Number(child)), own);
  } catch {
    // It has just ended.
    return 0;
  }
}
