import type { BotContext } from "../context.ts";
import { isDirect } from "./question.ts";

/** What people are told who greet the bot or ask what it is for, as mrkdwn. */
export function howToAsk({ self }: Pick<BotContext, "self">, where: Parameters<typeof isDirect>[0]): string {
  return isDirect(where)
    ? [
        "I answer questions from what this company knows, and name my sources. Just write your question here.",
        `In a channel, mention me with it: <@${self.userId}> how do I claim travel expenses? I answer in the thread.`,
      ].join("\n")
    : [
        "I answer questions from what this company knows, and name my sources. Ask like this:",
        `<@${self.userId}> how do I claim travel expenses?`,
        "In the thread you can go on asking, and in a direct message just write.",
      ].join("\n");
}
