import {
  emptiedGroup,
  type ExportedGroup,
  groupDocument,
  groupId,
  type GroupPlace,
  isHeadless,
  type SlackConversation,
} from "@threadlore/documents/exports";
import type { MadeDocument } from "@threadlore/documents";
import { UsageError } from "../../../exit-codes.ts";
import { type Candidate, type NotSent, type ReadDocument, sentHash } from "../../ingestion.ts";
import type { Refusal } from "../../file-walk.ts";
import { counted } from "../page-files.ts";
import { collectionOf, type ExportOptions, type ExportReader } from "../export-kinds.ts";
import { groupsOf, plannedGroups } from "./conversation-days.ts";
import { channelPrefix, comparedSlack, partialWords, spanOf } from "./comparing.ts";
import { sortedOut, type TakenConversation } from "./conversations.ts";
import { readLists, teamTold } from "./workspace-lists.ts";

/** Threads and days of a workspace's export, a document each. */
export const readSlackExport: ExportReader = async (opened, options) => {
  const { roots, directory } = await readLists(opened);
  const { taken, hidden, unknown } = sortedOut(roots, options.includePrivate);
  if (taken.length === 0 && hidden.length === 0) {
    throw new UsageError("Nothing was sent: this export of Slack has no messages of any channel it lists in it.");
  }
  const told = options.collection ?? directory.team ?? (await teamTold(taken.map(({ days }) => days)));
  const team = told ?? "export";
  const collection = collectionOf("slack", team, directory.team);
  let leftOut = 0;
  let unread = 0;
  const place = (conversation: SlackConversation): GroupPlace => ({
    team,
    conversation,
    directory,
    ownApp: options.ownApp,
    workspace: options.linkBase,
  });
  return {
    collection,
    said: [
      `Slack ${team}: ${counted(taken.length, "channel")}, ${counted(daysIn(taken), "day")} of messages.`,
      ...(told === undefined ? [NO_TEAM] : []),
      ...hiddenWords(hidden, options.includePrivate),
      ...nowHidden(hidden, options, [...new Set([collection, collectionOf("slack", team)])]),
      ...(unknown > 0 ? [`left out ${counted(unknown, "folder")} of messages that no list of the export names`] : []),
      ...(options.linkBase === undefined ? [NO_LINKS] : []),
    ],
    leftOut: () => leftOut,
    comparing: {
      collections: [collection],
      unclear: told === undefined ? NO_TEAM_TO_COMPARE : undefined,
      ...comparedSlack({
        spans: roots.map(spanOf),
        listed: roots.flatMap(({ conversations }) => conversations.map(({ id }) => id)),
        hidden: options.includePrivate ? [] : hidden.map(({ id }) => id),
        prefix: channelPrefix(team),
      }),
      partial: () => partialWords(unread, unknown),
    },
    count: async (signal) => {
      let count = 0;
      for (const { days } of taken) {
        if (signal.aborted) break;
        count += await plannedGroups(days, signal);
      }
      return { count, bytes: 0 };
    },
    candidates: async function* () {
      for (const { conversation, days } of taken) {
        for await (const found of groupsOf(days, options.signal)) {
          if ("reason" in found) {
            unread += 1;
            yield { ...found, name: `${conversation.folder}/${found.name}` };
            continue;
          }
          const name = nameOf(conversation, found);
          options.seen.add(groupId(found, place(conversation)));
          if (!options.takes(name)) {
            leftOut += 1;
            continue;
          }
          const scope = { name, place: place(conversation), options, collection };
          const candidate = await candidateOf(found, scope);
          if (candidate !== undefined) yield candidate;
        }
      }
    },
  };
};

const NO_TEAM =
  "The export does not tell the workspace's id, so its documents have ids of their own, and one that was pinned is there twice. --collection with the workspace's id (T…) makes them one.";
const NO_TEAM_TO_COMPARE =
  "the export does not tell the workspace's id, so nobody knows with what --sync is to compare it. Say it with --collection and the workspace's id (T…), or leave out --sync.";
