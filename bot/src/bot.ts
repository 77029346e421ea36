import { App, type AuthorizeResult } from "@slack/bolt";
import type { ClientOptions } from "@threadlore/client";
import { connectWork } from "./accounts/connect-work.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { watchAccounts } from "./accounts/watch-accounts.ts";
import type { AssistantDoor } from "./assistants/door.ts";
import { questionWork } from "./ask/answer-question.ts";
import type { BotContext, Patience, TaskWork } from "./context.ts";
import { type Inbox, openStore, type TaskKind } from "@threadlore/inbox";
import { createGapBook } from "./gaps/book/gap-book.ts";
import { gapTasks } from "./gaps/gap-tasks.ts";
import { watchPanelAsks } from "./gaps/panel/panel-asks.ts";
import { watchGaps } from "./gaps/look-at-gaps.ts";
import { callWork } from "./gaps/calls/call-work.ts";
import { watchDigest } from "./gaps/digest/watch-digest.ts";
import { watchStillTrue } from "./gaps/still-true/look-still-true.ts";
import { watchReminders } from "./gaps/calls/call-remind.ts";
import { createIntake } from "./inbox/intake.ts";
import { mendWork } from "./inbox/mend.ts";
import { keepRetention } from "./inbox/retention.ts";
import { claimDatabase } from "./inbox/whose-database.ts";
import { type InboxTimes, workInbox, type WorkOptions } from "./inbox/work.ts";
import { tellOfServer } from "./knowledge-server/server-trouble.ts";
import { type ServerWatchTimes, watchServer } from "./knowledge-server/server-watch.ts";
import { createAddress, createServers } from "./knowledge-server/servers.ts";
import { LISTENERS } from "./listeners.ts";
import { NO_TRACING, type Tracing } from "@threadlore/tracing";
import type { Log } from "./operations/log.ts";
import { countRateLimits, createMetrics } from "./operations/metrics.ts";
import { type Condition, type Operations, startOperations } from "./operations/operations.ts";
import { sdkLog } from "./operations/sdk-log.ts";
import { createPins, type PinTimes } from "./pins/pin-tasks.ts";
import { guardDeliveries, receiverFor } from "./receivers.ts";
import { type LiveRules, watchRulesFile } from "./rules/rules-file.ts";
import type { Config } from "./settings/config.ts";
import { createPeople } from "./slack/read/people.ts";
import { whoAmI } from "./slack/read/self.ts";
import { createClients } from "./slack/transport/clients.ts";
import { Pacer } from "./slack/transport/pacing.ts";
import type { ConnectionOptions } from "./slack/transport/socket-connection.ts";
import { WorkspaceRevoked } from "./slack/transport/refusals.ts";
import type { Repeated } from "./time.ts";

/** What people wait for, by kind of task. */
const ASKING = {
  question: questionWork,
  regenerate: questionWork,
  mend: mendWork,
  connect: connectWork,
  call: callWork,
};

/** Messages that are being kept at the same time. */
const KEPT_AT_ONCE = 4;
/** Gaps that are noted, closed and told of at the same time. */
const NOTED_AT_ONCE = 3;

/** What is done again and again beside the listeners. */
const ROUNDS = [keepRetention, watchAccounts, watchGaps, watchPanelAsks, watchReminders, watchStillTrue, watchDigest];

