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
  if (other === null || other.trim() === "") {
    return Object.assign((text: string) => text, { prepare: async () => undefined });
  }
  let known: Wording | undefined;
  const remove = (text: string) => (text === "" ? "" : withoutKnown(text, (known ??= lastOf(wordingOf(other)))));
  const prepare = async () => {
    for (const step of wordingOf(other)) {
      known = step;
      await turn();
    }
  };
  return Object.assign(remove, { prepare });
}

interface Wording {
  readonly run: number;
  readonly runs: ReadonlySet<string>;
}

/** Words between two steps. */
const STEP = 10_000;

/** The wording of a text: undefined at each step but the last. */
function* wordingOf(other: string): Generator<Wording | undefined> {
  const words: string[] = [];
  const runs = new Set<string>();
  for (const [word] of other.matchAll(WORD)) {
    words.push(word.toLowerCase());
    if (words.length >= RUN) runs.add(keyOf(words, words.length - RUN, RUN));
    if (words.length % STEP === 0) yield undefined;
  }
  const run = Math.min(RUN, words.length);
  if (run > 0 && run < RUN) runs.add(keyOf(words, 0, run));
  yield { run, runs };
}

function lastOf(steps: Iterable<Wording | undefined>): Wording {
  let latest: Wording = { run: 0, runs: new Set() };
  for (const step of steps) latest = step ?? latest;
  return latest;
}

function withoutKnown(text: string, { run, runs }: Wording): string {
  if (run === 0) return text;
  const own = wordSpans(text);
  const words = own.map(({ word }) => word);
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

interface WordSpan {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Where words are not set apart by spaces, every character counts as one. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}])+/gu;

function wordSpans(text: string): WordSpan[] {
  const spans: WordSpan[] = [];
  for (const match of text.matchAll(WORD)) {
    spans.push({ word: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length });
  }
  return spans;
}

function keyOf(words: readonly string[], at: number, run: number): string {
  let key = "";
  for (let index = at; index < at + run; index++) key += `${words[index]} `;
  return key;
}
