import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { checkBackup } from "../../store/sqlite/backup.ts";
import { openFile } from "../../store/sqlite/database.ts";
import { DatabaseError } from "../../store/sqlite/database-error.ts";
import { SCHEMA_VERSION, versionOf } from "../../store/sqlite/migrations.ts";
import { formerPathOf, indexPathOf } from "../hosting/opening.ts";
import { isSpoilt } from "../hosting/index-trouble.ts";
import { conditionOf, type DataState, type IndexCondition } from "./condition.ts";
import { whyAnew } from "./index-state.ts";

/** One thing that was looked at, in the shape every doctor shows. */
export interface DataFinding {
  readonly what: "database" | "search index";
  /** `unknown`: nothing is wrong, and something is still to be done. */
  readonly ok: boolean | "unknown";
  /** What was seen, in plain words. */
  readonly evidence: string;
  /** What to do; "" where there is nothing to do. */
  readonly fix: string;
}

/**
 * Looks at every page of a database and of its search index, also while no service works with them, and at whether they
 * belong together. Changes nothing.
 */
export function inspectData(database: string): DataFinding[] {
  try {
    const { documents } = checkBackup(database);
    const found: DataFinding = {
      what: "database",
      ok: true,
      evidence: `It is sound, with ${documents} documents.`,
      fix: "",
    };
    return [found, inspectIndex(database)];
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return [
      { what: "database", ok: false, evidence: error.message, fix: "Restore a backup with `threadlore restore`." },
    ];
  }
}

const BY_ITSELF = "Nothing is to be done: the service sees to it when it runs.";

function inspectIndex(database: string): DataFinding {
  const found = (ok: DataFinding["ok"], evidence: string, fix = ""): DataFinding => ({
    what: "search index",
    ok,
    evidence,
    fix,
  });
  const sqlite = openFile(database);
  try {
    if (versionOf(sqlite) < SCHEMA_VERSION) {
      return found(
        "unknown",
        "The database is of a former version. Its index answers until a new one is whole.",
        BY_ITSELF,
      );
    }
    const { condition, applied, target } = readIndex(indexPathOf(database), dataStateIn(sqlite));
    if (condition !== "sound") {
      return found("unknown", `It is made anew at the next start, since ${whyAnew(condition)}.`, BY_ITSELF);
    }
    if (applied < target) {
      const before = existsSync(formerPathOf(database)) ? " The one before answers until then." : "";
      const percent = Math.floor((100 * applied) / target);
      return found("unknown", `It is being made anew: ${percent} %.${before}`, BY_ITSELF);
    }
    const waiting = Number(sqlite.prepare("SELECT count(*) AS n FROM queue").get()?.["n"]);
    if (waiting > 0) return found("unknown", `It is behind: ${waiting} documents wait for it.`, BY_ITSELF);
    return found(true, "It is sound, and has everything.");
  } finally {
    sqlite.close();
  }
}

function dataStateIn(sqlite: DatabaseSync): DataState {
  const row = sqlite
    .prepare("SELECT id, epoch, (SELECT seq FROM sqlite_sequence WHERE name = 'changes') AS last FROM instance")
    .get();
  return { id: String(row?.["id"]), epoch: String(row?.["epoch"]), lastChange: Number(row?.["last"] ?? 0) };
}

function readIndex(path: string, data: DataState): { condition: IndexCondition; applied: number; target: number } {
  const nothing = { applied: 0, target: 0 };
  if (!existsSync(path)) return { condition: "missing", ...nothing };
  let sqlite: DatabaseSync | undefined;
  try {
    sqlite = openFile(path);
    const [finding] = sqlite.prepare("PRAGMA quick_check(1)").all();
    if (finding?.["quick_check"] !== "ok") return { condition: "damaged", ...nothing };
    const rows = sqlite.prepare("SELECT name, value FROM state").all();
    const state = new Map(rows.map(({ name, value }) => [name, value]));
    const [applied, target] = [Number(state.get("applied") ?? 0), Number(state.get("target") ?? 0)];
    const condition = conditionOf({ origin: state.get("origin") as string | undefined, applied }, data);
    return { condition, applied, target };
  } catch (error) {
    if (!isSpoilt(error)) throw error;
    return { condition: "damaged", ...nothing };
  } finally {
    sqlite?.close();
  }
}
