import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { quickest } from "@threadlore/testkit";
import { type RunningService, serve, type ServeOptions } from "./serve.ts";
import { OWNER_KEY, temporaryFolder } from "./service.harness.ts";
import { smallDisk } from "./small-disk.harness.ts";
import { fillDatabase } from "./ten-thousand.harness.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const headers = { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" };

async function start(database: string, settings: ServeOptions["settings"] = {}) {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const running: RunningService = await serve({ port: 0, apiKey: OWNER_KEY, log, database, settings });
  cleanups.push(() => running.close());
  const json = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const reply = await fetch(`${running.url}${path}`, init);
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  /** All that a question is answered with. */
  const reply = async (message: string) => {
    const body = JSON.stringify({ message, stream: false });
    return fetch(`${running.url}/chat/send-chat-message`, { method: "POST", headers, body });
  };
  /** What a question's answer says, or the status it came with instead. */
  const ask = async (message: string): Promise<string> => {
    const asking = () => json("POST", "/chat/send-chat-message", { message, stream: false });
    let { status, body } = await asking();
    // A machine that is too busy to search in time says so, and to ask again.
    for (let tries = 0; tries < 20 && body["error_code"] === "SEARCH_TIMEOUT"; tries += 1)
      ({ status, body } = await asking());
    return status === 200 ? String(body["answer"]) : `${status}`;
  };
  const ingest = async (id: string, text: string): Promise<number> => {
    const document = { id, semantic_identifier: id, sections: [{ text }] };
    return (await json("POST", "/service-api/ingestion", { document })).status;
  };
  const health = async () => (await json("GET", "/health")).body;
  return { ...running, lines, reply, ask, ingest, health };
}

/** Another process does it: closing a file here would drop the service's own locks. */
function elsewhere(program: string): void {
  expect(spawnSync(process.execPath, ["-e", `const fs = require("node:fs"); ${program}`]).status).toBe(0);
}

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  folder = temporaryFolder();
  // Enough that threads read and write it.
  await fillDatabase(`${folder.path}/sound.db`, 600);
}, 60_000);
afterAll(() => folder.remove());

const LOST = "the search index was damaged or gone: it is made anew";

/** By what the file of an index may be spoilt. */
const SPOILT: readonly (readonly [string, (index: string) => string])[] = [
  ["overwritten", (file) => `fs.writeFileSync(${file}, Buffer.alloc(fs.statSync(${file}).size, 0xa5))`],
  [
    "overwritten but for its beginning",
    (file) => `const size = fs.statSync(${file}).size; const open = fs.openSync(${file}, "r+");
      fs.writeSync(open, Buffer.alloc(size - 8192, 0xa5), 0, size - 8192, 8192); fs.closeSync(open);`,
  ],
  ["cut off", (file) => `fs.truncateSync(${file}, 8192 * 3)`],
  ["deleted", (file) => `fs.rmSync(${file})`],
  ["replaced", (file) => `fs.renameSync(${file}, ${file} + ".away"); fs.writeFileSync(${file}, "something else")`],
];

describe("an index whose file is spoilt while the service runs", () => {
  it.each(SPOILT)("3B corrupt DB: %s, large: every question is answered, and it is made anew", async (how, spoil) => {
    const database = `${folder.path}/${how.replaceAll(" ", "-")}.db`;
    for (const end of ["", ".search.sqlite"]) copyFileSync(`${folder.path}/sound.db${end}`, `${database}${end}`);
    const { lines, ask, health, service } = await start(database);
    expect(await ask("At how many bar does the valve v9p1 open?")).toContain("3 bar");
    elsewhere(spoil(JSON.stringify(`${database}.search.sqlite`)));
    const answers: string[] = [];
    // Words that nobody asked for yet are read from the file.
    for (let at = 1; at <= 8; at++) answers.push(await ask(`At how many bar does the valve v${at * 60}p1 open?`));
    expect(answers.filter((answer) => answer === "" || /^\d+$/.test(answer))).toEqual([]);
    expect(lines.join("\n")).toContain(LOST);
    const { index, state } = (await health()) as { index?: { message: string }; state: string };
    expect(state).toBe("ok");
    expect(index?.message ?? "damaged or gone, and done by now").toContain("damaged or gone");
    await service.drain();
    expect((await health())["index"]).toBeUndefined();
    expect(await ask("At how many bar does the valve v434p1 open?")).toContain("3 bar");
  });

  it.each(SPOILT)("3B corrupt DB: %s, small: what is added is found all the same", async (_how, spoil) => {
    const place = temporaryFolder();
    cleanups.push(place.remove);
    const database = `${place.path}/a.db`;
    const { ask, ingest, service, lines } = await start(database);
    await ingest("leave", "Employees accrue 27 days of paid leave per year.");
    await service.drain();
    elsewhere(spoil(JSON.stringify(`${database}.search.sqlite`)));
    await ingest("lift", "The lift carries 8 persons.");
    await service.drain();
    // Where everything stands in its log, or in memory, nothing was lost.
    await expect.poll(() => ask("How many days of leave do employees accrue?")).toContain("27 days");
    expect(await ask("How many persons does the lift carry?")).toContain("8 persons");
    expect(lines.filter((line) => !line.includes("search index"))).toEqual([]);
  });

  it("is found by the check where nobody met it", async () => {
    const database = `${folder.path}/unmet.db`;
    for (const end of ["", ".search.sqlite"]) copyFileSync(`${folder.path}/sound.db${end}`, `${database}${end}`);
    const { lines, health, service, ask } = await start(database, { pageCheckMs: 300 });
    await service.drain();
    elsewhere(SPOILT[1]?.[1](JSON.stringify(`${database}.search.sqlite`)) ?? "");
    await expect.poll(() => lines.join("\n")).toContain(LOST);
    await service.drain();
    expect(await health()).toMatchObject({ state: "ok" });
    expect(await ask("At how many bar does the valve v434p1 open?")).toContain("3 bar");
  });
});

