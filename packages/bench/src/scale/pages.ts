import { seededRandom } from "@threadlore/testkit";
import { allProse } from "../answers/prose.ts";
import { tellingWords } from "../search/search-contestants.ts";
import type { Page } from "../search/search-corpus.ts";

/** Texts people wrote, and questions with words of theirs. */
export interface RealPages {
  readonly pages: readonly Page[];
  /** How many of them are paragraphs as they were written; all others are two halves of such. */
  readonly asWritten: number;
  readonly questions: readonly string[];
}

/** Questions there are at the most. */
const QUESTIONS = 200;
/** Of function words alone nobody asks. */
const LEAST_TELLING = 3;

/**
 * So many pages, always the same: paragraphs of manuals, and where these are used up, the first sentences of one with the
 * last of another. Words stand as people put them; only what stands in one page is put together.
 */
export async function realPages(wanted: number): Promise<RealPages> {
  const prose = await allProse();
  if (prose.length === 0) throw new Error("There is no prose of manuals here, and nothing else is measured instead.");
  const random = seededRandom(17);
  const pick = () => prose[Math.floor(random() * prose.length)] as (typeof prose)[number];
  const asWritten = Math.min(wanted, prose.length);
  const pages = Array.from({ length: wanted }, (_, index): Page => {
    const id = `p${index}`;
    const own = prose[index];
    if (own !== undefined) return { id, title: own.title, text: own.text };
    const [first, second] = [pick(), pick()];
    return { id, title: first.title, text: `${halfOf(first.text, "beginning")} ${halfOf(second.text, "end")}` };
  });
  const questions: string[] = [];
  while (questions.length < QUESTIONS) {
    const page = pages[Math.floor(random() * asWritten)] as Page;
    const question = questionFrom(page.text, random);
    if (tellingWords(question).length >= LEAST_TELLING) questions.push(question);
  }
  return { pages, asWritten, questions };
}

function halfOf(text: string, which: "beginning" | "end"): string {
  const sentences = text.split(/(?<=[.!?:]["”’)]?) /);
  const middle = Math.ceil(sentences.length / 2);
  // Of a single sentence the half of its words.
  if (sentences.length === 1) {
    const words = text.split(" ");
    const half = words.length >> 1;
    return (which === "beginning" ? words.slice(0, half) : words.slice(half)).join(" ");
  }
  return (which === "beginning" ? sentences.slice(0, middle) : sentences.slice(middle)).join(" ");
}

/** Six to ten words of a text, as they follow each other. */
function questionFrom(text: string, random: () => number): string {
  const words = text.replace(/[.!?:]/g, "").split(/\s+/);
  const length = 6 + Math.floor(random() * 5);
  const from = Math.floor(random() * Math.max(1, words.length - length));
  return `What about ${words.slice(from, from + length).join(" ")}?`;
}
