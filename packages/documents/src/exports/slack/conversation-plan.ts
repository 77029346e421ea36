import { type Message, readMessage } from "../../slack/message.ts";
import { record } from "../../slack/fields.ts";
import type { ChatPerson } from "../../thread/thread.ts";
import { nameIn } from "./directory.ts";

/** A message out of an export: as one is read anywhere, and who wrote it as the message itself tells. */
export interface ExportedMessage extends Message {
  /** Of an author the export's list of people may not have. */
  readonly writer?: ChatPerson;
}

/** What becomes one document: a thread, or what was said outside of threads on a day. */
export interface ExportedGroup {
  readonly kind: "thread" | "day";
  /** Timestamp of the thread's root, or date of the day. */
  readonly key: string;
  /** Oldest first, each once. Empty: all of the day is in threads. */
  readonly messages: readonly ExportedMessage[];
}

/** Messages of a day's file as it is. Throws TypeError for what is no list. */
export function messagesIn(json: unknown): ExportedMessage[] {
  if (!Array.isArray(json)) throw new TypeError("it is no list of messages");
  return json.flatMap((raw: unknown) => {
    const read = readMessage(raw);
    if (!isTimestamp(read.ts)) return [];
    const message = isTimestamp(read.threadTs ?? "") ? read : { ...read, threadTs: undefined };
    const name = nameIn(record(record(raw)["user_profile"]));
    return [name === undefined ? message : { ...message, writer: { name } }];
  });
}

const isTimestamp = (ts: string): boolean => /^\d{1,11}\.\d{1,9}$/.test(ts);

/**
 * Sorts the messages of one conversation into threads and days. Its days are gone through twice: first it is noted up to
 * which day each thread goes on, then each thread is given out as soon as that day was seen, so that no more is held than
 * the threads that are open.
 */
export class ConversationPlan {
  /** By the root's timestamp, number of the last day with a message of the thread. */
  readonly #ends = new Map<string, number>();
  readonly #open = new Map<string, ExportedMessage[]>();
  #days = 0;

  /** Notes a day: the days in their order, each once. */
  note(messages: readonly ExportedMessage[]): void {
    for (const { threadTs } of messages) if (threadTs !== undefined) this.#ends.set(threadTs, this.#days);
    this.#days += 1;
  }

  /** Threads and days there are. */
  get groups(): number {
    return this.#ends.size + this.#days;
  }

  /** What is whole once this day was seen: the days in the same order as they were noted. @param day its number from 0 */
  *take(day: number, date: string, messages: readonly ExportedMessage[]): Generator<ExportedGroup> {
    const loose: ExportedMessage[] = [];
    for (const message of messages) {
      // Roots of older exports do not say that they are.
      const root = message.threadTs ?? (this.#ends.has(message.ts) ? message.ts : undefined);
      if (root === undefined) loose.push(message);
      else {
        const held = this.#open.get(root);
        if (held === undefined) this.#open.set(root, [message]);
        else held.push(message);
      }
    }
    yield { kind: "day", key: date, messages: inOrder(loose) };
    for (const [key, held] of this.#open) {
      if ((this.#ends.get(key) ?? day) > day) continue;
      this.#open.delete(key);
      yield { kind: "thread", key, messages: inOrder(held) };
    }
  }
}

/** Oldest first; of a message that is there twice, the later state. */
function inOrder(messages: readonly ExportedMessage[]): ExportedMessage[] {
  const each = new Map<string, ExportedMessage>();
  for (const message of messages) {
    const other = each.get(message.ts);
    if (other === undefined || Number(message.editedTs ?? 0) >= Number(other.editedTs ?? 0))
      each.set(message.ts, message);
  }
  return [...each.values()].toSorted((a, b) => Number(a.ts) - Number(b.ts) || (a.ts < b.ts ? -1 : 1));
}
