import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import { diagnose } from "@threadlore/client/diagnose";
import { seededRandom } from "@threadlore/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { streamedOf } from "./chat.harness.ts";
import { type RunningService, serve, type ServeOptions } from "./serve.ts";
import { OWNER_KEY, temporaryFolder } from "./service.harness.ts";
import { smallDisk } from "./small-disk.harness.ts";
import { Database } from "./store/sqlite/database.ts";
import { fillDatabase } from "./ten-thousand.harness.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const headers = { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" };
/** Long enough that no page of the database has room left for it. */
const QUESTION = `How many days of leave do employees get?${" ".repeat(9_000)}`;
const NOT_KEPT = "This question and its answer are not kept in the history: the service's disk is full.";

async function start(options: Partial<ServeOptions> & { database: string }) {
  const running: RunningService = await serve({ port: 0, apiKey: OWNER_KEY, logLevel: "silent", ...options });
  cleanups.push(() => running.close());
  const send = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const reply = await fetch(`${running.url}${path}`, init);
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text };
  };
  const json = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await send(method, path, body);
    return { status, body: JSON.parse(text) as Record<string, unknown> };
  };
  const ingest = (id: string, text: string) =>
    json("POST", "/service-api/ingestion", {
      document: { id, semantic_identifier: id, sections: [{ text, link: `https://docs.example.com/${id}` }] },
    });
  const ask = (message: string, more: object = {}) =>
    json("POST", "/chat/send-chat-message", { message, stream: false, ...more });
  const health = async () => (await json("GET", "/health")).body;
  const sessions = async () =>
    (await json("GET", "/chat/get-user-chat-sessions")).body["sessions"] as Record<string, unknown>[];
  return { ...running, send, json, ingest, ask, health, sessions };
}

type Subject = Awaited<ReturnType<typeof start>>;

/** What must hold while nothing more can be kept, and afterwards. */
async function liveThroughFullDisk(subject: Subject, fill: () => unknown, empty: () => unknown) {
  expect((await subject.ingest("leave", "Employees accrue 27 days of paid leave per year.")).status).toBe(200);
  for (let index = 0; index < 3; index++) await subject.ingest(`spare-${index}`, "The spare lift. ".repeat(2_000));
  await subject.service.drain();
  const before = await subject.ask(QUESTION);
  const begun = { chat_session_id: before.body["chat_session_id"] };
  await fill();
  await expect.poll(async () => (await subject.ingest("more", "words ".repeat(20_000))).status).toBe(507);
  expect(await subject.health()).toMatchObject({ success: true, state: "disk_full", data: null });

  const asked = await subject.ask(QUESTION);
  expect(asked.status).toBe(200);
  expect(asked.body["answer"]).toBe(
    `Employees accrue 27 days of paid leave per year. [[1]](https://docs.example.com/leave)\n\n${NOT_KEPT}`,
  );
  expect(asked.body).toMatchObject({ message_id: null, chat_session_id: null, error_msg: null });
  const further = await subject.ask(QUESTION, begun);
  expect(further.body["answer"]).toContain(NOT_KEPT);
  const streamed = streamedOf(await subject.send("POST", "/chat/send-chat-message", { message: QUESTION }));
  expect(streamed.answer).toContain(NOT_KEPT);
  expect(streamed.packets.some((packet) => "chat_session_id" in packet || "user_message_id" in packet)).toBe(false);
  // Nothing is half written.
  expect(await subject.sessions()).toHaveLength(1);
  const transcript = await subject.json("GET", `/chat/get-chat-session/${String(begun.chat_session_id)}`);
  expect(transcript.body["messages"]).toHaveLength(2);

  for (let index = 0; index < 3; index++) {
    expect([index, (await subject.send("DELETE", `/service-api/ingestion/spare-${index}`)).status]).toEqual([
      index,
      200,
    ]);
  }
  const deleted = await subject.send("DELETE", `/chat/delete-chat-session/${String(begun.chat_session_id)}`);
  expect(deleted.status).toBe(200);
  expect(await subject.sessions()).toHaveLength(0);

  await empty();
  await expect.poll(async () => (await subject.health())["state"]).toBe("ok");
  const after = await subject.ask(QUESTION);
  expect(after.body["answer"]).not.toContain(NOT_KEPT);
  expect(after.body["message_id"]).toEqual(expect.any(Number));
  expect(await subject.sessions()).toHaveLength(1);
  expect((await subject.ingest("after", "More.")).status).toBe(200);
}