describe("an index that is made anew, where none answers meanwhile", () => {
  it("is named by whoever finds no answer, until it is whole", async () => {
    const place = temporaryFolder();
    cleanups.push(place.remove);
    const database = `${place.path}/a.db`;
    for (const end of ["", ".search.sqlite"]) copyFileSync(`${folder.path}/sound.db${end}`, `${database}${end}`);
    // As if it had been begun when there were four times as many changes.
    const index = new DatabaseSync(`${database}.search.sqlite`);
    index.exec("UPDATE state SET value = value * 4 WHERE name = 'target'");
    const { ask } = await start(database);
    expect(await ask("At how many bar does the valve v9p1 open?")).not.toContain("Only part");
    expect(await ask("When does the canteen open?")).toContain(
      "Only part of the documents can be searched at the moment (25%), since the search index is being made anew.",
    );
    expect(await ask("Wann hat die Kantine mittags geöffnet?")).toContain(
      "nur ein Teil der Dokumente durchsuchen (25\u00a0%)",
    );
    index.exec("UPDATE state SET value = value / 4 WHERE name = 'target'");
    index.close();
    expect(await ask("When does the canteen open?")).not.toContain("Only part");
  });
});

/** What may stand where an index was, so that none can be made there; and what takes it away. */
const IN_THE_WAY: readonly (readonly [string, (place: string) => string, (place: string) => string])[] = [
  [
    "its disk is gone",
    (place) => `fs.renameSync(${place}, ${place} + ".away")`,
    (place) => `fs.renameSync(${place} + ".away", ${place})`,
  ],
  [
    "its disk is gone, and comes back empty",
    (place) => `fs.rmSync(${place}, { recursive: true })`,
    (place) => `fs.mkdirSync(${place})`,
  ],
  [
    "a folder lies in its place",
    (place) => `fs.rmSync(${place} + "/index.sqlite"); fs.mkdirSync(${place} + "/index.sqlite")`,
    (place) => `fs.rmdirSync(${place} + "/index.sqlite")`,
  ],
  [
    "it is gone, and the link to it leads nowhere",
    (place) => `fs.rmSync(${place} + "/index.sqlite"); const link = ${place} + "/../a.db.search.sqlite";
      fs.rmSync(link); fs.symlinkSync("new/index", link);`,
    (place) => `fs.mkdirSync(${place} + "/../new")`,
  ],
];

describe("an index that is lost and cannot be made anew", () => {
  const sizes = ["large", "small"] as const;
  const cases = IN_THE_WAY.flatMap(([how, ...acts]) => sizes.map((size) => [how, size, ...acts] as const));

  it.each(cases)("3B corrupt DB: %s, %s: questions are refused until it can", async (_how, size, block, unblock) => {
    const place = temporaryFolder();
    cleanups.push(place.remove);
    const database = `${place.path}/a.db`;
    const disk = `${place.path}/disk`;
    mkdirSync(disk);
    symlinkSync(`${disk}/index.sqlite`, `${database}.search.sqlite`);
    if (size === "large") {
      copyFileSync(`${folder.path}/sound.db`, database);
      copyFileSync(`${folder.path}/sound.db.search.sqlite`, `${disk}/index.sqlite`);
    }
    const { ask, reply, ingest, health, service, lines } = await start(database);
    await ingest("leave", "Employees accrue 27 days of paid leave per year.");
    await service.drain();
    expect(await ask("How many days of leave do employees accrue?")).toContain("27 days");

    elsewhere(block(JSON.stringify(disk)));
    expect(await health()).toMatchObject({
      state: "ok",
      index: {
        state: "paused",
        message: expect.stringMatching(/neither opened nor made anew.*The documents are safe/),
      },
    });
    for (let at = 0; at < 3; at++) {
      const refused = await reply("How many days of leave do employees accrue?");
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
      expect(await refused.json()).toMatchObject({
        error_code: "INDEX_UNAVAILABLE",
        detail: expect.stringContaining("The documents are safe."),
      });
    }
    expect(await ingest("lift", "The lift carries 8 persons.")).toBe(200);
    await expect.poll(() => lines.join("\n")).toContain("the search index can be neither opened nor made");

    elsewhere(unblock(JSON.stringify(disk)));
    await expect.poll(() => ask("How many persons does the lift carry?")).toContain("8 persons");
    await service.drain();
    expect((await health())["index"]).toBeUndefined();
    expect(await ask("How many days of leave do employees accrue?")).toContain("27 days");
    expect(lines.filter((line) => line.includes("can be neither opened nor made"))).toHaveLength(1);
    expect(lines.join("\n")).not.toContain("database is damaged");
  });
});

