/** Conversations this browser keeps, in a database of their own. */
import type { ConversationRef } from "@threadlore/ask";
import { databaseOpener, settled } from "../../storage/open-database.ts";
import { type KeptTurn, mayBeKept } from "../ask/turn.ts";

/** A conversation as it is kept. */
export interface KeptConversation {
  readonly id: string;
  /** Origin of the service it was held with. */
  readonly origin: string;
  /** Its first question, or as its person has named it. */
  readonly title: string;
  readonly isNamed?: true;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly conversation: ConversationRef;
  readonly turns: readonly KeptTurn[];
}

/** What a list shows of a conversation. */
export type ListedHere = Pick<KeptConversation, "id" | "title" | "updatedAt">;

/** Older ones give way. */
const MAX_KEPT = 2_000;
const STORE = "conversations";

/** 2: what a list shows stands in an index, so that no list reads everything that was said. */
const open = databaseOpener("threadlore-conversations", 2, ({ result, transaction }, from) => {
  if (from < 1) result.createObjectStore(STORE, { keyPath: "id" }).createIndex("updatedAt", "updatedAt");
  const store = transaction?.objectStore(STORE);
  store?.createIndex("list", ["origin", "updatedAt", "title"]);
  store?.createIndex("session", "conversation.chatSessionId");
});

/** Conversations held with a service, newest first. */
export async function listConversations(origin: string): Promise<ListedHere[]> {
  const store = await openStore("readonly");
  const request = store.index("list").openKeyCursor(IDBKeyRange.bound([origin], [origin, []]), "prev");
  const listed: ListedHere[] = [];
  for (let cursor = await settled(request); cursor !== null; cursor = await settled(request)) {
    const [, updatedAt = 0, title = ""] = cursor.key as [string, number, string];
    listed.push({ id: String(cursor.primaryKey), title, updatedAt });
    cursor.continue();
  }
  return listed;
}

/** The service's sessions that conversations kept here belong to. */
export async function listSessions(): Promise<Set<string>> {
  const store = await openStore("readonly");
  const request = store.index("session").openKeyCursor();
  const sessions = new Set<string>();
  for (let cursor = await settled(request); cursor !== null; cursor = await settled(request)) {
    sessions.add(String(cursor.key));
    cursor.continue();
  }
  return sessions;
}

/** Some conversations, in the order they are asked for; undefined where one is not here. */
export async function readConversations(ids: readonly string[]): Promise<(KeptConversation | undefined)[]> {
  const store = await openStore("readonly");
  return Promise.all(ids.map((id) => settled<KeptConversation | undefined>(store.get(id))));
}

/**
 * Keeps a conversation in place of what was kept of it, and lets the oldest go when there are too many. Throws TypeError
 * for one with a turn of a private window, whatever the caller made of its type.
 */
export async function keepConversation(kept: KeptConversation): Promise<void> {
  if (!kept.turns.every(mayBeKept)) throw new TypeError("A conversation of a private window is kept nowhere.");
  const store = await openStore("readwrite");
  const before = await settled<KeptConversation | undefined>(store.get(kept.id));
  const name = before?.isNamed === true && { title: before.title, isNamed: true };
  await settled(store.put({ ...kept, ...name }));
  const surplus = (await settled(store.count())) - MAX_KEPT;
  if (surplus <= 0) return;
  const ids = await settled(store.index("updatedAt").getAllKeys(null, surplus));
  await Promise.all(ids.map((id) => settled(store.delete(id))));
}

/** Gives a conversation another name, which stays when it goes on; its place in the list stays too. */
export async function renameConversation(id: string, title: string): Promise<void> {
  const store = await openStore("readwrite");
  const kept = await settled<KeptConversation | undefined>(store.get(id));
  if (kept !== undefined) await settled(store.put({ ...kept, title, isNamed: true }));
}

/** Forgets a conversation here; the service keeps its own copy. Without an id, all of them. */
export async function forgetConversation(id?: string): Promise<void> {
  const store = await openStore("readwrite");
  await settled<unknown>(id === undefined ? store.clear() : store.delete(id));
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await open()).transaction(STORE, mode).objectStore(STORE);
}
