import { randomUUID } from "node:crypto";
import { App, type Logger } from "@slack/bolt";
import { WebAPIPlatformError } from "@slack/web-api";
import type { ClientOptions } from "@threadlore/client";
import { createBudgets } from "./rules/budgets.ts";
import type { Config } from "./settings/config.ts";
import { countRateLimits, countStreams } from "./operations/counting.ts";
import type { BotContext, Patience, Self, TaskWork } from "./context.ts";
import { createInbox, type Inbox, type InboxOptions } from "./inbox/inbox.ts";
import type { Log } from "./operations/log.ts";
import { LISTENERS } from "./listeners.ts";
import { createIntake, type Intake } from "./inbox/intake.ts";
import { mendWork } from "./inbox/mend.ts";
import { createMetrics, type Metrics } from "./operations/metrics.ts";
import { type Operations, startOperations } from "./operations/operations.ts";
import { createPins, type PinTimes } from "./pins/pin-tasks.ts";
import { isPinTask, PIN_KINDS } from "./pins/pin-work.ts";
import { builtInRules, type LiveRules, watchRulesFile } from "./rules/rules-file.ts";
import { createAddress, createServers } from "./knowledge-server/servers.ts";
import { tellOfServer } from "./knowledge-server/server-alerts.ts";
import { type ServerWatchTimes, watchServer } from "./knowledge-server/server-watch.ts";
import { secretsOf } from "./settings/secrets.ts";
import { createHttpReceiver } from "./slack/transport/http-receiver.ts";
import { createClients } from "./slack/transport/clients.ts";
import { createPacer } from "./slack/transport/pacing.ts";
import { createPeople, platformError } from "./slack/read/people.ts";
import { createSocketReceiver, type WatchedReceiver } from "./slack/transport/receiver.ts";
import { refusalOf, WorkspaceRevoked } from "./slack/transport/refusals.ts";
import { sdkLog } from "./operations/sdk-log.ts";
import { openStore } from "./inbox/store/open.ts";
import type { Store, Task, TaskKind } from "./inbox/store/store.ts";
import { questionWork } from "./ask/answer-question.ts";
import { createTurns } from "./ask/turns.ts";

/** Messages that are being kept at the same time. */
const KEPT_AT_ONCE = 4;

/** What a bot is made of besides its configuration. */
export interface BotParts {
  readonly log: Log;
  /** How the server is reached; default the global one. A test gives the embedded service's own. */
  readonly serverFetch?: (request: Request) => Promise<Response>;
  /** Milliseconds since 1970; default the machine's. */
  readonly now?: () => number;
  /** Of the inbox; a test has them shorter. */
  readonly times?: Pick<InboxOptions, "leaseMs" | "renewMs" | "pollMs" | "backoffMs" | "maxAttempts">;
  /** How long the platform is waited for; a test has it shorter. */
  readonly patience?: Patience;
  /** How long the knowledge server is waited for; default as the client has it, silence as `SILENCE`. A test has it shorter. */
  readonly serverTimeouts?: ClientOptions["timeouts"];
  /** How often the knowledge server is looked at; a test has it more often. */
  readonly watchTimes?: ServerWatchTimes;
  /** When messages are kept and looked after; a test has it sooner. */
  readonly pinTimes?: PinTimes;
  /** How long running questions may take to end when the bot stops, milliseconds. Default 20,000. */
  readonly drainMs?: number;
}

/** A bot. */
export interface Bot {
  /** Connects; resolves when events arrive. */
  start(): Promise<void>;
  /** Takes nothing more, lets what runs end within bounds, and closes everything. What is not done goes on after the next start. */
  stop(): Promise<void>;
  /** Resolves with why, when Slack wants nothing more of it: the app was uninstalled, a token is no good any more. */
  readonly ended: Promise<Error>;
  readonly context: BotContext;
  /** Where events are posted, with the HTTP receiver. */
  readonly eventUrl: string | undefined;
  /** Health and metrics; undefined: off. */
  readonly operationsUrl: string | undefined;
}

