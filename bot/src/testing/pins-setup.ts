import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quickDisk } from "@threadlore/testkit";
import { App } from "@slack/bolt";
import { NO_TRACING } from "@threadlore/tracing";
import { startWorkspace, type Workspace, type WorkspaceOptions } from "@threadlore/chat-workspace";
import { createClient } from "@threadlore/client";
import { createAsks } from "@threadlore/client/asks";
import { createGaps } from "@threadlore/client/gaps";
import { createKeptAnswers } from "@threadlore/client/kept";
import { createGoodAnswers } from "@threadlore/client/good-answers";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { addKey, createService, Database, type Service } from "@threadlore/service";
import { readConfig } from "../settings/config.ts";
import type { BotContext, Register, TaskWork } from "../context.ts";
import { createAccounts } from "../accounts/accounts.ts";
import { createAddress, type Server } from "../knowledge-server/servers.ts";
import { Inbox, openStore, type TaskKind } from "@threadlore/inbox";
import { createGapBook } from "../gaps/book/gap-book.ts";
import { createLog } from "../operations/log.ts";
import { createMetrics } from "../operations/metrics.ts";
import { createPins, type PinTimes } from "../pins/pin-tasks.ts";
import { parseRules } from "../rules/rules-file.ts";
import { createSecrets } from "../settings/secrets.ts";
import { createClients } from "../slack/transport/clients.ts";
import { Pacer } from "../slack/transport/pacing.ts";
import { createPeople } from "../slack/read/people.ts";
import { createSocketReceiver } from "../slack/transport/receiver.ts";
import { sdkLog } from "../operations/sdk-log.ts";

/** Keys of every service of these tests, by what they may do. */
const KEYS = { owner: "tl_TESTowner", ordinary: "tl_TESTordinary", editor: "tl_TESTeditor" } as const;

/** A service whose connection can be cut, or made to lack an operation. */
export interface PinsKnowledge {
  readonly service: Service;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The owner's view, for looking. */
  readonly deployment: Deployment;
  /** Every request that reached it, `METHOD path`, oldest first. */
  readonly requests: readonly string[];
  /** `down`: nothing answers; `no-delete`: it cannot delete; `lost`: it does its work, and its replies get lost. */
  fault: "none" | "down" | "no-delete" | "lost";
  /** Text of everything that can be found now, titles too. */
  texts(): Promise<string>;
  /** Everything its database holds, as text. */
  rows(): string;
  close(): Promise<void>;
}

/** Starts the embedded service with keys of every role. */
export function startKnowledge(): PinsKnowledge {
  const folder = mkdtempSync(join(quickDisk(), "kept-"));
  const database = join(folder, "service.db");
  const service = createService({ database, apiKey: KEYS.owner, logLevel: "silent" });
  const db = new Database(database);
  db.transact(addKey(KEYS.ordinary, { name: "bot", role: "ordinary" }, 0));
  db.transact(addKey(KEYS.editor, { name: "bot-ingest", role: "editor" }, 0));
  const requests: string[] = [];
  const knowledge: PinsKnowledge = {
    service,
    requests,
    fault: "none",
    async fetch(request) {
      if (knowledge.fault === "down") throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      if (knowledge.fault === "no-delete" && request.method === "DELETE") {
        return Response.json({ detail: "Method Not Allowed" }, { status: 405 });
      }
      const reply = await service.fetch(request);
      if (knowledge.fault === "lost") throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
      return reply;
    },
    deployment: createDeployment({
      baseUrl: BASE_URL,
      apiKey: KEYS.owner,
      fetch: (request) => service.fetch(request),
    }),
    rows() {
      const tables = db.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));
      return tables.map((name) => JSON.stringify(db.all(`SELECT * FROM "${name}"`), readable)).join("\n");
    },
    async texts() {
      await service.drain();
      return db
        .all("SELECT semantic_identifier, sections, metadata FROM documents ORDER BY id")
        .map((row) => `${String(row["semantic_identifier"])}\n${String(row["sections"])}\n${String(row["metadata"])}`)
        .join("\n");
    },
    async close() {
      db.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return knowledge;
}

/** Bytes as the text they may hold. */
const readable = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString("latin1")
    : typeof value === "bigint"
      ? String(value)
      : value;

const BASE_URL = "http://127.0.0.1:8411";

/** How to start a bot for a test. */
interface BotSetup {
  readonly workspace: Workspace;
  readonly knowledge: PinsKnowledge;
  readonly registers: readonly Register[];
  /** The rules file's text. */
  readonly rules?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `:memory:` by default; a path for one that is killed and started again. */
  readonly database?: string;
  readonly times?: PinTimes;
  readonly now?: () => number;
  /** Other tasks it does, by their kind; of a kind that nobody does they end at once. */
  readonly works?: Partial<Record<TaskKind, TaskWork>>;
  /** Hears each line of its log. */
  readonly onLog?: (line: string) => void;
}