describe("3B disk full (data, WAL, temp): asking and deleting go on", () => {
  it("3B disk full: on a real file system", async () => {
    const disk = smallDisk(cleanups);
    if (disk === undefined) return;
    const database = `${disk.path}/service.db`;
    const subject = await start({ database });
    expect(existsSync(`${database}.ballast`)).toBe(true);
    await liveThroughFullDisk(subject, disk.fill, disk.empty);
    expect(existsSync(`${database}.ballast`)).toBe(true);
    expect(statSync(`${database}.ballast`).mode & 0o777).toBe(0o600);
  });

  it("3B disk full: a large file is refused before any of it is written, and others go on", async () => {
    const folder = temporaryFolder();
    cleanups.push(folder.remove);
    const database = `${folder.path}/service.db`;
    const subject = await start({ database, settings: { databaseLimit: 6_000_000 } });
    const body = new FormData();
    body.append("files", new File(["A line of a long text.\n".repeat(200_000)], "long.txt", { type: "text/plain" }));
    const { authorization } = headers;
    const path = "/user/projects/file/upload";
    const reply = await fetch(`${subject.url}${path}`, { method: "POST", headers: { authorization }, body });
    expect(reply.status).toBe(507);
    expect(await reply.text()).toContain("nothing was stored");
    const db = new Database(database);
    expect(db.get("SELECT (SELECT count(*) FROM files) + (SELECT count(*) FROM file_pieces) AS n")?.["n"]).toBe(0);
    db.close();
    expect((await subject.ingest("after", "More.")).status).toBe(200);
  });

  it("3B disk full: with a database that has a limit", async () => {
    const folder = temporaryFolder();
    cleanups.push(folder.remove);
    const database = `${folder.path}/service.db`;
    const subject = await start({ database, settings: { databaseLimit: 1_500_000 } });
    const other = () => {
      const db = new Database(database, { limit: 1_500_000 });
      cleanups.push(() => db.close());
      return db;
    };
    await liveThroughFullDisk(
      subject,
      () => {
        const db = other();
        db.run("CREATE TABLE filling (bytes BLOB)");
        for (const size of [20_000, 2_000, 10]) {
          try {
            for (;;) db.run("INSERT INTO filling VALUES (zeroblob(?))", size);
          } catch {
            // Full is what it is meant to be.
          }
        }
      },
      () => other().sqlite.exec("DELETE FROM filling"),
    );
    expect(await subject.health()).toMatchObject({ state: "ok" });
  });

  it("3B disk full: starts, marks what was cut off, and answers", async () => {
    const disk = smallDisk(cleanups);
    if (disk === undefined) return;
    const database = `${disk.path}/service.db`;
    const first = await start({ database });
    await first.ingest("leave", "Employees accrue 27 days of paid leave per year.");
    await first.ask(QUESTION);
    await first.service.drain();
    await first.close();
    const db = new Database(database);
    db.run("UPDATE messages SET status = 'running' WHERE role = 'assistant'");
    db.close();
    disk.fill();
    const second = await start({ database });
    expect((await second.ask(QUESTION)).body["answer"]).toContain("27 days");
  });
});

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  folder = temporaryFolder();
  await fillDatabase(`${folder.path}/sound.db`);
}, 60_000);
afterAll(() => folder.remove());

/** The database with what it is searched by: without that everything would be read, and written, once more. */
function copySound(database: string): void {
  for (const end of ["", ".search.sqlite"]) copyFileSync(`${folder.path}/sound.db${end}`, `${database}${end}`);
}

