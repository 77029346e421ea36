/** All languages there are rules for, ready to be looked up; and which one a text without a tag is read in. */
import { languageOf } from "../../languages.ts";
import { tokensOf } from "../tokens.ts";
import { type Phrases, phrasesOf } from "../phrases.ts";
import type { AnswerKind, Lexicon, Modality } from "./types.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { da, nl, no, sv } from "./germanic.ts";
import { ja } from "./ja.ts";
import { it, pt, ro } from "./romance.ts";
import { ru } from "./ru.ts";
import { cs, pl, uk } from "./slavic.ts";
import { el, fa, he, hi } from "./south.ts";
import { id, ko, th, vi } from "./east.ts";
import { fi, hu, tr } from "./suffixing.ts";
import { zh } from "./zh.ts";

const LEXICONS: Readonly<Record<string, Lexicon>> = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  sv,
  da,
  no,
  fi,
  pl,
  cs,
  hu,
  ro,
  el,
  ru,
  uk,
  tr,
  ar,
  fa,
  he,
  hi,
  ja,
  zh,
  ko,
  vi,
  th,
  id,
};

/** A lexicon whose lists are ready to be looked for. */
export interface CompiledLexicon {
  readonly language: string;
  readonly words: Lexicon;
  /** Question words: a kind, or "count", "which", "before" (after its noun), "choice". */
  readonly asks: Phrases<string>;
  readonly nouns: Phrases<AnswerKind>;
  readonly links: Phrases<"link">;
  readonly skips: ReadonlySet<string>;
  readonly stops: ReadonlySet<string>;
  /** Definite articles, where the language has any: "what is the …" asks for a thing, not for a meaning. */
  readonly articles: ReadonlySet<string>;
  readonly choice: Phrases<"choice">;
  readonly units: Phrases<string>;
  readonly about: Phrases<"about">;
  readonly because: Phrases<"because">;
  readonly mayBecause: Phrases<"mayBecause">;
  readonly by: Phrases<"by">;
  readonly when: Phrases<"when">;
  readonly no: Phrases<"no">;
  readonly rules: Phrases<Modality>;
  /** Written without spaces: a token is a character. */
  readonly isUnspaced: boolean;
  /** "ما هو X": what something is is asked without a word for "is". */
  readonly hasNoCopula: boolean;
}

const ARTICLES: Readonly<Record<string, string>> = {
  en: "the",
  de: "der die das den dem",
  fr: "le la les l",
  es: "el la los las lo",
  it: "il lo la i gli le l",
  pt: "o a os as",
  nl: "de het",
  el: "ο η το οι τα",
  hu: "a az",
};

const compiled = new Map<string, CompiledLexicon>();

function compile(language: string, words: Lexicon): CompiledLexicon {
  const setOf = (list: string) => new Set(tokensOf(list).map(({ text }) => text));
  return {
    language,
    words,
    asks: phrasesOf<string>({
      which: words.which,
      before: words.what ?? "",
      count: words.count,
      ...words.asks,
      choice: choiceWords(language, words),
    }),
    nouns: phrasesOf(words.nouns),
    links: phrasesOf({ link: words.links }),
    skips: setOf(words.skips),
    stops: setOf(words.stops),
    articles: setOf(ARTICLES[language] ?? ""),
    choice: phrasesOf({ choice: [words.choice, words.asks.choice ?? ""].join("|") }),
    units: phrasesOf(words.units),
    about: phrasesOf({ about: words.about }),
    because: phrasesOf({ because: words.because }),
    mayBecause: phrasesOf({ mayBecause: words.mayBecause ?? "" }),
    by: phrasesOf({ by: words.by }),
    when: phrasesOf({ when: words.when }),
    no: phrasesOf({ no: words.no }),
    rules: phrasesOf(words.rules),
    isUnspaced: ["ja", "zh", "th"].includes(language),
    hasNoCopula: language === "ar",
  };
}

/** ですか ends every question, those of a question word too: it may not stand in that word's way. */
function choiceWords(language: string, { asks }: Lexicon): string {
  return language === "ja" ? "" : (asks.choice ?? "");
}

/** The rules for a language; for a tag without rules, or none, those of the language the text looks written in. */
export function lexiconFor(language: string | undefined, text: string): CompiledLexicon {
  const tag = (language ?? "").toLowerCase().split(/[-_]/)[0] ?? "";
  const known = ALIASES[tag] ?? tag;
  const chosen = Object.hasOwn(LEXICONS, known) ? known : languageRead(text);
  let lexicon = compiled.get(chosen);
  if (lexicon === undefined) {
    lexicon = compile(chosen, LEXICONS[chosen] ?? en);
    compiled.set(chosen, lexicon);
  }
  return lexicon;
}

/** The language of a text that there are rules for; "en" where nothing tells. */
function languageRead(text: string): string {
  const language = languageOf(text) ?? "en";
  return Object.hasOwn(LEXICONS, language) ? language : "en";
}

const ALIASES: Readonly<Record<string, string>> = { nb: "no", nn: "no", iw: "he", in: "id" };
