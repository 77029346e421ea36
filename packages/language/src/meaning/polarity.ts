/** Whether a sentence affirms or denies, and what a rule in it says: allowed, required, forbidden, optional. */
import { lexiconFor } from "./lexicon/all.ts";
import type { Modality } from "./lexicon/types.ts";
import { hitsIn, type Phrases, phrasesOf } from "./phrases.ts";
import { tokensOf } from "./tokens.ts";

/** Phrases with a word of denial in them that deny nothing. */
const AFFIRMING: Readonly<Record<string, string>> = {
  en: "not only | no later than | no less than | no fewer than | not just | no doubt | not until | without doubt | no more than | no longer than | nothing but | whether or not | nor",
  de: "nicht nur | nicht zuletzt | nicht spater als | nicht mehr als | nicht weniger als | ohne weiteres | nicht langer als | ohne zweifel | nichts als",
  fr: "non seulement | pas seulement | sans doute | pas plus de | pas moins de | au plus tard",
  es: "no solo | no solamente | sin duda | sin embargo | no mas de | no menos de | nada mas",
  ru: "не только | не позднее | не менее | не более | не позже | не раньше | тем не менее | ни в коем случае не без",
  zh: "不仅 | 不但 | 不同 | 不断 | 不久 | 不少 | 非常 | 特别 | 无论 | 不管 | 不过 | 除非 | 不止 | 不只 | 不超过 | 不得不 | 没有不 | 别的 | 个别 | 分别 | 区别 | 级别 | 性别 | 类别 | 无数 | 不等 | 不晚于 | 不迟于 | 未来 | 非洲 | 对不起 | 不锈",
  ja: "だけでなく | のみならず | なければならない | なければなりません | なくてはならない | なくてはいけません | ないといけません | に違いない | 間もなく | まもなく | ばかりでなく | かもしれない | かもしれません | 少なくとも | 少なく | なくてもよい | 危ない | 少ない | ざるを得ない | かまいません | 構いません | かまわない | 構わない",
  ar: "لا سيما | ليس فقط | لا يزال | لا تزال | لا بد | بدون شك | لا يقل عن | لا تقل عن | ولا سيما | لا شك",
  it: "non solo | senza dubbio | non più di",
  pt: "não só | não apenas | sem dúvida",
  nl: "niet alleen | niet later dan",
  sv: "inte bara | inte minst",
  da: "ikke kun | ikke bare",
  no: "ikke bare | ikke minst",
  pl: "nie tylko | nie później niż",
  cs: "nejen | ne později než",
  uk: "не тільки | не лише | не пізніше",
  ro: "nu numai | nu doar",
  hu: "nem csak | nem csupán",
  fi: "ei vain | ei ainoastaan",
  tr: "sadece değil | yalnızca değil",
  id: "tidak hanya | tidak lebih dari",
  vi: "không chỉ | không những | không quá",
  ko: "뿐만 아니라 | 뿐 아니라 | 않으면 안",
  hi: "न केवल | नहीं तो",
  el: "όχι μόνο | χωρίς αμφιβολία",
  he: "לא רק | ללא ספק",
  fa: "نه تنها | نه فقط",
  th: "ไม่เพียง | ไม่เกิน",
};

type Verdict = "affirms" | "denies";
const compiled = new Map<string, Phrases<Verdict>>();

/** Where a sentence denies or forbids something: UTF-16 offsets, `end` exclusive. `language` as for `polarityOf`. */
export function denialsIn(sentence: string, language?: string): { readonly start: number; readonly end: number }[] {
  const lexicon = lexiconFor(language, sentence);
  let phrases = compiled.get(lexicon.language);
  if (phrases === undefined) {
    phrases = phrasesOf<Verdict>({ affirms: AFFIRMING[lexicon.language] ?? "", denies: lexicon.words.no });
    compiled.set(lexicon.language, phrases);
  }
  const tokens = tokensOf(sentence);
  return hitsIn(phrases, tokens)
    .filter(({ key }) => key === "denies")
    .map((hit) => ({ start: tokens[hit.start]?.start ?? 0, end: tokens[hit.end - 1]?.end ?? 0 }));
}

/** "no" where a sentence denies or forbids, else "yes". `language` is a BCP 47 tag; by default it is told from the text. */
export function polarityOf(sentence: string, language?: string): "yes" | "no" {
  return denialsIn(sentence, language).length > 0 ? "no" : "yes";
}

/** What wins where a sentence says several things: a prohibition first. */
const STRICTEST: readonly Modality[] = ["forbidden", "optional", "required", "allowed"];

/** What a sentence says of doing something; `undefined` where it is no rule. `language` as for `polarityOf`. */
export function modalityOf(sentence: string, language?: string): Modality | undefined {
  const lexicon = lexiconFor(language, sentence);
  const said = new Set(hitsIn(lexicon.rules, tokensOf(sentence)).map(({ key }) => key));
  return STRICTEST.find((modality) => said.has(modality));
}