/** Overwrites pages, all but the first, by another process: closing a file here would drop the service's own locks. */
function damage(database: string, pages: number, seed: number): void {
  const count = statSync(database).size / 4_096;
  const random = seededRandom(seed);
  const places = Array.from({ length: pages }, () => 1 + Math.floor(random() * (count - 1)));
  const program = `
    const fs = require("node:fs");
    const file = fs.openSync(${JSON.stringify(database)}, "r+");
    for (const at of ${JSON.stringify(places)}) fs.writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, at * 4096);
    fs.closeSync(file);`;
  expect(spawnSync(process.execPath, ["-e", program]).status).toBe(0);
}

/** "answered", "told" what is wrong, or what came that is neither. */
function outcomeOf(reply: { status: number; headers: Headers; text: string }): string {
  if (reply.status === 500) {
    const { error_code, detail } = JSON.parse(reply.text) as Record<string, unknown>;
    return error_code === "DATABASE_DAMAGED" && String(detail).includes("threadlore restore") ? "told" : reply.text;
  }
  if (reply.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    const { answer, packets } = streamedOf(reply);
    const error = packets.find((packet) => "error" in packet)?.["error"];
    if (error !== undefined) return String(error).includes("is damaged") ? "told" : String(error);
    return answer.trim() === "" ? "empty" : "answered";
  }
  const { answer } = JSON.parse(reply.text) as { answer: string };
  return reply.status === 200 && answer.trim() !== "" ? "answered" : `${reply.status}: ${reply.text}`;
}

describe("a database that is damaged while the service runs", () => {
  it.each([60, 400])(
    "3B corrupt DB, %i pages: no empty answer, and health and doctor say what to do",
    async (pages) => {
      const database = `${folder.path}/damaged-${pages}.db`;
      copySound(database);
      const subject = await start({ database, settings: { pageCheckMs: 1_000 } });
      cleanups.push(() => rmSync(database));
      expect(await subject.health()).toEqual({ success: true, message: "ok", data: null, state: "ok" });
      damage(database, pages, pages);
      const outcomes: string[] = [];
      for (let index = 0; index < 20; index++) {
        const message = `What about v${index * 97}p1 and w${index * 31}?`;
        outcomes.push(outcomeOf(await subject.send("POST", "/chat/send-chat-message", { message, stream: false })));
        outcomes.push(outcomeOf(await subject.send("POST", "/chat/send-chat-message", { message })));
      }
      expect(outcomes.filter((outcome) => outcome !== "answered" && outcome !== "told")).toEqual([]);
      expect([pages, outcomes.includes("told") || pages < 400]).toEqual([pages, true]);
      await expect.poll(async () => (await subject.health())["state"]).toBe("damaged");
      const findings = await diagnose({ baseUrl: subject.url, apiKey: OWNER_KEY });
      expect(findings.find(({ what }) => what === "storage")).toMatchObject({
        ok: false,
        evidence: expect.stringContaining("The database is damaged"),
        fix: expect.stringContaining("threadlore restore"),
      });
    },
  );

  it("3B corrupt DB: damage nobody met is found by the check, and a file that is no database any more is told", async () => {
    for (const [name, spoil] of [
      ["unmet", (path: string) => damage(path, 40, 9)],
      [
        "header",
        (path: string) => {
          // What stands in the log is read from there.
          const db = new Database(path);
          db.sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
          db.close();
          spawnSync("dd", ["if=/dev/zero", `of=${path}`, "bs=100", "count=1", "conv=notrunc"]);
        },
      ],
    ] as const) {
      const database = `${folder.path}/${name}.db`;
      copySound(database);
      const subject = await start({ database, settings: { pageCheckMs: 300 } });
      spoil(database);
      await expect.poll(async () => (await subject.health())["state"]).toBe("damaged");
      expect((await subject.health())["message"]).toContain("restore a backup");
    }
  });
});
