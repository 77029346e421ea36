import { NotFoundError } from "@threadlore/client";
import type { CallRecord, TaskTools } from "@threadlore/inbox";
import { visibleLine } from "@threadlore/ask";
import { placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import { platformError } from "../../slack/read/people.ts";
import { shortened } from "../../slack/render/escape.ts";
import { callMessage } from "../calls/call-message.ts";
import { whyNotAsked } from "../calls/call-person.ts";
import { closestTo, MAX_CHARACTERS } from "../calls/call-question.ts";
import { reminderMoment } from "../calls/call-remind.ts";
import type { CallStep } from "../calls/call-tasks.ts";
import { helpersFor } from "../calls/call-whom.ts";
import { sayOnce } from "../calls/say-once.ts";

/**
 * Somebody wants a person in the side panel: a thread is begun with their words where the rules say so, once, and the server is
 * told. Where nobody can be asked there it waits at the server, and its asker sees that it does.
 */
export async function askForPanel(context: BotContext, work: CallStep<"panel">, tools: TaskTools): Promise<void> {
  const { store, now, log } = context;
  const { task, ask, gap, channel, name } = work;
  const known = await store.findCall(task);
  if (known?.ts !== undefined) return told(context, known, ask);
  const { place, settings } = await placeSettings(context, channel);
  const why = await whyNotAsked(context, place, settings);
  if (place === undefined || why !== undefined) {
    log.warn("nobody called", { channel, reason: why ?? "The bot does not see the channel." });
    return;
  }
  const words = shortened(visibleLine(work.words).trim(), MAX_CHARACTERS);
  const closest = await closestTo(context, { task, words, settings });
  const documents = closest.flatMap(({ id }) => id ?? []);
  const helpers = known?.helpers ?? (await helpersFor(context, place, { asker: "", documents }));
  if (helpers.length === 0) {
    log.warn("nobody called", { channel, reason: "The rules name no helpers there." });
    return;
  }
  const call: CallRecord = {
    task,
    channel,
    by: "",
    asker: "",
    question: words,
    panel: { ask, gap, name },
    // As of every question that was asked elsewhere, its asker is told nothing in the thread.
    private: { channel, named: false },
    helpers,
    closest: closest.map(({ title, link }) => ({ title, link })),
    replies: [],
    state: "open",
    askedAt: now(),
    updatedAt: now(),
  };
  await store.saveCall(call);
  const message = callMessage(call, { keepers: [], visibility: "" });
  const ts = await sayOnce(context, tools, { channel, task, what: "call", since: call.askedAt, ...message });
  const posted = { ...call, ts, thread: ts, remindAt: await reminderMoment(context, helpers, settings) };
  await store.saveCall(posted);
  await told(context, posted, ask);
}

/** Tells the server where it stands; what was withdrawn meanwhile is taken away again. */
async function told(context: BotContext, call: CallRecord, ask: string): Promise<void> {
  const { clients, servers } = context;
  const { channel, ts = "" } = call;
  const { permalink } = await clients.reads.chat.getPermalink({ channel, message_ts: ts }).catch(ifRefused);
  try {
    await servers.ingest.asks.taken(ask, permalink);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    await takeAway(context, call);
  }
}

/** Its asker withdrew it: the message with their words goes, unless it was answered there. */
export async function withdrawPanelCall(context: BotContext, { task, ask }: CallStep<"withdraw">): Promise<void> {
  const call = await context.store.findCall(task);
  if (call !== undefined) await takeAway(context, call);
  await context.servers.ingest.asks.gone(ask);
}

async function takeAway({ clients, store }: BotContext, { task, channel, ts, state }: CallRecord): Promise<void> {
  if (state === "kept") return;
  if (ts !== undefined) await clients.posts.chat.delete({ channel, ts }).catch(ifRefused);
  await store.forgetCall(task);
}

/** What the platform refuses is not there any more. */
function ifRefused(error: unknown): { permalink?: string } {
  if (platformError(error) === undefined) throw error;
  return {};
}
