import type { RunResult } from "@threadlore/inbox";
import { noticeMessage } from "./answer-view.ts";
import type { Turn } from "./turn.ts";
import { platformError } from "../slack/read/people.ts";
import { isDirect } from "./question.ts";
import type { Talk } from "../rules/utterance.ts";
import { withDelivery } from "./visible.ts";

/** What thanks are answered with. */
const NOD = "raised_hands";

/** Answers small talk without asking the server: a reaction, or how to ask. Programs get neither. */
export async function answerTalk(turn: Turn, talk: Talk): Promise<RunResult> {
  if (turn.question.botId !== undefined) return "stayed_out";
  if (talk === "nod") {
    await nod(turn);
    return "done";
  }
  return withDelivery(turn, async (delivery) => {
    if (delivery.already !== undefined) return "done";
    const delivered = await delivery.fail(noticeMessage(howToAsk(turn)));
    return delivered.kind === "gone" ? "gone" : "done";
  });
}

/** A courtesy: where reactions are not allowed, nothing is said. */
async function nod({ context, question, note }: Turn): Promise<void> {
  const { channel, ts, team } = question;
  try {
    await context.pacer.call({ team, method: "reactions.add" }, () =>
      context.clients.posts.reactions.add({ channel, timestamp: ts, name: NOD }),
    );
  } catch (error) {
    const word = platformError(error);
    if (word === undefined) throw error;
    if (word !== "already_reacted") await note(`It could not be answered with a reaction: ${word}.`);
  }
}

/** What people are told who greet the bot or ask what it is for, as mrkdwn. */
function howToAsk({ context: { self }, question }: Turn): string {
  return isDirect(question)
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
