import { bearsId, idRange, type NotingTable } from "./connections.ts";
import { type Engine, type Row, upsert } from "./engine.ts";
import type { AccountRecord } from "./store.ts";

/** Accounts people connected, and everything that is noted of what was asked with them. */
export function accountQueries(engine: Engine) {
  const one = async (where: string, value: string): Promise<AccountRecord | undefined> => {
    const [row] = await engine.query(`SELECT * FROM accounts WHERE ${where} = $1`, value);
    return row && recordOf(row);
  };
  return {
    /** The account of this person (`team:user`). */
    accountOf: (holder: string) => one("holder", holder),
    /** By the id of its connection; undefined: it was disconnected, or connected anew. */
    account: (id: string) => one("id", id),
    /** In the order they were connected. */
    async allAccounts(): Promise<readonly AccountRecord[]> {
      return (await engine.query("SELECT * FROM accounts ORDER BY connected_at, holder")).map(recordOf);
    },

    /**
     * Keeps it in the place of the one this person had. `wanted`: only while this is what is remembered under this name, which
     * nobody changes in between. False: it is not any more, and nothing was kept.
     */
    saveAccount(
      { holder, id, sealed, facts, connectedAt }: AccountRecord,
      wanted?: { readonly name: string; readonly value: string },
    ): Promise<boolean> {
      const row = { holder, id, sealed, facts: JSON.stringify(facts), connected_at: Math.round(connectedAt) };
      return engine.transaction(async (queries) => {
        if (wanted !== undefined) {
          // Written though it stays the same: whoever is about to change it waits until the account is there to be found.
          const sql = "UPDATE settings SET setting = $2 WHERE name = $1 AND setting = $2";
          if ((await queries.run(sql, wanted.name, wanted.value)) === 0) return false;
        }
        await upsert(queries, "accounts", ["holder"], row);
        return true;
      });
    },

    /** Changes what is kept of a connection, unless it is over: what was disconnected does not come back. */
    async changeAccount(id: string, { sealed, facts }: Partial<Pick<AccountRecord, "sealed" | "facts">>) {
      const sql = "UPDATE accounts SET sealed = coalesce($2, sealed), facts = coalesce($3, facts) WHERE id = $1";
      await engine.run(sql, id, sealed ?? null, facts === undefined ? null : JSON.stringify(facts));
    },

    /** The row with the sealed key goes; false: there was none. */
    async deleteAccount(id: string): Promise<boolean> {
      const wasThere = (await engine.run("DELETE FROM accounts WHERE id = $1", id)) > 0;
      await engine.script(engine.dialect.afterForgetting);
      return wasThere;
    },

    /**
     * Forgets what bears a connection's id behind `own:`: conversations, what was remembered under a name with it, and of
     * tasks whose `key` it is what `bare` leaves away of how far they got. Tasks that are not over are left to whoever works
     * at them.
     */
    async forgetNotesOf(id: string, bare: (progress: unknown) => unknown): Promise<void> {
      const [from, to] = idRange(id);
      const bears = (table: NotingTable): string => bearsId(engine.dialect, table);
      await engine.transaction(async (queries) => {
        await queries.run(`DELETE FROM conversations WHERE ${bears("conversations")}`, from, to);
        await queries.run(`DELETE FROM settings WHERE ${bears("settings")}`, from, to);
        const ended = `SELECT id, progress FROM tasks WHERE ${bears("tasks")}`;
        for (const row of await queries.query(ended, from, to)) {
          const progress = JSON.stringify(bare(JSON.parse(String(row["progress"]))) ?? null);
          await queries.run("UPDATE tasks SET progress = $2 WHERE id = $1", String(row["id"]), progress);
        }
      });
    },
  };
}

const recordOf = (row: Row): AccountRecord => ({
  holder: String(row["holder"]),
  id: String(row["id"]),
  sealed: String(row["sealed"]),
  facts: JSON.parse(String(row["facts"])),
  connectedAt: Number(row["connected_at"]),
});
