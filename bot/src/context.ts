import type { App } from "@slack/bolt";
import type { OwnAccounts } from "./accounts/accounts.ts";
import type { Config } from "./settings/config.ts";
import type { Inbox, RunResult, Store, Task, TaskTools } from "@threadlore/inbox";
import type { Log } from "./operations/log.ts";
import type { Metrics } from "./operations/metrics.ts";
import type { GapBook } from "./gaps/book/gap-book.ts";
import type { Rules } from "./rules/rules.ts";
import type { Clients } from "./slack/transport/clients.ts";
import type { Pacer } from "./slack/transport/pacing.ts";
import type { ServerWatch } from "./knowledge-server/server-watch.ts";
import type { Servers } from "./knowledge-server/servers.ts";
import type { Self } from "./slack/read/self.ts";
import type { People } from "./slack/read/people.ts";
import type { Tracing } from "@threadlore/tracing";
import type { Turns } from "./ask/question-changes.ts";
import type { Standing } from "./ask/standing.ts";

/** Everything a listener needs. Made once, by `bot.ts`; nothing in it changes but what `rules()` gives. */
export interface BotContext {
  readonly config: Config;
  /** The rules as they are now; the file is reloaded live. */
  readonly rules: () => Rules;
  readonly store: Store;
  readonly inbox: Pick<Inbox, "accept" | "requestStop">;
  /** The turns of this process, for what concerns a question that is being answered. */
  readonly turns: Turns;
  /** What this process showed with buttons below it. */
  readonly standing: Standing;
  readonly clients: Clients;
  /** When what may be called; every post and every read that can be refused for its frequency goes through it. */
  readonly pacer: Pacer;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Where what is done is told in times and kinds, to a collector where one is configured. */
  readonly tracing: Tracing;
  /** For downloads from the platform and its response addresses. */
  readonly fetch: typeof fetch;
  readonly people: People;
  readonly servers: Servers;
  /** Questions nobody could answer, and who waits for them. */
  readonly gaps: GapBook;
  /** Accounts of the knowledge server that people connected. */
  readonly accounts: OwnAccounts;
  /** What is known of the knowledge server and of the keys. */
  readonly serverWatch: ServerWatch;
  readonly self: Self;
  /**
   * Starts work that the listener does not wait for, so that the platform gets its acknowledgement at once; its failure
   * is logged under `what`, and a stopping bot waits for it. For what must survive a restart there is the inbox.
   */
  readonly later: (what: string, work: () => Promise<unknown>) => void;
  /** How long is waited for the platform. */
  readonly patience: Patience;
  /** Nothing can be done any more until a person changes something: whoever runs the bot is told why. */
  readonly end: (why: Error) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How long an answer waits for a platform or a server that does not answer. */
export interface Patience {
  /** How long one call to the platform may take before it counts as lost, milliseconds. Default `CALL_TIMEOUT_MS`. */
  readonly callMs?: number;
  /** Within one attempt, milliseconds. Default as `Delivery` has it. */
  readonly deliveryMs?: number;
  /** After the first attempt, milliseconds; twice as long after each other one, at most ten minutes. Default 5,000. */
  readonly restMs?: number;
  /**
   * What a call may have done that nobody heard of is looked for after each of these, one after the other, milliseconds.
   * Default `LATE_CALLS_MS`.
   */
  readonly lateCallsMs?: readonly number[];
  /** How long a broken answer is looked for on the server, milliseconds. Default as `ask` has it. */
  readonly resumeMs?: number;
  /** How long an answer waits for messages of the workspace, milliseconds; it does without. Default 4,000. */
  readonly messagesMs?: number;
  /** How long is looked for what of an answer is more than everybody may see, milliseconds; default a minute. */
  readonly moreMs?: number;
  /** Pauses before a document that is not found is sent again, milliseconds. Default 30 s, then twice as long, to 30 min. */
  readonly confirm?: { readonly first: number; readonly longest: number };
  /** How often is looked whom to remind of a question, milliseconds; default a minute. */
  readonly remindEveryMs?: number;
  /** How often is looked whether it is time for the digest, milliseconds; default five minutes. */
  readonly digestEveryMs?: number;
  /** From one try to ask people what somebody asks in the side panel to the next, milliseconds; default two minutes. */
  readonly panelAgainMs?: number;
  /** How often is looked whether kept answers still hold, milliseconds; default an hour. */
  readonly stillTrueEveryMs?: number;
  /** When something is said while the knowledge server is silent. Default `SILENCE`. */
  readonly silence?: { readonly slowMs: number; readonly sayMs: readonly number[] };
}

/**
 * A listener: adds itself to the app. `listeners.ts` lists them. A listener that has work of its own gives it to the inbox, so that it survives a restart.
 */
export type Register = (app: App, context: BotContext) => void;

/** How tasks of one kind are done. */
export interface TaskWork {
  /** Does it. Throws what may pass: it is then begun again, from what was saved. */
  run(context: BotContext, task: Task, tools: TaskTools): Promise<RunResult>;
  /** Tells people that it failed for good. */
  giveUp(context: BotContext, task: Task, error: unknown, tools: TaskTools): Promise<void>;
  /** Keeps for who asks later that nobody could be told; `error` says why not. */
  untold?(context: BotContext, task: Task, error: unknown, tools: TaskTools): Promise<void>;
}
