import type { KnownBlock, MessageMetadata } from "@slack/types";
import type { BotContext } from "./context.ts";

type Poster = Pick<BotContext, "pacer" | "self" | "clients">;

interface Message {
  readonly channel: string;
  readonly text: string;
  readonly blocks?: KnownBlock[];
  readonly thread_ts?: string;
  readonly metadata?: MessageMetadata;
}

/**
 * Posts a message of the bot's own, when the workspace's pace lets it; its ts. No page is looked up for its links. `hold` is
 * awaited right before the call.
 */
export async function postMessage(
  { pacer, self, clients }: Poster,
  message: Message,
  hold?: () => Promise<void>,
): Promise<string | undefined> {
  const where = { team: self.teamId, method: "chat.postMessage", channel: message.channel };
  const posted = await pacer.call(where, async () => {
    await hold?.();
    return clients.posts.chat.postMessage({ ...message, unfurl_links: false, unfurl_media: false });
  });
  return posted.ts;
}

/** Posts what only this person sees, when the workspace's pace lets it. In a thread without replies nobody would see it. */
export async function postEphemeral(
  { pacer, self, clients }: Poster,
  message: Message & { readonly user: string },
): Promise<void> {
  await pacer.call({ team: self.teamId, method: "chat.postEphemeral", channel: message.channel }, () =>
    clients.posts.chat.postEphemeral({ ...message }),
  );
}
