import { IngestionDocument } from "@threadlore/client/models";
import { defaultLimits, type MadeDocument } from "../../document/sections.ts";
import { permalinkOf } from "../../slack/message.ts";
import { markdownOf } from "../../slack/mrkdwn.ts";
import {
  type ChatThread,
  documentFromThread,
  EmptyThreadError,
  threadId,
  type ThreadMessage,
} from "../../thread/thread.ts";
import type { ExportedGroup, ExportedMessage } from "./conversation-plan.ts";
import type { SlackConversation, SlackDirectory } from "./directory.ts";

/** Where a group stands. */
export interface GroupPlace {
  /** What stands for the workspace in ids. */
  readonly team: string;
  readonly conversation: SlackConversation;
  readonly directory: Pick<SlackDirectory, "person" | "names">;
  /** Name of the app whose messages are left out: our own bot, which would learn from itself. */
  readonly ownApp?: string | undefined;
  /** Address of the workspace, such as `https://acme.slack.com`. Absent: no links. */
  readonly workspace?: string | undefined;
}

/** Id of a group's document: of a thread the one its root has when somebody pins it. */
export const groupId = (
  { key }: Pick<ExportedGroup, "key">,
  { team, conversation }: { readonly team: string; readonly conversation: Pick<SlackConversation, "id"> },
): string => threadId(team, conversation.id, key);

/** Whether the message a thread began with is not among its messages, nor what stands where it was deleted. */
export const isHeadless = ({ kind, key, messages }: ExportedGroup): boolean =>
  kind === "thread" && !messages.some(({ ts }) => ts === key);

/** The document of a group; undefined: nobody said anything in it. Linear. */
export async function groupDocument(group: ExportedGroup, place: GroupPlace): Promise<MadeDocument | undefined> {
  const { conversation, team } = place;
  // Notices of the platform (somebody joined, an app was added) are nothing said; of a deleted message nothing is left.
  const said = group.messages.filter((message) => !message.isNotice && !isByOwnApp(message, place));
  const thread: ChatThread = {
    team,
    channel: conversation,
    ts: group.key,
    messages: await Promise.all(said.map((message) => threadMessage(message, group, place))),
    headless: isHeadless(group),
    limits: defaultLimits,
    ...(group.kind === "day" && { title: `${placeName(conversation)}, ${group.key}` }),
  };
  try {
    return documentFromThread(thread);
  } catch (error) {
    if (error instanceof EmptyThreadError) return undefined;
    throw error;
  }
}

/** What takes the place of a document once all of its day is in threads, or deleted: else it would be found on. */
export function emptiedGroup(group: ExportedGroup, place: GroupPlace): MadeDocument {
  const { conversation, team } = place;
  const isDay = group.kind === "day";
  const document = IngestionDocument.parse({
    id: groupId(group, place),
    semantic_identifier: isDay ? `${placeName(conversation)}, ${group.key}` : "A thread that was deleted",
    sections: [{ text: isDay ? EMPTIED_DAY : "This thread was deleted." }],
    source: "slack",
    metadata: { channel: conversation.name, channel_id: conversation.id, team, messages: "0" },
  });
  return { document, notes: [] };
}

function isByOwnApp(message: ExportedMessage, { ownApp, directory }: GroupPlace): boolean {
  if (ownApp === undefined || !message.byProgram) return false;
  const names = [directory.person(message.user)?.name, message.signature, message.writer?.name];
  return names.some((name) => name?.trim().toLowerCase() === ownApp.trim().toLowerCase());
}

const EMPTIED_DAY = "What was said here on this day stands in threads, each a document of its own, or was deleted.";

const placeName = ({ name, kind }: SlackConversation): string => (kind === "direct" ? name : `#${name}`);

async function threadMessage(
  { ts, user, writer, signature, words, quotes, files, editedTs }: ExportedMessage,
  { kind, key }: ExportedGroup,
  { directory, conversation, workspace }: GroupPlace,
): Promise<ThreadMessage> {
  const root = kind === "thread" ? key : undefined;
  return {
    ts,
    author: directory.person(user) ?? writer ?? { name: signature ?? (user === "" ? "an app" : user) },
    text: await markdownOf(words, directory.names),
    quotes: await Promise.all(
      quotes.map(async (quote) => ({ ...quote, text: await markdownOf(quote.text, directory.names) })),
    ),
    files: files.map(({ name }) => name),
    editedTs,
    ...(workspace !== undefined && { permalink: permalinkOf({ url: workspace }, conversation.id, ts, root) }),
  };
}
