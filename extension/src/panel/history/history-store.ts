/** Conversations this browser keeps, in a database of their own. */
import type { ConversationRef } from "@threadlore/ask";
import { databaseOpener, settled } from "../../storage/open-database.ts";
import { type KeptTurn, mayBeKept } from "../ask/turn.ts";

/** A conversation as it is kept. */
export interface KeptConversation {
  readonly id: string;
  /** Origin of the service it was held with. */
  readonly origin: string;
  /** Its first question. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly conversation: ConversationRef;
  readonly turns: readonly KeptTurn[];
}

/** Older ones give way. */
const MAX_KEPT = 200;
const STORE = "conversations";

const open = databaseOpener("threadlore-conversations", 1, ({ result }) => {
  result.createObjectStore(STORE, { keyPath: "id" }).createIndex("updatedAt", "updatedAt");
});

/** Conversations held with a service, newest first. */
export async function readConversations(origin: string): Promise<KeptConversation[]> {
  const store = await openStore("readonly");
  const kept = await settled<KeptConversation[]>(store.getAll());
  return kept.filter((one) => one.origin === origin).toSorted((one, other) => other.updatedAt - one.updatedAt);
}

/**
 * Keeps a conversation in place of what was kept of it, and lets the oldest go when there are too many. Throws TypeError
 * for one with a turn of a private window, whatever the caller made of its type.
 */
export async function keepConversation(kept: KeptConversation): Promise<void> {
  if (!kept.turns.every(mayBeKept)) throw new TypeError("A conversation of a private window is kept nowhere.");
  const store = await openStore("readwrite");
  await settled(store.put(kept));
  const ids = await settled(store.index("updatedAt").getAllKeys());
  await Promise.all(ids.slice(0, -MAX_KEPT).map((id) => settled(store.delete(id))));
}

/** Forgets a conversation here; the service keeps its own copy. Without an id, all of them. */
export async function forgetConversation(id?: string): Promise<void> {
  const store = await openStore("readwrite");
  await settled<unknown>(id === undefined ? store.clear() : store.delete(id));
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await open()).transaction(STORE, mode).objectStore(STORE);
}
