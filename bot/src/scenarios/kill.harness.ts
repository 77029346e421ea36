import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Message, startWorkspace, type Workspace } from "@threadlore/chat-workspace";
import { quickDisk, seededRandom } from "@threadlore/testkit";
import { KEYS, type Knowledge, type KnowledgeOptions, startKnowledge } from "../testing/running-bot.ts";

const CHILD = fileURLToPath(new URL("./bot-child.harness.ts", import.meta.url));

/** What came of a loop of kills. */
export interface KillReport {
  readonly kills: number;
  readonly questions: number;
  /** Questions without a visible outcome. */
  readonly lost: readonly string[];
  /** Questions with more than one. */
  readonly twice: readonly string[];
  /** Messages still open, or whose text is not the whole answer and no error. */
  readonly broken: readonly string[];
  /** How many outcomes were answers. */
  readonly answered: number;
  /** Kills that met an answer half shown: what makes the loop worth its time. */
  readonly midway: number;
  /** What the platform would have refused. */
  readonly refusals: readonly unknown[];
}

/** Bots in processes of their own, a workspace they serve, and somebody who asks. */
export interface Ground {
  readonly random: () => number;
  readonly workspace: Workspace;
  readonly knowledge: Knowledge;
  /** Address of the bots' database. */
  readonly database: string;
  /** What was asked so far. */
  readonly asked: readonly Asked[];
  /** Asks once more, in a channel of its own. */
  ask(): Promise<Asked>;
  /** A bot, loaded and not yet begun. */
  load(): Child;
  /** Resolves when every question has its outcome, or after two minutes; then what people see. */
  outcome(): Promise<Omit<KillReport, "kills" | "midway">>;
  close(): Promise<void>;
}

/** A question. */
export interface Asked {
  readonly channel: string;
  readonly ts: string;
}

type Settings = Readonly<Record<string, string>>;

/** How to kill. */
export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /** Longest life of a process after it was begun, milliseconds. */
  readonly lifeMs: number;
  readonly streaming: "on" | "off";
}

/**
 * Runs the real bot in processes that are killed at random points while questions come in, then lets the last one
 * finish, and looks at what people see.
 */
export async function killLoop({ kills, seed, lifeMs, streaming }: KillOptions): Promise<KillReport> {
  const ground = await prepare(seed, { STREAMING: streaming });
  const { random, workspace } = ground;
  let midway = 0;
  let next = ground.load();
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const child = next;
      await child.loaded;
      next = ground.load();
      child.begin();
      await ground.ask();
      // However slow the machine is, some of them meet an answer that has begun.
      if (streaming === "on" && kill % 3 === 0)
        await workspace.until(() => isAnyOpen(ground), 10_000).catch(() => undefined);
      await pause(random() * lifeMs);
      if (random() < 0.5) await ground.ask();
      await pause(random() * 200);
      await child.kill();
      if (isAnyOpen(ground)) midway += 1;
    }
    await next.loaded;
    next.begin();
    return { ...(await ground.outcome()), kills, midway };
  } finally {
    await next.kill();
    await ground.close();
  }
}

const isAnyOpen = ({ workspace, asked }: Ground): boolean =>
  asked.some((one) => ownIn(workspace, one).some(({ stream }) => stream?.state === "in_progress"));

/** Runs three bots on one database, asks, kills one while it answers, and looks at what people see. */
export async function killOneOfThree(database: string, questions: number): Promise<KillReport> {
  const ground = await prepare(33, { DATABASE_URL: database });
  const children = [ground.load(), ground.load(), ground.load()];
  try {
    await Promise.all(children.map(({ loaded }) => loaded));
    for (const child of children) child.begin();
    await Promise.all(children.map(({ started }) => started));
    for (let count = 0; count < questions; count += 1) {
      await ground.ask();
      // In the middle of everything: some are answered, some are being answered, some are still to come.
      if (count === Math.floor(questions / 2)) await children[0]?.kill();
    }
    return { ...(await ground.outcome()), kills: 1, midway: 0 };
  } finally {
    await Promise.all(children.map((child) => child.kill()));
    await ground.close();
  }
}

/**
 * A workspace, a server that takes its time, and what bots need to serve them.
 * @param settings of the bots' environment, which may name what is in the workspace
 * @param options of what the server knows; `lateMs`: how late each part of a reply is at most; `now`: the platform's clock
 */
