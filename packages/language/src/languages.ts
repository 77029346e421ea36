import { foldWord } from "./folding.ts";
import { functionWordsOf, KNOWN_LANGUAGES } from "./function-words.ts";
import {
  ALPHABETS,
  isScriptOfLanguages,
  LETTERS,
  ONE_LANGUAGE_SCRIPTS,
  type ScriptOfLanguages,
  scriptOf,
} from "./scripts.ts";

/** A language a text may be in. */
export interface LikelyLanguage {
  /** ISO 639-1 code; Norwegian is `no`, Chinese of either script `zh`. */
  readonly language: string;
  /** Its share of what speaks for any language, 0 to 1. 1 where the script alone decides. */
  readonly confidence: number;
}

/** A language is named from this share on. */
const MIN_CONFIDENCE = 0.4;

/** So many UTF-16 units of a long text are read, half of them from its middle. */
const MAX_READ = 1_200;

/** A hint decides between languages that are about as likely: it weighs as much as one rare function word. */
const HINT_WEIGHT = 1.5;

/**
 * The language of a text as an ISO 639-1 code, by its script, function words and letters of its own; `undefined` where
 * nothing tells, as for a name or a number. `hint` is what is likely beforehand, such as the language of the page or of
 * the person: it decides where the text leaves it open.
 */
export function languageOf(text: string, hint?: string): string | undefined {
  const [first] = likelyLanguages(text, hint);
  return first !== undefined && first.confidence >= MIN_CONFIDENCE ? first.language : undefined;
}

/** The languages a text may be in, the likeliest first, at most five; empty where nothing tells. */
export function likelyLanguages(text: string, hint?: string): LikelyLanguage[] {
  const sample = sampleOf(text);
  const script = scriptOf(sample);
  if (script === undefined) return hint === undefined ? [] : [{ language: hint, confidence: 1 }];
  const only = ONE_LANGUAGE_SCRIPTS[script];
  if (only !== undefined) return [{ language: only, confidence: 1 }];
  if (script === "Hani") return [{ language: hint === "ja" ? "ja" : "zh", confidence: 1 }];
  return isScriptOfLanguages(script) ? ranked(scoresOf(sample, script, hint), script) : [];
}

function sampleOf(text: string): string {
  if (text.length <= MAX_READ) return text;
  const middle = text.length >> 1;
  return `${text.slice(0, MAX_READ / 2)} ${text.slice(middle, middle + MAX_READ / 2)}`;
}

const WORDS = /\p{L}[\p{L}\p{M}]*/gu;

function scoresOf(sample: string, script: ScriptOfLanguages, hint: string | undefined): Map<string, number> {
  const scores = new Map<string, number>();
  const candidates = ALPHABETS[script];
  const add = (language: string, weight: number) => {
    if (candidates.includes(language)) scores.set(language, (scores.get(language) ?? 0) + weight);
  };
  const lower = sample.normalize("NFC").toLowerCase();
  for (const [word] of lower.matchAll(WORDS)) {
    for (const { language, weight } of evidenceOf(word)) add(language, weight);
  }
  for (const { letters, languages, weight } of LETTERS) {
    if (letters.test(lower)) for (const language of languages) add(language, weight);
  }
  if (hint !== undefined) add(hint, HINT_WEIGHT);
  return scores;
}

function ranked(scores: ReadonlyMap<string, number>, script: ScriptOfLanguages): LikelyLanguage[] {
  const candidates = ALPHABETS[script];
  const total = [...scores.values()].reduce((sum, one) => sum + one, 0);
  const first = candidates[0];
  // Nothing speaks for any of them: the commonest of the script, where there is one by far.
  if (total === 0) return script === "Latn" || first === undefined ? [] : [{ language: first, confidence: 0.5 }];
  const best = [...scores].toSorted(([, one], [, other]) => other - one).slice(0, 5);
  // Kinship makes a word speak for several languages: the best one's lead counts, not its share of all.
  const top = best[0]?.[1] ?? 0;
  const rest = (best[1]?.[1] ?? 0) / 2;
  return best.map(([language, score]) => ({ language, confidence: Math.min(1, score / (top + rest)) }));
}

interface Evidence {
  readonly language: string;
  readonly weight: number;
}

const NONE: readonly Evidence[] = [];
let evidence: Map<string, Evidence[]> | undefined;

/** What a word says about the language, from the lists of function words: the fewer have it, the more. */
function evidenceOf(word: string): readonly Evidence[] {
  evidence ??= collectEvidence();
  return evidence.get(word) ?? NONE;
}

function collectEvidence(): Map<string, Evidence[]> {
  const languages = new Map<string, Set<string>>();
  const folded = new Map<string, Set<string>>();
  for (const language of KNOWN_LANGUAGES) {
    for (const word of functionWordsOf(language)) {
      put(languages, word, language);
      // Without its accents nearly every syllable of Vietnamese is a word of another language.
      if (language !== "vi") put(folded, foldWord(word), language);
    }
  }
  const collected = new Map<string, Evidence[]>();
  for (const [word, those] of folded) collected.set(word, weighed(word, those, 0.6));
  for (const [word, those] of languages) {
    // As it is written it speaks for those that write it so, and less for those that put an accent there.
    const typed = [...(folded.get(word) ?? [])].filter((language) => !those.has(language));
    collected.set(word, [...weighed(word, those, 1), ...weighed(word, new Set(typed), 0.3)]);
  }
  return collected;
}

function put(map: Map<string, Set<string>>, word: string, language: string): void {
  const those = map.get(word) ?? new Set();
  map.set(word, those.add(language));
}

function weighed(word: string, languages: ReadonlySet<string>, factor: number): Evidence[] {
  const byLength = word.length === 1 ? 0.4 : word.length === 2 ? 0.8 : 1.2;
  const weight = (factor * byLength * 2) / (1 + languages.size);
  return [...languages].map((language) => ({ language, weight }));
}
