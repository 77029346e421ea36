import type { AnswerKind } from "@threadlore/language/meaning";
import type { GapKind } from "../../upload/gap.ts";

/** Ways in which a model fails. */
export type ModelTrouble =
  | "silent"
  | "endless"
  | "unreadable"
  | "empty or unreadable"
  | "broken off"
  | "withheld"
  | "unreachable"
  | "over its limit"
  | "key refused"
  | "failed"
  | "error"
  | "only tools"
  | "empty";

/** What a document that speaks of the thing can still leave out: kinds of answers that can be told from other text. */
export type MissingKind = Exclude<AnswerKind, "choice" | "thing">;

/** What one of several sources says that do not agree. */
export interface DifferingStatement {
  readonly title: string;
  /** When it was last changed, as ISO 8601; anything else counts as not known. */
  readonly date: string | null | undefined;
  /** In its own words, or few of them. */
  readonly says: string;
}

/** A word of the question and the one it was taken for. */
export interface WordReadAs {
  readonly written: string;
  readonly read: string;
}

/**
 * The service's own sentences in an answer, in one language. What is put into them (titles, file names, words of the
 * question, a model's error) stands in the sentence as it is given: making it harmless is the caller's matter, as is
 * keeping it short.
 */
export interface Wording {
  /** BCP 47: what dates and lists are written for. */
  readonly language: string;
  /** Sentences one after the other, spaced as the language spaces them. */
  readonly joined: (sentences: readonly string[]) => string;
  /** Nothing is about the question, or nothing could be looked at. */
  readonly nothing: {
    readonly inDocuments: string;
    readonly inDocumentsOrSent: string;
    /** In what was sent along; the documents were not searched. */
    readonly inSent: string;
    /** No search is allowed and no text came along. */
    readonly toSearch: string;
    /** What to try now, after one of those. */
    readonly advice: string;
    /** So much of the documents can be searched at the moment, in percent: the index is being made anew. */
    readonly partIndexed: (percent: number) => string;
    /** Of one part of a researched question. */
    readonly inPart: string;
  };
  /** To somebody who greets, thanks, or asks what may be asked. */
  readonly courtesies: Readonly<Record<"greeting" | "thanks", string>>;
  /** Nothing answers the question; some documents come close to it. */
  readonly closest: {
    /** Above those documents. */
    readonly lead: string;
    /** No document holds one of these words; at least one. */
    readonly unmentioned: (words: readonly string[]) => string;
    /** They speak of it and leave out what was asked for. */
    readonly missing: Readonly<Record<MissingKind, string>>;
    /** They hold too few of the question's words. */
    readonly tooLittle: string;
    /** They are about other years than these; at least one. */
    readonly noYear: (years: readonly number[]) => string;
  };
  /** Sources that do not agree. */
  readonly differing: {
    /** Above their statements. */
    readonly lead: string;
    readonly statement: (statement: DifferingStatement) => string;
  };
  /** Which words of the question were taken for others; at least one. */
  readonly corrected: (words: readonly WordReadAs[]) => string;
  /** Above the main points of a document; without a title, of what came along. */
  readonly mainPoints: (title: string | undefined) => string;
  /** A remark behind a model's sentence: these numbers and names are not in the passage it cites; at least one. */
  readonly notInSource: (values: readonly string[]) => string;
  /** Such a remark where the passage denies what the sentence affirms, in the same words, or the other way round. */
  readonly oppositeInSource: string;
  /** What had no part in the answer, or will not be found again. */
  readonly notes: {
    readonly pictureUnread: (name: string) => string;
    /** The attached files are too long together for this one to be read. */
    readonly noRoom: (name: string) => string;
    /** No text could be read; `why` is a sentence, or undefined where it is not known. */
    readonly noText: (name: string, why: string | undefined) => string;
    /** What is to be known of a file: sentences, at least one. */
    readonly ofFile: (name: string, remarks: readonly string[]) => string;
    /** One of those remarks. */
    readonly onlyBeginning: string;
    /** Stands in the stored answer for a quote from text that is never stored. */
    readonly quoteNotKept: string;
    readonly diskFull: string;
    readonly damaged: string;
    /** The model wrote as much as it may. */
    readonly modelCutShort: string;
    /** The model that was asked for is not there, so the one set up answered. */
    readonly modelSubstituted: (model: string) => string;
    /** No model is set up, so the one the request named was not used. */
    readonly modelUnused: (model: string) => string;
    /** The model failed, for the reason given without a full stop; what follows are quotes. */
    readonly modelFailed: (reason: string) => string;
  };
  /** What of a file was not read, and what to do: one or two sentences. `one` and `other` are numbers, as `Gap` has them. */
  readonly gaps: Readonly<Record<GapKind, (one: number, other: number) => string>>;
  /** Why a model failed, to stand in `modelFailed`; the number is a status, or seconds. */
  readonly modelTroubles: Readonly<Record<ModelTrouble, (number: number) => string>>;
  /** Why there is no answer at all, or only a part of one. */
  readonly failures: Readonly<Record<"internal" | "damaged" | "closing" | "interrupted", string>>;
}
