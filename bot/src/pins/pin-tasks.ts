import { delay } from "@threadlore/client/delay";
import type { BotContext, TaskWork } from "../context.ts";
import type { RunResult, Task, TaskTools } from "@threadlore/inbox";
import { Repeated } from "../time.ts";
import { dropMessage } from "./drop-document.ts";
import { lookAtIndex } from "./index-watch.ts";
import { failMessage } from "./pin-progress.ts";
import { keepMessage } from "./pin-to-document.ts";
import { beginPinTask, type PinTaskKind, PinWork } from "./pin-work.ts";
import { optedInChannels, reconcile } from "./reconcile.ts";

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
const MAX_WATCH_MS = MINUTE;

/** Makes what runs beside the listeners; nothing runs before `start`. */
export function createPins(bot: () => BotContext, times: PinTimes = {}) {
  const { reconcileEveryMs = 10 * MINUTE, spacingMs = 4_000, watchAfterMs = 1_000, confirmEveryMs = 15_000 } = times;
  const orTell = (words: string, error: unknown): undefined => void bot().log.warn(words, { error });
  /** Not every server says what it has indexed; one that does not is not asked after each document. */
  let serverTells = true;
  let watchMs = watchAfterMs;
  const watch = new Repeated(async (signal) => {
    const found = await lookAtIndex(bot(), signal).catch((error: unknown) => orTell("index not looked at", error));
    serverTells = found !== "silent";
    watchMs = Math.min(MAX_WATCH_MS, 2 * watchMs);
    return found === "waiting" ? watchMs : undefined;
  });
  const confirm = new Repeated(async () => {
    await beginDue(bot()).catch((error: unknown) => orTell("unconfirmed not looked at", error));
    return confirmEveryMs;
  });
  // Whatever happened while this instance did not run; what another one has seen meanwhile costs a look, no more.
  let isFirst = true;
  /** All channels, one after the other; but for the first time one of several instances does it. */
  async function reconcileAll(signal: AbortSignal): Promise<void> {
    const everything = isFirst;
    isFirst = false;
    const { store, now, log } = bot();
    const turn = { now: now(), periodMs: Math.floor(reconcileEveryMs * 0.9) };
    if (!everything && !(await store.claimTurn("pins-reconcile", turn))) return;
    for (const channel of await optedInChannels(bot())) {
      if (signal.aborted) return;
      await reconcile(bot(), channel, { everything, signal }).catch((error: unknown) =>
        log.warn("pins not reconciled", { channel, error }),
      );
      await delay(spacingMs, signal);
    }
  }
  const reconciling = new Repeated(async (signal) => {
    await reconcileAll(signal).catch((error: unknown) => orTell("pins not reconciled", error));
    return reconcileEveryMs;
  });
  const lookSoon = (): void => {
    watchMs = watchAfterMs;
    if (serverTells) watch.begin(watchMs);
  };
  const work: TaskWork = {
    async run(context, task, tools) {
      const result = await runPinTask(context, task, tools);
      lookSoon();
      return result;
    },
    giveUp: (context, task, error) => failMessage(context, PinWork.parse(task.body), error, task.kind === "unpin"),
  };
  return {
    work: { pin: work, unpin: work, edit: work, add: work } satisfies Record<PinTaskKind, TaskWork>,
    /** Begins to reconcile and to watch: at once, for what happened while nothing ran, and then regularly. */
    start(): void {
      lookSoon();
      confirm.begin(confirmEveryMs);
      reconciling.begin(0);
    },
    stop: () => Promise.all([watch.end(), confirm.end(), reconciling.end()]),
  };
}

/** Begins with what the server took, nobody found there, and has rested for long enough. */
async function beginDue(bot: BotContext): Promise<void> {
  for (const { channel, ts, moment = 0, due } of await bot.store.pinsDue(bot.now())) {
    await beginPinTask(bot, "edit", { channel, ts, moment, certain: true }, `confirm:${due}`);
  }
}

async function runPinTask(bot: BotContext, task: Task, tools: TaskTools): Promise<RunResult> {
  const work = PinWork.parse(task.body);
  const { notBefore, ...due } = work;
  if (notBefore !== undefined) {
    if (bot.now() < notBefore) return { later: notBefore };
    await beginPinTask(bot, "edit", due, `due:${notBefore}`);
    return "done";
  }
  if (task.kind === "unpin") return dropMessage(bot, work, tools);
  return keepMessage(bot, task.kind === "pin" || task.kind === "add" ? task.kind : "edit", work, tools);
}
