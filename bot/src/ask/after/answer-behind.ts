import type { BotContext } from "../../context.ts";
import type { QuestionBody } from "../question.ts";
import { type Press, questionBehind } from "../presses.ts";
import { type AskingKey, settingsFor } from "../../rules/rules.ts";
import type { Account } from "../../slack/read/people.ts";
import { tell } from "../../pins/pin-notices.ts";
import { progressOf } from "../turn.ts";

/** What a button below an answer is about. */
export interface AnswerBehind {
  readonly taskId: string;
  readonly question: QuestionBody;
  /** The key it was asked with. */
  readonly key: AskingKey;
  /** The server's number of the answer; absent where it gave none. */
  readonly messageId?: number;
  readonly byAsker: boolean;
}

/**
 * The answer a button belongs to, if this person may have a say in it: whoever asked, and else whoever of the channel
 * may read its answers. Others are told why not, or, where it was forged, nothing.
 */
export async function answerBehind(
  context: BotContext,
  { user, channel, ref }: Pick<Press, "user" | "channel" | "ref">,
): Promise<AnswerBehind | undefined> {
  const { people, rules } = context;
  const behind = await questionBehind(context, ref);
  if (behind === undefined) {
    await tell(context, channel, user, "I no longer know which answer this was about. Please ask again.");
    return undefined;
  }
  const { task, question } = behind;
  const byAsker = user === question.user;
  if (channel !== question.channel || (question.private && !byAsker)) return undefined;
  if (!byAsker) {
    const place = await people.place(channel);
    const settings = settingsFor(rules(), { id: channel, kind: place?.kind ?? "private" });
    if (!mayRead(await people.account(user), settings)) {
      await tell(context, channel, user, "Only members of this workspace can do this.");
      return undefined;
    }
  }
  const { key = "channel", conversation } = progressOf(task.progress);
  const messageId = conversation?.messageId;
  return { taskId: task.id, question, key, byAsker, messageId };
}

function mayRead(account: Account | undefined, { guests, slackConnect }: ReturnType<typeof settingsFor>): boolean {
  switch (account?.kind) {
    case "guest":
      return guests === "allow";
    case "stranger":
      return slackConnect === "allow";
    case undefined:
    case "bot":
      return false;
    default:
      return true;
  }
}
