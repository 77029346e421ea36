import { App, type AuthorizeResult, type Logger } from "@slack/bolt";
import type { ClientOptions } from "@threadlore/client";
import { questionWork } from "./ask/answer-question.ts";
import { Turns } from "./ask/turn.ts";
import type { BotContext, Patience } from "./context.ts";
import { type Inbox, openStore, type Store } from "@threadlore/inbox";
import { createIntake, type Intake } from "./inbox/intake.ts";
import { mendWork } from "./inbox/mend.ts";
import { keepRetention } from "./inbox/retention.ts";
import { type InboxTimes, workInbox } from "./inbox/work.ts";
import { tellOfServer } from "./knowledge-server/server-trouble.ts";
import { type ServerWatch, type ServerWatchTimes, watchServer } from "./knowledge-server/server-watch.ts";
import { createAddress, createServers } from "./knowledge-server/servers.ts";
import { LISTENERS } from "./listeners.ts";
import { countRateLimits } from "./operations/counting.ts";
import type { Log } from "./operations/log.ts";
import { createMetrics } from "./operations/metrics.ts";
import { type Operations, startOperations } from "./operations/operations.ts";
import { sdkLog } from "./operations/sdk-log.ts";
import { createPins, type Pins, type PinTimes } from "./pins/pin-tasks.ts";
import { isPinTask, PIN_KINDS } from "./pins/pin-work.ts";
import { guardDeliveries, receiverFor } from "./receivers.ts";
import { type LiveRules, watchRulesFile } from "./rules/rules-file.ts";
import type { Config } from "./settings/config.ts";
import { secretsOf } from "./settings/secrets.ts";
import { createPeople } from "./slack/read/people.ts";
import { type Self, whoAmI } from "./slack/read/self.ts";
import { createClients } from "./slack/transport/clients.ts";
import { Pacer } from "./slack/transport/pacing.ts";
import type { WatchedReceiver } from "./slack/transport/receiver.ts";
import { WorkspaceRevoked } from "./slack/transport/refusals.ts";
import type { Repeated } from "./time.ts";

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

/** Makes the bot: opens its store, learns who it is. Throws StoreError, RulesError, or what the platform said. */
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
    const clients = createClients({
      botToken: config.slack.botToken,
      slackApiUrl: config.slack.apiUrl,
      logger: sdkLog(log),
    });
    const self = await whoAmI(clients.reads);
    return new Bot(config, parts, { rules, store, clients, self });
  } catch (error) {
    rules.close();
    await store.close();
    throw error;
  }
}

/** What listeners are given, and how its watch over the server is begun and ended. */
type RunningContext = BotContext & { readonly serverWatch: ServerWatch };

interface Opened {
  readonly rules: LiveRules;
  readonly store: Store;
  readonly clients: BotContext["clients"];
  readonly self: Self;
}

/** A bot. */
export class Bot {
  readonly context: RunningContext;
  /** Resolves with why, when Slack wants nothing more of it: the app was uninstalled, a token is no good any more. */
  readonly ended: Promise<Error>;
  readonly #parts: BotParts;
  readonly #rules: LiveRules;
  readonly #background: Background;
  readonly #inboxes: readonly Inbox[];
  readonly #pins: Pins;
  readonly #intake: Intake;
  readonly #receiver: WatchedReceiver;
  readonly #eventUrl: () => string | undefined;
  #operations: Operations | undefined;
  #retention: Repeated | undefined;
  #accepting = false;
  #stopping = false;

