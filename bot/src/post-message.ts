import type { BotContext } from "./context.ts";
import type { KnownBlock } from "@slack/types";

/** Posts a message of the bot's own, when the workspace's pace lets it; its ts. No page is looked up for its links. */
export async function postMessage(
  { pacer, self, clients }: Pick<BotContext, "pacer" | "self" | "clients">,
  message: { channel: string; text: string; blocks?: KnownBlock[]; thread_ts?: string },
): Promise<string | undefined> {
  const posted = await pacer.call({ team: self.teamId, method: "chat.postMessage", channel: message.channel }, () =>
    clients.posts.chat.postMessage({ ...message, unfurl_links: false, unfurl_media: false }),
  );
  return posted.ts;
}
