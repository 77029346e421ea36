import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { openStore } from "./store/open.ts";
import { testWithPostgres } from "@threadlore/testkit/postgres";

const KILLS = 20;

const folder = mkdtempSync(join(tmpdir(), "threadlore-inbox-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Line {
  readonly what: "accepted" | "begun" | "done" | "given up";
  readonly task: string;
  readonly partitionKey: string;
  readonly by: string;
}

interface Child {
  readonly started: Promise<unknown>;
  readonly exited: Promise<unknown>;
  readonly process: ChildProcess;
}

function child(url: string, journal: string, name: string, tasks: number, leaseMs: number): Child {
  const script = join(import.meta.dirname, "inbox-child.harness.ts");
  const started = spawn(process.execPath, [script, url, journal, name, String(tasks), String(leaseMs)], {
    stdio: ["ignore", "pipe", "inherit"],
    // Most of a start is compiling, and every child compiles the same.
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") },
  });
  const exited = once(started, "exit");
  return { process: started, exited, started: Promise.race([once(started.stdout, "data"), exited]) };
}

function linesOf(journal: string): Line[] {
  const text = existsSync(journal) ? readFileSync(journal, "utf8") : "";
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** Tasks that were begun while they, or another task of their partition, ran in a process that was not dead by then. */
function overlaps(lines: readonly Line[], deadAt: ReadonlyMap<string, number>): string[] {
  const running = new Map<string, Line>();
  const found: string[] = [];
  for (const [index, line] of lines.entries()) {
    const before = running.get(line.partitionKey);
    if (line.what === "begun") {
      const alive = before !== undefined && index < (deadAt.get(before.by) ?? Number.POSITIVE_INFINITY);
      if (before !== undefined && alive) found.push(`${line.task} by ${line.by} beside ${before.task} by ${before.by}`);
      running.set(line.partitionKey, line);
    } else if (line.what === "done" && before?.task === line.task && before.by === line.by) {
      running.delete(line.partitionKey);
    }
  }
  return found;
}

async function unended(url: string, lines: readonly Line[]): Promise<string[]> {
  const store = await openStore(url);
  const accepted = lines.filter(({ what }) => what === "accepted");
  const found = await Promise.all(accepted.map(({ task }) => store.findByKey(task)));
  expect(await store.backlog()).toEqual({ waiting: 0, running: 0 });
  await store.close();
  return accepted.filter((_, index) => found[index]?.outcome !== "done").map(({ task }) => task);
}

it(
  `loses nothing accepted and runs nothing twice at a time when the bot is killed ${KILLS} times`,
  { timeout: 300_000 },
  async () => {
    const [url, journal] = [join(folder, "bot.db"), join(folder, "killed")];
    const deadAt = new Map<string, number>();
    for (let kill = 0; kill < KILLS; kill++) {
      const name = `child ${kill}`;
      const { started, exited, process: program } = child(url, journal, name, 20, 60_000);
      await started;
      await pause(Math.random() * 120);
      program.kill("SIGKILL");
      await exited;
      deadAt.set(name, linesOf(journal).length);
    }
    const last = child(url, journal, "last", 3, 60_000);
    expect(await last.exited).toEqual([0, null]);

    const lines = linesOf(journal);
    const count = (what: Line["what"]): number => lines.filter((line) => line.what === what).length;
    expect(count("accepted")).toBeGreaterThan(KILLS / 3);
    // Otherwise no kill came in the middle of a task, and nothing was tried.
    expect(count("begun")).toBeGreaterThan(count("done"));
    expect(await unended(url, lines)).toEqual([]);
    expect(overlaps(lines, deadAt)).toEqual([]);
    expect(count("given up")).toBe(0);
  },
);

await testWithPostgres((postgres) => {
  it("end every task on one PostgreSQL once, though one of three is killed", { timeout: 180_000 }, async () => {
    const [url, journal] = [await postgres.createDatabase(), join(folder, "three")];
    const leaseMs = 6_000;
    const bots = ["one", "two", "victim"].map((name) => child(url, journal, name, 150, leaseMs));
    await Promise.all(bots.map(({ started }) => started));
    await expect
      .poll(() => linesOf(journal).filter(({ what }) => what === "done").length, { timeout: 60_000 })
      .toBeGreaterThan(40);
    // On a busy machine the others can be through with so many before it has begun one.
    await expect
      .poll(() => linesOf(journal).some(({ what, by }) => what === "begun" && by === "victim"), { timeout: 60_000 })
      .toBe(true);
    bots[2]?.process.kill("SIGKILL");
    await bots[2]?.exited;
    const deadAt = linesOf(journal).length;
    expect(await Promise.all(bots.slice(0, 2).map(({ exited }) => exited))).toEqual([
      [0, null],
      [0, null],
    ]);

    const lines = linesOf(journal);
    expect(await unended(url, lines)).toEqual([]);
    expect(overlaps(lines, new Map([["victim", deadAt]]))).toEqual([]);
    const begun = lines.filter(({ what }) => what === "begun");
    const again = begun.filter(({ task }, index) => begun.findIndex((first) => first.task === task) !== index);
    // What was begun twice was at the victim when it died, and each of the three did its share.
    for (const { task } of again) expect(begun.find((first) => first.task === task)?.by).toBe("victim");
    expect(again.length).toBeLessThanOrEqual(4);
    expect(new Set(begun.map(({ by }) => by))).toEqual(new Set(["one", "two", "victim"]));
  });
});
