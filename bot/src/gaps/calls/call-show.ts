import type { CallRecord, PinRecord, TaskTools } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { visibilityWords } from "../../pins/visibility.ts";
import { markdownOf } from "@threadlore/documents/slack";
import { platformError } from "../../slack/read/people.ts";
import { readOne } from "../../slack/read/replies.ts";
import { shortened } from "../../slack/render/escape.ts";
import { closeGap, closeGapOf, gapOfQuestion, reopenGap } from "../tell-askers.ts";
import { decideKeep } from "../keep/keep-rules.ts";
import { callMessage } from "./call-message.ts";
import type { CallStep } from "./call-tasks.ts";
import { sayOnce } from "./say-once.ts";

/** Brings the message that asks up to date, and where its answer can be found now, tells whoever asked, once. */
export async function showCall(context: BotContext, work: CallStep<"show">, tools: TaskTools): Promise<void> {
  const known = await context.store.findCall(work.task);
  if (known?.ts === undefined) return;
  const pin = known.keeps === undefined ? undefined : await context.store.findPin(known.channel, known.keeps);
  const call = pin?.state === "tombstone" ? await reopened(context, known) : known;
  const isFound =
    call.state === "kept" && (pin?.state === "indexed" || (pin?.state === "accepted" && work.taken === true));
  await update(context, call, { pin, isFound });
  if (!isFound || pin === undefined || call.toldAt !== undefined) return;
  await tellAsker(context, call, pin, tools);
  const closing = await closingBy(context, pin);
  const options = {
    // Whoever asked in this thread has just been told; a private question stands in another place, and is told of there.
    ...(call.private === undefined && { except: { channel: call.channel, thread: call.thread ?? "" } }),
    once: `${pin.ts}-${pin.moment ?? 0}`,
  };
  if (call.panel === undefined) await closeGapOf(context, call.task, closing, options);
  else await closeGap(context, call.panel.gap, closing, options);
  await context.store.saveCall({ ...call, toldAt: context.now(), updatedAt: context.now() });
}

/** What everybody who waits is told of. */
async function closingBy(
  context: BotContext,
  { channel, ts, documentId, serverId, title, permalink = "", by }: PinRecord,
) {
  const message = await readOne({ bot: context, channel }, ts).catch(() => undefined);
  const beginning = message === undefined ? "" : await markdownOf(message.words, context.people);
  return {
    documentId: serverId ?? documentId,
    title,
    permalink,
    owner: by,
    ...(beginning.trim() !== "" && { beginning: shortened(beginning.trim(), MAX_BEGINNING) }),
  };
}

/** Characters of an answer that others are told. */
const MAX_BEGINNING = 300;

/** Its answer is gone, so it is asked again. */
async function reopened(context: BotContext, call: CallRecord): Promise<CallRecord> {
  const { store, now } = context;
  const open: CallRecord = { ...call, state: "open", keeps: undefined, toldAt: undefined, updatedAt: now() };
  await store.saveCall(open);
  if (call.keeps !== undefined) await store.forgetKeptAnswer(call.channel, call.keeps);
  const gap = call.panel?.gap ?? (await gapOfQuestion(context, call.task));
  if (gap !== undefined && call.toldAt !== undefined) await reopenGap(context, gap, `${call.keeps}-${call.toldAt}`);
  return open;
}

/** Writes the message anew, from what is known now. What is not there any more is left. */
export async function update(
  context: BotContext,
  call: CallRecord,
  { pin, isFound = false }: { readonly pin?: PinRecord | undefined; readonly isFound?: boolean } = {},
): Promise<void> {
  const { people, clients, pacer, self, rules, config } = context;
  const { channel, ts } = call;
  if (ts === undefined) return;
  const place = await people.place(channel);
  if (place === undefined) return;
  const keepers: { user: string; name: string }[] = [];
  let pair = config.pair;
  for (const { user } of call.replies) {
    const account = await people.account(user);
    const who = { id: user, kind: account?.kind ?? ("unknown" as const) };
    const decision = decideKeep(rules(), { channel: place, user: who, isHelper: true, under: call.under });
    if (decision.kind === "refuse") continue;
    pair = decision.pair ?? pair;
    keepers.push({ user, name: account?.name ?? user });
  }
  const visibility = visibilityWords(place, pair ?? null);
  const { text, blocks } = callMessage(call, { kept: pin, keepers, visibility, kind: place.kind, isFound });
  await pacer
    .call({ team: self.teamId, method: "chat.update", channel }, () =>
      clients.posts.chat.update({ channel, ts, text, blocks }),
    )
    .catch((error: unknown) => {
      if (platformError(error) === undefined) throw error;
      context.log.warn("call not shown", { channel, ts, error });
    });
}

/** In the thread where they asked. */
async function tellAsker(context: BotContext, call: CallRecord, pin: PinRecord, tools: TaskTools): Promise<void> {
  const { task, asker, by, channel, thread = "" } = call;
  // They are told with everybody who waits, where they asked.
  if (call.private !== undefined) return;
  const whom = [...new Set([asker, by])].filter((id) => id !== pin.by && id !== "");
  if (whom.length === 0) return;
  const text = `${whom.map((id) => `<@${id}>`).join(" ")}: <@${pin.by}> answered this. It is kept: whoever asks me next finds it.`;
  await sayOnce(context, tools, { channel, thread, task, what: `told ${pin.ts}`, since: call.askedAt, text });
}

/** Says something about a call to its asker, where nobody else reads. Best effort: they may not take messages of apps. */
export async function postPrivately(
  context: BotContext,
  tools: TaskTools,
  { asker, task, askedAt }: CallRecord,
  { what, text }: { readonly what: string; readonly text: string },
): Promise<void> {
  // Whoever asked in the side panel is told there; others wanted to be forgotten.
  if (asker === "") return;
  try {
    const { channel } = await context.clients.posts.conversations.open({ users: asker });
    if (channel?.id !== undefined)
      await sayOnce(context, tools, { channel: channel.id, task, what, since: askedAt, text });
  } catch (error) {
    if (platformError(error) === undefined) throw error;
    context.log.warn("asker not told", { task, error });
  }
}
