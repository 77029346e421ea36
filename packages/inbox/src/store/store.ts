import type { ConversationStore } from "@threadlore/ask";

/** What a task is about. */
export type TaskKind = "question" | "regenerate" | "mend" | "pin" | "unpin" | "edit" | "add";

/** How a task ended, once: the word for the trace and the metrics. */
export type Outcome = "answered" | "refused" | "failed" | "stopped" | "stayed_out" | "done" | "gone";

/** Something somebody asked of the bot. Kept before the platform is told that it arrived. */
export interface Task {
  /** Short reference people are shown with an error: upper-case letters and digits. */
  readonly id: string;
  /** What makes two deliveries one task: kind, team, channel and message. */
  readonly key: string;
  readonly kind: TaskKind;
  /** Tasks of one partition (a thread) run one after another, in the order of their moments. */
  readonly partitionKey: string;
  /** JSON-safe; what is needed to do it again from nothing. */
  readonly body: unknown;
  /** Milliseconds since 1970. */
  readonly acceptedAt: number;
  /** How often it was begun. */
  readonly attempts: number;
  readonly state: "waiting" | "running" | "ended";
  readonly outcome?: Outcome;
  /** JSON-safe; what was done so far, such as the timestamps of posted messages, saved before going on. */
  readonly progress: unknown;
}

/** A task to be accepted. */
export interface NewTask {
  readonly key: string;
  readonly kind: TaskKind;
  readonly partitionKey: string;
  readonly body: unknown;
  /** Whose decision trace it belongs to. Default: what follows `kind:` in the key, else the key. */
  readonly place?: string;
}

/** What renewing a lease brings back. */
export interface Renewal {
  /** False: another instance has taken the task over; leave it alone. */
  readonly held: boolean;
  /** Somebody pressed Stop, perhaps at another instance. */
  readonly stopRequested: boolean;
}

/** How long a task stays its owner's without a sign of life. */
export interface Lease {
  readonly leaseMs: number;
  /**
   * The moment. Absent: by the database's own clock when it is asked, which setting a machine's clock does not move, and
   * which a process that was paused does not remember. For tests, which own the clock.
   */
  readonly now?: number;
}

/** Which tasks are wanted. */
export interface Wanted {
  /** Default all. */
  readonly kinds?: readonly TaskKind[];
  /** Ids of tasks that still run here, whatever became of their leases. */
  readonly except?: readonly string[];
}

/** One step of a decision, in plain words; never message text. */
export interface TraceEntry {
  readonly at: number;
  readonly words: string;
}

/** A delivered answer: what feedback, regenerate, share and stop need to know of it. */
export interface AnswerRecord {
  readonly taskId: string;
  readonly team: string;
  readonly channel: string;
  readonly threadTs: string;
  /** Messages it was delivered in, in order. */
  readonly messages: readonly string[];
  readonly askerId: string;
  /** JSON-safe; whatever a later click needs (conversation, question's ts, entry, …). */
  readonly details: unknown;
  readonly createdAt: number;
}

/**
 * Where a kept message stands. `unconfirmed`: the server took its document, and nobody has seen it there since; it is
 * sent again until it is found or refused.
 */
export type PinState = "waiting" | "accepted" | "unconfirmed" | "indexed" | "failed" | "tombstone";

/** A message that became a document. */
export interface PinRecord {
  readonly team: string;
  readonly channel: string;
  readonly ts: string;
  /** The id that was sent. */
  readonly documentId: string;
  /** The id the server gave back; it can differ. */
  readonly serverId?: string;
  readonly state: PinState;
  /** In plain words, when `failed`, `unconfirmed` or waiting for a server. */
  readonly reason?: string;
  /** Hash of what was sent, so that unchanged is known. */
  readonly hash?: string;
  /** The server is known to have had its document, perhaps as it was before. Absent: it is not. */
  readonly acknowledged?: boolean;
  /** How often it was sent as it is now without being found; only when `unconfirmed`. */
  readonly sends?: number;
  /** When it is looked for and sent again, milliseconds since 1970; only when `unconfirmed`. */
  readonly due?: number;
  /** Who pinned or added it. */
  readonly by: string;
  /** `added` by the shortcut: unpinning does not remove it. Absent: `pinned`. */
  readonly how?: "pinned" | "added";
  /** Root of the thread it stands in, when it is a reply. */
  readonly root?: string;
  /** Moment of the pin or unpin that decided its state, by the platform's clock: an older event changes nothing. */
  readonly moment?: number;
  /** Pair it was sent to; absent: none. */
  readonly pair?: number;
  readonly title: string;
  readonly permalink?: string;
  readonly updatedAt: number;
}

/** Whether something was still within its budget. */
export interface Allowance {
  readonly allowed: boolean;
  /** How many are left at this moment. */
  readonly left: number;
  /** When one more is free again, milliseconds since 1970; the moment asked about, where nothing was taken. */
  readonly resetAt: number;
}

/** One budget of several that are taken from together. */
export interface BudgetTake {
  /** Its name. A name always comes with the same window. */
  readonly budget: string;
  /** Most takes in any span of `windowMs`. */
  readonly most: number;
  readonly windowMs: number;
}