/** Makes the bot: opens its store, learns who it is. Throws StoreError, RulesError, or what the platform said. */
export async function createBot(config: Config, parts: BotParts): Promise<Bot> {
  const { log, now = Date.now } = parts;
  const rules = await rulesOf(config, log);
  const store = await openStore(config.database, { clock: now });
  try {
    const clients = createClients({
      botToken: config.slack.botToken,
      ...(config.slack.apiUrl === undefined ? {} : { slackApiUrl: config.slack.apiUrl }),
      logger: sdkLog(log),
    });
    const self = await whoAmI(clients.reads);
    return assemble(config, parts, { rules, store, clients, self });
  } catch (error) {
    rules.close();
    await store.close();
    throw error;
  }
}

interface Opened {
  readonly rules: LiveRules;
  readonly store: Store;
  readonly clients: BotContext["clients"];
  readonly self: Self;
}

function assemble(config: Config, parts: BotParts, { rules, store, clients, self }: Opened): Bot {
  const { log, now = Date.now, drainMs = 20_000 } = parts;
  const logger = sdkLog(log);
  const background = new Background(log);
  const metrics: Metrics = createMetrics({
    backlog: () => store.backlog(),
    sockets: () => (config.receiver.kind === "socket" ? receiver.connections : undefined),
  });
  countRateLimits([clients.streaming, clients.posts, clients.reads], metrics);
  const pins = createPins(() => context, parts.pinTimes);
  const work: Readonly<Partial<Record<TaskKind, TaskWork>>> = {
    question: questionWork,
    regenerate: questionWork,
    mend: mendWork,
    pin: pins.work,
    unpin: pins.work,
    edit: pins.work,
    add: pins.work,
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<Error>();
  const onRevoked = (reason: string): void => {
    log.error("token revoked", {
      reason: `${reason}: install the app again, set the new token, and start the bot anew`,
    });
    accepting = false;
    background.start("disconnect", () => receiver.stop());
    end(new WorkspaceRevoked(reason));
  };
  const shared = { store, work, context: () => context, onRevoked };
  const inbox = inboxFor(config, parts, {
    ...shared,
    kinds: ["question", "regenerate", "mend"],
    atOnce: config.atOnce,
  });
  // Servers may take minutes to index a document: a hundred pins at once must not stand in the way of a question.
  const keeping = inboxFor(config, parts, { ...shared, kinds: PIN_KINDS, atOnce: KEPT_AT_ONCE });
  let accepting = false;
  const reached = { server: config.server, ...(parts.serverFetch !== undefined && { fetch: parts.serverFetch }) };
  const address = createAddress(reached);
  const serverWatch = watchServer({
    ...reached,
    config,
    address,
    now,
    without: (text) => secretsOf(config).without(text),
    onChange: (change) => background.start("tell of the server", () => tellOfServer(context, change)),
    ...(parts.watchTimes !== undefined && { times: parts.watchTimes }),
  });
  const context: BotContext = {
    config,
    rules: () => rules.current(),
    store,
    inbox: {
      accept: (task) => (isPinTask(task) ? keeping : inbox).accept(task),
      requestStop: (lane) => inbox.requestStop(lane),
    },
    turns: createTurns(),
    clients,
    pacer: countStreams(createPacer({ limits: config.streaming.pace }), metrics),
    log,
    metrics,
    budgets: {
      people: createBudgets({ store, now, limits: { ...config.limits, threadLoop: null, channelLoop: null } }),
      programs: createBudgets({ store, now, limits: config.limits }),
    },
    fetch,
    people: createPeople(clients.reads, {
      teamId: self.teamId,
      now,
      paced: (method, call) => context.pacer.call({ team: self.teamId, method }, call),
    }),
    servers: createServers(config, {
      ...reached,
      address,
      admit: (key) => serverWatch.admit(key),
      ...(parts.serverTimeouts !== undefined && { timeouts: parts.serverTimeouts }),
    }),
    serverWatch,
    self,
    later: (what, begin) => background.start(what, begin),
    patience: parts.patience ?? {},
    end,
    now,
  };
  const { receiver, eventUrl } = receiverFor(context, logger, now);
  const app = new App({
    receiver,
    logger,
    clientOptions: clients.boltOptions,
    // Known already; and nothing is asked before an event is kept.
    authorize: () =>
      Promise.resolve({
        botToken: config.slack.botToken,
        botId: self.botId,
        botUserId: self.userId,
        teamId: self.teamId,
      }),
  });
  const intake = createIntake(context);
  guardDeliveries(app, context, intake);
  for (const register of LISTENERS) register(app, context);
  let operations: Operations | undefined;
  let retention: NodeJS.Timeout | undefined;
  let stopping = false;

  return {
    context,
    ended,
    get eventUrl() {
      return eventUrl();
    },
    get operationsUrl() {
      return operations?.url;
    },
    async start() {
      if (config.operationsPort !== undefined) {
        operations = await startOperations(config.operationsPort, {
          sockets: () => (config.receiver.kind === "socket" ? receiver.connections : undefined),
          database: () => store.check(),
          notAccepted: () => intake.problem(),
          backlog: () => store.backlog(),
          accepting: () => accepting,
          rulesProblem: () => rules.problem()?.message,
          server: () => serverWatch.condition(),
          metrics,
        });
      }
      serverWatch.start();
      inbox.start();
      keeping.start();
      await receiver.start();
      // Told to stop while Slack let it wait.
      if (stopping) return;
      accepting = true;
      pins.start();
      retention = keepRetention(context);
    },
    async stop() {
      stopping = true;
      accepting = false;
      serverWatch.stop();
      clearInterval(retention);
      await receiver.stop().catch(() => undefined);
      const drained = await Promise.all([inbox.drain(drainMs), keeping.drain(drainMs)]);
      const count = drained.reduce((sum, { handedBack }) => sum + handedBack, 0);
      if (count > 0) log.info("tasks handed back", { count });
      await pins.stop();
      await background.settled();
      await operations?.close();
      rules.close();
      await store.close();
    },
  };
}

/** Rules from the file, followed; or the built-in ones. */
async function rulesOf(config: Config, log: Log): Promise<Opened["rules"]> {
  const context = { dmKey: config.keys.dm !== undefined };
  if (config.rulesFile === undefined) {
    const rules = builtInRules(context);
    return { current: () => rules, problem: () => undefined, close() {} };
  }
  return watchRulesFile(config.rulesFile, context, {
    onChange: ({ remarks }) => log.info("rules reloaded", { file: config.rulesFile, remarks }),
    onProblem: ({ problems }) => log.error("rules not reloaded", { file: config.rulesFile, problems }),
  });
}

async function whoAmI(client: BotContext["clients"]["reads"]): Promise<Self> {
  const reply = await client.auth.test();
  const { team_id: teamId, team, user_id: userId, bot_id: botId, url } = reply;
  if (teamId === undefined || userId === undefined || botId === undefined) {
    throw new Error("auth.test names no bot: SLACK_BOT_TOKEN has to be a bot's token (xoxb-).");
  }
  // Only this tells the app; without it deliveries are told from those of others by their workspace alone.
  const appId = await client.bots.info({ bot: botId }).then(
    ({ bot }) => bot?.app_id,
    () => undefined,
  );
  return {
    teamId,
    teamName: team ?? "",
    userId,
    botId,
    url: url ?? "",
    ...(reply.user === undefined ? {} : { name: reply.user }),
    ...(appId === undefined ? {} : { appId }),
  };
}

function inboxFor(
  config: Config,
  { log, now, times }: BotParts,
  {
    store,
    work,
    context,
    onRevoked,
    kinds,
    atOnce,
  }: {
    kinds: readonly TaskKind[];
    /** Tasks at a time. */
    atOnce: number;
    store: Store;
    work: Readonly<Partial<Record<TaskKind, TaskWork>>>;
    context: () => BotContext;
    /** The token is no good any more; told once. */
    onRevoked: (reason: string) => void;
  },
): Inbox {
  let revoked = false;
  const workOf = ({ kind }: Task): TaskWork => {
    const found = work[kind];
    if (found === undefined) throw new Error(`Nobody does tasks of the kind ${kind}.`);
    return found;
  };
  return createInbox({
    store,
    owner: randomUUID(),
    async run(task, tools) {
      // Kept for when somebody has installed the app again and started the bot anew.
      const later = { later: (now ?? Date.now)() + REVOKED_REST_MS };
      if (revoked) return later;
      try {
        return await workOf(task).run(context(), task, tools);
      } catch (error) {
        const reason = revocationIn(error);
        if (reason === undefined) throw error;
        if (!revoked) onRevoked(reason);
        revoked = true;
        return later;
      }
    },
    giveUp: (task, error, tools) => workOf(task).giveUp(context(), task, error, tools),
    onUntold: async (task, error, tools) => workOf(task).untold?.(context(), task, error, tools),
    onError: (error, words, task) =>
      log.warn("task trouble", { error, reason: words, task: task?.id, kind: task?.kind }),
    kinds,
    concurrency: atOnce,
    ...(now === undefined ? {} : { now }),
    ...times,
  });
}

const REVOKED_REST_MS = 3_600_000;

/** The platform's word, where an error says that the bot's token is no good any more. */
function revocationIn(error: unknown): string | undefined {
  if (error instanceof WorkspaceRevoked) return error.code;
  if (platformError(error) === undefined) return undefined;
  const refusal = refusalOf(error, "", 0);
  return refusal.kind === "revoked" ? refusal.code : undefined;
}

function receiverFor(
  context: BotContext,
  logger: Logger,
  now: () => number,
): { receiver: WatchedReceiver; eventUrl: () => string | undefined } {
  const { config, clients, log, metrics } = context;
  if (config.receiver.kind === "http") {
    const receiver = createHttpReceiver({
      signingSecret: config.slack.signingSecret ?? "",
      host: config.receiver.host,
      port: config.receiver.port,
      logger,
      now,
      onRefused(problem) {
        const hint = "its time and this machine's differ by more than five minutes: check this machine's clock";
        log.warn("request refused", { reason: problem === "clock" ? hint : problem });
      },
    });
    return { receiver, eventUrl: () => receiver.url };
  }
  const receiver = createSocketReceiver({
    appToken: config.slack.appToken ?? "",
    sockets: config.receiver.sockets,
    logger,
    clientOptions: clients.boltOptions,
    onConnected: () => metrics.connected(),
    onEventsDropped() {
      metrics.eventsDropped();
      log.warn("events dropped", { reason: "more than 30,000 in an hour" });
    },
    onFatal(reason) {
      log.error("disconnected for good", { reason });
      context.end(new WebAPIPlatformError({ ok: false, error: reason }));
    },
  });
  return { receiver, eventUrl: () => undefined };
}

/** Deliveries of another workspace or app never reach a listener (facts: security T16). */
function guardDeliveries(app: App, { self, log }: BotContext, intake: Intake): void {
  app.use(async ({ body, next }) => {
    if (isForUs({ ...body }, self)) {
      try {
        await next();
      } catch (error) {
        intake.failed(error, body);
        throw error;
      }
    } else log.warn("delivery refused", { reason: "it is for another workspace or app" });
  });
  app.error(async (error) => {
    log.error("listener failed", { error });
    // Thrown on, so that the platform is not told that it was taken.
    throw error;
  });
}

function isForUs(body: Readonly<Record<string, unknown>>, self: Self): boolean {
  const appId = body["api_app_id"];
  if (self.appId !== undefined && typeof appId === "string" && appId !== self.appId) return false;
  const team = body["team"];
  const teams = [
    body["team_id"],
    typeof team === "object" && team !== null ? Reflect.get(team, "id") : undefined,
    ...(Array.isArray(body["authorizations"])
      ? body["authorizations"].map((one: unknown): unknown =>
          typeof one === "object" && one !== null ? Reflect.get(one, "team_id") : undefined,
        )
      : []),
  ].filter((one) => typeof one === "string");
  // Everything of the platform names a workspace; what names none is not of ours.
  return teams.includes(self.teamId);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Deletes what is older than it may get: at once and every hour, by one instance. */
function keepRetention({ config, store, log, now, later }: BotContext): NodeJS.Timeout | undefined {
  if (config.retentionDays === 0) return undefined;
  const forget = async (): Promise<void> => {
    if (!(await store.claimTurn("retention", { now: now(), periodMs: HOUR_MS / 2 }))) return;
    const count = await store.forgetBefore(now() - config.retentionDays * DAY_MS);
    if (count > 0) log.info("forgotten", { count });
  };
  later("forget what is old", forget);
  const timer = setInterval(() => later("forget what is old", forget), HOUR_MS);
  timer.unref();
  return timer;
}

/** Work nobody waits for but the end. */
class Background {
  readonly #running = new Set<Promise<void>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  start(what: string, begin: () => Promise<unknown>): void {
    const work = begin().then(
      () => undefined,
      (error: unknown) => this.#log.warn("background work failed", { reason: what, error }),
    );
    const tracked: Promise<void> = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
