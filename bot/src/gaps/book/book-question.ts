import type { GapReason } from "@threadlore/client/models";
import type { WaitingQuestion } from "@threadlore/inbox";

/** A question nobody could answer, as it is written into the book. */
export interface BookQuestion extends Omit<WaitingQuestion, "gap" | "telling" | "toldAt" | "words" | "reasons"> {
  /** Without markup; of a question that is not shared they are compared, and kept nowhere. */
  readonly words: string;
  readonly reason: GapReason;
  /** All reasons so far, this one included. */
  readonly reasons: readonly GapReason[];
}

/** Where a question was written down. */
export interface NotedGap {
  /** `s12` at the server, `o5` in the bot's own store. */
  readonly gap: string;
  readonly state: "open" | "closed" | "dismissed";
  /** Where it is closed: what answers it. */
  readonly documentId?: string | undefined;
}

/** What became of a question that was noted. */
export interface NotedQuestion extends NotedGap {
  /** As long as it is alone in its gap: others it may be of, the likeliest first, each by words others may read. */
  readonly maybe: readonly MaybeGap[];
}

/** A gap a question may be of, which its asker can tell. */
export interface MaybeGap {
  readonly gap: string;
  readonly words: string;
  readonly isClosed: boolean;
}

/** Why a list is of what the bot knows itself: the server has none, or does not show it to the bot's key. */
export type NoServerList = "missing" | "forbidden";

/** Open gaps, those first that most people wait for. */
export interface GapList {
  readonly gaps: readonly ListedGap[];
  /** Absent: what was asked elsewhere, of the server itself, is among them. */
  readonly without?: NoServerList | undefined;
}

/** A gap in a list. */
export interface ListedGap {
  readonly gap: string;
  readonly people: number;
  readonly questions: number;
  /** A shared question of it; absent: all of them are private. */
  readonly words?: string | undefined;
}
