import type { Answer, Failure } from "@threadlore/ask";
import type { ContextPassage, LeftOut } from "@threadlore/documents";
import { createMarkdown, emptyAnswer } from "@threadlore/ask";
import type { ReadonlySignal } from "@preact/signals";
import { nearest } from "./passage-link.ts";
import type { Closed } from "./tabs.ts";

/** A page that went along with a question. */
export interface TurnPage {
  readonly title: string;
  readonly url: string;
  readonly isSelection?: boolean;
  /** What of it went along; of a kept turn, only what the answer draws from. */
  readonly passages: readonly ContextPassage[];
}

/** A page that was to go along and could not. */
export interface UnreadPage {
  readonly title: string;
  readonly reason: Closed;
}

/** What a question was asked about. */
export interface Scope {
  readonly page: boolean;
  readonly company: boolean;
}

/** A thumb, as it stands: chosen, on its way, there, or not taken. */
export type Thumb = "none" | "sending" | "up" | "down" | "failed" | "unsupported";

/** A question with its answer, as the conversation shows it. */
export interface Turn {
  /** Different for every turn of the panel's life. */
  readonly id: string;
  readonly question: string;
  readonly scope: Scope;
  readonly answer: ReadonlySignal<Answer>;
  /** What became of the pages that were to go along; empty until they are read. */
  readonly pages: ReadonlySignal<TurnPages>;
  readonly thumb: ReadonlySignal<Thumb>;
}

/** The pages of a turn. */
export interface TurnPages {
  readonly asked: readonly TurnPage[];
  readonly leftOut: readonly LeftOut[];
  readonly unread: readonly UnreadPage[];
}

/** A turn before its pages are read, or one about none. */
export const NO_PAGES: TurnPages = Object.freeze({ asked: [], leftOut: [], unread: [] });

/** A turn as it is stored: plain values; the text is parsed again when it is shown. */
export interface KeptTurn {
  readonly question: string;
  readonly scope: Scope;
  readonly pages: TurnPages;
  readonly answer: KeptAnswer;
  readonly thumb?: "up" | "down";
}

type KeptAnswer = Pick<
  Answer,
  "status" | "text" | "preambles" | "citations" | "sources" | "steps" | "conversation" | "failure"
>;

/** What of a turn outlives the panel. Called when the answer is over. */
export function keepTurn({ question, scope, answer, pages, thumb }: Turn): KeptTurn {
  const { status, text, preambles, citations, sources, steps, conversation, failure } = answer.peek();
  const judged = thumb.peek();
  return {
    question,
    scope,
    pages: withoutUnused(pages.peek(), text),
    answer: {
      status,
      text,
      preambles,
      citations,
      sources,
      steps,
      conversation,
      ...(failure === undefined ? {} : { failure }),
    },
    ...(judged === "up" || judged === "down" ? { thumb: judged } : {}),
  };
}

/** Most passages of a page that are kept with a conversation. */
const MOST_PASSAGES = 8;

/** The pages with those passages only that an answer's paragraphs have most to do with, so that its links stay exact. */
function withoutUnused(pages: TurnPages, text: string): TurnPages {
  if (pages.asked.length === 0) return pages;
  const paragraphs = text.split("\n").filter((line) => line.trim() !== "");
  const asked = pages.asked.map((page) => {
    const used = paragraphs.slice(0, MOST_PASSAGES).flatMap((line) => nearest(page.passages, line) ?? []);
    return { ...page, passages: [...new Set(used)] };
  });
  return { ...pages, asked };
}

/** A stored answer as it was; parsed when first looked at. */
export function revivedAnswer(kept: KeptAnswer): Answer {
  let blocks: Answer["blocks"] | undefined;
  return {
    ...emptyAnswer(),
    ...kept,
    get blocks() {
      blocks ??= parse(kept.text);
      return blocks;
    },
  };
}

function parse(text: string): Answer["blocks"] {
  const markdown = createMarkdown();
  markdown.push(text);
  return markdown.end();
}

/** An answer that ended before it was asked for. */
export function failedAnswer(failure: Failure): Answer {
  return { ...emptyAnswer(), status: "failed", failure };
}
