/** What of a turn outlives the panel, and how it comes back. None of it is needed to draw the panel first. */
import type { Answer } from "@threadlore/ask";
import { createMarkdown, isFinal, NO_ANSWER, withAsides } from "@threadlore/ask";
import { nearest } from "../answer/passage-link.ts";
import { type HeldTurn, type KeptAnswer, LEFT, newTurn, NO_NOTES, type Turn, type TurnPages } from "./turn.ts";

/** What of a turn outlives the panel, as far as its answer has come; without what stands aside of it. */
export function holdTurn({ question, scope, mark, isPrivate, ...turn }: Turn): HeldTurn {
  const { status, text, preambles, citations, sources, steps, conversation, finding, failure } = turn.answer.peek();
  const thumb = turn.thumb.peek();
  return {
    question,
    scope,
    pages: withoutUnused(turn.pages.peek(), text),
    notes: turn.notes.peek(),
    mark,
    answer: { status, text, preambles, citations, sources, steps, conversation, finding, failure },
    thumb: thumb === "up" || thumb === "down" ? thumb : undefined,
    isPrivate: isPrivate || undefined,
  };
}

/** Most passages of a page that are kept with a conversation. */
const MAX_PASSAGES = 8;

/** The pages with those passages only that an answer's paragraphs have most to do with, so that its links stay exact. */
function withoutUnused(pages: TurnPages, text: string): TurnPages {
  if (pages.asked.length === 0) return pages;
  const paragraphs = text.split("\n").filter((line) => line.trim() !== "");
  const asked = pages.asked.map((page) => {
    const used = paragraphs.slice(0, MAX_PASSAGES).flatMap((line) => nearest(page.passages, line) ?? []);
    return { ...page, passages: [...new Set(used)] };
  });
  return { ...pages, asked };
}

/** A turn that was kept. */
export function revivedTurn(held: HeldTurn): Turn {
  const { question, scope, isPrivate, mark = "", aside = [] } = held;
  const revived = aside.map((turns) => turns.map(revivedTurn));
  const turn = { ...newTurn(question, scope), isPrivate: isPrivate === true, mark, aside: revived };
  turn.reading.value = "no";
  turn.answer.value = revivedAnswer(held.answer);
  turn.pages.value = held.pages;
  turn.notes.value = held.notes ?? NO_NOTES;
  turn.thumb.value = held.thumb ?? "none";
  return turn;
}

/** A held answer as it was; parsed when first looked at. One that was still being written has broken off there. */
export function revivedAnswer(kept: KeptAnswer): Answer {
  const left = { status: "partial", failure: { message: LEFT, code: LEFT, retryable: true } } as const;
  return shownAnswer({ ...kept, ...(isFinal(kept.status) ? {} : left) });
}

/** An answer as plain values have it. */
export function shownAnswer(kept: KeptAnswer): Answer {
  let blocks: Answer["blocks"] | undefined;
  return {
    ...NO_ANSWER,
    ...kept,
    get blocks() {
      blocks ??= withAsides(parse(kept.text), kept.finding);
      return blocks;
    },
  };
}

function parse(text: string): Answer["blocks"] {
  const markdown = createMarkdown();
  markdown.push(text);
  return markdown.end();
}
