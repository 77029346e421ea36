import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@threadlore/testkit";
import type { Caller } from "../../context.ts";
import { createLog } from "../../log.ts";
import { OWNER_KEY, temporaryFolder } from "../../service.harness.ts";
import { Database } from "../../store/sqlite/database.ts";
import { endThreads, formersOf, indexOf } from "../hosting/index-host.ts";
import { startIndexer } from "../indexer.ts";
import { search } from "../query.ts";
import {
  type FormerDocument,
  formerTablesIn,
  spoilRules,
  vectorOfText,
  writeLargeFormerDatabase,
} from "./former-database.harness.ts";
import { startSuccession } from "./succession.ts";
import { SqliteStore } from "../../store/sqlite/sqlite-store.ts";

/** How far a database was when its service was killed. */
type Phase = "not begun" | "building" | "leaving" | "done";

/** What is to be done. */
interface UpgradePlan {
  readonly kills: number;
  /** Of one database; each has three passages. */
  readonly documents: number;
  readonly seed: number;
}

/** What many kills did. */
export interface UpgradeReport {
  kills: number;
  /** Ways from a former index to today's that were gone to their end. */
  ends: number;
  /** Kills by how far the database was. */
  readonly phases: Record<Phase, number>;
  /** One line per finding; empty when nothing was lost. */
  readonly problems: string[];
}

/** Longest life of a service behind its start, milliseconds: what is built is written in large pieces, and leaves in small. */
const LIFE_MS = { "not begun": 600, building: 1_000, leaving: 150, done: 0 };

/** How many times as long the next one may live that is as far: however slow the machine, it comes to its end. */
const MORE_LIFE = 1.15;

/** The share of services that live until what is former leaves, and are killed then: it leaves in a moment. */
const AIMED = 0.08;
/** Longest wait for that moment. */
const AIM_MS = 60_000;

const CHILD = join(import.meta.dirname, "../../kill-child.harness.ts");
const everyone: Caller = { user: "checker", role: "admin", groups: [], documentSets: null };

/**
 * Lets a service bring databases of former versions up to date and kills it (SIGKILL) over and over on the way: in turn a
 * database that has its index among its own tables, and one whose index was made by former rules. At every moment each
 * document must be found, and in the end nothing former may be left.
 */
export async function killOnTheWay({ kills, documents, seed }: UpgradePlan): Promise<UpgradeReport> {
  const phases = { "not begun": 0, building: 0, leaving: 0, done: 0 };
  const report: UpgradeReport = { kills: 0, ends: 0, phases, problems: [] };
  const random = seededRandom(seed);
  const folder = temporaryFolder();
  const compiled = join(folder.path, "compiled");
  while (report.kills < kills) {
    const path = join(folder.path, `${report.ends}.db`);
    writeLargeFormerDatabase(path, documentsUpTo(documents));
    for (const prepare of [() => undefined, () => spoilRules(path)]) {
      prepare();
      for (let phase: Phase = "not begun", life = 1; phase !== "done" && report.kills < kills; report.kills++) {
        await runAndKill(path, compiled, random, { phase, lifeMs: LIFE_MS[phase] * life });
        const before = phase;
        phase = phaseOf(path);
        life = phase === before ? life * MORE_LIFE : 1;
        report.phases[phase]++;
        await checkOnTheWay(path, documents, random, report);
      }
      await checkEnd(path, documents, report);
      report.ends++;
    }
    for (const end of ["", ".search.sqlite", ".search-former.sqlite"]) rmSync(`${path}${end}`, { force: true });
  }
  folder.remove();
  return report;
}

function* documentsUpTo(most: number): Generator<FormerDocument> {
  for (let at = 0; at < most; at++) {
    const filler = `w${at % 91} is written here, and w${at % 37} there. `.repeat(20);
    yield {
      id: `d${at}`,
      title: `Note ${at}`,
      texts: ["a", "b", "c"].map((part) => `${wordOf(at)}${part}. ${filler}`),
    };
  }
}

/** The beginning of the words a document alone has. */
function wordOf(at: number): string {
  return `only${at}x`;
}

async function runAndKill(
  path: string,
  compiled: string,
  random: () => number,
  { phase, lifeMs }: { phase: Phase; lifeMs: number },
): Promise<void> {
  const child = spawn(process.execPath, [CHILD, path, OWNER_KEY], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  });
  const exited = once(child, "exit");
  // One in four is killed while it starts.
  if (random() < 0.25) await pause(random() * 600);
  else {
    await Promise.race([once(child.stdout, "data"), exited]);
    const isAimed = phase === "building" && random() < AIMED;
    if (isAimed) await untilItLeaves(path);
    await pause(random() * (isAimed ? LIFE_MS.leaving : lifeMs));
  }
  child.kill("SIGKILL");
  const [code, signal] = (await exited) as [number | null, string | null];
  // One that ended by itself did not go on its way.
  if (signal !== "SIGKILL") throw new Error(`A service ended by itself, with code ${String(code)}.`);
}