/** A bot that keeps messages, and nothing else: real Bolt, real sockets, real store, real inbox. */
export interface PinsBot {
  readonly context: BotContext;
  setRules(text: string): void;
  /** Everything accepted so far has ended. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it; resolves when it is connected. */
export async function startPinsBot(setup: BotSetup): Promise<PinsBot> {
  const { workspace, knowledge, now = Date.now } = setup;
  const { botToken, appToken } = workspace.credentials;
  const config = await readConfig({
    folder: tmpdir(),
    env: {
      SLACK_BOT_TOKEN: botToken,
      SLACK_APP_TOKEN: appToken,
      SLACK_API_URL: workspace.slackApiUrl,
      THREADLORE_URL: BASE_URL,
      THREADLORE_KEY: KEYS.ordinary,
      THREADLORE_INGEST_KEY: KEYS.editor,
      THREADLORE_PAIR: "1",
      LOG_LEVEL: "silent",
      ...setup.env,
    },
  });
  const level = setup.onLog === undefined ? "silent" : "info";
  const log = createLog({
    level,
    secrets: createSecrets([]),
    ...(setup.onLog === undefined ? {} : { to: { write: setup.onLog } }),
  });
  const clients = createClients({ botToken, slackApiUrl: workspace.slackApiUrl });
  const server = (apiKey: string): Server => {
    const options = { baseUrl: BASE_URL, apiKey, fetch: knowledge.fetch };
    return {
      client: createClient({ ...options, retries: { retries: 0, unreachableMs: 0 } }),
      deployment: createDeployment({ ...options, retries: { retries: 0, unreachableMs: 0 } }),
      asks: createAsks({ ...options, retries: { retries: 0, unreachableMs: 0 } }),
      gaps: createGaps({ ...options, retries: { retries: 0, unreachableMs: 0 } }),
      kept: createKeptAnswers({ ...options, retries: { retries: 0, unreachableMs: 0 } }),
      goodAnswers: createGoodAnswers({ ...options, retries: { retries: 0, unreachableMs: 0 } }),
    };
  };
  const store = await openStore(setup.database ?? ":memory:", { clock: now });
  let rules = parseRules(setup.rules ?? "{}", { dmKey: false }).rules;
  const self = {
    teamId: workspace.team.id,
    teamName: workspace.team.name,
    name: undefined,
    userId: workspace.app.botUserId,
    botId: workspace.app.botId,
    appId: workspace.app.appId,
    url: `https://${workspace.team.domain}.slack.com/`,
  };
  const pacer = new Pacer({ limits: { postSpacingMs: 0 } });
  const background = new Set<Promise<unknown>>();
  const pins = createPins(() => context, {
    spacingMs: 10,
    watchAfterMs: 20,
    reconcileEveryMs: 600_000,
    ...setup.times,
  });
  const works = new Map<TaskKind, TaskWork>(Object.entries({ ...pins.work, ...setup.works }) as [TaskKind, TaskWork][]);
  const inbox = new Inbox({
    store,
    owner: `test-${Math.random()}`,
    now,
    pollMs: 50,
    backoffMs: () => 100,
    run: (task, tools) => {
      const work = works.get(task.kind);
      return work === undefined ? Promise.resolve("done" as const) : work.run(context, task, tools);
    },
    giveUp: async (task, error, tools) => works.get(task.kind)?.giveUp(context, task, error, tools),
  });
  const servers = {
    channel: server(config.keys.channel),
    dm: server(config.keys.channel),
    ingest: server(config.keys.ingest ?? config.keys.channel),
  };
  const context: BotContext = {
    config,
    rules: () => rules,
    store,
    inbox,
    turns: new Map(),
    standing: new Map(),
    metrics: createMetrics({ backlog: () => store.backlog(), sockets: () => undefined }),
    tracing: NO_TRACING,
    fetch,
    clients,
    pacer,
    log,
    people: createPeople({ clients, pacer, self, now }),
    servers,
    gaps: createGapBook({ servers, store, log, now }),
    accounts: createAccounts({ config, store, team: self.teamId, address: createAddress(config), servers, now }),
    serverWatch: {
      condition: () => ({ ok: true, findings: [] }),
      start() {},
      stop() {},
      admit: async () => {},
    },
    self,
    later(_what, work) {
      const settled: Promise<unknown> = work()
        .catch(() => undefined)
        .finally(() => background.delete(settled));
      background.add(settled);
    },
    patience: {},
    end() {},
    now,
  };
  const logger = sdkLog(log);
  const app = new App({
    token: botToken,
    receiver: createSocketReceiver({
      appToken,
      sockets: 1,
      logger,
      clientOptions: clients.boltOptions,
      onEventsDropped: () => undefined,
      onFatal: () => undefined,
    }),
    clientOptions: { slackApiUrl: workspace.slackApiUrl },
    logger,
  });
  for (const register of setup.registers) register(app, context);
  await app.start();
  inbox.start();
  pins.start();
  return {
    context,
    setRules(text) {
      rules = parseRules(text, { dmKey: false }).rules;
    },
    async settled() {
      await until(async () => {
        const { waiting, running } = await store.backlog();
        return waiting + running === 0;
      });
    },
    async stop() {
      await app.stop();
      await pins.stop();
      await inbox.drain(0);
      await Promise.all(background);
      await store.close();
    },
  };
}

/** Resolves when the condition holds; looked at every few milliseconds for up to 20 s. */
export async function until<Found>(condition: () => Promise<Found | undefined | false>): Promise<Found> {
  const began = performance.now();
  for (;;) {
    const found = await condition();
    if (found !== undefined && found !== false) return found;
    if (performance.now() - began > 20_000) throw new Error("What was waited for did not happen within 20 s.");
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** A workspace with a channel of people, and the app in it. */
export async function startTown(options: WorkspaceOptions = {}) {
  const workspace = await startWorkspace(options);
  const ada = workspace.addUser({ name: "ada", realName: "Ada Berg", email: "ada@harbour.example" });
  const bo = workspace.addUser({ name: "bo", realName: "Bo Lind", email: "bo@harbour.example" });
  const members = [ada.user.id, bo.user.id];
  const ops = workspace.addChannel({ name: "ops", members, withApp: true });
  return { workspace, ada, bo, ops };
}
