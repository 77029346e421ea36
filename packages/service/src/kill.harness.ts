import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { seededRandom } from "@threadlore/testkit";
import type { Caller } from "./context.ts";
import { createLog } from "./log.ts";
import { indexOf } from "./search/hosting/index-host.ts";
import { startIndexer } from "./search/indexer.ts";
import { search } from "./search/query.ts";
import { findDocument, OWNER_KEY, temporaryFolder } from "./service.harness.ts";
import { Database } from "./store/sqlite/database.ts";
import { SqliteStore } from "./store/sqlite/sqlite-store.ts";

/** What many kills did. */
export interface KillReport {
  cycles: number;
  acknowledged: number;
  /** Requests that were on their way when the service was killed. */
  unanswered: number;
  /** One line per finding; empty when nothing was lost. */
  problems: string[];
}

/** What the sender knows of one document. */
interface Sent {
  /** Newest version that was answered with 200. */
  acknowledged: number;
  /** Versions after it whose answer never came: they may be there, whole, or not at all. */
  unanswered: Set<number>;
  /** A sender is at it; another one would leave the order of two versions open. */
  busy: boolean;
}

/** Cycles on one database before a new one is begun, so that checking everything stays cheap. */
const CYCLES_PER_DATABASE = 50;

/**
 * Starts a service, sends it documents, kills it (SIGKILL) at a random moment, and checks what is on the disk; over
 * and over, on databases that live through many kills.
 */
export async function killRepeatedly(cycles: number, seed: number): Promise<KillReport> {
  const report: KillReport = { cycles: 0, acknowledged: 0, unanswered: 0, problems: [] };
  const random = seededRandom(seed);
  while (report.cycles < cycles) {
    const folder = temporaryFolder();
    const database = join(folder.path, "kill.db");
    const sent = new Map<string, Sent>();
    for (let cycle = 0; cycle < CYCLES_PER_DATABASE && report.cycles < cycles; cycle++, report.cycles++) {
      await runAndKill(database, sent, random, report);
      await check(database, sent, report, cycle % 10 === 9 || report.cycles === cycles - 1);
    }
    folder.remove();
  }
  return report;
}

async function runAndKill(
  database: string,
  sent: Map<string, Sent>,
  random: () => number,
  report: KillReport,
): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "kill-child.harness.ts"), database, OWNER_KEY], {
    stdio: ["pipe", "pipe", "inherit"],
    // Most of a start is compiling, and every child compiles the same.
    env: { ...process.env, NODE_COMPILE_CACHE: join(dirname(database), "compiled") },
  });
  const exited = once(child, "exit");
  const url = await firstLine(child);
  const killed = new AbortController();
  const senders = [0, 1, 2].map(async () => {
    while (!killed.signal.aborted) await sendOne(url, sent, random, report);
  });
  // A fresh process is slow at first: one kill in four comes before its first answer, the others while it is at work.
  // That is counted in answers: how many of them a span of time holds is the machine's affair.
  if (report.cycles % 4 > 0) await answers(report, report.acknowledged + 1 + Math.floor(random() * 5));
  await pause(random() * 40);
  child.kill("SIGKILL");
  killed.abort();
  await Promise.all([...senders, exited]);
}

/** Waits until so many were acknowledged in all. A service that answers no more is what the checks after it tell of. */
async function answers(report: KillReport, acknowledged: number): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (report.acknowledged < acknowledged && performance.now() < deadline) await pause(2);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the service has no output");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("the service ended before it listened");
}

/** Sends a new document, or a new version of one that is there. */
async function sendOne(url: string, sent: Map<string, Sent>, random: () => number, report: KillReport): Promise<void> {
  const id = random() < 0.3 && sent.size > 0 ? `doc-${Math.floor(random() * sent.size)}` : `doc-${sent.size}`;
  const known = sent.get(id) ?? { acknowledged: 0, unanswered: new Set(), busy: false };
  if (known.busy) return;
  sent.set(id, known);
  known.busy = true;
  const version = Math.max(known.acknowledged, ...known.unanswered) + 1;
  known.unanswered.add(version);
  try {
    const reply = await fetch(`${url}/service-api/ingestion`, {
      method: "POST",
      headers: { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ document: documentOf(id, version, sectionsFor(random)) }),
    });
    if (reply.status !== 200) report.problems.push(`${id}: status ${reply.status}`);
    known.unanswered.clear();
    known.acknowledged = version;
    report.acknowledged++;
  } catch {
    report.unanswered++;
  } finally {
    known.busy = false;
  }
}

