import type { UsersConversationsResponse } from "@slack/web-api";
import type { Clients } from "../transport/clients.ts";

/** A channel as a list of channels has it. */
type ListedChannel = NonNullable<UsersConversationsResponse["channels"]>[number];

/** As many as the platform gives at once: a bot can be in thousands. */
const AT_ONCE = 999;

/** All channels of these types, but archived ones, that a person is in; without `user`: that the bot is in. Rejects as the platform does. */
export async function channelsWith(
  { clients }: { readonly clients: Clients },
  whose: { readonly user?: string; readonly types: string },
): Promise<ListedChannel[]> {
  const channels: ListedChannel[] = [];
  let cursor: string | undefined;
  do {
    const reply = await clients.reads.users.conversations({ ...whose, exclude_archived: true, limit: AT_ONCE, cursor });
    channels.push(...(reply.channels ?? []));
    cursor = reply.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
  return channels;
}
