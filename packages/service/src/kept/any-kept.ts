import type { Database } from "../store/sqlite/database.ts";

/** Databases in whose index there may be kept answers, as far as was looked. */
const holding = new WeakSet<Database>();

/** Notes whether anything is kept at all, for those who look only where there is. */
export function noteAnyKept(db: Database, isAny: boolean): void {
  if (isAny) holding.add(db);
  else holding.delete(db);
}

/** Whether anything may be kept: nobody else searches twice. */
export function mayHoldKept(db: Database): boolean {
  return holding.has(db);
}
