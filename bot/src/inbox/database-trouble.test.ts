import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { startTown, type Town } from "../testing/running-bot.ts";

const folder = mkdtempSync(join(tmpdir(), "threadlore-trouble-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let town: Town | undefined;
let files = 0;

afterEach(async () => {
  await town?.close();
  town = undefined;
});

async function inTownOn(database: string): Promise<Town> {
  const env = { DATABASE_URL: database, OPERATIONS_PORT: "0", ADMIN_CHANNEL: "CADMIN0001" };
  // Events that were not taken come again soon, as often as it takes.
  const redeliverAfterMs = Array.from({ length: 40 }, () => 300);
  const workspace = { redeliverAfterMs };
  town = await startTown({ workspace, env });
  return town;
}

async function look(at: Town, path: string): Promise<{ status: number; body: { problems?: string[] } }> {
  const reply = await fetch(`${at.bot.operationsUrl ?? ""}${path}`);
  return { status: reply.status, body: (await reply.json()) as { problems?: string[] } };
}

/** Asks while nothing can be kept, looks at what everybody is told, has it mended; the answer. */
async function askInTrouble(at: Town, reason: string, mended: () => Promise<void>): Promise<string> {
  const { workspace, ada, general } = at;
  const question = "How many days of annual leave do I have?";
  const ts = await ada.mention(general.id, question);
  await workspace.until(() => ada.ephemerals(general.id).length > 0);
  expect(ada.ephemerals(general.id).map(({ text }) => text)).toEqual([
    expect.stringContaining("I could not take this question down"),
  ]);
  const health = await look(at, "/health");
  expect(health.status).toBe(503);
  expect(health.body.problems?.join(" ")).toContain(reason);
  expect((await look(at, "/ready")).status).toBe(503);
  // It came again and again by now.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(ada.ephemerals(general.id)).toHaveLength(1);
  const metrics = await (await fetch(`${at.bot.operationsUrl ?? ""}/metrics`)).text();
  expect(Number(/threadlore_bot_not_accepted_total (\d+)/.exec(metrics)?.[1])).toBeGreaterThanOrEqual(1);
  const alerts = workspace.calls.filter(
    ({ method, args }) => method === "chat.postMessage" && args["channel"] === "CADMIN0001",
  );
  expect(alerts.map(({ args }) => String(args["text"]))).toEqual([expect.stringContaining(reason)]);
  await mended();
  return (await at.answered(general.id, ts)).shown;
}

describe("a SQLite file of the bot", () => {
  it("whose tasks are gone: health says so, the asker and the administrators are told once, and the question is answered once they are back", async () => {
    const path = join(folder, `gone-${++files}.db`);
    const at = await inTownOn(`sqlite:${path}`);
    const other = new DatabaseSync(path);
    other.exec("ALTER TABLE tasks RENAME TO elsewhere");
    const answer = await askInTrouble(at, "tables of the database are gone", async () => {
      other.exec("ALTER TABLE elsewhere RENAME TO tasks");
    });
    expect(answer).toContain("thirty days");
    other.close();
  }, 60_000);

  it("whose pages were overwritten: health says that it is damaged, and the asker is told", async () => {
    const path = join(folder, `damaged-${++files}.db`);
    const at = await inTownOn(`sqlite:${path}`);
    expect((await look(at, "/health")).status).toBe(200);
    const other = new DatabaseSync(path);
    // What is written elsewhere makes the bot read its pages anew.
    other.exec("CREATE TABLE noise (words TEXT); PRAGMA wal_checkpoint(TRUNCATE)");
    const size = Number(other.prepare("PRAGMA page_size").get()?.["page_size"]);
    const count = Number(other.prepare("PRAGMA page_count").get()?.["page_count"]);
    const file = await open(path, "r+");
    for (let page = 1; page < count; page += 1) await file.write(Buffer.alloc(size, 0xa5), 0, size, page * size);
    await file.close();
    other.close();
    await at.ada.mention(at.general.id, "How many days of annual leave do I have?");
    await at.workspace.until(() => at.ada.ephemerals(at.general.id).length > 0);
    const health = await look(at, "/health");
    expect(health).toMatchObject({ status: 503, body: { problems: [expect.stringContaining("damaged")] } });
    expect((await look(at, "/ready")).status).toBe(503);
  }, 60_000);
});

await testWithPostgres((postgres) => {
  it("a PostgreSQL whose tasks are gone: health says so, and the question is answered once they are back", async () => {
    const database = await postgres.createDatabase();
    const at = await inTownOn(database);
    expect((await look(at, "/health")).status).toBe(200);
    const client = new Client({ connectionString: database });
    await client.connect();
    await client.query("ALTER TABLE threadlore_bot.tasks RENAME TO elsewhere");
    const answer = await askInTrouble(at, "tables of the database are gone", async () => {
      await client.query("ALTER TABLE threadlore_bot.elsewhere RENAME TO tasks");
    });
    expect(answer).toContain("thirty days");
    await client.end();
  }, 60_000);
});
