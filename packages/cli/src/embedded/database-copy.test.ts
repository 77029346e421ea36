import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { checkBackup, createService } from "@threadlore/service";
import { seededRandom, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { backUp, restore } from "./database-copy.ts";

const KEY = "tl_TESTcopy0000";

/** A database with so many documents. */
async function newDatabase(path: string, documents: number): Promise<string> {
  const service = createService({ database: path, apiKey: KEY });
  for (let n = 0; n < documents; n += 1) {
    const document = {
      id: `note-${n}`,
      semantic_identifier: `Note ${n}`,
      source: "file",
      sections: [{ text: `Text ${n}` }],
      metadata: {},
    };
    const response = await service.fetch(
      new Request("http://127.0.0.1/service-api/ingestion", {
        method: "POST",
        headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json", host: "127.0.0.1" },
        body: JSON.stringify({ document }),
      }),
    );
    expect(response.status).toBe(200);
  }
  await service.drain();
  await service.close();
  return path;
}

async function newFolder(): Promise<{ folder: string; database: string; copy: string }> {
  const folder = temporaryFolder();
  const database = await newDatabase(join(folder, "threadlore.db"), 2);
  const copy = await newDatabase(join(folder, "copy.db"), 3);
  return { folder, database, copy };
}

const keptIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /before-restore-[\dTZ-]+$/.test(name));

const HARNESS = join(import.meta.dirname, "../testing/restore-child.harness.ts");

/** Resolves when the database before a restore is being put aside: the moment at which most could be lost. */
function setAside(folder: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, name) => {
      if (name?.includes("before-restore") !== true) return;
      watcher.close();
      resolve();
    });
  });
}

describe("restore", () => {
  it("keeps the database before it whole, also what a killed service left in its log", async () => {
    const { folder, database, copy } = await newFolder();
    const writer = spawn(process.execPath, [
      "-e",
      `const { DatabaseSync } = require("node:sqlite");
       const db = new DatabaseSync(process.argv[1]);
       db.exec("PRAGMA journal_mode = WAL; DELETE FROM documents WHERE id = 'note-0'");
       console.log("written");
       setInterval(() => {}, 1000);`,
      database,
    ]);
    await once(writer.stdout, "data");
    writer.kill("SIGKILL");
    await once(writer, "close");
    expect(existsSync(`${database}-wal`)).toBe(true);
    expect(await restore(copy, database)).toMatchObject({ documents: 3 });
    expect(checkBackup(database)).toEqual({ documents: 3 });
    const [kept = ""] = keptIn(folder);
    expect(checkBackup(join(folder, kept))).toEqual({ documents: 1 });
  });

  it("killed around the exchange, leaves one whole database or the other in its place", async () => {
    const { folder, database, copy } = await newFolder();
    const random = seededRandom(5);
    for (let cycle = 0; cycle < 8; cycle += 1) {
      const child = spawn(process.execPath, [HARNESS, copy, database]);
      await setAside(folder);
      await new Promise((resolve) => setTimeout(resolve, random() * 4));
      child.kill("SIGKILL");
      await once(child, "close");
      expect(existsSync(database)).toBe(true);
      expect(checkBackup(database).documents).toBeGreaterThanOrEqual(2);
      for (const name of keptIn(folder)) rmSync(join(folder, name));
    }
  }, 30_000);

  it("refuses a backup of a newer version, and leaves the data alone", async () => {
    const { folder, database, copy } = await newFolder();
    const newer = new DatabaseSync(copy);
    newer.exec("PRAGMA user_version = 999");
    newer.close();
    const before = readFileSync(database);
    await expect(restore(copy, database)).rejects.toMatchObject({ name: "DatabaseError", problem: "newer_schema" });
    expect(readFileSync(database).equals(before)).toBe(true);
    expect(keptIn(folder)).toEqual([]);
  });

  it("takes the place of a database that is damaged, and keeps that too", async () => {
    const { folder, database, copy } = await newFolder();
    writeFileSync(database, "not a database any more");
    expect(await restore(copy, database)).toMatchObject({ documents: 3 });
    const [kept = ""] = keptIn(folder);
    expect(readFileSync(join(folder, kept), "utf8")).toBe("not a database any more");
  });

  it("makes a database where there was none", async () => {
    const { folder, copy } = await newFolder();
    expect(await restore(copy, join(folder, "new.db"))).toEqual({ documents: 3, kept: undefined });
    expect(checkBackup(join(folder, "new.db"))).toEqual({ documents: 3 });
  });
});

describe("backUp", () => {
  it("leaves no half copy, and what stood there, when the database cannot be copied", async () => {
    const folder = temporaryFolder();
    const database = await newDatabase(join(folder, "threadlore.db"), 1);
    await backUp(database, join(folder, "copy.db"));
    rmSync(database);
    await expect(backUp(database, join(folder, "copy.db"))).rejects.toMatchObject({ problem: "missing" });
    expect(checkBackup(join(folder, "copy.db"))).toEqual({ documents: 1 });
    expect(readdirSync(folder).filter((name) => name.includes("draft"))).toEqual([]);
  });
});
