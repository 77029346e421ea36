import { PermissionError, UnsupportedError } from "@threadlore/client";
import * as z from "zod";
import type { BotContext, TaskWork } from "../context.ts";
import type { RunResult, TaskTools } from "../inbox/task-run.ts";
import { dropMessage, failMessage, keepMessage, PinWork, settle } from "./pins.ts";
import { keepingServer } from "./pin-server.ts";
import { placeOf, taskKey } from "../inbox/task-key.ts";
import { settingsFor } from "../rules/rules.ts";
import { tellOperator } from "../knowledge-server/server-trouble.ts";
import type { NewTask, PinRecord, Task } from "../inbox/store/store.ts";

/** Kinds of tasks that are about kept messages. */
export const PIN_KINDS = ["pin", "unpin", "edit", "add"] as const;
/** One of {@link PIN_KINDS}. */
export type PinTaskKind = (typeof PIN_KINDS)[number];

/** Whether a task is about a kept message. */
export function isPinTask({ kind }: Pick<NewTask, "kind">): boolean {
  return PIN_KINDS.some((one) => one === kind);
}

/**
 * A task about a message that is kept or to be kept. All of one message stand in one lane, so that a pin and its unpin
 * never overtake each other. `once` tells apart what can happen to a message several times.
 */
export function pinTask(team: string, kind: PinTaskKind, work: PinWork, once: string): NewTask {
  const message = { team, channel: work.channel, ts: work.ts };
  // One that is to wait has a lane of its own, or everything else about its message would wait with it.
  const lane = work.notBefore === undefined ? "kept" : "kept-later";
  return { key: taskKey(kind, message, once), kind, lane: `${lane}:${placeOf(message)}`, body: work };
}

/** What keeps running beside the listeners: the tasks, reconciling, and watching what was indexed. */
export interface Pins {
  /** Of the kinds pin, unpin, edit and add. */
  readonly work: TaskWork;
  /** Begins to reconcile and to watch: at once, for what happened while nothing ran, and then regularly. */
  start(bot: BotContext): void;
  stop(): Promise<void>;
}

