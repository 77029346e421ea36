import type { AuthorView, ChannelView, MessageView, ModalView, Place, View } from "../page/view.ts";
import type { Workspace } from "../running-workspace.ts";
import type { Channel, Message, User } from "../workspace.ts";

/** Everything one person sees at a place. What the place does not say, or says wrongly, is chosen: the first there is. */
export function viewOf(workspace: Workspace, place: Place): View {
  const people = workspace.people();
  const person = people.find(({ user }) => user.id === place.as) ?? people[0];
  if (person === undefined) throw new RangeError("Nobody has an account in this workspace yet.");
  const me = person.user;
  const direct = workspace.dmOf(me.id);
  const seen = [...workspace.channels().filter((channel) => isSeenBy(channel, me)), direct];
  const channel = seen.find(({ id }) => id === place.channel) ?? seen[0] ?? direct;
  const appUser = workspace.app;
  const app: AuthorView = { id: appUser.botUserId, name: workspace.app.name, kind: "bot" };
  const named = new Map<string, AuthorView>([
    [app.id, app],
    ...people.map(({ user }) => [user.id, authorOf(user)] as const),
  ]);
  const drawn = (message: Message, ephemeral = false): MessageView =>
    messageView({ workspace, message, me, named, ephemeral });
  const only = person.ephemerals(channel.id);
  const home = place.home === true ? person.home() : undefined;
  const modal = person.modals().at(-1);
  return {
    team: workspace.team.name,
    app: { ...app, connected: workspace.sockets() > 0 },
    me: authorOf(me),
    people: people.map(({ user }) => authorOf(user)),
    channels: seen.map((one) => channelView(one, workspace, me, app)),
    channel: channelView(channel, workspace, me, app),
    messages: inOrder([
      ...workspace.messages(channel.id).map((message) => drawn(message)),
      ...only.filter(({ threadTs }) => threadTs === undefined).map((message) => drawn(message, true)),
    ]),
    prompts: channel.kind === "im" ? workspace.prompts(channel.id) : [],
    ...threadView(workspace, channel, place.thread, only, drawn),
    ...(home !== undefined && { home: blocksOf(home["blocks"]) }),
    ...(modal !== undefined && { modal: modalView(modal) }),
    commands: workspace.offers.commands,
    messageShortcuts: workspace.offers.shortcuts.filter(({ type }) => type === "message"),
    globalShortcuts: workspace.offers.shortcuts.filter(({ type }) => type === "global"),
  };
}

function threadView(
  workspace: Workspace,
  channel: Channel,
  ts: string | undefined,
  only: readonly Message[],
  drawn: (message: Message, ephemeral?: boolean) => MessageView,
): Pick<View, "thread"> {
  if (ts === undefined) return {};
  const messages = workspace.messages(channel.id, ts).map((message) => drawn(message));
  if (messages.length === 0) return {};
  const session = workspace.session(channel.id, ts);
  return {
    thread: {
      ts,
      messages: inOrder([
        ...messages,
        ...only.filter(({ threadTs }) => threadTs === ts).map((message) => drawn(message, true)),
      ]),
      ...(session !== undefined && { session }),
    },
  };
}

function inOrder(messages: MessageView[]): MessageView[] {
  return messages.toSorted((one, other) => Number(one.ts) - Number(other.ts));
}

function isSeenBy(channel: Channel, user: User): boolean {
  if (channel.kind === "im") return false;
  if (channel.members.includes(user.id)) return true;
  return channel.kind === "public" && (user.kind === "member" || user.kind === "admin");
}

function authorOf(user: User): AuthorView {
  return { id: user.id, name: user.realName === "" ? user.name : user.realName, kind: user.kind };
}

function channelView(channel: Channel, workspace: Workspace, me: User, app: AuthorView): ChannelView {
  return {
    id: channel.id,
    name: channel.kind === "im" ? app.name : channel.name,
    kind: channel.kind,
    archived: channel.archived,
    shared: channel.shared !== "no",
    member: channel.kind === "im" || channel.members.includes(me.id),
    latest: workspace.messages(channel.id).at(-1)?.ts ?? "",
  };
}

function messageView(of: {
  workspace: Workspace;
  message: Message;
  me: User;
  named: ReadonlyMap<string, AuthorView>;
  ephemeral: boolean;
}): MessageView {
  const { workspace, message, me, named, ephemeral } = of;
  const { channel, ts, text, blocks, edited, pinned, stream, user } = message;
  const isRoot = message.threadTs === undefined || message.threadTs === ts;
  return {
    channel,
    ts,
    author: named.get(user) ?? { id: user, name: user, kind: "member" },
    text,
    blocks,
    edited,
    pinned,
    ephemeral,
    mine: user === me.id && !ephemeral,
    replies: isRoot && !ephemeral ? Math.max(0, workspace.messages(channel, ts).length - 1) : 0,
    files: message.files.map((id) => ({ id, name: workspace.file(id)?.name ?? id })),
    reactions: message.reactions.map(({ name, users }) => ({
      name,
      count: users.length,
      mine: users.includes(me.id),
    })),
    ...(stream !== undefined && { stream }),
  };
}

function modalView(modal: Readonly<Record<string, unknown>> & { readonly id: string }): ModalView {
  const words = (value: unknown): string =>
    typeof value === "object" && value !== null && "text" in value ? String(value.text) : "";
  return {
    id: modal.id,
    title: words(modal["title"]),
    submit: words(modal["submit"]),
    close: words(modal["close"]) || "Cancel",
    blocks: blocksOf(modal["blocks"]),
  };
}

function blocksOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value : [];
}

/** What a person typed, as the platform stores it: the three characters escaped, the app's name made a mention. */
export function typedText(workspace: Workspace, text: string): { text: string; mentionsApp: boolean } {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const name = `@${workspace.app.name}`;
  const at = escaped.toLowerCase().indexOf(name.toLowerCase());
  if (at < 0) return { text: escaped, mentionsApp: false };
  const mention = `<@${workspace.app.botUserId}>`;
  return { text: `${escaped.slice(0, at)}${mention}${escaped.slice(at + name.length)}`, mentionsApp: true };
}
