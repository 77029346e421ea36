import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { temporaryFolder } from "../service.harness.ts";

/** A key every instance of a herd knows. */
const KEY = "tl_TEST_herd";

/** Longer than any pause: whoever asks a paused instance waits until it goes on. */
const PATIENCE_MS = 30_000;

/** What came back, whole. */
export interface Told {
  readonly status: number;
  readonly text: string;
}

/** A process that serves; its place, its number and its files stay when it is killed and started again. */
class Member {
  readonly path: string;
  readonly #databaseUrl: string;
  readonly #cache: string;
  #child: ChildProcess | undefined;
  /** Where it listens; undefined while it does not run. */
  url: string | undefined;
  /** Since when, by `performance.now()`. */
  runsSince = 0;

  constructor(folder: string, name: string, databaseUrl: string) {
    this.path = join(folder, `${name}.db`);
    this.#cache = join(folder, "compiled");
    this.#databaseUrl = databaseUrl;
  }

  async start(): Promise<void> {
    const program = join(import.meta.dirname, "instance-child.harness.ts");
    this.#child = spawn(process.execPath, [program, this.path, this.#databaseUrl, KEY], {
      stdio: ["pipe", "pipe", "inherit"],
      // Most of a start is compiling, and every child compiles the same.
      env: { ...process.env, NODE_COMPILE_CACHE: this.#cache },
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error("an instance has no output");
    for await (const line of createInterface({ input: stdout })) {
      this.url = line;
      this.runsSince = performance.now();
      return;
    }
    throw new Error("an instance ended before it listened");
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    this.url = undefined;
    if (this.#child === undefined) return;
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exited;
  }

  /** Its copy and its index are gone. It must not run. */
  lose(): void {
    for (const end of ["", "-wal", "-shm", ".search.sqlite", ".search.sqlite-wal", ".search.sqlite-shm"]) {
      rmSync(`${this.path}${end}`, { force: true });
    }
  }
}

/** Several instances, each a process, over one database. */
export class Herd {
  readonly members: Member[] = [];
  readonly #folder = temporaryFolder();
  readonly #databaseUrl: string;
  readonly #random: () => number;

  constructor(databaseUrl: string, random: () => number) {
    this.#databaseUrl = databaseUrl;
    this.#random = random;
  }

  /** One more. */
  async add(): Promise<Member> {
    const member = new Member(this.#folder.path, `copy-${this.members.length}`, this.#databaseUrl);
    this.members.push(member);
    await member.start();
    return member;
  }

  /** Any that runs. */
  async one(): Promise<Member> {
    for (;;) {
      const running = this.members.filter(({ url }) => url !== undefined);
      const member = running[Math.floor(this.#random() * running.length)];
      if (member !== undefined) return member;
      await pause(20);
    }
  }

  /** Since when some process has run that would have missed another one. */
  get watchedSince(): number {
    const running = this.members.filter(({ url }) => url !== undefined);
    return Math.min(performance.now(), ...running.map(({ runsSince }) => runsSince));
  }

  /** Asks any. Throws where no whole answer comes. */
  async ask(method: string, path: string, body?: unknown): Promise<Told> {
    return askOf(await this.one(), method, path, body);
  }

  async end(): Promise<void> {
    for (const member of this.members) member.signal("SIGCONT");
    await Promise.all(this.members.map((member) => member.kill()));
    this.#folder.remove();
  }
}

/** Asks one. Throws where no whole answer comes. */
export async function askOf({ url }: Member, method: string, path: string, body?: unknown): Promise<Told> {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return { status: reply.status, text: await reply.text() };
}
