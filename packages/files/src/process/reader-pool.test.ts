import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { childrenOf, isRunning, residentOf } from "./processes.harness.ts";
import type { Deed } from "./reader-child.harness.ts";
import { type FileToRead, ReaderPool } from "./reader-pool.ts";
import type { ReaderPoolOptions } from "./pool-options.ts";

const open: ReaderPool[] = [];
afterEach(() => {
  for (const pool of open.splice(0)) pool.close();
});

interface Answer {
  readonly pid: number;
  readonly files: number;
  readonly length: number;
  readonly sum: number;
  readonly about: unknown;
}

function openPool(options: Partial<ReaderPoolOptions> = {}) {
  const reader = new URL("./reader-child.harness.ts", import.meta.url);
  const pool = new ReaderPool({ reader, memoryBytes: 160_000_000, ...options });
  open.push(pool);
  const read = async (about: Deed | null = null, more: Partial<FileToRead> = {}, person = "ann"): Promise<Answer> => {
    const place = pool.enter(person);
    try {
      return (await place.read({ bytes: new Uint8Array([1, 2, 3]), about, ...more })) as Answer;
    } finally {
      place.leave();
    }
  };
  return { pool, read };
}

/** The reader that was started last is given a file and does not come back. */
async function stuckReader(): Promise<number> {
  return await vi.waitFor(
    () => {
      const busy = childrenOf(process.pid).findLast((pid) => isRunning(pid));
      if (busy === undefined) throw new Error("none has started");
      return busy;
    },
    { timeout: 20_000 },
  );
}