/** Times of what runs by itself, milliseconds. */
export interface PinTimes {
  /** Between two looks at all channels. Default 10 minutes. */
  readonly reconcileEveryMs?: number;
  /** Between two calls of pins.list; 20 a minute are allowed. Default 4,000. */
  readonly spacingMs?: number;
  /** Until the server is first asked whether a document can be found; doubles up to a minute. Default 1,000. */
  readonly watchAfterMs?: number;
  /** Between two looks at what is to be sent again because it was not found. Default 15,000. */
  readonly confirmEveryMs?: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WATCH_AT_MOST_MS = MINUTE;
/** A document not indexed by then is the server's own affair; it stays "accepted". */
const WATCH_FOR_MS = 30 * MINUTE;
/** What failed or waits is tried again when it has lain so long. */
const RETRY_AFTER_MS = 10 * MINUTE;

/** Makes what runs beside the listeners; nothing runs before `start`. */
export function createPins(times: PinTimes = {}): Pins {
  const { reconcileEveryMs = 10 * MINUTE, spacingMs = 4_000, watchAfterMs = 1_000, confirmEveryMs = 15_000 } = times;
  const ended = new AbortController();
  const timers: { reconcile?: NodeJS.Timeout; watch?: NodeJS.Timeout; confirm?: NodeJS.Timeout } = {};
  let confirming: Promise<void> = Promise.resolve();
  let reconciling: Promise<void> = Promise.resolve();
  let watching: Promise<void> = Promise.resolve();
  /** Not every server says what it has indexed; one that does not is not asked after each document. */
  let serverTells = true;

  function watch(bot: BotContext, afterMs: number): void {
    if (ended.signal.aborted || !serverTells) return;
    clearTimeout(timers.watch);
    timers.watch = setTimeout(() => {
      watching = look(bot, afterMs).catch((error: unknown) => bot.log.warn("index not looked at", { error }));
    }, afterMs);
    timers.watch.unref();
  }

  async function look(bot: BotContext, afterMs: number): Promise<void> {
    const found = await lookAtIndex(bot, ended.signal);
    if (found === "waiting") watch(bot, Math.min(WATCH_AT_MOST_MS, 2 * afterMs));
    serverTells = found !== "silent";
  }

  function confirm(bot: BotContext): void {
    timers.confirm = setTimeout(() => {
      confirming = beginDue(bot)
        .catch((error: unknown) => bot.log.warn("unconfirmed not looked at", { error }))
        .finally(() => {
          if (!ended.signal.aborted) confirm(bot);
        });
    }, confirmEveryMs);
    timers.confirm.unref();
  }

  /** `share`: of several instances one does it. */
  function reconcileAll(bot: BotContext, { share, everything }: { share: boolean; everything: boolean }): void {
    reconciling = (async () => {
      const periodMs = Math.floor(reconcileEveryMs * 0.9);
      if (share && !(await bot.store.claimTurn("pins-reconcile", { now: bot.now(), periodMs }))) return;
      for (const channel of await optedInChannels(bot)) {
        if (ended.signal.aborted) return;
        await reconcile(bot, channel, { everything, signal: ended.signal }).catch((error: unknown) =>
          bot.log.warn("pins not reconciled", { channel, error }),
        );
        await rest(spacingMs, ended.signal);
      }
    })()
      .catch((error: unknown) => bot.log.warn("pins not reconciled", { error }))
      .finally(() => {
        if (ended.signal.aborted) return;
        timers.reconcile = setTimeout(() => reconcileAll(bot, { share: true, everything: false }), reconcileEveryMs);
        timers.reconcile.unref();
      });
  }

  return {
    work: {
      async run(bot, task, tools) {
        const result = await runPinTask(bot, task, tools);
        watch(bot, watchAfterMs);
        return result;
      },
      giveUp: (bot, task, error) => failMessage(bot, PinWork.parse(task.body), error, task.kind === "unpin"),
    },
    start(bot) {
      watch(bot, watchAfterMs);
      confirm(bot);
      // Whatever happened while this instance did not run; what another one has seen meanwhile costs a look, no more.
      reconcileAll(bot, { share: false, everything: true });
    },
    async stop() {
      ended.abort();
      clearTimeout(timers.reconcile);
      clearTimeout(timers.watch);
      clearTimeout(timers.confirm);
      await Promise.all([reconciling, watching, confirming]);
    },
  };
}

/** Begins with what the server took, nobody found there, and has rested for long enough. */
async function beginDue(bot: BotContext): Promise<void> {
  for (const pin of await bot.store.pinsDue(bot.now())) {
    const work = { channel: pin.channel, ts: pin.ts, moment: pin.moment ?? 0, certain: true };
    await bot.inbox.accept(pinTask(bot.self.teamId, "edit", work, `confirm:${pin.due}`));
  }
}

async function runPinTask(bot: BotContext, task: Task, { attempt, signal }: TaskTools): Promise<RunResult> {
  const work = PinWork.parse(task.body);
  const { notBefore, ...due } = work;
  if (notBefore !== undefined) {
    if (bot.now() < notBefore) return { later: notBefore };
    await bot.inbox.accept(pinTask(bot.self.teamId, "edit", due, `due:${notBefore}`));
    return "done";
  }
  const run = { attempt, signal };
  if (task.kind === "unpin") return dropMessage(bot, work, run);
  return keepMessage(bot, task.kind === "pin" || task.kind === "add" ? task.kind : "edit", work, run);
}

/** Channels the bot is in whose rules keep pins. Rejects as the platform does. */
async function optedInChannels(bot: BotContext): Promise<string[]> {
  const channels: string[] = [];
  let cursor: string | undefined;
  do {
    const reply = await bot.clients.reads.users.conversations({
      types: "public_channel,private_channel,mpim",
      exclude_archived: true,
      limit: 200,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { id, is_private: hidden } of reply.channels ?? []) {
      const kind = hidden === true ? "private" : "public";
      if (id !== undefined && settingsFor(bot.rules(), { id, kind }).pins.who !== "off") channels.push(id);
    }
    cursor = reply.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
  return channels;
}

/** A pin as `pins.list` has it. */
const ListedPin = z.object({
  type: z.literal("message"),
  created: z.number().default(0),
  created_by: z.string().optional(),
  message: z.object({
    ts: z.string(),
    user: z.string().optional(),
    edited: z.object({ ts: z.string() }).optional(),
  }),
});

/** What reconciling found to do. */
export interface Reconciled {
  /** Messages pinned now. */
  readonly pinned: number;
  /** Of what was found missing: new tasks, by their keys. */
  readonly begun: readonly string[];
}

/**
 * Compares a channel's pins with what is kept, and begins what is missing by the same way as the events. `everything`:
 * failed and waiting ones at once, not only those that lay for a while. Rejects as the platform does.
 */
export async function reconcile(
  bot: BotContext,
  channel: string,
  { everything = false, signal }: { everything?: boolean; signal?: AbortSignal } = {},
): Promise<Reconciled> {
  const { store, self, inbox } = bot;
  // First what is known, then the list: what was pinned in between is in the list, and nothing new looks unpinned.
  const known = new Map((await store.pinsOf(channel)).map((pin) => [pin.ts, pin]));
  const reply = await bot.pacer.call(
    { team: self.teamId, method: "pins.list", channel },
    () => bot.clients.reads.pins.list({ channel }),
    signal && { signal },
  );
  const listed = (reply.items ?? []).flatMap((one: unknown) => ListedPin.safeParse(one).data ?? []);
  const begun: string[] = [];
  const begin = async (kind: PinTaskKind, work: PinWork, once: string): Promise<boolean> => {
    const task = pinTask(self.teamId, kind, work, once);
    const isNew = await inbox.accept(task);
    if (isNew) begun.push(task.key);
    return isNew;
  };
  // A pin that was refused leaves nothing behind; the rules may have changed since.
  const late = Math.floor(bot.now() / (everything ? MINUTE : 60 * MINUTE));
  for (const { message, created, created_by: by } of listed) {
    const pin = known.get(message.ts);
    const work = { channel, ts: message.ts, ...(by !== undefined && { by }), moment: created * 1_000, certain: true };
    if (pin === undefined) {
      if (!(await begin("pin", work, `${created}`))) await begin("pin", work, `${created}:late:${late}`);
    } else if (pin.state === "tombstone") {
      await begin("pin", work, `${created}:again:${pin.updatedAt}`);
    } else if (isDue(pin, bot.now(), everything)) {
      await begin(pin.how === "added" ? "add" : "pin", { ...work, by: pin.by }, `retry:${pin.updatedAt}`);
    } else if (pin.state === "accepted" || pin.state === "indexed") {
      // Edits tell themselves; replies, names and whatever else was missed are looked at once a day.
      const once = message.edited === undefined ? "" : message.edited.ts;
      await begin("edit", { channel, ts: message.ts, moment: pin.moment ?? 0 }, `seen:${once}:${dayOf(bot.now())}`);
    }
    known.delete(message.ts);
  }
  for (const pin of known.values()) {
    const work = { channel, ts: pin.ts, by: pin.by, moment: pin.moment ?? 0, certain: true };
    if (pin.state === "tombstone") {
      // Long after its events could still come in any order, nothing needs to be known of it.
      if (pin.updatedAt < bot.now() - 30 * DAY) await store.forgetPin(channel, pin.ts);
      continue;
    }
    if (pin.how !== "added") await begin("unpin", work, `missing:${pin.updatedAt}`);
    else if (isDue(pin, bot.now(), everything)) await begin("add", work, `retry:${pin.updatedAt}`);
    else if (pin.state !== "unconfirmed")
      await begin("edit", { channel, ts: pin.ts, moment: pin.moment ?? 0 }, `seen::${dayOf(bot.now())}`);
  }
  return { pinned: listed.length, begun };
}

const dayOf = (at: number): number => Math.floor(at / DAY);

function isDue(pin: PinRecord, now: number, everything: boolean): boolean {
  // It has its own times; where they passed without anything done, as while the bot was not in the channel, it is late.
  if (pin.state === "unconfirmed") return everything || (pin.due ?? 0) < now - RETRY_AFTER_MS;
  if (pin.state !== "failed" && pin.state !== "waiting") return false;
  return everything || pin.updatedAt < now - RETRY_AFTER_MS;
}

/**
 * Asks the server which accepted documents can be found by now. `waiting`: ask again; `silent`: this server does not
 * tell, so that what it took stays "accepted".
 */
async function lookAtIndex(bot: BotContext, signal: AbortSignal): Promise<"waiting" | "settled" | "silent"> {
  const recent = (pin: PinRecord) => pin.state === "accepted" && pin.updatedAt > bot.now() - WATCH_FOR_MS;
  const accepted = (await bot.store.allPins()).filter(recent);
  let found: "waiting" | "settled" | "silent" = "settled";
  for (const [pair, pins] of Map.groupBy(accepted, (pin) => pin.pair)) {
    const listed = await documentsOf(bot, pair);
    if (listed === undefined) return "silent";
    for (const pin of pins) {
      const document = listed.get(pin.serverId ?? pin.documentId);
      if (document !== undefined && document["status"] === undefined) return "silent";
      if (document?.["status"] === "pending") found = "waiting";
      if (!(await settleBy(bot, pin, document ?? {}, signal))) found = "waiting";
    }
  }
  return found;
}

type Listed = Readonly<Record<string, unknown>>;

/** Documents of a pair by id; undefined: the server does not list them, or not to this key. */
async function documentsOf(
  bot: BotContext,
  pair: number | undefined,
): Promise<ReadonlyMap<string, Listed> | undefined> {
  const { deployment } = keepingServer(bot.servers);
  try {
    const listed = await deployment.documents(pair === undefined ? {} : { pairId: pair });
    return new Map(listed.map((document) => [document.document_id, document]));
  } catch (error) {
    if (error instanceof UnsupportedError || error instanceof PermissionError) return undefined;
    throw error;
  }
}

const NOT_INDEXED = "The knowledge server could not read it.";

/** False: its state could not be shown yet, so it is to be looked at again. */
async function settleBy(
  bot: BotContext,
  pin: PinRecord,
  { status, failure }: Listed,
  signal: AbortSignal,
): Promise<boolean> {
  if (status !== "indexed" && status !== "failed") return true;
  const now = await bot.store.findPin(pin.channel, pin.ts);
  if (now?.state !== "accepted" || now.hash !== pin.hash) return true;
  if (status === "indexed") return settle(bot, now, { state: status }, signal);
  const settled = await settle(bot, now, { state: status, reason: NOT_INDEXED }, signal);
  // The server's own words are for whoever runs the bot.
  if (settled && typeof failure === "string") await tellOperator(bot, now, failure.slice(0, 300));
  return settled;
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
