import { setImmediate as turn } from "node:timers/promises";

/** As many words in a row are a text's own wording rather than a coincidence; fewer where it has no more. */
const RUN = 6;

/** What takes out of a text the wording of another. */
export interface WordingRemover {
  (text: string): string;
  /** Goes through the other text, a little at a time; without this it is gone through at once, at the first use. */
  prepare(): Promise<void>;
}

/**
 * What takes out of a text the passages that are word for word in another: each becomes "…". For an answer that is
 * stored while the text it was drawn from must not be (specification section 2, additional_context).
 */
export function wordingRemover(other: string | null): WordingRemover {
  const runs = new Set<string>();
  let run = 0;
  /** Goes through the other text, with a stop at each step. */
  function* gather(): Generator<void> {
    const words: string[] = [];
    for (const [word] of (other ?? "").matchAll(WORD)) {
      words.push(word.toLowerCase());
      run = Math.min(RUN, words.length);
      if (run === RUN) runs.add(keyOf(words, words.length - RUN, RUN));
      if (words.length % STEP === 0) yield;
    }
    if (run < RUN) runs.add(keyOf(words, 0, run));
  }
  const steps = gather();
  const remove = (text: string) => {
    if (text === "") return "";
    for (const step of steps) void step;
    return run === 0 ? text : withoutKnown(text, run, runs);
  };
  const prepare = async () => {
    for (const step of steps) {
      void step;
      await turn();
    }
  };
  return Object.assign(remove, { prepare });
}

/** Words between two steps. */
const STEP = 10_000;

function withoutKnown(text: string, run: number, runs: ReadonlySet<string>): string {
  const own = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
  const words = own.map(({ start, end }) => text.slice(start, end).toLowerCase());
  const taken = own.map(() => false);
  for (let at = 0; at + run <= own.length; at++) {
    if (runs.has(keyOf(words, at, run))) taken.fill(true, at, at + run);
  }
  let kept = "";
  let from = 0;
  for (let at = 0; at < own.length; at++) {
    if (taken[at] !== true) continue;
    let last = at;
    while (taken[last + 1] === true) last++;
    kept += `${text.slice(from, own[at]?.start)}…`;
    from = own[last]?.end ?? text.length;
    at = last;
  }
  return kept + text.slice(from);
}

/** Where words are not set apart by spaces, every character counts as one. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}])+/gu;

function keyOf(words: readonly string[], at: number, run: number): string {
  let key = "";
  for (let index = at; index < at + run; index++) key += `${words[index]} `;
  return key;
}