describe("an index that cannot be written", () => {
  it("3B disk full: a disk that is full for it alone pauses it, and questions are answered", async () => {
    const place = temporaryFolder();
    cleanups.push(place.remove);
    const disk = smallDisk(cleanups);
    if (disk === undefined) return;
    const database = `${place.path}/a.db`;
    symlinkSync(`${disk.path}/index.sqlite`, `${database}.search.sqlite`);
    const { ask, ingest, health, service } = await start(database);
    await ingest("leave", "Employees accrue 27 days of paid leave per year.");
    await service.drain();
    disk.fill();
    const words = Array.from({ length: 3_000 }, (_, at) => `word${at}`).join(" ");
    expect(await ingest("more", `The roof is green. ${words}`)).toBe(200);
    await expect
      .poll(async () => (await health())["index"])
      .toMatchObject({ state: "paused", message: expect.stringContaining("disk that holds the search index is full") });
    expect(await health()).toMatchObject({ state: "ok" });
    expect(await ask("How many days of leave do employees accrue?")).toContain("27 days");
    disk.empty();
    await expect.poll(() => ask("Which colour has the roof?")).toContain("green");
    expect((await health())["index"]).toBeUndefined();
  });

  it("is written later where another program holds it locked, and questions are answered meanwhile", async () => {
    const place = temporaryFolder();
    cleanups.push(place.remove);
    const database = `${place.path}/a.db`;
    const { ask, ingest, health, service } = await start(database);
    await ingest("leave", "Employees accrue 27 days of paid leave per year.");
    await service.drain();
    const other = spawn(process.execPath, [
      "-e",
      `new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("BEGIN IMMEDIATE"); console.log("held");
       setInterval(() => {}, 1000);`,
      `${database}.search.sqlite`,
    ]);
    cleanups.push(() => other.kill("SIGKILL"));
    await once(other.stdout, "data");
    await ingest("roof", "The roof is green.");
    await expect
      .poll(async () => (await health())["index"])
      .toMatchObject({ state: "paused", message: expect.stringContaining("Another program holds") });
    const asking = async (): Promise<number> => {
      const began = performance.now();
      expect(await ask("How many days of leave do employees accrue?")).toContain("27 days");
      return performance.now() - began;
    };
    expect(await quickest(2_000, asking)).toBeLessThan(2_000);
    other.kill("SIGKILL");
    await expect.poll(() => ask("Which colour has the roof?")).toContain("green");
  });

  it("counts towards the database's limit", async () => {
    const place = temporaryFolder();
    cleanups.push(place.remove);
    const database = `${place.path}/a.db`;
    const limit = 3_000_000;
    const { ingest, ask, health, service, close } = await start(database, { databaseLimit: limit });
    await ingest("leave", "Employees accrue 27 days of paid leave per year.");
    for (let at = 0; at < 200; at++) {
      const words = Array.from({ length: 2_000 }, (_, word) => `w${at}x${word}`).join(" ");
      if ((await ingest(`d${at}`, words)) !== 200) break;
      await service.drain();
    }
    expect(await health()).toMatchObject({ state: "disk_full" });
    expect(await ask("How many days of leave do employees accrue?")).toContain("27 days");
    await close();
    const size = [database, `${database}.search.sqlite`].reduce((sum, file) => sum + statSync(file).size, 0);
    // One document more may be in it.
    expect(size).toBeLessThan(limit + 400_000);
  });

  it("is opened by one service at a time: a second one on the database is refused before it touches anything", async () => {
    const place = temporaryFolder();
    cleanups.push(place.remove);
    const database = `${place.path}/a.db`;
    await start(database);
    const before = statSync(`${database}.search.sqlite`);
    await expect(start(database)).rejects.toMatchObject({ name: "DatabaseError", problem: "in_use" });
    const program = `
      import(${JSON.stringify(new URL("serve.ts", import.meta.url).href)}).then(({ serve }) =>
        serve({ port: 0, database: process.argv[1] }).then(() => process.exit(0), (error) => {
          console.log(error.message);
          process.exit(7);
        }));`;
    const second = spawnSync(process.execPath, ["-e", program, database], { encoding: "utf8" });
    expect([second.status, second.stdout]).toEqual([7, expect.stringContaining("already works with")]);
    const after = statSync(`${database}.search.sqlite`);
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(existsSync(`${database}.search-former.sqlite`)).toBe(false);
  });
});