/** Mostly a few; now and then more than the index takes in one transaction. */
function sectionsFor(random: () => number): number {
  return random() < 0.02 ? 700 : 1 + Math.floor(random() * 12);
}

/** The word a version is found by. */
function wordOf(id: string, version: number): string {
  return `${id.replace("-", "x")}v${version}`;
}

function documentOf(id: string, version: number, sections: number): Record<string, unknown> {
  const word = wordOf(id, version);
  const filler = "The office is closed between the years, and the desk answers on the first working day. ";
  const texts = Array.from({ length: sections }, (_, index) => ({
    text: `${word} part ${index}. ${filler.repeat(10)}`,
  }));
  return { id, semantic_identifier: `Note ${id}`, sections: texts, metadata: { version: String(version) } };
}

const everyone: Caller = { user: "checker", role: "admin", groups: [], documentSets: null };

/** Reads the file the killed service left. `searching`: everything queued is indexed first, and has to be found. */
async function check(
  path: string,
  sent: ReadonlyMap<string, Sent>,
  report: KillReport,
  searching: boolean,
): Promise<void> {
  const db = new Database(path);
  const told = (problem: string): number => report.problems.push(`cycle ${report.cycles}: ${problem}`);
  const integrity = db.get("PRAGMA integrity_check")?.["integrity_check"];
  if (integrity !== "ok") told(`integrity: ${String(integrity)}`);
  if (searching) await startIndexer({ db, log: createLog("warn") }).drain();
  checkIndex(db, told);
  for (const [id, known] of sent) await checkDocument(db, id, known, told, searching);
  db.close();
}

/** A document is in the index, all of it, exactly when it was indexed once. */
function checkIndex(db: Database, told: (problem: string) => number): void {
  const { sqlite } = indexOf(db).here;
  const integrity = sqlite.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
  if (integrity !== "ok") told(`index: ${String(integrity)}`);
  const whole = new Map<number, number>();
  for (const row of sqlite.prepare(WHOLE).all()) whole.set(Number(row["number"]), Number(row["ordinals"]));
  for (const { number, id, sections } of db.all<{ number: number; id: string; sections: number }>(INDEXED)) {
    if ((whole.get(number) ?? 0) < sections) told(`torn: ${id} is indexed, and the index has not all of it`);
  }
  const torn = db.all(`
    SELECT id, status FROM documents
    WHERE (status = 'pending') <> EXISTS (SELECT 1 FROM queue WHERE document = number)
       OR status = 'failed'
       OR pair_id IS NULL
       OR NOT EXISTS (SELECT 1 FROM tags WHERE document = number)`);
  if (db.get(COUNTED_WRONG) !== undefined) told("the count of documents is not how many there are");
  for (const row of torn) told(`torn: ${String(row["id"])} is ${String(row["status"])}`);
}

const WHOLE = `
  SELECT number, count(DISTINCT ordinal) AS ordinals FROM documents JOIN passages ON document = number
  WHERE version IS NOT NULL GROUP BY number`;
const COUNTED_WRONG = `
  SELECT 1 FROM document_counts
  WHERE documents <> (SELECT count(*) FROM documents WHERE pair_id = pair AND documents.status = document_counts.status)`;
const INDEXED = "SELECT number, id, json_array_length(sections) AS sections FROM documents WHERE status = 'indexed'";

async function checkDocument(
  db: Database,
  id: string,
  known: Sent,
  told: (problem: string) => number,
  searching: boolean,
): Promise<void> {
  const stored = findDocument(db, id);
  if (stored === undefined) {
    if (known.acknowledged > 0) told(`lost: ${id} version ${known.acknowledged}`);
    return;
  }
  const version = Number(stored.metadata["version"]);
  if (version !== known.acknowledged && !known.unanswered.has(version)) {
    told(`lost: ${id} version ${known.acknowledged}, holds ${version}`);
  }
  if (!stored.sections.every(({ text }) => text?.startsWith(wordOf(id, version)))) told(`mixed: ${id}`);
  if (!searching) return;
  const { passages } = await search(
    { db, store: new SqliteStore(db) },
    { text: wordOf(id, version), caller: everyone, limit: 3 },
  );
  if (!passages.some(({ documentId }) => documentId === id)) told(`not found: ${id} version ${version}`);
}