/** What came of taking from several budgets: one from each, or from none. */
export type SharedAllowance =
  | { readonly allowed: true }
  /** Nothing was taken: this budget was empty; of several empty ones, the one that stays so longest. */
  | { readonly allowed: false; readonly budget: string; readonly resetAt: number };

/**
 * Everything the bot remembers, shared by all its instances. One contract, two engines: SQLite for one instance,
 * PostgreSQL for several. Times are whole milliseconds since 1970 and given by the caller, so that tests own the clock;
 * leases are the exception, told by the database.
 * Where several machines share a PostgreSQL server, moments are moved to the server's clock on the way in and back on
 * the way out, so that a machine whose clock is wrong takes no lease away. Any string survives, NUL included.
 */
export interface Store {
  /** Keeps the task durably; false when its key is known already. */
  accept(task: NewTask, now: number): Promise<boolean>;
  /**
   * Takes the oldest task that can run: the first of those waiting in a partition where nothing runs, or one that runs with
   * its lease ended (its instance died). A postponed task keeps its place: its partition waits with it. Undefined: nothing
   * to do. The engine itself keeps two tasks of one partition from running, whatever the clocks say.
   */
  claim(owner: string, lease: Lease & Wanted): Promise<Task | undefined>;
  /** Extends the lease, as long as nobody else has claimed the task. */
  renewLease(id: string, owner: string, lease: Lease): Promise<Renewal>;
  /** Saves how far it got; false when the lease was lost, and nothing was saved. */
  save(id: string, owner: string, progress: unknown): Promise<boolean>;
  /** Puts it back to be claimed again from `notBefore` on. */
  postpone(id: string, owner: string, notBefore: number): Promise<boolean>;
  /** Puts it back at once, as though this run had not begun: the instance is shutting down. */
  release(id: string, owner: string): Promise<boolean>;
  /** Begins a task that ended again, with this progress: what was shown of it is not as it should be. False: it did not end. */
  reopen(id: string, progress: unknown): Promise<boolean>;
  /** Ends it, once. False when the lease was lost. */
  end(id: string, owner: string, outcome: Outcome, now: number): Promise<boolean>;
  find(id: string): Promise<Task | undefined>;
  findByKey(key: string): Promise<Task | undefined>;
  /** How many tasks of a partition come before this one. */
  ahead(id: string): Promise<number>;
  /** How many tasks wait, and how many run. */
  backlog(): Promise<{ waiting: number; running: number }>;
  /** Asks whoever runs the partition's task, or will begin it again, to stop. False: nothing was begun there. */
  requestStop(partitionKey: string): Promise<boolean>;

  /** Adds to the decision trace of a message (`team:channel:ts`). */
  trace(place: string, entry: TraceEntry): Promise<void>;
  traceOf(place: string): Promise<readonly TraceEntry[]>;
  /** Newest first: tasks refused or failed, with the last words of their trace, for the App Home. */
  recentRefusals(limit: number): Promise<readonly { place: string; words: string; at: number }[]>;

  /** One server conversation per thread; `place` is `team:channel:thread_ts:key`. */
  readonly conversations: ConversationStore;

  saveAnswer(answer: AnswerRecord): Promise<void>;
  /** By any of its messages. */
  findAnswer(channel: string, ts: string): Promise<AnswerRecord | undefined>;
  findAnswerByTask(taskId: string): Promise<AnswerRecord | undefined>;

  savePin(pin: PinRecord): Promise<void>;
  findPin(channel: string, ts: string): Promise<PinRecord | undefined>;
  pinsOf(channel: string): Promise<readonly PinRecord[]>;
  allPins(): Promise<readonly PinRecord[]>;
  /** Those whose `due` has come, the longest waiting first. */
  pinsDue(now: number): Promise<readonly PinRecord[]>;
  forgetPin(channel: string, ts: string): Promise<void>;

  /** Takes one from a budget if any is left, in one step for all instances. The window slides. */
  take(budget: string, limit: { most: number; windowMs: number; now: number }): Promise<Allowance>;
  /** Takes one from each of several budgets, or from none where one is empty. */
  takeTogether(budgets: readonly BudgetTake[], now: number): Promise<SharedAllowance>;
  /** What is left, without taking. */
  peek(budget: string, limit: { most: number; windowMs: number; now: number }): Promise<Allowance>;

  /**
   * Small things that must outlive a restart: what somebody has open, that somebody was told something, that streaming
   * does not work here. Retention forgets them unless they are `lasting`: true of a place until somebody changes it.
   */
  remember(name: string, value: string, kept?: { lasting: boolean }): Promise<void>;
  /** Undefined also for what was remembered before `since`. */
  recall(name: string, wanted?: { since: number }): Promise<string | undefined>;
  /** True for exactly one caller per period, which begins with that call: who may reconcile, or tell the admin. */
  claimTurn(name: string, turn: { now: number; periodMs: number }): Promise<boolean>;

  /**
   * Deletes what ended or was remembered before the moment (retention): tasks, traces, answers, conversations, turns,
   * what people did. Returns how many rows.
   */
  forgetBefore(moment: number): Promise<number>;
  /** Deletes everything of the workspace: the app was uninstalled. */
  forgetEverything(): Promise<void>;
  /** A question could be accepted and claimed: rows of its size are written, and taken back. Rejects with why not. */
  check(): Promise<void>;
  close(): Promise<void>;
}
