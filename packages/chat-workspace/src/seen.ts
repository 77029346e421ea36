import { shownText } from "./messages/shown.ts";
import { planTitle, settleStream, streamOrder } from "./messages/stream.ts";
import type { State, StoredChannel, StoredMessage } from "./state.ts";
import type { Channel, Message } from "./workspace.ts";

/** A message as people see it now; later changes do not reach it. */
export function seenBy(state: State, message: StoredMessage): Message {
  settleStream(state, message);
  const { ts, channel, threadTs, user, botId, text, metadata, stream } = message;
  return {
    ts,
    channel,
    threadTs,
    user,
    botId,
    text,
    blocks: structuredClone(message.blocks),
    metadata: structuredClone(metadata),
    edited: message.edited !== undefined,
    deleted: message.deleted,
    files: [...message.files],
    reactions: message.reactions.map(({ name, users }) => ({ name, users: [...users] })),
    pinned: message.pin !== undefined,
    entities: structuredClone(message.entities),
    stream: stream && {
      state: stream.state,
      tasks: structuredClone(stream.tasks),
      order: streamOrder(stream),
      ...(stream.display === "plan" && { plan: planTitle(stream) }),
    },
    shown: shownText(message),
  };
}

/** A channel as it is now. */
export function channelNow({ id, name, kind, members, archived, shared }: StoredChannel): Channel {
  return { id, name, kind, members: [...members], archived, shared };
}
