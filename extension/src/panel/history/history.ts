/** What was said before: conversations this browser keeps, and those the server keeps where it does. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { ConversationRef } from "@threadlore/ask";
import type { KeptConversation } from "./history-store.ts";
import type { ServiceAccess } from "../connection/service-access.ts";
import { type HeldTurn, mayBeKept } from "../ask/turn.ts";

/** A conversation in the list. */
export interface ListedConversation {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970; 0 where nobody says. */
  readonly updatedAt: number;
  /** Only the server has it. */
  readonly isRemote: boolean;
}

/** What reading the list came to. */
export interface HistoryList {
  readonly state: "idle" | "loading" | "ready";
  readonly conversations: readonly ListedConversation[];
  /** The server's part is missing because it could not be read. */
  readonly isPartial: boolean;
  /** The server's part is left out: with a service account's key it holds what others asked. */
  readonly isShared?: boolean;
}

/** A conversation to go on with. */
export interface OpenedConversation {
  readonly turns: readonly HeldTurn[];
  readonly conversation: ConversationRef;
}

/** The history of the service that is set. */
export interface History {
  readonly list: ReadonlySignal<HistoryList>;
  /** Reads the list anew. */
  load(): Promise<void>;
  /** A conversation's turns; undefined when it cannot be had any more. */
  open(id: string): Promise<OpenedConversation | undefined>;
  /** Forgets a conversation here. */
  forget(id: string): Promise<void>;
  /** Keeps the conversation that is going on, unless one of its turns was asked in a private window. */
  keep(turns: readonly HeldTurn[], conversation: ConversationRef): Promise<void>;
  /** The next turns belong to a new conversation, or to the one with this id. */
  begin(id?: string): void;
  /** Id of the conversation that is going on. */
  current(): string;
}

/** What keeps conversations and looks them up. */
type Shelves = Pick<
  typeof import("./history-store.ts"),
  "forgetConversation" | "keepConversation" | "readConversations"
> &
  Pick<typeof import("./server-history.ts"), "readServerConversations" | "readServerTurns">;

/** How old what the service said of the key may be, milliseconds. */
const KEY_MS = 60_000;

const EMPTY: HistoryList = { state: "idle", conversations: [], isPartial: false };

/**
 * @param access the service as it is set now
 * @param shelves loaded once the panel is drawn
 */
export function createHistory(access: ReadonlySignal<ServiceAccess | undefined>, shelves: Promise<Shelves>): History {
  const list = signal<HistoryList>(EMPTY);
  let current: string = crypto.randomUUID();
  let loading = new AbortController();

  const show = (change: Partial<HistoryList>) => {
    list.value = { ...list.peek(), ...change };
  };
  return {
    list,
    async load() {
      loading.abort();
      loading = new AbortController();
      const { signal: stopped } = loading;
      const service = access.peek();
      if (service === undefined) return show(EMPTY);
      show({ state: "loading", isPartial: false, isShared: false });
      const kept = await keptWith(shelves, service.origin);
      if (stopped.aborted) return;
      show({ conversations: kept.map(listed) });
      const { failure, isShared } = await service.key.look(KEY_MS, stopped);
      if (stopped.aborted) return;
      if (isShared || failure !== undefined) return show({ state: "ready", isPartial: !isShared, isShared });
      const remote = await shelves
        .then(({ readServerConversations }) => readServerConversations(service.deployment, stopped))
        .catch((error: unknown) => error);
      if (stopped.aborted) return;
      if (!Array.isArray(remote)) {
        // A server without a list has nothing that is missing here.
        return show({ state: "ready", isPartial: !(remote instanceof Error && remote.name === "UnsupportedError") });
      }
      const here = new Set(kept.map(({ conversation }) => conversation.chatSessionId));
      const others = remote
        .filter(({ sessionId }) => !here.has(sessionId))
        .map(({ sessionId, title, updatedAt }) => ({ id: sessionId, title, updatedAt, isRemote: true }));
      const conversations = [...kept.map(listed), ...others].toSorted((one, other) => other.updatedAt - one.updatedAt);
      show({ state: "ready", isPartial: false, conversations });
    },
    async open(id) {
      const service = access.peek();
      if (service === undefined) return undefined;
      const kept = (await keptWith(shelves, service.origin)).find((one) => one.id === id);
      if (kept !== undefined) {
        current = id;
        return kept;
      }
      const turns = await shelves
        .then(({ readServerTurns }) => readServerTurns(service.deployment, id))
        .catch(() => undefined);
      if (turns === undefined) return undefined;
      current = crypto.randomUUID();
      return { turns, conversation: { chatSessionId: id } };
    },
    async forget(id) {
      await shelves.then(({ forgetConversation }) => forgetConversation(id));
      show({ conversations: list.peek().conversations.filter((one) => one.id !== id) });
    },
    async keep(turns, conversation) {
      const origin = access.peek()?.origin;
      // A private window leaves nothing behind.
      if (origin === undefined || turns.length === 0 || !turns.every(mayBeKept)) return;
      const [first] = turns;
      const title = first?.question ?? "";
      const kept = { id: current, origin, title, updatedAt: Date.now(), conversation, turns };
      // The conversation goes on; only its place in the list is lost.
      await shelves.then(({ keepConversation }) => keepConversation(kept)).catch(() => {});
    },
    begin(id = crypto.randomUUID()) {
      current = id;
    },
    current: () => current,
  };
}

function listed({ id, title, updatedAt }: KeptConversation): ListedConversation {
  return { id, title, updatedAt, isRemote: false };
}

function keptWith(shelves: Promise<Shelves>, origin: string): Promise<KeptConversation[]> {
  return shelves.then(({ readConversations }) => readConversations(origin)).catch(() => []);
}
