import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quickDisk } from "@threadlore/testkit";
import {
  type Channel,
  type Message,
  type Person,
  startWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from "@threadlore/chat-workspace";
import { createClient } from "@threadlore/client";
import type { IngestionDocumentInput } from "@threadlore/client/models";
import { addKey, createService, Database, type ModelSettings, type Service, type Settings } from "@threadlore/service";
import { afterEach, expect } from "vitest";
import { type Bot, type BotParts, createBot } from "../bot.ts";
import { readConfig } from "../settings/config.ts";
import { createLog } from "../operations/log.ts";
import { secretsOf } from "../settings/secrets.ts";
import { ALL_FEATURES, optionalScopesFor, scopesFor } from "../settings/manifest.ts";

/** Installed with all that can be left out, but for the search that rules have to turn on as well. */
const SCOPES = [...scopesFor(ALL_FEATURES), ...optionalScopesFor(ALL_FEATURES)].filter(
  (scope) => scope !== "search:read.public",
);

/** Where the service of these tests seems to be; nothing listens there. */
const BASE_URL = "http://127.0.0.1:8412";

/** Keys of the service by what they see. */
export const KEYS = { owner: "tl_TESTowner", channel: "tl_TESTchannel", dm: "tl_TESTdm" } as const;

/** What a bot asks from time to time by itself: whose the keys are, what is in doubt, whom somebody wants asked, what became of gaps. */
const BY_ITSELF = /\/(?:me|kept-answers|gaps(?:\/asks|\/questions\/standings)?)$/;

/** The embedded service, with a connection that can be made to fail. */
export interface Knowledge {
  readonly service: Service;
  readonly database: string;
  /** Bodies of the questions it was asked, oldest first. */
  readonly asked: Readonly<Record<string, unknown>>[];
  /** The keys of these questions, in the same order. */
  readonly keys: string[];
  /** Every request, `METHOD path`. */
  readonly requests: string[];
  /** Those for somebody, without what a bot asks from time to time by itself. */
  forSomebody(): readonly string[];
  /** Looked at for each request; a reply or a throw takes the service's place. */
  fault: ((request: Request) => Promise<Response | undefined>) | undefined;
  readonly fetch: (request: Request) => Promise<Response>;
  add(document: { id: string; title: string; text: string; link?: string; updatedAt?: string }): Promise<void>;
  close(): Promise<void>;
}

/** How to start {@link Knowledge}. */
export interface KnowledgeOptions {
  readonly settings?: Partial<Settings> | undefined;
  readonly restricted?: boolean;
  readonly model?: ModelSettings;
  /** Default: what is found is ranked by words alone. */
  readonly embeddings?: ModelSettings | undefined;
  /** Its clock. Default: Date.now. */
  readonly now?: (() => number) | undefined;
}

/** Starts it with a key for channels, which sees only the set `public` when it exists, and one for direct messages. */
export async function startKnowledge({
  settings,
  restricted = false,
  model,
  embeddings,
  now,
}: KnowledgeOptions = {}): Promise<Knowledge> {
  const folder = mkdtempSync(join(quickDisk(), "bot-knowledge-"));
  const database = join(folder, "service.db");
  const service = createService({
    database,
    apiKey: KEYS.owner,
    logLevel: "silent",
    settings,
    model,
    ...(embeddings === undefined ? {} : { embeddings }),
    ...(now === undefined ? {} : { now }),
  });
  const db = new Database(database);
  db.transact(
    addKey(
      KEYS.channel,
      { name: "bot-channel", role: "ordinary", ...(restricted ? { documentSets: ["public"] } : {}) },
      0,
    ),
  );
  db.transact(addKey(KEYS.dm, { name: "bot-dm", role: "ordinary" }, 0));
  const owner = createClient({
    baseUrl: BASE_URL,
    apiKey: KEYS.owner,
    fetch: (request: Request) => service.fetch(request),
  });
  const knowledge: Knowledge = {
    service,
    database,
    asked: [],
    keys: [],
    requests: [],
    forSomebody: () => knowledge.requests.filter((one) => !BY_ITSELF.test(one)),
    fault: undefined,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      knowledge.requests.push(`${request.method} ${pathname}`);
      if (request.method === "POST" && pathname.endsWith("/chat/send-chat-message")) {
        const body: unknown = await request.clone().json();
        if (typeof body === "object" && body !== null) {
          knowledge.asked.push({ ...body });
          knowledge.keys.push(request.headers.get("authorization") ?? "");
        }
      }
      return (await knowledge.fault?.(request)) ?? service.fetch(request);
    },
    async add({ id, title, text, link, updatedAt }) {
      const document: IngestionDocumentInput = {
        id,
        semantic_identifier: title,
        sections: [{ text, link: link ?? `https://handbook.example/${id}` }],
        source: "ingestion_api",
        metadata: {},
        from_ingestion_api: true,
        ...(updatedAt === undefined ? {} : { doc_updated_at: updatedAt }),
      };
      await owner.ingest({ document });
      await service.drain();
    },
    async close() {
      db.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return knowledge;
}

/** A workspace with people, a bot, and what it knows. */
export interface Town {
  readonly workspace: Workspace;
  readonly knowledge: Knowledge;
  readonly ada: Person;
  readonly bo: Person;
  /** Everybody and the app are in it. */
  readonly general: Channel;
  /** The bot that runs now. */
  bot: Bot;
  setRules(text: string): void;
  /** Stops the bot and starts another one over the same store. */
  restart(): Promise<void>;
  /** What the bot said in a thread, oldest first. */
  answers(channel: string, threadTs: string): readonly Message[];
  /** Resolves with the bot's first message in a thread when it is finished. */
  answered(channel: string, threadTs: string, count?: number): Promise<Message>;
  /** Nothing the bot sent would have been refused by Slack. */
  expectNoRefusals(): void;
  close(): Promise<void>;
}

/** How to start a {@link Town}. */
export interface TownOptions {
  readonly workspace?: WorkspaceOptions;
  readonly rules?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  readonly restricted?: boolean;
  /** The service has no document yet. Default: one about leave, one about travel. */
  readonly isEmpty?: boolean;
  /** What writes the service's answers; default: it quotes. */
  readonly model?: ModelSettings;
  readonly parts?: Partial<BotParts>;
  /** The clock of the service. Default: Date.now. */
  readonly serverNow?: () => number;
  /** Hears each line of the bot's log, as it is written; default stderr. */
  readonly onLog?: (line: string) => void;
}

/** What the service of a town knows. */
const DOCUMENTS = [
  {
    id: "leave",
    title: "Leave",
    text: "Everybody has thirty days of annual leave. Ask your team lead for longer leave.",
  },
  {
    id: "travel",
    title: "Travel",
    text: "Train tickets for business travel are booked second class by the office.",
  },
] as const;

/** Starts everything; resolves when the bot is connected. */
export async function startTown(options: TownOptions = {}): Promise<Town> {
  const folder = mkdtempSync(join(quickDisk(), "bot-town-"));
  const rulesFile = join(folder, "rules.yaml");
  writeFileSync(rulesFile, options.rules ?? "{}\n");
  const workspace = await startWorkspace({
    // No more than an administrator gives who installs what the manifest asks for.
    app: { commands: ["/ask"], scopes: SCOPES },
    ...options.workspace,
  });
  const knowledge = await startKnowledge({
    settings: options.settings,
    restricted: options.restricted === true,
    now: options.serverNow,
    ...(options.model === undefined ? {} : { model: options.model }),
  });
  const known = options.isEmpty === true ? [] : DOCUMENTS;
  for (const document of known) await knowledge.add(document);
  const ada = workspace.addUser({ name: "ada", realName: "Ada Berg" });
  const bo = workspace.addUser({ name: "bo", realName: "Bo Lind" });
  const general = workspace.addChannel({ name: "general", members: [ada.user.id, bo.user.id], withApp: true });
  const make = async (): Promise<Bot> => {
    const config = await readConfig({
      folder,
      env: {
        SLACK_BOT_TOKEN: workspace.credentials.botToken,
        SLACK_SIGNING_SECRET: workspace.credentials.signingSecret,
        SLACK_APP_TOKEN: workspace.credentials.appToken,
        SLACK_API_URL: workspace.slackApiUrl,
        THREADLORE_URL: BASE_URL,
        THREADLORE_KEY: KEYS.channel,
        THREADLORE_DM_KEY: KEYS.dm,
        RULES_FILE: rulesFile,
        DATABASE_URL: `sqlite:${join(folder, "bot.db")}`,
        OPERATIONS_PORT: "off",
        LOG_LEVEL: "silent",
        ...options.env,
      },
    });
    const log = createLog({
      level: config.logLevel,
      secrets: secretsOf(config),
      ...(options.onLog === undefined ? {} : { to: { write: options.onLog } }),
    });
    const bot = await createBot(config, {
      log,
      serverFetch: knowledge.fetch,
      times: { pollMs: 100, backoffMs: () => 200 },
      drainMs: 5_000,
      ...options.parts,
      // The workspace shares this process: where it is slow to answer, the machine is busy, and no call is lost.
      patience: { callMs: 120_000, lateCallsMs: [100, 400], ...options.parts?.patience },
    });
    await bot.start();
    return bot;
  };
  const own = (message: Message): boolean => message.user === workspace.app.botUserId;
  const town: Town = {
    workspace,
    knowledge,
    ada,
    bo,
    general,
    bot: await make(),
    setRules: (text) => writeFileSync(rulesFile, text),
    async restart() {
      await town.bot.stop();
      town.bot = await make();
    },
    answers: (channel, threadTs) => workspace.messages(channel, threadTs).filter(own),
    async answered(channel, threadTs, count = 1) {
      const finished = (): readonly Message[] =>
        town.answers(channel, threadTs).filter(({ stream }) => stream === undefined || stream.state !== "in_progress");
      await workspace.until(() => finished().length >= count, 90_000).catch(() => undefined);
      const message = finished()[count - 1];
      expect(message, `an answer in ${channel} ${threadTs}`).toBeDefined();
      if (message === undefined) throw new Error("unreachable");
      return message;
    },
    expectNoRefusals() {
      const refused = workspace.calls.filter(({ refusals }) => refusals.length > 0);
      expect(refused.map(({ method, refusals }) => ({ method, refusals }))).toEqual([]);
      expect(workspace.calls.flatMap(({ method, breaches }) => breaches.map((words) => `${method}: ${words}`))).toEqual(
        [],
      );
    },
    async close() {
      await town.bot.stop();
      await workspace.close();
      await knowledge.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return town;
}

/**
 * Starts towns that are closed after each test. Call it once in a file of tests.
 * @param closed looks at each once it is closed
 */
export function useTowns(closed: (town: Town) => void = () => {}): (options?: TownOptions) => Promise<Town> {
  const open: Town[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) {
      await one.close();
      closed(one);
    }
  });
  return async (options) => {
    const started = await startTown(options);
    open.push(started);
    return started;
  };
}

/** Resolves when the bot has nothing to do any more. */
export async function idle({ bot }: Town): Promise<void> {
  await expect.poll(() => bot.context.store.backlog(), { timeout: 60_000 }).toEqual({ waiting: 0, running: 0 });
}