describe("a file, read in a process of its own", { timeout: 120_000 }, () => {
  it("comes there whole, and what the module answers comes back; the process stays for the next", async () => {
    const { read } = openPool();
    const bytes = new Uint8Array(9_000_000).fill(2);
    const first = await read(null, { bytes, about: { name: "Übersicht.pdf" } });
    expect(first).toMatchObject({ length: 9_000_000, sum: 18_000_000, about: { name: "Übersicht.pdf" }, files: 1 });
    expect(first.pid).not.toBe(process.pid);
    expect(await read(null, { bytes: new Uint8Array() })).toMatchObject({
      pid: first.pid,
      files: 2,
      length: 0,
      about: null,
    });
  });

  it("is kept from more memory by the system too, and leaves nothing of it behind when it dies", async () => {
    const { read } = openPool();
    const { pid } = await read();
    const limits = readFileSync(`/proc/${pid}/limits`, "latin1");
    expect(limits).toMatch(/^Max data size +\d+ +\d+ +bytes/m);
    expect(limits).toMatch(/^Max core file size +0 +0 +bytes/m);
  });

  it("sees nothing of the environment, and makes no program of a text", async () => {
    process.env["THREADLORE_API_KEY"] = "tl_TEST_inherited";
    const { read } = openPool();
    const environment = await read({ do: "environment" });
    delete process.env["THREADLORE_API_KEY"];
    expect(JSON.stringify(environment)).not.toContain("tl_TEST_inherited");
    expect(Object.keys(environment)).not.toContain("PATH");
    await expect(read({ do: "program" })).rejects.toMatchObject({ failure: "failed" });
  });

  it.each(["buffers", "one buffer", "objects"] as const)(
    "that takes endless memory (%s) is refused, and the next one is read",
    async (deed) => {
      const { read } = openPool();
      const { pid } = await read();
      let most = 0;
      const look = setInterval(() => (most = Math.max(most, residentOf([pid]))), 3);
      await expect(read({ do: deed })).rejects.toMatchObject({
        failure: "memory",
        message: "This file takes more memory than reading it may take.",
      });
      clearInterval(look);
      expect(most).toBeLessThan(256_000_000);
      expect(await read()).toMatchObject({ length: 3 });
    },
  );

  it("that never ends is given up, and the next one is read", async () => {
    const { read } = openPool();
    const { pid } = await read();
    await expect(read({ do: "loop" }, { mostMs: 300 })).rejects.toMatchObject({
      failure: "slow",
      message: "Reading this file took too long and was given up.",
    });
    expect((await read()).pid).not.toBe(pid);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it.each([
    ["SIGKILL", "ended", "Reading this file was interrupted."],
    ["SIGSTOP", "slow", "Reading this file took too long and was given up."],
  ] as const)(
    "is refused where its reader meets a %s in the middle, and the next one is read",
    async (signal, failure, message) => {
      const { read } = openPool();
      const { pid } = await read();
      const reading = read({ do: "loop" }, { mostMs: 1_500 });
      setTimeout(() => process.kill(pid, signal), 100);
      await expect(reading).rejects.toMatchObject({ failure, message });
      await expect.poll(() => isRunning(pid)).toBe(false);
      expect(await read()).toMatchObject({ files: 1 });
    },
  );

  it("is refused where its reader ends, answers too much, or cannot make anything of it", async () => {
    const { read } = openPool({ outputBytes: 1_000_000 });
    await expect(read({ do: "exit" })).rejects.toMatchObject({ failure: "ended" });
    await expect(read({ do: "long" })).rejects.toMatchObject({ failure: "output" });
    await expect(read({ do: "throw" })).rejects.toMatchObject({
      failure: "failed",
      cause: { message: "it is no chart" },
    });
    expect(await read()).toMatchObject({ files: 3 });
  });

  it.each(["null reply", "list reply"] as const)(
    "is refused where its reader says what no reader says (%s), which then reads nothing more",
    async (deed) => {
      const { read } = openPool();
      await expect(read({ do: deed })).rejects.toMatchObject({ name: "ReadingError", failure: "ended" });
      expect(await read(null)).toMatchObject({ files: 1 });
    },
  );

  it("is refused where the module is not there", async () => {
    const { read } = openPool({ reader: new URL("./nowhere.ts", import.meta.url) });
    await expect(read()).rejects.toMatchObject({ failure: "ended" });
  });

  it("ends with the signal, while it is read and while it waits", async () => {
    const { read } = openPool({ readers: 1 });
    const { pid } = await read();
    const [reads, waits] = [new AbortController(), new AbortController()];
    const reading = read({ do: "loop" }, { signal: reads.signal });
    const waiting = read(null, { signal: waits.signal });
    waits.abort(new Error("she left"));
    await expect(waiting).rejects.toThrow("she left");
    reads.abort(new Error("he left"));
    await expect(reading).rejects.toThrow("he left");
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expect(read(null, { signal: AbortSignal.abort(new Error("gone before")) })).rejects.toThrow("gone before");
    expect(await read()).toMatchObject({ files: 1 });
  });
});

describe("the readers", { timeout: 120_000 }, () => {
  it("are two at most, of which one person has one: nobody waits for what another person sent", async () => {
    // Readers of the test before have been told to end; the system may not have ended them all.
    const before = childrenOf(process.pid);
    const { pool, read } = openPool();
    const gone = new AbortController();
    const slow = Array.from({ length: 5 }, () => read({ do: "loop" }, { signal: gone.signal }).catch(() => "given up"));
    expect(await read(null, {}, "bob")).toMatchObject({ length: 3 });
    expect(await read(null, {}, "cleo")).toMatchObject({ length: 3 });
    expect(childrenOf(process.pid).filter((pid) => !before.includes(pid)).length).toBeLessThanOrEqual(2);
    gone.abort();
    expect(await Promise.all(slow)).toEqual(Array.from({ length: 5 }, () => "given up"));
    pool.close();
  });

  it("take turns among people, however many files one has", async () => {
    const { read } = openPool({ readers: 1 });
    const order: string[] = [];
    const files = ["ann", "ann", "ann", "ann", "bob", "cleo", "bob"].map(async (person, at) => {
      await read(null, {}, person);
      order.push(`${person} ${at}`);
    });
    await Promise.all(files);
    expect(order).toEqual(["ann 0", "ann 1", "bob 4", "cleo 5", "ann 2", "bob 6", "ann 3"]);
  });

  it("hold so much of one person and no more, and so much of all", () => {
    const { pool } = openPool({ placesPerPerson: 3, bytesPerPerson: 100, bytes: 150 });
    const places = [pool.enter("ann", 60), pool.enter("ann", 40)];
    expect(() => pool.enter("ann", 1)).toThrow("Too many of your files wait to be read.");
    places.push(pool.enter("ann"));
    expect(() => pool.enter("ann")).toThrow("Too many of your files wait to be read.");
    places.push(pool.enter("bob", 50));
    expect(() => pool.enter("cleo", 1)).toThrow("Too many files wait to be read.");
    for (const place of places) {
      place.leave();
      place.leave();
    }
    // One large file may always come, where nothing else waits.
    pool.enter("cleo", 1_000).leave();
    expect(pool.enter("ann", 100)).toBeDefined();
  });

  it("are replaced after so many files, and when they have grown", async () => {
    const byFiles = openPool({ filesPerReader: 2 });
    const pids = [];
    for (let file = 0; file < 4; file++) pids.push((await byFiles.read()).pid);
    expect(pids[0]).toBe(pids[1]);
    expect(pids[2]).toBe(pids[3]);
    expect(new Set(pids).size).toBe(2);
    // It begins with 87 to 100 MB and has 40 more once it keeps something: on either side of three quarters of this.
    const bySize = openPool({ memoryBytes: 165_000_000 });
    const { pid } = await bySize.read();
    expect(await bySize.read()).toMatchObject({ pid, files: 2 });
    expect(await bySize.read({ do: "keep" })).toMatchObject({ pid, files: 3 });
    expect((await bySize.read()).pid).not.toBe(pid);
  });

  it("end after a rest, and with the pool; what waits then is refused", async () => {
    const resting = openPool({ idleMs: 50 });
    const { pid } = await resting.read();
    await expect.poll(() => isRunning(pid)).toBe(false);
    const { pool, read } = openPool({ readers: 1 });
    await read();
    const stuck = [read({ do: "loop" }), read(null, {}, "bob")].map((one) => one.catch((error: unknown) => error));
    const busy = await stuckReader();
    pool.close();
    expect(await Promise.all(stuck)).toMatchObject([{ failure: "closed" }, { failure: "closed" }]);
    await expect.poll(() => isRunning(busy)).toBe(false);
    await expect(read()).rejects.toMatchObject({ failure: "closed" });
  });
});

describe("the program that has files read", { timeout: 120_000 }, () => {
  function start(argument: string) {
    const program = fileURLToPath(new URL("./parent-child.harness.ts", import.meta.url));
    const child = spawn(process.execPath, [program, argument], { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    return { child, printed: () => printed };
  }

  it("ends by itself, however long its readers would stay, and prints nothing of theirs", async () => {
    const { child, printed } = start("end");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(printed()).toMatch(/^\{"pid":\d+,.*\}\n$/);
    const { pid } = JSON.parse(printed()) as Answer;
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000 });
  });

  it("takes its readers with it when it is killed, also one that does not come back", async () => {
    const { child, printed } = start("loop");
    const pid = await vi.waitFor(() => (JSON.parse(printed()) as Answer).pid, { timeout: 30_000 });
    expect(isRunning(pid)).toBe(true);
    child.kill("SIGKILL");
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000 });
  });
});
