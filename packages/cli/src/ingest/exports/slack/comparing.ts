import { groupId } from "@threadlore/documents/exports";
import type { Comparing } from "../export-kinds.ts";
import { counted } from "../page-files.ts";
import { dayFilesByFolder } from "./conversation-days.ts";
import type { ExportRoot } from "./conversations.ts";

/** The days an export has messages of, the first and the last: `2026-05-01`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** What exports of a workspace hold, as far as it decides what would be in them. */
export interface SlackExtent {
  /** Of each export that was named, the days it goes over. */
  readonly spans: readonly (Span | undefined)[];
  /** Ids of the conversations their lists name. */
  readonly listed: readonly string[];
  /** Ids of those that are not taken, as they are not for everybody. */
  readonly hidden: readonly string[];
  /** What ids of the workspace's documents begin with. */
  readonly prefix: string;
}

/** What ids of a workspace's documents begin with. */
export const channelPrefix = (team: string): string =>
  groupId({ key: "" }, { team, conversation: { id: "" } }).slice(0, -1);

/** The days of an export; undefined: it has none. */
export function spanOf({ files }: Pick<ExportRoot, "files">): Span | undefined {
  let span: Span | undefined;
  for (const days of dayFilesByFolder(files).values()) {
    for (const date of days.keys()) {
      const { from, to } = span ?? { from: date, to: date };
      span = { from: date < from ? date : from, to: date > to ? date : to };
    }
  }
  return span;
}

/**
 * How exports of a workspace are compared: each holds the days from its first to its last one, and nothing else can have
 * vanished from it. Where a thread began is known by UTC, and a day by the workspace's own clock, so of threads the first
 * and the last day do not count.
 */
export function comparedSlack({
  spans,
  listed,
  hidden,
  prefix,
}: SlackExtent): Pick<Comparing, "of" | "mayHold" | "reaches" | "beyond" | "doubt"> {
  const [all, left] = [new Set(listed), new Set(hidden)];
  const channelOf = (id: string): string => id.slice(prefix.length).split("-", 1)[0] ?? "";
  return {
    of: "threads and days",
    mayHold: (id) => all.has(channelOf(id)),
    reaches: (id, file) => {
      if (left.has(channelOf(id))) return false;
      const [, date = "", thread] = /\/(\d{4}-\d{2}-\d{2})(\/.+)?$/.exec(file) ?? [];
      return spans.some((span) => {
        if (span === undefined) return false;
        return thread === undefined ? span.from <= date && date <= span.to : span.from < date && date < span.to;
      });
    },
    beyond:
      "of other days than this export has, or of conversations that are not for everybody, were not compared. They stay.",
    doubt: (ids) => {
      const known = new Set(ids.map(channelOf));
      const gone = [...known].filter((channel) => !all.has(channel)).length;
      return gone * 2 > known.size
        ? `${gone} of ${counted(known.size, "channel")} are not in this export. One of single channels looks like that.`
        : undefined;
    },
  };
}

/** What of an export could not be read. */
export function partialWords(unreadDays: number, unknownFolders: number): string | undefined {
  if (unreadDays > 0) {
    return `${counted(unreadDays, "day")} of messages could not be read, so nobody knows all that is in the export. Fetch it once more.`;
  }
  return unknownFolders > 0
    ? `${counted(unknownFolders, "folder")} of messages belong to no conversation the export lists, so it is not whole. Fetch it once more.`
    : undefined;
}
