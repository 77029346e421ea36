import type { State, StoredChannel, StoredFile, StoredMessage } from "./state.ts";
import type { User } from "./workspace.ts";

/** Where a message can be read, as `chat.getPermalink` answers it. */
export function permalinkOf(state: State, message: Pick<StoredMessage, "channel" | "ts" | "threadTs">): string {
  const address = `${state.url}/archives/${message.channel}/p${message.ts.replace(".", "")}`;
  if (message.threadTs === undefined || message.threadTs === message.ts) return address;
  return `${address}?thread_ts=${message.threadTs}&cid=${message.channel}`;
}

/** A message as history, events and interactions hold it. */
export function messageObject(
  state: State,
  message: StoredMessage,
  options: { metadata?: boolean } = {},
): Record<string, unknown> {
  const { app } = state;
  const team = state.users.get(message.user)?.teamId ?? state.team.id;
  return {
    type: "message",
    ...(message.subtype !== undefined && { subtype: message.subtype }),
    user: message.user,
    ...(message.botId !== undefined && {
      bot_id: message.botId,
      app_id: app.appId,
      bot_profile: { id: app.botId, app_id: app.appId, name: app.name, deleted: false, team_id: state.team.id },
    }),
    ...message.look,
    text: message.text,
    ts: message.ts,
    team,
    // Only what comes from another company says so.
    ...(team !== state.team.id && { user_team: team, source_team: team }),
    ...(message.threadTs !== undefined && threadFields(state, message, message.threadTs)),
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(message.attachments.length > 0 && { attachments: message.attachments }),
    ...(message.files.length > 0 && { files: filesOf(state, message) }),
    ...(message.edited !== undefined && { edited: message.edited }),
    ...(message.reactions.length > 0 && {
      reactions: message.reactions.map(({ name, users }) => ({ name, users: [...users], count: users.length })),
    }),
    ...(message.pin !== undefined && {
      pinned_to: [message.channel],
      pinned_info: { channel: message.channel, pinned_by: message.pin.by, pinned_ts: message.pin.at },
    }),
    ...(message.metadata !== undefined && options.metadata === true && { metadata: message.metadata }),
    ...repliesOf(state, message),
  };
}

function threadFields(state: State, message: StoredMessage, threadTs: string): Record<string, unknown> {
  if (threadTs === message.ts) return { thread_ts: threadTs };
  const parent = state.messagesIn(message.channel).find((one) => one.ts === threadTs);
  return { thread_ts: threadTs, ...(parent !== undefined && { parent_user_id: parent.user }) };
}

function repliesOf(state: State, message: StoredMessage): Record<string, unknown> {
  // Only roots have replies; threads may hold very many.
  if (message.threadTs !== undefined && message.threadTs !== message.ts) return {};
  const replies = state.readable(message.channel).filter((one) => one.threadTs === message.ts && one.ts !== message.ts);
  const latest = replies.at(-1);
  if (latest === undefined) return {};
  const users = [...new Set(replies.map((one) => one.user))];
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users: users,
    reply_users_count: users.length,
    latest_reply: latest.ts,
  };
}

/** Files of a channel shared with another company come as a stub: `files.info` has the rest. */
function filesOf(state: State, message: StoredMessage): Record<string, unknown>[] {
  return message.files.flatMap((id) => {
    const file = state.files.get(id);
    if (file === undefined) return [];
    if (state.channels.get(message.channel)?.shared !== "yes") return [fileObject(state, file)];
    return [{ id, created: file.created, mode: "file_access", file_access: "check_file_info" }];
  });
}

/** A file as `files.info` answers it. */
export function fileObject(state: State, file: StoredFile): Record<string, unknown> {
  const place = `${state.url}/files/${state.team.id}-${file.id}`;
  const name = encodeURIComponent(file.name);
  const extension = file.name.includes(".") ? (file.name.split(".").at(-1) ?? "") : "";
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: extension.toLowerCase() || "binary",
    pretty_type: extension.toUpperCase() || "Binary",
    user: file.user,
    user_team: state.users.get(file.user)?.teamId ?? state.team.id,
    mode: "hosted",
    editable: false,
    size: file.content?.byteLength ?? 0,
    is_external: false,
    is_public: [...file.channels].some((id) => state.channels.get(id)?.kind === "public"),
    channels: [...file.channels].filter((id) => state.channels.get(id)?.kind === "public"),
    groups: [...file.channels].filter((id) => ["private", "mpim"].includes(state.channels.get(id)?.kind ?? "")),
    ims: [...file.channels].filter((id) => state.channels.get(id)?.kind === "im"),
    url_private: `${place}/${name}`,
    url_private_download: `${place}/download/${name}`,
    permalink: `${place}`,
    file_access: "visible",
  };
}

/** A channel as `conversations.info` answers it. */
export function channelObject(state: State, channel: StoredChannel): Record<string, unknown> {
  const base = {
    id: channel.id,
    created: channel.created,
    is_archived: channel.archived,
    context_team_id: state.team.id,
    is_im: channel.kind === "im",
  };
  if (channel.kind === "im") {
    const other = [...channel.members].find((id) => id !== state.app.botUserId);
    return { ...base, user: other ?? state.app.botUserId, is_org_shared: false, is_user_deleted: false, priority: 0 };
  }
  return {
    ...base,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === "public",
    is_group: channel.kind === "private",
    is_mpim: channel.kind === "mpim",
    is_private: channel.kind !== "public",
    is_general: channel.name === "general",
    is_member: channel.members.has(state.app.botUserId),
    is_shared: channel.shared === "yes",
    is_ext_shared: channel.shared === "yes",
    is_pending_ext_shared: channel.shared === "pending",
    is_org_shared: false,
    shared_team_ids: [state.team.id],
    topic: { value: "", creator: "", last_set: 0 },
    purpose: { value: "", creator: "", last_set: 0 },
    num_members: channel.members.size,
  };
}

/** An account as `users.info` answers it. */
export function userObject(state: State, user: User, options: { email: boolean }): Record<string, unknown> {
  return {
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    deleted: user.deactivated,
    real_name: user.realName,
    tz: "Etc/UTC",
    tz_label: "Coordinated Universal Time",
    tz_offset: 0,
    profile: {
      real_name: user.realName,
      // As people see them called.
      display_name: user.realName === "" ? user.name : user.realName,
      team: user.teamId,
      ...(options.email && user.email !== undefined && { email: user.email }),
      ...(user.kind === "bot" && { api_app_id: state.app.appId, bot_id: state.app.botId }),
    },
    is_admin: user.kind === "admin",
    is_owner: false,
    is_primary_owner: false,
    is_restricted: user.kind === "guest" || user.kind === "single_channel_guest",
    is_ultra_restricted: user.kind === "single_channel_guest",
    is_bot: user.kind === "bot",
    is_stranger: user.kind === "stranger",
    is_app_user: false,
    is_email_confirmed: user.kind !== "bot",
    updated: 0,
  };
}