export async function prepare(
  seed: number,
  settings: Settings | ((workspace: Workspace) => Settings),
  { lateMs = 25, now, ...options }: KnowledgeOptions & { readonly lateMs?: number; readonly now?: () => number } = {},
): Promise<Ground> {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(quickDisk(), "bot-kill-"));
  const knowledge = await startKnowledge(options);
  await knowledge.add({ id: "leave", title: "Leave", text: ANSWER });
  const server = await slowly(knowledge, () => random() * lateMs);
  const redeliverAfterMs = [50, 100, 200, 400, 800, ...Array.from({ length: 60 }, () => 1_000)];
  const workspace = await startWorkspace({ seed, redeliverAfterMs, ...(now !== undefined && { now }) });
  const env = {
    PATH: process.env["PATH"] ?? "",
    SLACK_BOT_TOKEN: workspace.credentials.botToken,
    SLACK_APP_TOKEN: workspace.credentials.appToken,
    SLACK_API_URL: workspace.slackApiUrl,
    THREADLORE_URL: server.url,
    THREADLORE_KEY: KEYS.channel,
    DATABASE_URL: `sqlite:${join(folder, "bot.db")}`,
    OPERATIONS_PORT: "off",
    LOG_LEVEL: "silent",
    QUESTIONS_PER_USER: "off",
    QUESTIONS_PER_WORKSPACE: "off",
    STREAMS_PER_MINUTE: "1000",
    NODE_COMPILE_CACHE: join(tmpdir(), "threadlore-bot-compile-cache"),
    ...(typeof settings === "function" ? settings(workspace) : settings),
  };
  const asker = workspace.addUser({ name: "ada" });
  const asked: Asked[] = [];
  return {
    random,
    workspace,
    knowledge,
    database: env.DATABASE_URL,
    asked,
    async ask() {
      const channel = workspace.addChannel({ name: `room-${asked.length}`, members: [asker.user.id], withApp: true });
      const ts = await asker.mention(channel.id, "How many days of annual leave do I have?");
      const one = { channel: channel.id, ts };
      asked.push(one);
      return one;
    },
    load: () => load(env),
    async outcome() {
      const settled = (): boolean => asked.every((one) => isSettled(workspace, one));
      await workspace.until(settled, 120_000).catch(() => undefined);
      // Whoever answers twice does so soon after.
      await pause(1_500);
      return report(workspace, asked);
    },
    async close() {
      await workspace.close();
      await server.close();
      await knowledge.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Several sentences, so that an answer can be cut in the middle. */
const ANSWER = Array.from(
  { length: 12 },
  (_, index) => `Rule ${index + 1} of annual leave: everybody has thirty days of leave.`,
).join(" ");

/** What the bot said to a question. */
export function ownIn(workspace: Workspace, { channel, ts }: Asked): readonly Message[] {
  return workspace.messages(channel, ts).filter(({ user }) => user === workspace.app.botUserId);
}

/** Whether everything the bot said to a question is finished and whole. */
export function isSettled(workspace: Workspace, one: Asked): boolean {
  const own = ownIn(workspace, one);
  return own.length > 0 && own.every(({ stream, shown }) => stream?.state !== "in_progress" && isWhole(shown));
}

function isWhole(shown: string): boolean {
  return (shown.includes("thirty days") && shown.includes("👍")) || shown.includes("Reference ");
}

function report(workspace: Workspace, asked: readonly Asked[]): Omit<KillReport, "kills" | "midway"> {
  const name = ({ channel, ts }: Asked): string => `${channel} ${ts}`;
  const outcomes = asked.map((one) => ({ one, own: ownIn(workspace, one) }));
  return {
    questions: asked.length,
    lost: outcomes.filter(({ own }) => own.length === 0).map(({ one }) => name(one)),
    twice: outcomes
      .filter(({ own }) => own.length > 1)
      .map(({ one, own }) => `${name(one)}: ${own.map(({ shown }) => shown).join(" // ")}`),
    broken: outcomes
      .filter(({ one, own }) => own.length === 1 && !isSettled(workspace, one))
      .map(({ one, own }) => `${name(one)}: ${own[0]?.stream?.state ?? "posted"} ${own[0]?.shown ?? ""}`),
    answered: outcomes.filter(({ own }) => own.some(({ shown }) => shown.includes("thirty days"))).length,
    refusals: workspace.calls
      .filter(({ refusals }) => refusals.length > 0)
      .map(({ method, refusals }) => ({ method, refusals })),
  };
}

/** A bot in a process of its own. */
export interface Child {
  /** Everything is loaded, and nothing begun. */
  readonly loaded: Promise<void>;
  /** It is connected. */
  readonly started: Promise<void>;
  /** `aheadMs`: so much further than this machine's is its clock. */
  begin(aheadMs?: number): void;
  /** Sends a signal that does not end it. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Says something on its standard input. */
  tell(line: string): void;
  kill(): Promise<void>;
}

function load(env: NodeJS.ProcessEnv): Child {
  const child: ChildProcess = spawn(process.execPath, [CHILD], { env, stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => (errors += text.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const heard = (word: string): Promise<void> => {
    const hearing = new Promise<void>((resolve, reject) => {
      child.stdout?.on("data", (text: Buffer) => {
        if (text.toString().includes(word)) resolve();
      });
      child.once("exit", () => reject(new Error(`The bot's process ended by itself: ${errors}`)));
    });
    hearing.catch(() => undefined);
    return hearing;
  };
  return {
    loaded: heard("loaded"),
    started: heard("started"),
    begin: (aheadMs = 0) => void child.stdin?.write(`go ${aheadMs}\n`),
    signal: (name) => void child.kill(name),
    tell: (line) => void child.stdin?.write(`${line}\n`),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The service on a port, with every part of a reply a little late, so that kills meet answers in the middle. */
async function slowly(knowledge: Knowledge, late: () => number): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const headers = new Headers();
    for (const [header, value] of Object.entries(request.headers)) {
      if (typeof value === "string" && header !== "host") headers.set(header, value);
    }
    const hasBody = request.method !== "GET" && request.method !== "HEAD";
    const init: RequestInit = { method: request.method ?? "GET", headers };
    const body = hasBody ? { body: Readable.toWeb(request) as unknown as ReadableStream, duplex: "half" } : {};
    void (async () => {
      const reply = await knowledge.fetch(
        new Request(`http://127.0.0.1:8411${request.url ?? "/"}`, { ...init, ...body }),
      );
      response.writeHead(reply.status, Object.fromEntries(reply.headers));
      for await (const part of reply.body ?? []) {
        for (const line of Buffer.from(part)
          .toString()
          .split(/(?<=\n\n)/)) {
          await pause(late());
          response.write(line);
        }
      }
      response.end();
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
