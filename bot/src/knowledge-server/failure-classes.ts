import { type Answer, askerWords, failureCause } from "@threadlore/ask";
import { dateMarkup } from "../slack/render/sources.ts";

/**
 * What is said of the failure of an answer where others than administrators read, in mrkdwn: what happened, and what to
 * do, once; a moment in the reader's own time zone. What the server said of it, addresses and advice for whoever runs
 * the bot go to the log, the channel for administrators, and their Home.
 */
export function publicWords(answer: Pick<Answer, "status" | "failure">): string {
  const retryAt = dateMarkup(answer.failure?.retryAt);
  const cause = failureCause(answer);
  if (retryAt === undefined || (cause !== "limit" && cause !== "busy")) return askerWords(answer);
  return `Too much has been asked for now. Ask again after ${retryAt}.`;
}
