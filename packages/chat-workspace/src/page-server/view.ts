import { fieldsOf, isObject } from "../fields.ts";
import { descriptionOf, titleOf, updatedOf } from "../lookups/work-objects.ts";
import type { Place } from "../page/view.ts";
import type { Workspace } from "../running-workspace.ts";
import type { Channel, Message, User } from "../workspace.ts";

/** Everything one person sees, as one JSON value: the server makes it, the page only draws it. */
export type View = ReturnType<typeof viewOf>;

/** A person or the app, as the page names them. */
export type AuthorView = ReturnType<typeof authorOf>;

/** A channel as one person sees it; `name` is the other's for a direct conversation. */
export type ChannelView = ReturnType<typeof channelView>;

/** A message as one person sees it. */
export type MessageView = ReturnType<typeof messageView>;

/** A Work Object below a message. */
export type PreviewView = ReturnType<typeof previewView>;

/** A dialog of the app. */
export type ModalView = ReturnType<typeof modalView>;

/** Everything one person sees at a place. What the place does not say, or says wrongly, is chosen: the first there is. */
export function viewOf(workspace: Workspace, place: Place) {
  const people = workspace.people();
  const person = people.find(({ user }) => user.id === place.as) ?? people[0];
  if (person === undefined) throw new RangeError("Nobody has an account in this workspace yet.");
  const me = person.user;
  const direct = workspace.dmOf(me.id);
  const seen = [...workspace.channels().filter((channel) => isSeenBy(channel, me)), direct];
  const channel = seen.find(({ id }) => id === place.channel) ?? seen[0] ?? direct;
  const { commands, shortcuts } = workspace.offers;
  const authors = people.map(({ user }) => authorOf(user));
  const app: AuthorView = { id: workspace.app.botUserId, name: workspace.app.name, kind: "bot" };
  const only = person.ephemerals(channel.id);
  /** Messages for everybody, and among them those for this person alone, of the channel or of one thread. */
  const drawn = (threadTs?: string): MessageView[] => {
    const draw = (message: Message, ephemeral: boolean): MessageView =>
      messageView(workspace, message, me, [app, ...authors], ephemeral);
    return [
      ...workspace.messages(channel.id, threadTs).map((message) => draw(message, false)),
      ...only.filter((message) => message.threadTs === threadTs).map((message) => draw(message, true)),
    ].toSorted((one, other) => Number(one.ts) - Number(other.ts));
  };
  const { thread } = place;
  const hasThread = thread !== undefined && workspace.messages(channel.id, thread).length > 0;
  const home = place.home === true ? person.home() : undefined;
  const modal = person.modals().at(-1);
  return {
    team: workspace.team.name,
    app: { ...app, connected: workspace.sockets() > 0 },
    me: authorOf(me),
    people: authors,
    channels: seen.map((one) => channelView(one, workspace, me)),
    channel: channelView(channel, workspace, me),
    messages: drawn(),
    prompts: channel.kind === "im" ? workspace.prompts(channel.id) : [],
    thread: hasThread
      ? { ts: thread, messages: drawn(thread), session: workspace.session(channel.id, thread) }
      : undefined,
    home: home && fieldsOf(home["blocks"]),
    modal: modal && modalView(modal),
    commands,
    messageShortcuts: shortcuts.filter(({ type }) => type === "message"),
    searchable: workspace.offers.search,
    globalShortcuts: shortcuts.filter(({ type }) => type === "global"),
  };
}

function isSeenBy(channel: Channel, user: User): boolean {
  if (channel.kind === "im") return false;
  if (channel.members.includes(user.id)) return true;
  return channel.kind === "public" && (user.kind === "member" || user.kind === "admin");
}

function authorOf({ id, name, realName, kind }: User) {
  return { id, name: realName === "" ? name : realName, kind };
}

function channelView({ id, name, kind, archived, shared, members }: Channel, workspace: Workspace, me: User) {
  return {
    id,
    name: kind === "im" ? workspace.app.name : name,
    kind,
    archived,
    shared: shared !== "no",
    member: kind === "im" || members.includes(me.id),
  };
}

function previewView(entity: Readonly<Record<string, unknown>>) {
  return {
    url: String(entity["url"]),
    title: titleOf(entity),
    description: descriptionOf(entity),
    updatedAt: updatedOf(entity)?.toISOString(),
  };
}

function messageView(
  workspace: Workspace,
  message: Message,
  me: User,
  authors: readonly AuthorView[],
  /** Only the viewer sees it. */
  ephemeral: boolean,
) {
  const { channel, ts, text, blocks, edited, pinned, stream, user } = message;
  const isRoot = message.threadTs === undefined || message.threadTs === ts;
  return {
    channel,
    ts,
    author: authors.find(({ id }) => id === user) ?? { id: user, name: user, kind: "member" },
    text,
    blocks,
    previews: message.entities.map(previewView),
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
    stream,
  };
}

function modalView(modal: Readonly<Record<string, unknown>> & { readonly id: string }) {
  const words = (value: unknown): string => (isObject(value) ? String(value["text"]) : "");
  return {
    id: modal.id,
    title: words(modal["title"]),
    submit: words(modal["submit"]),
    close: words(modal["close"]) || "Cancel",
    blocks: fieldsOf(modal["blocks"]),
  };
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
