import type { KnownBlock, ModalView } from "@slack/types";
import * as z from "zod";
import type { RunResult, TaskTools, WaitingQuestion } from "@threadlore/inbox";
import { modal, plainText, section } from "../../ask/block-kit.ts";
import { placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import { settingsFor } from "../../rules/rules.ts";
import { channelsWith } from "../../slack/read/channels.ts";
import { literalText, mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { tellMarkup } from "../../tell.ts";
import { wordsOf } from "../asked-words.ts";
import { beginCall, NOT_TAKEN } from "../calls/call-begin.ts";
import { whyNotAsked } from "../calls/call-person.ts";
import { closestTo, documentsAround } from "../calls/call-question.ts";
import { helpersFor } from "../calls/call-whom.ts";

/** The form by which an administrator has people asked what nobody has written down. */
export const SOMEBODY_VIEW = "digest_somebody";
export const SOMEBODY_FIELDS = { place: "somebody_place", person: "somebody_person" } as const;
/** What it carries. */
export const CarriedGap = z.object({ gap: z.string(), channel: z.string() });

/** What a task does that asks people. `person`: whom; absent: the channel's helpers. */
export const CallWork = z.object({
  do: z.literal("call"),
  gap: z.string(),
  ref: z.string(),
  channel: z.string(),
  person: z.string().optional(),
  by: z.string(),
  from: z.string(),
});

const MAX_CHANNELS = 100;

/** A shared question of a gap that nobody was asked yet. */
export async function questionToAsk({ store }: BotContext, gap: string): Promise<WaitingQuestion | undefined> {
  for (const waiting of await store.waitingIn(gap)) {
    if (!waiting.isShared || waiting.toldAt !== undefined) continue;
    if ((await store.findCall(waiting.ref))?.ts === undefined) return waiting;
  }
  return undefined;
}

/** Opens it. */
export async function openSomebody(context: BotContext, trigger_id: string, carried: z.infer<typeof CarriedGap>) {
  const { views } = context.clients.posts;
  const opened = await views.open({ trigger_id, view: notice("One moment, please.") });
  if (opened.view?.id !== undefined)
    await views.update({ view_id: opened.view.id, view: await viewFor(context, carried) });
}

const notice = (words: string): ModalView => modal({ title: "Ask somebody" }, [section(words)]);

async function viewFor(context: BotContext, carried: z.infer<typeof CarriedGap>): Promise<ModalView> {
  const question = await questionToAsk(context, carried.gap);
  if (question === undefined) return notice("People were asked this already, or nobody waits for it any more.");
  const channels = await channelsThatKeep(context);
  if (channels.length === 0) return notice("No channel that I am in names helpers (`helpers`) or keeps pins (`pins`).");
  const words = await wordsOf(context, question.ref);
  const options = channels
    .slice(0, MAX_CHANNELS)
    .map(({ id, name }) => ({ text: plainText(`#${shortened(literalText(name), 70)}`), value: id }));
  const { place, person } = SOMEBODY_FIELDS;
  const blocks: KnownBlock[] = [
    section(`> ${mrkdwnText(shortened(words, 600))}`),
    {
      type: "input",
      block_id: place,
      label: plainText("Where it is asked"),
      element: { type: "static_select", action_id: place, options, initial_option: options[0] },
    },
    {
      type: "input",
      block_id: person,
      optional: true,
      label: plainText("Whom"),
      hint: plainText("Leave it empty to ask the helpers of that channel."),
      element: { type: "users_select", action_id: person },
    },
  ];
  const head = { title: "Ask somebody", submit: "Ask", close: "Cancel", callback_id: SOMEBODY_VIEW };
  return modal({ ...head, private_metadata: JSON.stringify(carried) }, blocks);
}

/** Channels the bot is in, whose rules let an answer be kept. */
async function channelsThatKeep(context: BotContext): Promise<readonly { id: string; name: string }[]> {
  const ours = await channelsWith(context, { types: "public_channel,private_channel" });
  return ours.flatMap(({ id = "", name = "", is_private: hidden, is_ext_shared: shared }) => {
    const settings = settingsFor(context.rules(), { id, kind: hidden === true ? "private" : "public" });
    const keeps = settings.helpers.length > 0 || settings.pins.who !== "off";
    return keeps && (shared !== true || settings.slack_connect === "allow") ? [{ id, name }] : [];
  });
}

/** Asks: a thread is begun there, and goes on as every call does; who waits is told by the gap's end. */
export async function askSomebody(
  context: BotContext,
  { gap, ref, channel, person, by, from }: z.infer<typeof CallWork>,
  tools: TaskTools,
): Promise<RunResult> {
  const { store } = context;
  const say = (words: string): Promise<void> => tellMarkup(context, { channel: from, user: by }, words);
  const known = await store.findCall(ref);
  if (known?.ts !== undefined) {
    await say(`This was asked already, in <#${known.channel}>.`);
    return "done";
  }
  const { place, settings } = await placeSettings(context, channel);
  const why = await whyNotAsked(context, place, settings);
  const waiting = await store.findWaiting(ref);
  const words = await wordsOf(context, ref);
  if (place === undefined || why !== undefined || waiting?.isShared !== true || words === "") {
    await say(why ?? "Nobody waits for this any more.");
    return "stayed_out";
  }
  const closest = await closestTo(context, { task: ref, words, settings });
  const documents = await documentsAround(context, ref, closest);
  const chosen = person === undefined ? await helpersFor(context, place, { asker: by, documents }) : [person];
  const helpers = known?.helpers ?? chosen;
  if (helpers.length === 0) {
    await say("Nobody is named as a helper there. Choose a person.");
    return "stayed_out";
  }
  const call = {
    task: ref,
    channel,
    by,
    // Whoever asked is not named: they are told with everybody who waits, where they asked.
    asker: by,
    question: words,
    helpers,
    closest,
  };
  const begun = await beginCall(context, tools, call, { settings, what: `call ${gap}` });
  const isRefused = "refused" in begun;
  await say(isRefused ? NOT_TAKEN : `I asked in <#${channel}>.`);
  return isRefused ? "failed" : "done";
}
