/** What the store keeps. */

/** What a task is about. */
export type TaskKind =
  | "question"
  | "regenerate"
  | "mend"
  | "pin"
  | "unpin"
  | "edit"
  | "add"
  | "connect"
  | "gap"
  | "close"
  | "tell"
  | "call"
  | "still"
  | "digest";

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
  /**
   * How many of these say nothing against it: it was handed back as the bot stopped, or asked itself to be begun later, as what
   * needs a server that is away does.
   */
  readonly excused: number;
  readonly state: "waiting" | "running" | "ended";
  readonly outcome?: Outcome;
  /** JSON-safe; what was done so far, such as the timestamps of posted messages, saved before going on. */
  readonly progress: unknown;
}

/** A task to be accepted. */
export interface NewTask extends Pick<Task, "key" | "kind" | "partitionKey" | "body"> {
  /** Whose decision trace it belongs to. Default: what follows `kind:` in the key, else the key. */
  readonly place?: string;
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

/** One step of a decision, in plain words; never message text. */
export interface TraceEntry {
  readonly at: number;
  readonly words: string;
}

/** A delivered answer, by whose messages it is known later which ones are the bot's answers. */
export interface AnswerRecord {
  readonly taskId: string;
  readonly channel: string;
  /** Messages it was delivered in, in order. */
  readonly messages: readonly string[];
  readonly createdAt: number;
  /** The connection of an account it was made with, where it was made with one: it is nothing for any other. */
  readonly account?: string | undefined;
  /** It says that nothing was found: nobody is to be answered from it. */
  readonly isNothing?: boolean | undefined;
}

/** An account of a knowledge server that somebody connected. */
export interface AccountRecord {
  /** Whose it is: workspace and person, `team:user`. One person has one. */
  readonly holder: string;
  /** New with each connection: whatever is noted of what was asked with it bears this id. */
  readonly id: string;
  /** Its key, sealed by whoever keeps it here; never in the clear. */
  readonly sealed: string;
  /** JSON-safe: what is shown of it. */
  readonly facts: unknown;
  /** Milliseconds since 1970. */
  readonly connectedAt: number;
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
  /**
   * `added` by the shortcut, or an `answer` to a question that nobody had written down: unpinning does not remove it. Absent:
   * `pinned`.
   */
  readonly how?: "pinned" | "added" | "answer";
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

/** A question that people were asked to answer: one call for each answer below which somebody wanted that. */
export interface CallRecord {
  /** It was asked in the side panel, at the server: whoever asked is no account here, and is told there. */
  readonly panel?: { readonly ask: string; readonly gap: string; readonly name?: string | undefined };
  /** The task of the answer that did not help. */
  readonly task: string;
  readonly channel: string;
  /** Root of the thread they were asked in. Absent: it is not begun yet. */
  readonly thread?: string | undefined;
  /** The message that asks them. Absent: it is not posted yet. */
  readonly ts?: string | undefined;
  /** Who wanted a person. */
  readonly by: string;
  /** Whose question it is. */
  readonly asker: string;
  /** Its words as they are quoted, one line, with names in place of ids. Empty: it was deleted. */
  readonly question: string;
  /** Its message, where it stands in the same thread. */
  readonly questionTs?: string | undefined;
  /** Only its asker knew of it before: who that is, and where they are told. `named`: the others know who asks. */
  readonly private?: { readonly channel: string; readonly named: boolean } | undefined;
  /** One helper was asked, directly: the channel whose rules name them; absent: those of direct messages do, or of the place itself. */
  readonly under?: string | undefined;
  /** Who was asked: ids of people and of groups. */
  readonly helpers: readonly string[];
  /** Documents that come closest, as far as everybody there may see them. */
  readonly closest: readonly { readonly title: string; readonly link?: string | undefined }[];
  /** The first message of each who replied, oldest first. */
  readonly replies: readonly { readonly user: string; readonly ts: string }[];
  readonly state: "open" | "resolved" | "kept";
  /** Who said that it is resolved. */
  readonly resolvedBy?: string | undefined;
  /** The reply that is kept, or about to be: names the kept message. */
  readonly keeps?: string | undefined;
  /** When those who were asked are reminded, milliseconds since 1970. Absent: they were, or are not. */
  readonly remindAt?: number | undefined;
  /** When its asker was told that it is answered, milliseconds since 1970. */
  readonly toldAt?: number | undefined;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly updatedAt: number;
}

/** A reply that became a document: the answer to a question nobody had written down. Its message is a {@link PinRecord}. */
export interface KeptAnswer {
  readonly channel: string;
  /** The first of the messages that are the answer. */
  readonly ts: string;
  /** The call it replies to. */
  readonly task: string;
  /** Whose words they are. */
  readonly owner: string;
  /** Root of their thread. */
  readonly thread: string;
  /** Messages of the owner up to this one, as they agreed to. */
  readonly until: string;
  /** The document's title; empty: the first line of the answer. */
  readonly question: string;
  /** It was given in a direct message: the channel whose rules name its owner as a helper; absent: those of its place. */
  readonly under?: string | undefined;
  /** When its owner wanted it kept, milliseconds since 1970. */
  readonly keptAt: number;
  /** The gap it closed, as far as that was known. */
  readonly gap?: string;
  /** When its owner last said that it holds, milliseconds since 1970. */
  readonly confirmedAt: number;
}

/** What speaks against an answer that was kept: its owner is asked about it. */
export interface DoubtRecord {
  /** The same for the same doubt, however often it comes up. */
  readonly id: string;
  /** The kept answer. */
  readonly channel: string;
  readonly ts: string;
  readonly owner: string;
  /** A newer document says otherwise; an answer made from it was marked as bad; it is old. */
  readonly reason: "contradicted" | "bad_mark" | "age";
  /** The server's name of the kept answer, where the doubt is the server's. */
  readonly named?: string | undefined;
  /** The newer document, and what it and the kept answer say. Absent: there is none, or it is over. */
  readonly newer?:
    | {
        readonly documentId: string;
        readonly title: string;
        readonly link?: string | undefined;
        readonly says: string;
        readonly keptSays: string;
      }
    | undefined;
  /** Hash of the kept answer's document when it came up: with other words it is another answer. */
  readonly hash?: string | undefined;
  /** `new`: nobody was asked yet. `over`: its owner said what is so, or it is so no more. */
  readonly state: "new" | "asked" | "over";
  /** The messages that ask. */
  readonly messages: readonly { readonly channel: string; readonly ts: string }[];
  /** When its owner is reminded, milliseconds since 1970. Absent: they were, or are not. */
  readonly remindAt?: number | undefined;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly updatedAt: number;
}

/** How often something may happen. */
export interface RateLimit {
  /** Of what hits are counted together. A name always comes with the same window. */
  readonly name: string;
  /** Most hits in any span of `windowMs`. */
  readonly most: number;
  readonly windowMs: number;
}

/** What came of a hit on several limits: it counts for each of them, or for none. */
export type RateLimitHit =
  | { readonly allowed: true }
  /** This limit is reached; of several, the one that stays so longest. `resetAt`: when one more hit is free again. */
  | { readonly allowed: false; readonly name: string; readonly resetAt: number };

/** A question nobody could answer, whose asker is told when somebody does. */
export interface WaitingQuestion {
  /** The task of the question; at a server of gaps it is called the same. */
  readonly ref: string;
  /** The gap it is part of: `s12` is one of the server, `o5` one of this store. */
  readonly gap: string;
  /** `team:user`. */
  readonly asker: string;
  /** The message it was asked in, `team:channel:ts`. */
  readonly place: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** Others than the asker may read its words. */
  readonly isShared: boolean;
  /** Why it is part of a gap, each once. */
  readonly reasons: readonly string[];
  /** Thread in which its asker is told. Absent: in a direct message. */
  readonly where?: { readonly channel: string; readonly thread: string };
  /** Only of a shared question. */
  readonly words?: string;
  /** What its asker is told with; absent: nothing is to be told yet. */
  readonly telling?: string | undefined;
  readonly toldAt?: number | undefined;
}

/** A gap of this store. */
export interface OwnGap {
  readonly gap: string;
  readonly state: "open" | "closed" | "dismissed";
  /** What closes it. */
  readonly documentId?: string | undefined;
}

/** What another question is compared with. */
export interface ComparedWords {
  readonly gap: string;
  readonly traits: unknown;
}

/** A gap, by who waits for it here. */
export interface WaitingGap {
  readonly gap: string;
  readonly people: number;
  readonly questions: number;
  /** When it was asked last, milliseconds since 1970. */
  readonly newestAt: number;
  /** A shared question of it, the oldest; absent: all of them are private. */
  readonly words?: string | undefined;
}
