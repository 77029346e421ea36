import type { SlackConversation } from "@threadlore/documents/exports";
import type { ExportFile } from "../files/export-files.ts";
import { type ConversationDays, type DayFiles, dayFilesByFolder, daysInOrder } from "./conversation-days.ts";

/** One of the exports that were named: its files, and the conversations it lists. */
export interface ExportRoot {
  readonly files: readonly ExportFile[];
  readonly conversations: readonly SlackConversation[];
}

/** A conversation that is sent, with its days in all the exports. */
export interface TakenConversation {
  readonly conversation: SlackConversation;
  readonly days: ConversationDays;
}

/**
 * Which conversations are taken, and which are not for everybody. A conversation is one by its id, whatever it was called
 * when each export was made; where any of them says that it is not for everybody, it is not.
 */
export function sortedOut(roots: readonly ExportRoot[], includePrivate: boolean) {
  const latest = new Map<string, SlackConversation>();
  const files = new Map<string, DayFiles>();
  let unknown = 0;
  for (const root of roots) {
    for (const one of root.conversations) latest.set(one.id, stricter(latest.get(one.id), one));
    const byName = byFolder(root.conversations);
    for (const [folder, days] of dayFilesByFolder(root.files)) {
      const conversation = byName.get(folder);
      if (conversation === undefined) {
        unknown += 1;
        continue;
      }
      const known = files.get(conversation.id) ?? new Map<string, ExportFile[]>();
      files.set(conversation.id, known);
      for (const [date, more] of days) known.set(date, [...(known.get(date) ?? []), ...more]);
    }
  }
  const all = [...latest.values()];
  const taken = all.flatMap((conversation): TakenConversation[] => {
    const days = files.get(conversation.id);
    if (days === undefined || (conversation.kind !== "public" && !includePrivate)) return [];
    return [{ conversation, days: daysInOrder(days) }];
  });
  return { taken, hidden: all.filter(({ kind }) => kind !== "public"), unknown };
}

/** As the later export has it, but no more public than the earlier. */
function stricter(before: SlackConversation | undefined, now: SlackConversation): SlackConversation {
  return before === undefined || before.kind === "public" ? now : { ...now, kind: before.kind };
}

/** Of two that claim one folder, the one that is not for everybody is believed. */
function byFolder(conversations: readonly SlackConversation[]): Map<string, SlackConversation> {
  const named = new Map<string, SlackConversation>();
  for (const conversation of conversations) {
    const folder = conversation.folder.normalize();
    if (!named.has(folder) || named.get(folder)?.kind === "public") named.set(folder, conversation);
  }
  return named;
}
