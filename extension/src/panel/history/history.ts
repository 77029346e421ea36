/** What was said before: conversations this browser keeps, and those the server keeps where it does. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { ConversationRef } from "@threadlore/ask";
import type { KeptConversation } from "./history-store.ts";
import type { LastView } from "./this-window.ts";
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
  /** What this browser keeps is missing: its storage failed, or a private window may not look there. */
  readonly isUnread?: boolean;
  /** The server's part is missing because it could not be read. */
  readonly isPartial: boolean;
  /** The server's part is left out: with a service account's key it holds what others asked. */
  readonly isShared?: boolean;
}

/** What keeps conversations and looks them up. */
type Shelves = typeof import("./history-store.ts") & typeof import("./server-history.ts");

/** How old what the service said of the key may be, milliseconds. */
const KEY_MS = 60_000;

/** A question may be a whole page; no list shows more of it, in characters. */
const MAX_TITLE = 300;

const EMPTY: HistoryList = { state: "idle", conversations: [], isPartial: false };

/** The history of the service that is set. */
export class History {
  readonly list = signal<HistoryList>(EMPTY);
  /** Id of the conversation that is going on. */
  current: string = crypto.randomUUID();
  readonly #access: ReadonlySignal<ServiceAccess | undefined>;
  readonly #shelves: () => Promise<Shelves>;
  #loading = new AbortController();

  /**
   * @param access the service as it is set now
   * @param shelves loaded when something is to be kept or looked up
   */
  constructor(access: ReadonlySignal<ServiceAccess | undefined>, shelves: () => Promise<Shelves>) {
    this.#access = access;
    this.#shelves = shelves;
  }

  /** Origin of the service that is set; "" while there is none. */
  get origin(): string {
    return this.#access.value?.origin ?? "";
  }

  /** Reads the list anew. */
  async load(): Promise<void> {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal: stopped } = this.#loading;
    const service = this.#access.peek();
    if (service === undefined) {
      // Just after its start the browser does not say yet what IT has set: read as soon as it does.
      stopped.addEventListener(
        "abort",
        this.#access.subscribe((known) => known !== undefined && void this.load()),
      );
      return this.#show(EMPTY);
    }
    this.#show({ state: "loading", isUnread: false, isPartial: false, isShared: false });
    const shelves = await this.#shelves();
    const kept = await shelves.listConversations(service.origin).catch(() => undefined);
    if (stopped.aborted) return;
    const conversations = (kept ?? []).map((one) => ({ ...one, isRemote: false }));
    this.#show({ conversations, isUnread: kept === undefined });
    const { failure, isShared } = await service.key.look(KEY_MS, stopped);
    if (stopped.aborted) return;
    if (isShared || failure !== undefined) return this.#show({ state: "ready", isPartial: !isShared, isShared });
    const remote = await service
      .wire()
      .then(({ deployment }) => shelves.readServerConversations(deployment, stopped))
      .catch((error: unknown) => error);
    if (stopped.aborted) return;
    if (!Array.isArray(remote)) {
      // A server without a list has nothing that is missing here.
      const isPartial = !(remote instanceof Error && remote.name === "UnsupportedError");
      return this.#show({ state: "ready", isPartial });
    }
    const here = await shelves.listSessions().catch(() => new Set<string>());
    const all = [...conversations, ...remote.filter(({ id }) => !here.has(id))];
    all.sort((one, other) => other.updatedAt - one.updatedAt);
    this.#show({ state: "ready", isPartial: false, conversations: all });
  }

  /** A conversation to go on with; undefined when it cannot be had any more. */
  async open(id: string): Promise<Pick<LastView, "turns" | "conversation"> | undefined> {
    const service = this.#access.peek();
    if (service === undefined) return undefined;
    const { readConversations, readServerTurns } = await this.#shelves();
    const [kept] = await readConversations([id]).catch(() => []);
    if (kept?.origin === service.origin) {
      this.begin(id);
      return kept;
    }
    const { deployment } = await service.wire();
    const turns = await readServerTurns(deployment, id).catch(() => undefined);
    if (turns === undefined) return undefined;
    this.begin();
    return { turns, conversation: { chatSessionId: id } };
  }

  /** Forgets a conversation here, and gives what brings it back. */
  async forget(id: string): Promise<() => Promise<void>> {
    const { forgetConversation, keepConversation, readConversations } = await this.#shelves();
    const [kept] = await readConversations([id]);
    const { conversations } = this.list.peek();
    await forgetConversation(id);
    this.#show({ conversations: conversations.filter((one) => one.id !== id) });
    return async () => {
      if (kept !== undefined) await keepConversation(kept);
      await this.load();
    };
  }

  /** Gives a conversation another name: here, or at the service where only that has it. Throws where it cannot. */
  async rename({ id, isRemote }: ListedConversation, title: string): Promise<void> {
    const { renameConversation } = await this.#shelves();
    if (isRemote) await (await this.#access.peek()?.wire())?.deployment.renameSession(id, title);
    else await renameConversation(id, title);
    const renamed = (one: ListedConversation) => (one.id === id ? { ...one, title } : one);
    this.#show({ conversations: this.list.peek().conversations.map(renamed) });
  }

  /** Some of the conversations kept here, with all that was said; undefined where one is gone. */
  async read(ids: readonly string[]): Promise<(KeptConversation | undefined)[]> {
    return (await this.#shelves()).readConversations(ids);
  }

  /** Keeps the conversation that is going on, unless one of its turns was asked in a private window. */
  async keep(turns: readonly HeldTurn[], conversation: ConversationRef): Promise<void> {
    const origin = this.#access.peek()?.origin;
    // A private window leaves nothing behind.
    if (origin === undefined || turns.length === 0 || !turns.every(mayBeKept)) return;
    const title = (turns[0]?.question ?? "").slice(0, MAX_TITLE);
    const kept = { id: this.current, origin, title, updatedAt: Date.now(), conversation, turns };
    const { keepConversation } = await this.#shelves();
    // The conversation goes on; only its place in the list is lost.
    await keepConversation(kept).catch(() => {});
  }

  /** The next turns belong to a new conversation, or to the one with this id. */
  begin(id: string = crypto.randomUUID()): void {
    this.current = id;
  }

  #show(change: Partial<HistoryList>): void {
    this.list.value = { ...this.list.peek(), ...change };
  }
}
