import { modal, sections } from "../block-kit.ts";
import type { BotContext, Register } from "../../context.ts";
import { placeOf } from "@threadlore/inbox";
import { settingsFor } from "../../rules/rules.ts";
import { LIMITS } from "../../slack/transport/limits.ts";
import { mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { CALLBACKS } from "../../settings/manifest.ts";
import { tell } from "../../tell.ts";
import { ACTIONS, HOW } from "../../slack/render/answer-actions.ts";
import { answerBehind, onPress, type Press } from "../presses.ts";
import { traceFor } from "../question.ts";

/** "Why no answer?" on a message: what was decided about it, step by step, for the person alone. */
export const registerWhy: Register = (app, context) => {
  app.shortcut({ type: "message_action", callback_id: CALLBACKS.whyNoAnswer }, async ({ shortcut, ack }) => {
    await ack();
    const channel = shortcut.channel.id;
    const place = placeOf({ team: context.self.teamId, channel, ts: shortcut.message.ts });
    const otherwise = (): Promise<string[]> => likelyReasons(context, channel, shortcut.message["user"]);
    const press = { user: shortcut.user.id, channel, triggerId: shortcut.trigger_id };
    await showSteps(context, press, { title: "Why no answer?", place, otherwise });
  });
};

/** "How this was answered", in the menu below an answer: the same steps, for whoever may read the answer. */
export const registerHow: Register = (app, context) => {
  onPress(app, ACTIONS.more, async (press) => {
    const at = press.ref.indexOf(":");
    if (press.ref.slice(0, at) !== HOW) return;
    const answer = await answerBehind(context, { ...press, ref: press.ref.slice(at + 1) });
    if (answer === undefined) return;
    await showSteps(context, press, { title: "How this was answered", place: placeOf(answer.question) });
  });
};

/** Opens a page with what was done about a question, and for whoever looks alone; `otherwise`: what to say where nothing is known of it. */
async function showSteps(
  context: BotContext,
  { user, channel, triggerId }: Pick<Press, "user" | "channel" | "triggerId">,
  { title, place, otherwise }: { title: string; place: string; otherwise?: () => Promise<string[]> },
): Promise<void> {
  const reader = await context.people.account(user).catch(() => undefined);
  const { store } = context;
  const [forAll, forThem] = await Promise.all([store.traceOf(place), store.traceOf(traceFor(place, user))]);
  const steps = [...forAll, ...forThem]
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, words }) => `${clock(at, reader?.timezone)}  ${named(words)}`);
  const lines = steps.length > 0 ? steps : ((await otherwise?.()) ?? ["I no longer know how."]).map(named);
  const blocks = sections(lines.map((line) => shortened(line, LIMITS.sectionText - 10)));
  const view = modal({ title }, blocks.slice(0, 90));
  await context.clients.posts.views.open({ trigger_id: triggerId, view }).catch(async (error: unknown) => {
    context.log.warn("trace not shown", { error });
    await tell(context, channel, user, "I could not open the window in time. Please try again.");
  });
}

/** Nothing is known of the message: what can be the cause, the likeliest first. */
async function likelyReasons(context: BotContext, channel: string, author: unknown): Promise<string[]> {
  const { people, rules, self } = context;
  if (author === self.userId) return ["This message is my own. Choose the question instead."];
  const place = await people.place(channel).catch(() => undefined);
  if (place === undefined) {
    return ["I cannot see this channel, so I never got the message. Invite me to it, then ask again."];
  }
  const { listen, follow_ups: followUps } = settingsFor(rules(), { id: channel, kind: place.kind });
  return [
    "I know nothing about this message. One of these is the cause:",
    ...(place.kind === "im" || listen === "eager"
      ? []
      : ["• It does not mention me, and in this channel I answer only when I am mentioned."]),
    ...(followUps === "off" ? ["• It stands in a thread, and in threads here I answer only when I am mentioned."] : []),
    "• It was written before I was in this channel.",
    "• Slack never delivered it to me: I was not running, or the app is not subscribed to messages of this kind of channel. Whoever runs me can find that out.",
    "• It is so old that I have forgotten it.",
    "Mention me and ask again, and I will answer or say why not.",
  ];
}

/** Words in which accounts and channels are called by their names, which the platform puts in the place of ids. */
function named(words: string): string {
  return mrkdwnText(words)
    .replaceAll(/(?<!Reference )\b(?=[A-Z0-9]*\d)([UW][A-Z0-9]{8,})\b/g, "<@$1>")
    .replaceAll(/(?<!Reference )\b(?=[A-Z0-9]*\d)([CG][A-Z0-9]{8,})\b/g, "<#$1>");
}

/** Day, time and zone: the person's own, where the account has one. */
function clock(at: number, timezone = "UTC"): string {
  const options = {
    timeZone: timezone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  } as const;
  try {
    return new Date(at).toLocaleString("en-GB", options);
  } catch {
    return new Date(at).toLocaleString("en-GB", { ...options, timeZone: "UTC" });
  }
}
