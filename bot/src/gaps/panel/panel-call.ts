import { NotFoundError } from "@threadlore/client";
import type { CallRecord, RunResult, TaskTools } from "@threadlore/inbox";
import { visibleLine } from "@threadlore/ask";
import { placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import { isMember } from "../../pins/pin-notices.ts";
import { platformError } from "../../slack/read/people.ts";
import { shortened } from "../../slack/render/escape.ts";
import { beginCall, type NewCall } from "../calls/call-begin.ts";
import { whyNotAsked } from "../calls/call-person.ts";
import { closestTo, MAX_CHARACTERS } from "../calls/call-question.ts";
import type { CallStep } from "../calls/call-tasks.ts";
import { helpersFor } from "../calls/call-whom.ts";
import { isWanted, type NobodyThere, waitOn } from "./panel-wait.ts";

/**
 * Somebody wants a person in the side panel: a thread is begun with their words where the rules say so by now, once, and the
 * server is told. Where nobody can be asked there it waits, and its asker sees that it does.
 */
export async function askForPanel(context: BotContext, work: CallStep<"panel">, tools: TaskTools): Promise<RunResult> {
  const { store } = context;
  const known = await store.findCall(work.task);
  if (known?.ts !== undefined) return told(context, known, work.ask);
  // Nothing was shown yet, so nothing is if its asker withdrew it meanwhile, or somebody wrote it down.
  if (known === undefined && !(await isWanted(context, work))) return "done";
  const channel = known?.channel ?? context.rules().panelQuestions;
  const call = known ?? (channel === undefined ? undefined : await callIn(context, channel, work));
  if (call === undefined || "why" in call) return waitOn(context, work, call);
  const { settings } = await placeSettings(context, call.channel);
  const begun = await beginCall(context, tools, call, { settings, what: "call" });
  if (!("refused" in begun)) return told(context, begun, work.ask);
  // Of a call that an earlier run began nobody knows whether it stands there.
  if (known === undefined) await store.forgetCall(work.task);
  const why = `Slack does not let me write there (\`${begun.refused}\`).`;
  return waitOn(context, work, { channel: call.channel, why });
}

/** What is asked in the channel, and of whom; else why nobody can be asked there. */
async function callIn(
  context: BotContext,
  channel: string,
  { task, ask, gap, words: asked, name }: CallStep<"panel">,
): Promise<NewCall | NobodyThere> {
  const place = await context.people.place(channel, { fresh: true });
  // What is replied in a channel that it is not in the bot never hears.
  if (place === undefined || !(await isMember(context.clients.reads, channel, context.self.userId))) {
    return { channel, why: "I am not in it. Invite me to it." };
  }
  const { settings } = await placeSettings(context, channel);
  const why = await whyNotAsked(context, place, settings);
  if (why !== undefined) return { channel, why };
  const words = shortened(visibleLine(asked).trim(), MAX_CHARACTERS);
  const closest = await closestTo(context, { task, words, settings });
  const documents = closest.flatMap(({ id }) => id ?? []);
  const helpers = await helpersFor(context, place, { asker: "", documents });
  if (helpers.length === 0) return { channel, why: "The rules name no `helpers` there who could answer." };
  return {
    task,
    channel,
    by: "",
    asker: "",
    question: words,
    panel: { ask, gap, name },
    // As of every question that was asked elsewhere, its asker is told nothing in the thread.
    private: { channel, named: false },
    helpers,
    closest,
  };
}

/** Tells the server where it stands; what was withdrawn meanwhile is taken away again. */
async function told(context: BotContext, call: CallRecord, ask: string): Promise<"done"> {
  const { clients, servers } = context;
  const { channel, ts = "" } = call;
  const { permalink } = await clients.reads.chat.getPermalink({ channel, message_ts: ts }).catch(ifRefused);
  try {
    await servers.ingest.asks.taken(ask, permalink);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    await takeAway(context, call);
  }
  return "done";
}

/** Its asker withdrew it: the message with their words goes, unless it was answered there. */
export async function withdrawPanelCall(context: BotContext, { task, ask }: CallStep<"withdraw">): Promise<"done"> {
  const call = await context.store.findCall(task);
  if (call !== undefined) await takeAway(context, call);
  await context.servers.ingest.asks.gone(ask);
  return "done";
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