async function untilItLeaves(path: string): Promise<void> {
  const latest = performance.now() + AIM_MS;
  while (performance.now() < latest) {
    try {
      if (["leaving", "done"].includes(phaseOf(path))) return;
    } catch {
      // In the middle of a write.
    }
    await pause(5);
  }
}

function phaseOf(path: string): Phase {
  const tables = formerTablesIn(path);
  const isFormerThere = existsSync(`${path}.search-former.sqlite`);
  if (
    tables.includes("leaving_passages") ||
    tables.some((name) => name === "passages_index_data") !== tables.includes("passages")
  )
    return "leaving";
  if (!existsSync(`${path}.search.sqlite`)) return "not begun";
  const sqlite = new DatabaseSync(`${path}.search.sqlite`);
  const rows = sqlite.prepare("SELECT name, value FROM state").all();
  sqlite.close();
  const state = new Map(rows.map(({ name, value }) => [name, value]));
  if (!state.has("origin")) return "not begun";
  const isWhole = Number(state.get("applied") ?? 0) >= Number(state.get("target"));
  if (!isWhole) return "building";
  return isFormerThere || tables.length > 0 ? "leaving" : "done";
}

/** Reads what the killed service left: all is there, and found. */
async function checkOnTheWay(
  path: string,
  documents: number,
  random: () => number,
  report: UpgradeReport,
): Promise<void> {
  const told = (problem: string): number => report.problems.push(`kill ${report.kills}: ${problem}`);
  const db = new Database(path);
  const integrity = db.get("PRAGMA integrity_check")?.["integrity_check"];
  if (integrity !== "ok") told(`integrity: ${String(integrity)}`);
  const whole = db.get(
    "SELECT count(*) AS n FROM documents WHERE status = 'indexed' AND json_array_length(sections) = 3",
  );
  if (whole?.["n"] !== documents) told(`${String(whole?.["n"])} documents are whole and found`);
  for (let time = 0; time < 5; time++) {
    const at = Math.floor(random() * documents);
    const { passages } = await search(
      { db, store: new SqliteStore(db) },
      { text: `${wordOf(at)}b`, caller: everyone, limit: 3 },
    );
    if (passages[0]?.documentId !== `d${at}`) told(`d${at} is not found, ${phaseOf(path)}`);
  }
  await endThreads(db);
  db.close();
}

/** What is left to be done is done, and then everything is looked at. */
async function checkEnd(path: string, documents: number, report: UpgradeReport): Promise<void> {
  const told = (problem: string): number => report.problems.push(`end ${report.ends}: ${problem}`);
  const db = new Database(path);
  const log = createLog("silent");
  await startIndexer({ db, log }).drain();
  await startSuccession({ db, log }).drain();
  const { here, isWhole } = indexOf(db);
  if (!isWhole) told("the index is not whole");
  if (formersOf(db).length > 0 || formerTablesIn(path).length > 0) told("something former is left");
  if (existsSync(`${path}.search-former.sqlite`)) told("the former file is left");
  if (db.get("SELECT 1 FROM queue") !== undefined) told("something is queued");
  const rows = here.sqlite.prepare("SELECT text, vector FROM passages LEFT JOIN vectors ON passage = id").all();
  if (rows.length !== documents * 3) told(`${rows.length} passages`);
  const strange = rows.filter(({ text, vector }) => !isVectorOf(vector, String(text))).length;
  if (strange > 0) told(`${strange} passages without their vector`);
  for (let at = 0; at < documents; at += 7) {
    const { passages } = await search(
      { db, store: new SqliteStore(db) },
      { text: `${wordOf(at)}c`, caller: everyone, limit: 3 },
    );
    if (passages[0]?.documentId !== `d${at}`) told(`d${at} is not found`);
  }
  for (const sqlite of [db.sqlite, here.sqlite]) {
    const integrity = sqlite.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
    if (integrity !== "ok") told(`integrity: ${String(integrity)}`);
  }
  await endThreads(db);
  db.close();
}

function isVectorOf(vector: unknown, text: string): boolean {
  if (!(vector instanceof Uint8Array)) return false;
  return new Float32Array(vector.slice().buffer).every((value, at) => value === vectorOfText(text)[at]);
}
