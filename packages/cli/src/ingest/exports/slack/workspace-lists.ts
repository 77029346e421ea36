import {
  isTeam,
  mostCommon,
  slackDirectory,
  type SlackDirectory,
  type SlackLists,
} from "@threadlore/documents/exports";
import { field, text } from "@threadlore/documents/slack";
import { UsageError } from "../../../exit-codes.ts";
import type { ExportFile } from "../files/export-files.ts";
import { beneath, type OpenedExport } from "../files/open-export.ts";
import type { ExportRoot } from "./conversations.ts";
import type { ConversationDays } from "./conversation-days.ts";

/** Lists of people are larger than anything else at the root: 100,000 people are 150 MB. */
const MAX_LIST_BYTES = 400_000_000;

const LISTS: readonly (readonly [keyof SlackLists, readonly string[]])[] = [
  ["users", ["users.json", "org_users.json"]],
  ["channels", ["channels.json"]],
  ["groups", ["groups.json"]],
  ["mpims", ["mpims.json"]],
  ["dms", ["dms.json"]],
];

/** Reads the lists of all the exports that were named as one. Throws UsageError for what is no export of Slack. */
export async function readLists(
  opened: readonly OpenedExport[],
): Promise<{ roots: ExportRoot[]; directory: SlackDirectory }> {
  const roots: ExportRoot[] = [];
  const merged: Partial<Record<keyof SlackLists, unknown[]>> = {};
  for (const { name, files } of opened) {
    const root = beneath(files, "channels.json");
    if (root === undefined) throw notSlack(name, files);
    const own: Partial<Record<keyof SlackLists, unknown[]>> = {};
    for (const [list, names] of LISTS) {
      for (const file of root.filter(({ path }) => names.includes(path))) {
        const entries = await listIn(file, name);
        own[list] = [...(own[list] ?? []), ...entries];
        merged[list] = [...(merged[list] ?? []), ...entries];
      }
    }
    // Names of conversations between two are those of the people of this export.
    roots.push({ files: root, conversations: slackDirectory(own).conversations });
  }
  return { roots, directory: slackDirectory(merged) };
}

async function listIn(file: ExportFile, name: string): Promise<unknown[]> {
  try {
    const list: unknown = JSON.parse(new TextDecoder().decode(await file.read(MAX_LIST_BYTES)));
    if (Array.isArray(list)) return list;
    throw new TypeError("it is no list");
  } catch (error) {
    const why = error instanceof SyntaxError || error instanceof TypeError ? "it is no list in JSON" : messageOf(error);
    throw new UsageError(
      `Nothing was sent: ${file.path} of ${name} cannot be read: ${why}. Fetch the export once more.`,
    );
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function notSlack(name: string, files: readonly ExportFile[]): UsageError {
  const isText = files.some(({ path }) => /(?:^|\/)channels\/.+\.txt$/.test(path));
  return new UsageError(
    isText
      ? `Nothing was sent: ${name} is an export of Slack as text files, which do not tell threads apart. Export it in the format JSON.`
      : `Nothing was sent: ${name} is no export of Slack: it has no channels.json. Name the ZIP file as Slack gave it, or the folder it was unpacked to.`,
  );
}

/** Days in which the workspace's id is looked for where the list of people does not tell it. */
const MAX_ASKED = 20;

/** The workspace most messages are of, as these say themselves. */
export async function teamTold(conversations: readonly ConversationDays[]): Promise<string | undefined> {
  const teams = new Map<string, number>();
  for (const file of conversations.flatMap((days) => days[0]?.files[0] ?? []).slice(0, MAX_ASKED)) {
    const messages: unknown = await file
      .read(MAX_LIST_BYTES)
      .then((bytes) => JSON.parse(new TextDecoder().decode(bytes)) as unknown)
      .catch(() => []);
    for (const message of Array.isArray(messages) ? messages : []) {
      const team = text(field(message, "team"));
      if (isTeam(team)) teams.set(team, (teams.get(team) ?? 0) + 1);
    }
  }
  return mostCommon(teams);
}
