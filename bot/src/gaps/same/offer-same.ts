import type { KnownBlock } from "@slack/types";
import { taskKey } from "@threadlore/inbox";
import { section } from "../../ask/block-kit.ts";
import { onPress, pressedOn, sayInstead } from "../../ask/presses.ts";
import type { QuestionBody } from "../../ask/question.ts";
import type { BotContext, Register } from "../../context.ts";
import { postEphemeral } from "../../post-message.ts";
import { button } from "../../slack/render/answer-actions.ts";
import { mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { tell } from "../../tell.ts";
import type { MaybeGap } from "../book/book-question.ts";
import { acceptGapWork } from "../note-question.ts";

/** A question that was noted, and gaps it may be of. */
interface Offer {
  /** Its task, by which gaps know it. */
  readonly ref: string;
  readonly question: QuestionBody;
  readonly maybe: readonly MaybeGap[];
}

/** `action_id` of the buttons. Their values: the gap's number among those that were offered, and the question's task. */
const SAME = /^gap_same_\d$/;
/** Characters of a question that are shown. */
const SHOWN = 200;

/** What was offered is remembered: a press says which of these, and nothing else. */
const offeredName = (ref: string): string => `same:${ref}`;

/**
 * Asks whoever asked, and nobody else, whether it is one of these questions of others. Words tell alike questions from others only
 * in part; who asked can. Once for each question, and best effort: without it the question waits for itself. Guests, and people of
 * other companies, are not shown what others ask.
 */
export async function offerSame(context: BotContext, { ref, question, maybe }: Offer): Promise<void> {
  const { store, people, log } = context;
  if (maybe.length === 0) return;
  const account = await people.account(question.user);
  if (account?.kind !== "member" && account?.kind !== "admin") return;
  if (!(await store.rememberFirst(offeredName(ref), maybe.map(({ gap }) => gap).join(" ")))) return;
  const { channel, user, threadTs } = question;
  await postEphemeral(context, {
    channel,
    user,
    thread_ts: threadTs,
    text: ASKS,
    blocks: offerBlocks(ref, maybe),
  }).catch((error: unknown) => log.info("nothing alike offered", { task: ref, error }));
}

const ASKS = "Did somebody ask this before you?";

function offerBlocks(ref: string, maybe: readonly MaybeGap[]): KnownBlock[] {
  const rows = maybe.map(({ words, isClosed }, at): KnownBlock => {
    const label = isClosed ? "The same: show its answer" : "The same";
    const said = `“${mrkdwnText(shortened(words, SHOWN))}”${isClosed ? " _(answered)_" : ""}`;
    return { ...section(said), accessory: button(label, `gap_same_${at}`, `${at}:${ref}`) };
  });
  const foot = "If it is none of these, do nothing: yours waits by itself. Only you see this.";
  return [section(`*${ASKS}*`), ...rows, { type: "context", elements: [{ type: "mrkdwn", text: foot }] }];
}

/** Whoever asked says that it is the same. */
export const registerSame: Register = (app, context) => {
  onPress(app, SAME, async ({ ref: value, ...by }) => {
    const [at = "", ref = ""] = value.split(":");
    const press = { ...by, ref };
    const whyNot = () => Promise.resolve("This was asked of somebody else.");
    const found = await pressedOn(context, press, { what: "which question this", whyNot });
    if (found === undefined) return;
    const offered = (await context.store.recall(offeredName(ref)))?.split(" ") ?? [];
    const gap = offered[Number(at)];
    if (gap === undefined) return tell(context, press.channel, press.user, FORGOTTEN, found.question.threadTs);
    const { question } = found;
    const key = taskKey("gap", question, `${ref}-same-${gap}`);
    await acceptGapWork(context, question, key, { do: "same", ref, gap });
    await sayInstead(context, press, THANKS);
  });
};

const FORGOTTEN = "It is too long ago that I asked this. Ask your question again if you still want to know.";
const THANKS =
  "Thank you. You are told here with everybody who asked it: at once if there is an answer, else when there is one.";