/** What a bot is made of besides its configuration. */
export interface BotParts {
  readonly log: Log;
  /** Where what is done is traced; the bot closes it when it stops. Default: nowhere. */
  readonly tracing?: Tracing;
  /** How the server is reached; default the global one. A test gives the embedded service's own. */
  readonly serverFetch?: ClientOptions["fetch"];
  /** How sockets are opened where a proxy is set. Absent: directly. */
  readonly dispatcher?: ConnectionOptions["dispatcher"];
  /** Milliseconds since 1970; default the machine's. */
  readonly now?: () => number;
  /** Of the inbox; a test has them shorter. */
  readonly times?: InboxTimes;
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

/** Makes the bot: opens its store, learns who it is. Throws StoreError, RulesError, ConfigError, or what the platform said. */
export async function createBot(config: Config, parts: BotParts): Promise<Bot> {
  const { log, now = Date.now } = parts;
  const rules = await watchRulesFile(
    config.rulesFile,
    { dmKey: config.keys.dm !== undefined },
    {
      onChange: ({ remarks }) => log.info("rules reloaded", { file: config.rulesFile, remarks }),
      onProblem: ({ problems }) => log.error("rules not reloaded", { file: config.rulesFile, problems }),
    },
  );
  const store = await openStore(config.database, { clock: now });
  try {
    const { botToken, apiUrl: slackApiUrl } = config.slack;
    const clients = createClients({ botToken, slackApiUrl, logger: sdkLog(log), timeoutMs: parts.patience?.callMs });
    const self = await whoAmI(clients.reads);
    await claimDatabase(store, self);
    return assemble(config, parts, { rules, store, clients, self });
  } catch (error) {
    rules.close();
    await store.close();
    throw error;
  }
}

type Opened = Pick<BotContext, "store" | "clients" | "self"> & { readonly rules: LiveRules };

/** A bot. */
export type Bot = ReturnType<typeof assemble>;

function assemble(config: Config, parts: BotParts, opened: Opened) {
  const { log, drainMs = 20_000 } = parts;
  const { store, rules } = opened;
  const { promise: ended, resolve: end } = Promise.withResolvers<Error>();
  const work = background(log);
  const pins = createPins(() => context, parts.pinTimes);
  let operations: Operations | undefined;
  let assistants: AssistantDoor | undefined;
  let rounds: readonly Repeated[] = [];
  let accepting = false;
  let stopping = false;

  function onRevoked(reason: string): void {
    const todo = "install the app again, set the new token, and start the bot anew";
    log.error("token revoked", { reason: `${reason}: ${todo}` });
    accepting = false;
    work.start("disconnect", () => receiver.stop());
    end(new WorkspaceRevoked(reason));
  }

  const options = { store, context: () => context, onRevoked, clock: parts.now, times: parts.times };
  const { inboxes, inboxOf } = inboxesFor(config, options, pins.work);
  const sockets = () => (config.receiver.kind === "socket" ? receiver.connections : undefined);
  const context: BotContext = contextFor(config, parts, opened, {
    inbox: {
      accept: (task) => inboxOf(task.kind).accept(task),
      requestStop: (partitionKey) => inboxOf("question").requestStop(partitionKey),
    },
    sockets,
    later: work.start,
    end,
  });
  const { receiver, intake } = listen(context, parts);

  return {
    context,
    /** Resolves with why, when Slack wants nothing more of it: the app was uninstalled, a token is no good any more. */
    ended,
    /** Where events are posted, with the HTTP receiver. */
    get eventUrl() {
      return receiver.url;
    },
    /** Health and metrics; undefined: off. */
    get operationsUrl() {
      return operations?.url;
    },
    /** Where Slack's assistant asks; undefined: nowhere. */
    get assistantUrl() {
      return assistants?.url;
    },
    /** Connects; resolves when events arrive. */
    async start(): Promise<void> {
      operations = await openOperations(config, {
        ...context,
        sockets,
        notAccepted: intake.problem,
        accepting: () => accepting,
        rulesProblem: () => rules.problem()?.message,
      });
      context.serverWatch.start();
      for (const inbox of inboxes) inbox.start();
      assistants = await openForAssistants(context);
      await receiver.start();
      // Told to stop while Slack let it wait.
      if (stopping) return;
      accepting = true;
      pins.start();
      rounds = ROUNDS.map((begin) => begin(context));
    },
    /** Takes nothing more, lets what runs end within bounds, and closes everything. What is not done goes on after the next start. */
    async stop(): Promise<void> {
      stopping = true;
      accepting = false;
      context.serverWatch.stop();
      await Promise.all([receiver.stop().catch(() => undefined), assistants?.close()]);
      await drainAll(inboxes, drainMs, log);
      await Promise.all([pins.stop(), ...rounds.map((one) => one.end())]);
      await work.settled();
      await operations?.close();
      rules.close();
      await Promise.all([store.close(), context.tracing.close()]);
    },
  };
}

async function drainAll(inboxes: readonly Inbox[], drainMs: number, log: Log): Promise<void> {
  const drained = await Promise.all(inboxes.map((inbox) => inbox.drain(drainMs)));
  const count = drained.reduce((sum, { handedBack }) => sum + handedBack, 0);
  if (count > 0) log.info("tasks handed back", { count });
}

/** Inboxes by what their tasks wait for, so that a slow server does not stand in the way of a question. */
function inboxesFor({ atOnce }: Config, options: WorkOptions, pins: Partial<Record<TaskKind, TaskWork>>) {
  const questions = workInbox(options, ASKING, atOnce);
  // Servers may take minutes to index a document: a hundred pins at once must not stand in the way of a question.
  const keeping = workInbox(options, pins, KEPT_AT_ONCE);
  const noting = workInbox(options, gapTasks, NOTED_AT_ONCE);
  const inboxOf = (kind: TaskKind): Inbox => (kind in pins ? keeping : kind in gapTasks ? noting : questions);
  return { inboxes: [questions, keeping, noting], inboxOf };
}

/** Everything listeners and tasks need, and the watch over the knowledge server that is part of it. */
function contextFor(
  config: Config,
  { log, now = Date.now, tracing = NO_TRACING, serverTimeouts, watchTimes, patience = {}, ...parts }: BotParts,
  { rules, store, clients, self }: Opened,
  running: Pick<BotContext, "inbox" | "later" | "end"> & { readonly sockets: () => number | undefined },
): BotContext {
  const { sockets, ...given } = running;
  const serverFetch = tracing.wrap(parts.serverFetch ?? fetch);
  const metrics = createMetrics({ backlog: () => store.backlog(), sockets });
  countRateLimits([clients.streaming, clients.posts, clients.reads], metrics);
  const address = createAddress(config, serverFetch);
  const watch = watchServer({
    config,
    address,
    fetch: serverFetch,
    now,
    onChange: (change) => given.later("tell of the server", () => tellOfServer(context, change)),
    times: watchTimes,
  });
  const pacer = new Pacer({ limits: config.streaming.pace, metrics });
  const servers = createServers(config, { address, fetch: serverFetch, admit: watch.admit, timeouts: serverTimeouts });
  const accounts = createAccounts({
    config,
    store,
    team: self.teamId,
    address,
    servers,
    fetch: serverFetch,
    timeouts: serverTimeouts,
    now,
    freshMs: watchTimes?.freshMs,
  });
  const context: BotContext = {
    config,
    rules: () => rules.current(),
    store,
    ...given,
    turns: new Map(),
    standing: new Map(),
    clients,
    pacer,
    log,
    metrics,
    tracing,
    fetch,
    people: createPeople({ clients, pacer, self, now }),
    servers,
    gaps: createGapBook({ servers, store, log, now }),
    accounts,
    serverWatch: watch,
    self,
    patience,
    now,
  };
  return context;
}

async function openOperations({ operationsPort: port }: Config, condition: Condition): Promise<Operations | undefined> {
  return port === undefined ? undefined : startOperations(port, condition);
}

/** Loaded only where it is wanted: most bots are asked by people alone. */
async function openForAssistants(context: BotContext): Promise<AssistantDoor | undefined> {
  const { assistants, slack } = context.config;
  if (assistants === undefined) return undefined;
  const { startAssistantDoor } = await import("./assistants/door.ts");
  return startAssistantDoor({ ...assistants, signingSecret: slack.signingSecret ?? "" }, context);
}

/** Has Bolt hand what the receiver takes in to the listeners. */
function listen(context: BotContext, { dispatcher }: Pick<BotParts, "dispatcher">) {
  const logger = sdkLog(context.log);
  const receiver = receiverFor(context, { logger, dispatcher });
  const intake = createIntake(context);
  const { config, clients, self } = context;
  const { botToken } = config.slack;
  const { botId, userId: botUserId, teamId } = self;
  // Known already; and nothing is asked before an event is kept.
  const authorize = (): Promise<AuthorizeResult> => Promise.resolve({ botToken, botId, botUserId, teamId });
  const app = new App({ receiver, logger, clientOptions: clients.boltOptions, authorize });
  guardDeliveries(app, context, intake);
  for (const register of LISTENERS) register(app, context);
  return { receiver, intake };
}

/** Work nobody waits for but the end. */
function background(log: Log) {
  const running = new Set<Promise<unknown>>();
  return {
    start(what: string, begin: () => Promise<unknown>): void {
      const work: Promise<unknown> = begin()
        .catch((error: unknown) => log.warn("background work failed", { reason: what, error }))
        .finally(() => running.delete(work));
      running.add(work);
    },
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
