import type { Answer, Failure } from "@threadlore/ask";
import type { ContextPassage, LeftOut, UnreadPart } from "@threadlore/documents";
import { NO_ANSWER } from "@threadlore/ask";
import { type Signal, signal } from "@preact/signals";
import type { SearchOff } from "../connection/service.ts";
import type { Closed } from "../pages/tabs.ts";

/** A page that went along with a question. */
export interface TurnPage {
  readonly title: string;
  /** Its address in the tab. */
  readonly url: string;
  /** The address it went along by, and is cited by. Default: `url`, of which it lacks keys and sessions. */
  readonly told?: string;
  /** The tab it was read in; by now that may be closed, or be another one of the same number. */
  readonly tabId?: number;
  readonly isSelection?: boolean;
  /** What a person sees on it and could not be read. Absent in what earlier versions have kept. */
  readonly notRead?: readonly NotRead[];
  /** What of it went along; of a kept turn, only what the answer draws from. */
  readonly passages: readonly ContextPassage[];
}

/** What could not be read of a page: frames of other sites, the end of one that is too long, what has no text. */
export type NotRead = "frames" | "end" | UnreadPart;

/** A page that was to go along and could not. */
export interface UnreadPage {
  readonly title: string;
  readonly reason: Closed;
}

/** What a question was asked about. */
export interface Scope {
  readonly page: boolean;
  readonly company: boolean;
  /** Only what is selected on the page in front is meant. */
  readonly selection?: boolean;
}

/** A thumb, as it stands: chosen, on its way, there, or not taken. */
export type Thumb = "none" | "sending" | "up" | "down" | "failed" | "unsupported";

/** A question with its answer, as its conversation has it: everything that changes is a signal. */
export interface Turn {
  /** Different for every turn of the panel's life. */
  readonly id: string;
  readonly question: string;
  scope: Scope;
  readonly answer: Signal<Answer>;
  /** What became of the pages that were to go along; empty until they are read. */
  readonly pages: Signal<TurnPages>;
  readonly notes: Signal<TurnNotes>;
  readonly thumb: Signal<Thumb>;
  /** Whether its pages are being read. `slow`: one of them has not answered for a while. */
  readonly reading: Signal<"no" | "reading" | "slow">;
  /** Asked in a private window, or not known yet: nothing of it may be written to the disk. */
  isPrivate: boolean;
  /** Part of the name its session is made with, which no other conversation has. */
  readonly mark: string;
  /** Ends the wait for its pages. */
  readonly enough: AbortController;
  /** What was said here before the question was put otherwise, newest first: each from its own question on. */
  readonly aside: readonly (readonly Turn[])[];
}

/** A question that waits for the answer before it. */
export interface Waiting {
  readonly id: string;
  readonly question: string;
  readonly scope: Scope;
}

let count = 0;

/** A turn that was just asked. */
export function newTurn(question: string, scope: Scope): Turn {
  return {
    id: `turn-${(count += 1)}`,
    question,
    scope,
    answer: signal<Answer>(NO_ANSWER),
    pages: signal(NO_PAGES),
    notes: signal(NO_NOTES),
    thumb: signal<Thumb>("none"),
    reading: signal<"no" | "reading" | "slow">(scope.page ? "reading" : "no"),
    isPrivate: true,
    mark: `· ${crypto.randomUUID().slice(0, 8)}`,
    enough: new AbortController(),
    aside: [],
  };
}

/** The pages of a turn. */
export interface TurnPages {
  readonly asked: readonly TurnPage[];
  readonly leftOut: readonly LeftOut[];
  readonly unread: readonly UnreadPage[];
}

/** What is said of how a turn was asked. */
export interface TurnNotes {
  /** The company's documents were not searched beside its page, and why. */
  readonly searchOff?: SearchOff;
  /** The service had forgotten the conversation: with this turn it began a new one. */
  readonly begunAnew?: true;
}

/** Nothing is to be said. */
export const NO_NOTES: TurnNotes = Object.freeze({});

/** A turn before its pages are read, or one about none. */
export const NO_PAGES: TurnPages = Object.freeze({ asked: [], leftOut: [], unread: [] });

/** A turn as plain values, to be held in memory; the text is parsed again when it is shown. */
export interface HeldTurn {
  readonly question: string;
  readonly scope: Scope;
  readonly pages: TurnPages;
  readonly answer: KeptAnswer;
  /** Both absent in what earlier versions have kept. */
  readonly notes?: TurnNotes;
  readonly mark?: string;
  readonly thumb?: "up" | "down";
  /** It was asked in a private window. */
  readonly isPrivate?: true;
  /** What stands aside of it; absent where nothing does. */
  readonly aside?: readonly (readonly HeldTurn[])[];
}

/** A turn that may be written to the disk: none of a private window. */
export interface KeptTurn extends HeldTurn {
  readonly isPrivate?: never;
}

/** Whether a turn may be written to the disk, with all that stands aside of it. */
export function mayBeKept(turn: HeldTurn): turn is KeptTurn {
  return turn.isPrivate !== true && (turn.aside ?? []).every((turns) => turns.every(mayBeKept));
}

/** What of an answer is held. */
export type KeptAnswer = Pick<
  Answer,
  "status" | "text" | "preambles" | "citations" | "sources" | "steps" | "conversation" | "finding" | "failure"
>;

/** Code of an answer that was being written when its panel was closed, or its conversation left. */
export const LEFT = "left";

/** An answer that ended before it was asked for. */
export function failedAnswer(failure: Failure): Answer {
  return { ...NO_ANSWER, status: "failed", failure };
}

/** Codes of failures that happen before anything is sent; the panel has words for them. */
export type OwnFailure =
  | "not_configured"
  | "page_unreadable"
  /** The service keeps a memory for this key, which what a page says could be written into. */
  | "memory_on"
  /** The service does not say whether it does. */
  | "memory_unknown";

/** The panel shows its own words for these; the text is for logs and tests. */
export function ownFailure(code: OwnFailure): Failure {
  return { message: code, code, retryable: code === "page_unreadable" };
}
