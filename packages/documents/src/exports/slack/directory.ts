import type { ChatPerson, ChatThread } from "../../thread/thread.ts";
import { record, records, text } from "../../slack/fields.ts";
import type { Names } from "../../slack/mrkdwn.ts";

/** A channel or another conversation an export tells of. */
export interface SlackConversation {
  readonly id: string;
  /** Without `#`. */
  readonly name: string;
  readonly kind: ChatThread["channel"]["kind"];
  /** The folder of the export its messages are in. */
  readonly folder: string;
}

/** The lists at the root of an export, as JSON; what is absent the export has not. */
export interface SlackLists {
  /** `users.json` or `org_users.json`. */
  readonly users?: unknown;
  /** `channels.json`: public channels. */
  readonly channels?: unknown;
  /** `groups.json`: private channels. */
  readonly groups?: unknown;
  /** `mpims.json`: conversations of several people. */
  readonly mpims?: unknown;
  /** `dms.json`: conversations of two people. */
  readonly dms?: unknown;
}

/** Who and what an export names. */
export interface SlackDirectory {
  /** Id of the workspace; undefined: the export does not tell. */
  readonly team: string | undefined;
  readonly conversations: readonly SlackConversation[];
  /** Who has an id; undefined: the export does not tell. */
  person(id: string): ChatPerson | undefined;
  readonly names: Names;
}

const KINDS = [
  ["channels", "public"],
  ["groups", "private"],
  ["mpims", "group"],
  ["dms", "direct"],
] as const;

/** Reads the lists of an export. What has another shape than Slack tells of is passed over. */
export function slackDirectory(lists: SlackLists): SlackDirectory {
  const people = new Map<string, ChatPerson>();
  const teams = new Map<string, number>();
  for (const user of records(lists.users)) {
    const id = text(user["id"]);
    if (id === "") continue;
    people.set(id, personOf(user, id));
    const team = text(user["team_id"]);
    if (isTeam(team)) teams.set(team, (teams.get(team) ?? 0) + 1);
  }
  const conversations = KINDS.flatMap(([list, kind]) =>
    records(lists[list]).flatMap((conversation) => conversationOf(conversation, kind, people)),
  );
  const places = new Map(conversations.map((one) => [one.id, one]));
  return {
    team: mostCommon(teams),
    conversations,
    person: (id) => people.get(id),
    names: {
      account: async (id) => people.get(id),
      place: async (id) => places.get(id),
    },
  };
}

/** Whether it has the shape of a workspace's id, or of an organisation's. */
export const isTeam = (id: string): boolean => /^[TE][A-Z0-9]{2,30}$/.test(id);

/** The one that comes most often; of equals the one that sorts first, whatever the order they came in. */
export function mostCommon(counts: ReadonlyMap<string, number>): string | undefined {
  return [...counts].toSorted(([a, of], [b, than]) => than - of || (a < b ? -1 : 1))[0]?.[0];
}

/** How people call somebody: display name, else real name, else the account's name. */
function personOf(user: Record<string, unknown>, id: string): ChatPerson {
  const profile = record(user["profile"]);
  const email = text(profile["email"]);
  return { name: nameIn(profile, user) ?? id, ...(email !== "" && { email }) };
}

/** The first name that is none of nothing but blanks. */
export function nameIn(...holders: readonly Record<string, unknown>[]): string | undefined {
  return ["display_name", "real_name", "name"]
    .flatMap((key) => holders.map((holder) => text(holder[key])))
    .find((name) => name.trim() !== "");
}

/** What a conversation says of itself that not everybody of the workspace is in. */
const HIDDEN = ["is_private", "is_group", "is_im", "is_mpim"];

function conversationOf(
  conversation: Record<string, unknown>,
  listed: SlackConversation["kind"],
  people: ReadonlyMap<string, ChatPerson>,
): SlackConversation[] {
  const id = text(conversation["id"]);
  if (id === "") return [];
  const name = text(conversation["name"]);
  if (listed === "direct") {
    const { members } = conversation;
    const names = Array.isArray(members) ? members.map((member) => people.get(text(member))?.name ?? text(member)) : [];
    return [{ id, name: names.join(", ") || id, kind: listed, folder: id }];
  }
  // Some exports list everything in one file; what says that it is private is, and so are ids no public channel has.
  const isHidden = HIDDEN.some((sign) => conversation[sign] === true) || /^[DG]/.test(id);
  const kind = listed === "public" && isHidden ? "private" : listed;
  return [{ id, name: name === "" ? id : name, kind, folder: name === "" ? id : name }];
}
