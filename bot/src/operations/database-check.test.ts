import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkDatabase, openStore } from "@threadlore/inbox";
import { failureWords } from "../knowledge-server/failure-words.ts";
import { testWithPostgres } from "@threadlore/testkit/postgres";

describe("a SQLite file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bot-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("is looked at without taking over what a running bot works on", async () => {
    const url = `sqlite:${join(folder, "bot.db")}`;
    const store = await openStore(url);
    await store.accept({ key: "k", kind: "question", partitionKey: "l", body: {} }, 1_000);
    const claimed = await store.claim("a bot that runs", { now: 2_000, leaseMs: 60_000 });
    expect(await checkDatabase(url)).toContain("whole");
    expect(await store.save(claimed?.id ?? "", "a bot that runs", { at: 1 })).toBe(true);
    expect(await store.claim("somebody else", { now: 3_000, leaseMs: 60_000 })).toBeUndefined();
    await store.close();
  });

  it("that is not there yet can be made, where its folder can", async () => {
    expect(await checkDatabase(`sqlite:${join(folder, "new", "folder", "bot.db")}`)).toContain("at the first start");
  });

  it("that is none is said to be damaged", async () => {
    const path = join(folder, "text.db");
    await writeFile(path, "only text ".repeat(1_000));
    const error: unknown = await checkDatabase(`sqlite:${path}`).catch((reason: unknown) => reason);
    expect(failureWords(error).what).toContain("damaged, or is none");
  });
});

await testWithPostgres((postgres) => {
  it("a PostgreSQL server is asked whether tables can be made", async () => {
    expect(await checkDatabase(await postgres.createDatabase())).toMatch(
      /^PostgreSQL \d+(\.\d+)? answers, and tables can be made\.$/,
    );
  });

  it("a database that does not exist is said to be missing", async () => {
    const address = await postgres.createDatabase();
    const elsewhere = address.replace(/\/\w+(?=\?|$)/, "/nowhere");
    expect(elsewhere).not.toBe(address);
    const error: unknown = await checkDatabase(elsewhere).catch((reason: unknown) => reason);
    expect(failureWords(error)).toMatchObject({ what: "that database does not exist", transient: false });
  });
});