const NO_LINKS =
  "Sources will not link to the messages. --link-base https://YOURS.slack.com, the workspace's address, links them.";

/** `general/2024-05-01`, and for a thread that began then `general/2024-05-01/1714556789.000100`. */
function nameOf({ folder }: SlackConversation, { kind, key }: ExportedGroup): string {
  if (kind === "day") return `${folder}/${key}`;
  return `${folder}/${new Date(Number(key) * 1_000).toISOString().slice(0, 10)}/${key}`;
}

interface GroupScope {
  readonly name: string;
  readonly place: GroupPlace;
  readonly options: ExportOptions;
  readonly collection: string;
}

/** Undefined: nobody said anything in it, and nobody was ever told otherwise. */
async function candidateOf(group: ExportedGroup, scope: GroupScope): Promise<Candidate | Refusal | undefined> {
  const { name, place, collection } = scope;
  const before = sentBefore(group, scope);
  let made: MadeDocument | undefined;
  try {
    made = (await groupDocument(group, place)) ?? (before ? emptiedGroup(group, place) : undefined);
  } catch (error) {
    return { name, reason: error instanceof Error ? error.message : String(error) };
  }
  if (made === undefined) return undefined;
  const bytes = group.messages.reduce((sum, { words }) => sum + words.length, 0);
  const read: ReadDocument = { ...made, noted: { collection, file: name }, bytes };
  return {
    name,
    read: async (_signal, isKept) => (before && losesItsBeginning(group, read, isKept) ? LOSES : read),
  };
}

/** Whether this journal sent a document of this group, and the server has not lost it since. */
function sentBefore(group: ExportedGroup, { place, options }: GroupScope): boolean {
  const newest = options.journal.newest(options.shelf, groupId(group, place));
  return newest !== undefined && newest.instance === (options.instance() ?? "");
}

/** An export of some months only has the end of a thread that began before them: the whole one is worth more. */
function losesItsBeginning(group: ExportedGroup, { document }: ReadDocument, isKept: Kept | undefined): boolean {
  return isHeadless(group) && isKept?.(document.id ?? "", sentHash(document)) !== true;
}

type Kept = NonNullable<Parameters<Candidate["read"]>[1]>;

const LOSES: NotSent = {
  fate: "left_out",
  reason:
    "the thread began before this export, and was sent from another one. Name both exports in one command, and it is sent whole",
};

const HIDDEN_WORDS = [
  ["private", "private channel"],
  ["group", "group conversation"],
  ["direct", "direct conversation"],
] as const;

function hiddenWords(hidden: readonly SlackConversation[], includePrivate: boolean): string[] {
  const counts = HIDDEN_WORDS.flatMap(([kind, word]) => {
    const { length } = hidden.filter((one) => one.kind === kind);
    return length === 0 ? [] : [counted(length, word)];
  });
  if (counts.length === 0) return [];
  return includePrivate
    ? [
        `Also sent, as --include-private says: ${counts.join(", ")}. Everybody who may read this pair sees what is said there.`,
      ]
    : [`left out ${counts.join(", ")}: only public channels are sent. --include-private sends them too`];
}

/** What was sent while a channel was for everybody stays where it was sent, unless somebody knows. */
function nowHidden(
  hidden: readonly SlackConversation[],
  { journal, shelf, includePrivate }: ExportOptions,
  collections: readonly string[],
): string[] {
  if (includePrivate || hidden.length === 0) return [];
  const folders = new Set(hidden.map(({ folder }) => folder));
  const sent = collections.flatMap((collection) => [...journal.documentsOf(shelf, collection)]);
  const ids = sent.flatMap(([id, { file = "" }]) => (folders.has(file.slice(0, file.indexOf("/"))) ? [id] : []));
  const [first] = ids;
  if (first === undefined) return [];
  return [
    `${counted(ids.length, "document")} of conversations that are not for everybody (now) can be found in this pair, since an earlier run sent them: \`threadlore documents delete ID\` takes one away, the first is ${first}`,
  ];
}

const daysIn = (taken: readonly TakenConversation[]): number => taken.reduce((sum, { days }) => sum + days.length, 0);
