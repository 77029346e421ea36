import * as z from "zod";
import { section } from "../block-kit.ts";
import { type AnswerBehind, answerBehind, onPress, placeSettings, type Press } from "../presses.ts";
import { postMessage } from "../../post-message.ts";
import type { BotContext, Register } from "../../context.ts";
import { ACTIONS, button } from "../../slack/render/answer-actions.ts";
import { tell } from "../../tell.ts";

const RESOLVE = "help_resolve";
/** A second press within this counts as the same. */
const TURN_MS = 15_000;

/** A call for help, as it is kept. */
const Call = z.object({
  ts: z.string(),
  by: z.string(),
  state: z.enum(["open", "resolved"]),
  resolvedBy: z.string().optional(),
});
type Call = z.infer<typeof Call>;

/** "Ask a person": calls the helpers of the channel's rules into the thread, until somebody marks it resolved. */
export const registerHelp: Register = (app, context) => {
  onPress(app, ACTIONS.human, (press) => context.later("call for help", () => called(context, press)));
  onPress(app, RESOLVE, (press) => context.later("resolve a call for help", () => resolved(context, press)));
};

async function called(context: BotContext, press: Press): Promise<void> {
  const { store, now } = context;
  const answer = await answerBehind(context, press);
  if (answer === undefined) return;
  const { channel, user } = press;
  const say = (words: string): Promise<void> => tell(context, channel, user, words);
  const { place, settings } = await placeSettings(context, channel);
  const { helpers } = settings;
  if (place?.kind === "im") return say(inDirectMessage(helpers));
  if (helpers.length === 0) return say(NOBODY);
  const known = await callOf(context, answer.taskId);
  if (known?.state === "resolved") return say("This was resolved; ask again if it is not.");
  const turn = { now: now(), periodMs: TURN_MS };
  if (known !== undefined || !(await store.claimTurn(`help:${answer.taskId}`, turn))) return say(CALLED);
  try {
    const thread_ts = answer.question.threadTs;
    const ts = (await postMessage(context, { channel, thread_ts, ...openCall(answer, helpers, user) })) ?? "";
    await keepCall(context, answer.taskId, { ts, by: user, state: "open" });
  } catch (error) {
    context.log.warn("nobody called", { channel, error });
    await say(NOT_CALLED);
  }
}

const CALLED = "They have been called already.";
const NOT_CALLED = "I could not call anybody: Slack did not take my message. Press it again in a moment.";
const NOBODY =
  "Nobody is named as a helper for this channel. Ask in the channel, or have whoever runs me add `helpers` to its rules.";

function inDirectMessage(helpers: readonly string[]): string {
  const whom = helpers.length === 0 ? "" : ` There are ${helpers.length} people or groups to be called there.`;
  return `Nobody but you and me reads along here. Ask in a channel, and I can call somebody into the thread.${whom}`;
}

/** Mentions are built from the ids of the rules alone, never from anything written. */
const mentionOf = (id: string): string => (id.startsWith("S") ? `<!subteam^${id}>` : `<@${id}>`);

function openCall({ taskId, question }: AnswerBehind, helpers: readonly string[], user: string) {
  const about = user === question.user ? "their question" : `the question of <@${question.user}>`;
  const text = `${helpers.map(mentionOf).join(" ")}: <@${user}> needs a human for ${about} in this thread.`;
  const resolve = { type: "actions" as const, elements: [button("Mark as resolved", RESOLVE, taskId)] };
  return { text, blocks: [section(`:raising_hand: ${text}`), resolve] };
}

async function resolved(context: BotContext, press: Press): Promise<void> {
  const { clients, pacer, self } = context;
  const answer = await answerBehind(context, press);
  if (answer === undefined) return;
  const call = await callOf(context, answer.taskId);
  if (call === undefined || call.ts === "" || call.state === "resolved") return;
  const { channel, user } = press;
  const text = `:white_check_mark: <@${user}> marked this as resolved. It was <@${call.by}> who asked for a human.`;
  await keepCall(context, answer.taskId, { ...call, state: "resolved", resolvedBy: user });
  await pacer.call({ team: self.teamId, method: "chat.update", channel }, () =>
    clients.posts.chat.update({ channel, ts: call.ts, text, blocks: [section(text)] }),
  );
}

async function callOf({ store }: BotContext, taskId: string): Promise<Call | undefined> {
  const kept = await store.recall(`help:${taskId}`);
  return kept === undefined ? undefined : Call.parse(JSON.parse(kept));
}

async function keepCall({ store }: BotContext, taskId: string, call: Call): Promise<void> {
  await store.remember(`help:${taskId}`, JSON.stringify(call));
}