  constructor(config: Config, parts: BotParts, opened: Opened) {
    const { store, rules } = opened;
    const { promise, resolve } = Promise.withResolvers<Error>();
    this.ended = promise;
    this.#parts = parts;
    this.#rules = rules;
    this.#background = new Background(parts.log);
    const context = (): BotContext => this.context;
    this.#pins = createPins(context, parts.pinTimes);
    const { work } = this.#pins;
    const options = {
      store,
      work: {
        question: questionWork,
        regenerate: questionWork,
        mend: mendWork,
        pin: work,
        unpin: work,
        edit: work,
        add: work,
      },
      context,
      onRevoked: (reason: string) => this.#revoked(reason),
      clock: parts.now,
      times: parts.times,
    };
    const questions = workInbox(options, ["question", "regenerate", "mend"], config.atOnce);
    // Servers may take minutes to index a document: a hundred pins at once must not stand in the way of a question.
    const keeping = workInbox(options, PIN_KINDS, KEPT_AT_ONCE);
    this.#inboxes = [questions, keeping];
    this.context = contextFor(config, parts, opened, {
      inbox: {
        accept: (task) => (isPinTask(task) ? keeping : questions).accept(task),
        requestStop: (partitionKey) => questions.requestStop(partitionKey),
      },
      sockets: () => this.#sockets(),
      later: (what, begin) => this.#background.start(what, begin),
      end: resolve,
    });
    const logger = sdkLog(parts.log);
    const { receiver, eventUrl } = receiverFor(this.context, logger);
    this.#receiver = receiver;
    this.#eventUrl = eventUrl;
    this.#intake = createIntake(this.context);
    const app = boltApp(this.context, receiver, logger);
    guardDeliveries(app, this.context, this.#intake);
    for (const register of LISTENERS) register(app, this.context);
  }

  /** Where events are posted, with the HTTP receiver. */
  get eventUrl(): string | undefined {
    return this.#eventUrl();
  }

  /** Health and metrics; undefined: off. */
  get operationsUrl(): string | undefined {
    return this.#operations?.url;
  }

  /** Connects; resolves when events arrive. */
  async start(): Promise<void> {
    const { config, store, metrics } = this.context;
    if (config.operationsPort !== undefined) {
      this.#operations = await startOperations(config.operationsPort, {
        sockets: () => this.#sockets(),
        database: () => store.check(),
        notAccepted: () => this.#intake.problem(),
        backlog: () => store.backlog(),
        accepting: () => this.#accepting,
        rulesProblem: () => this.#rules.problem()?.message,
        server: () => this.context.serverWatch.condition(),
        metrics,
      });
    }
    this.context.serverWatch.start();
    for (const inbox of this.#inboxes) inbox.start();
    await this.#receiver.start();
    // Told to stop while Slack let it wait.
    if (this.#stopping) return;
    this.#accepting = true;
    this.#pins.start();
    this.#retention = keepRetention(this.context);
  }

  /** Takes nothing more, lets what runs end within bounds, and closes everything. What is not done goes on after the next start. */
  async stop(): Promise<void> {
    const { log, drainMs = 20_000 } = this.#parts;
    this.#stopping = true;
    this.#accepting = false;
    this.context.serverWatch.stop();
    await this.#receiver.stop().catch(() => undefined);
    const drained = await Promise.all(this.#inboxes.map((inbox) => inbox.drain(drainMs)));
    const count = drained.reduce((sum, { handedBack }) => sum + handedBack, 0);
    if (count > 0) log.info("tasks handed back", { count });
    await Promise.all([this.#pins.stop(), this.#retention?.end()]);
    await this.#background.settled();
    await this.#operations?.close();
    this.#rules.close();
    await this.context.store.close();
  }

  #sockets(): number | undefined {
    return this.context.config.receiver.kind === "socket" ? this.#receiver.connections : undefined;
  }

  #revoked(reason: string): void {
    const { log, end } = this.context;
    log.error("token revoked", {
      reason: `${reason}: install the app again, set the new token, and start the bot anew`,
    });
    this.#accepting = false;
    this.#background.start("disconnect", () => this.#receiver.stop());
    end(new WorkspaceRevoked(reason));
  }
}

/** Everything listeners and tasks need, and the watch over the knowledge server that is part of it. */
function contextFor(
  config: Config,
  { log, now = Date.now, serverFetch, serverTimeouts, watchTimes, patience = {} }: BotParts,
  { rules, store, clients, self }: Opened,
  running: Pick<BotContext, "inbox" | "later" | "end"> & { readonly sockets: () => number | undefined },
): RunningContext {
  const { inbox, later, end, sockets } = running;
  const metrics = createMetrics({ backlog: () => store.backlog(), sockets });
  countRateLimits([clients.streaming, clients.posts, clients.reads], metrics);
  const reached = { server: config.server, fetch: serverFetch };
  const address = createAddress(reached);
  const watch = watchServer({
    ...reached,
    config,
    address,
    now,
    without: (text) => secretsOf(config).without(text),
    onChange: (change) => later("tell of the server", () => tellOfServer(context, change)),
    times: watchTimes,
  });
  const admit = (key: string): Promise<void> => watch.admit(key);
  const pacer = new Pacer({ limits: config.streaming.pace, metrics });
  const { teamId } = self;
  const context: RunningContext = {
    config,
    rules: () => rules.current(),
    store,
    inbox,
    turns: new Turns(),
    clients,
    pacer,
    log,
    metrics,
    fetch,
    people: createPeople(clients.reads, {
      teamId,
      now,
      paced: (method, call) => pacer.call({ team: teamId, method }, call),
    }),
    servers: createServers(config, { ...reached, address, admit, timeouts: serverTimeouts }),
    serverWatch: watch,
    self,
    later,
    patience,
    end,
    now,
  };
  return context;
}

function boltApp({ config, clients, self }: BotContext, receiver: WatchedReceiver, logger: Logger): App {
  const { botToken } = config.slack;
  const { botId, userId: botUserId, teamId } = self;
  // Known already; and nothing is asked before an event is kept.
  const authorize = (): Promise<AuthorizeResult> => Promise.resolve({ botToken, botId, botUserId, teamId });
  return new App({ receiver, logger, clientOptions: clients.boltOptions, authorize });
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
