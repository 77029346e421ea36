import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { accountsContract } from "./accounts-contract.harness.ts";
import { storeContract } from "./contract.harness.ts";
import { doubtsContract } from "./gaps/doubts-contract.harness.ts";
import { callsContract } from "./gaps/calls-contract.harness.ts";
import { gapsContract } from "./gaps-contract.harness.ts";
import { openStore } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "threadlore-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newPath = (): string => join(folder, `${++files}.db`);

const databases = { create: async () => `sqlite:${newPath()}`, open: openStore };
storeContract("SQLite", databases);
accountsContract("SQLite", databases);
gapsContract("SQLite", databases);
callsContract("SQLite", databases);
doubtsContract("SQLite", databases);

describe("a SQLite store", () => {
  const question = { key: "question:T:C:1", kind: "question", partitionKey: "l", body: {} } as const;

  it("is readable only by its owner, all files of it", async () => {
    const path = newPath();
    const store = await openStore(path);
    await store.accept(question, 1);
    const mine = readdirSync(folder).filter((name) => join(folder, name).startsWith(path));
    expect(mine.length).toBeGreaterThan(2);
    for (const name of mine) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    await store.close();
  });

  it("says why nothing can be claimed, and does not take it for an empty list", async () => {
    const path = newPath();
    const store = await openStore(path);
    await store.accept(question, 1);
    const broken = new DatabaseSync(path);
    broken.exec("ALTER TABLE tasks RENAME TO others");
    broken.close();
    await expect(store.claim("a", { now: 1, leaseMs: 60_000 })).rejects.toThrow("tasks");
    await store.close();
  });

  it("gives what a process before left running at once, as there is one instance", async () => {
    const path = newPath();
    const before = await openStore(path);
    await before.accept(question, 1);
    await before.claim("before", { now: 1, leaseMs: 60_000 });
    await before.close();
    const after = await openStore(path);
    expect((await after.claim("after", { now: 2, leaseMs: 60_000 }))?.attempts).toBe(2);
    await after.close();
  });

  it("takes nothing away from another that is open", async () => {
    const path = newPath();
    const first = await openStore(path);
    await first.accept(question, 1);
    await first.claim("first", { now: 1, leaseMs: 60_000 });
    const second = await openStore(path);
    expect(await second.claim("second", { now: 2, leaseMs: 60_000 })).toBeUndefined();
    await Promise.all([first.close(), second.close()]);
  });

  it("lets other things happen between statements that are asked one after the other", async () => {
    const store = await openStore(":memory:");
    const heard = new AbortController();
    setImmediate(() => heard.abort());
    for (let asked = 0; asked < 50_000 && !heard.signal.aborted; asked += 1) await store.recall("anything");
    expect(heard.signal.aborted).toBe(true);
    await store.close();
  });

  it("leaves no forgotten text in its files", async () => {
    const path = newPath();
    const store = await openStore(path);
    await store.accept({ ...question, body: { text: "a secret of the workspace" } }, 1);
    await store.forgetEverything();
    const bytes = readdirSync(folder)
      .filter((name) => join(folder, name).startsWith(path))
      .map((name) => readFileSync(join(folder, name), "latin1"));
    expect(bytes.some((text) => text.includes("a secret"))).toBe(false);
    await store.close();
  });

  it("leaves nothing of an account in its files that was disconnected", async () => {
    const path = newPath();
    const store = await openStore(path);
    const account = { holder: "T:U", id: "first", sealed: "a sealed key", facts: {}, connectedAt: 1 };
    await store.saveAccount(account);
    await store.deleteAccount(account.id);
    const bytes = readdirSync(folder)
      .filter((name) => join(folder, name).startsWith(path))
      .map((name) => readFileSync(join(folder, name), "latin1"));
    expect(bytes.some((text) => text.includes("a sealed key"))).toBe(false);
    await store.close();
  });

  it("refuses what is not its own and leaves it as it was", async () => {
    const text = newPath();
    writeFileSync(text, "no database, but long enough to be one");
    await expect(openStore(text)).rejects.toThrow(/is not a database.*Name another file/);
    expect(readFileSync(text, "utf8")).toBe("no database, but long enough to be one");

    const foreign = newPath();
    const other = new DatabaseSync(foreign);
    other.exec("CREATE TABLE contacts (name TEXT)");
    other.close();
    await expect(openStore(foreign)).rejects.toThrow(/another program/);

    await expect(openStore(folder)).rejects.toThrow(/is not a file/);
    await expect(openStore(join(folder, "absent", "bot.db"))).rejects.toThrow(/Does its folder exist/);
  });

  it("takes the tables of an earlier version along, with what they hold", async () => {
    const earlier = newPath();
    const before = await openStore(earlier);
    const pin = {
      team: "T",
      channel: "C",
      ts: "1",
      documentId: "d",
      state: "accepted",
      by: "U",
      title: "Old",
    } as const;
    await before.savePin({ ...pin, root: "0", updatedAt: 1 });
    await before.close();
    const database = new DatabaseSync(earlier);
    for (const index of [
      "pins_due",
      "pins_accepted",
      "pins_newest",
      "pins_of_thread",
      "pins_of_document",
      "pins_of_server_id",
    ]) {
      database.exec(`DROP INDEX ${index}`);
    }
    for (const column of ["due", "state", "updated_at", "root", "document_id", "server_id"])
      database.exec(`ALTER TABLE pins DROP COLUMN ${column}`);
    database.exec("ALTER TABLE tasks DROP COLUMN excused");
    database.exec("UPDATE schema_version SET version = 1");
    database.exec(
      "DROP TABLE doubts; DROP TABLE calls; DROP TABLE kept_answers; DROP TABLE accounts; DROP INDEX tasks_not_answered; DROP INDEX tasks_of_account",
    );
    database.exec("DROP INDEX conversations_of_account; DROP INDEX settings_of_account");
    database.exec("DROP TABLE waiting_questions; DROP TABLE own_gaps");
    database.close();
    const now = await openStore(earlier);
    expect(await now.allPins()).toEqual([{ ...pin, root: "0", updatedAt: 1 }]);
    expect(await now.pinsAccepted(0)).toHaveLength(1);
    expect(await now.pinsOfThread("C", { ts: "2", root: "0" })).toHaveLength(1);
    expect(await now.pinOfDocument("d")).toMatchObject({ ts: "1" });
    expect(await now.newestPins("C", 5)).toMatchObject({ count: 1 });
    await now.savePin({ ...pin, state: "unconfirmed", due: 5, updatedAt: 2 });
    expect(await now.pinsDue(5)).toHaveLength(1);
    await now.close();
  });

  it("refuses tables of a newer version, and a damaged file", async () => {
    const newer = newPath();
    await (await openStore(newer)).close();
    const database = new DatabaseSync(newer);
    database.exec("UPDATE schema_version SET version = 99");
    database.close();
    await expect(openStore(newer)).rejects.toThrow(/newer Threadlore \(schema 99/);

    const damaged = newPath();
    await (await openStore(damaged)).close();
    const bytes = readFileSync(damaged);
    bytes.fill(0x5a, 100, bytes.length);
    writeFileSync(damaged, bytes);
    await expect(openStore(damaged)).rejects.toThrow(/damaged/);
  });
});
