import { temporaryFolder } from "@threadlore/testkit";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { migrate } from "./migrations.ts";
import { messageQueries, upkeepQueries } from "./records.ts";
import { openSqlite } from "./sqlite.ts";
import { taskQueries } from "./tasks.ts";
import { isStoreTrouble, storeTrouble } from "./trouble.ts";

const folder = temporaryFolder();

describe("a SQLite file of the bot", () => {
  it("that is full takes no question, and its check says so", async () => {
    const engine = await openSqlite(join(folder, "full.db"));
    await migrate(engine);
    const [records, tasks] = [{ ...messageQueries(engine), ...upkeepQueries(engine) }, taskQueries(engine)];
    await records.check();
    expect((await engine.query("SELECT count(*) AS n FROM tasks"))[0]?.["n"]).toBe(0);
    const [row] = await engine.query("PRAGMA page_count");
    await engine.script(`PRAGMA max_page_count = ${Number(row?.["page_count"])}`);
    const accepting = Array.from({ length: 50 }, (_, n) =>
      tasks.accept({ key: `question:${n}`, kind: "question", partitionKey: `${n}`, body: "y".repeat(8_000) }, n),
    );
    const refused: unknown = (await Promise.allSettled(accepting)).find((one) => one.status === "rejected")?.reason;
    expect([isStoreTrouble(refused), storeTrouble(refused)]).toEqual([true, expect.stringContaining("full")]);
    const checked: unknown = await records.check().catch((error: unknown) => error);
    expect(storeTrouble(checked)).toContain("full");
    await engine.close();
  });
});

it("what is not the database's is not taken for it", () => {
  expect(isStoreTrouble(new TypeError("undefined is not a function"))).toBe(false);
  expect(storeTrouble(new Error("connection terminated"))).toContain("does not answer");
});
