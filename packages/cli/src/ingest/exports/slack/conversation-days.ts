import { ConversationPlan, type ExportedGroup, type ExportedMessage, messagesIn } from "@threadlore/documents/exports";
import type { Refusal } from "../../file-walk.ts";
import type { ExportFile } from "../files/export-files.ts";

/** One day of a conversation: its files, one for each export that was named. */
export interface ConversationDay {
  /** As the file is named: `2024-05-01`. */
  readonly date: string;
  readonly files: readonly ExportFile[];
}

/** The days of one conversation, in their order. */
export type ConversationDays = readonly ConversationDay[];

/** A day of a channel that is larger holds no messages people wrote. */
const MAX_DAY_BYTES = 100_000_000;

const DAY_FILE = /^([^/]+)\/(\d{4}-\d{2}-\d{2})\.json$/;

/** The files of each day, by its date. */
export type DayFiles = Map<string, ExportFile[]>;

/** The files of messages, by the folder they lie in. */
export function dayFilesByFolder(files: readonly ExportFile[]): Map<string, DayFiles> {
  const folders = new Map<string, DayFiles>();
  for (const file of files) {
    const [, folder, date] = DAY_FILE.exec(file.path) ?? [];
    if (folder === undefined || date === undefined) continue;
    const days: DayFiles = folders.get(folder) ?? new Map<string, ExportFile[]>();
    folders.set(folder, days);
    days.set(date, [...(days.get(date) ?? []), file]);
  }
  return folders;
}

/** The days of a conversation by their dates. */
export const daysInOrder = (days: DayFiles): ConversationDays =>
  [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([date, files]) => ({ date, files }));

/** Messages of a day; an Error where its file cannot be read. */
async function messagesOf({ files }: ConversationDay): Promise<ExportedMessage[] | Error> {
  const messages: ExportedMessage[] = [];
  for (const file of files) {
    try {
      const text = new TextDecoder().decode(await file.read(MAX_DAY_BYTES));
      for (const message of messagesIn(JSON.parse(text))) messages.push(message);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) {
        return new Error("it is not the JSON that Slack writes. Fetch the export once more", { cause: error });
      }
      return error instanceof Error ? error : new Error(String(error));
    }
  }
  return messages;
}

/** Threads and days of a conversation; what cannot be read comes as a refusal by its date. */
export async function* groupsOf(days: ConversationDays, signal: AbortSignal): AsyncGenerator<ExportedGroup | Refusal> {
  const plan = await planOf(days, signal);
  for (const [index, day] of days.entries()) {
    if (signal.aborted) return;
    const messages = await messagesOf(day);
    if (messages instanceof Error) yield { name: day.date, reason: messages.message };
    yield* plan.take(index, day.date, messages instanceof Error ? [] : messages);
  }
}

/** How many threads and days there are in a conversation. */
export async function plannedGroups(days: ConversationDays, signal: AbortSignal): Promise<number> {
  return (await planOf(days, signal)).groups;
}

/** Made once, for whoever counts and whoever sends. Gone with the list of days. */
const plans = new WeakMap<ConversationDays, Promise<ConversationPlan>>();

function planOf(days: ConversationDays, signal: AbortSignal): Promise<ConversationPlan> {
  const known = plans.get(days) ?? makePlan(days, signal);
  plans.set(days, known);
  return known;
}

async function makePlan(days: ConversationDays, signal: AbortSignal): Promise<ConversationPlan> {
  const plan = new ConversationPlan();
  for (const day of days) {
    if (signal.aborted) break;
    const messages = await messagesOf(day);
    plan.note(messages instanceof Error ? [] : messages);
  }
  return plan;
}
