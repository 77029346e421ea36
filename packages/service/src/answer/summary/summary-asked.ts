/** Whether a question asks for a summary, and of what. */
import { sentencesOf } from "@threadlore/language";
import { DE_SUMMARIES } from "./phrases/de.ts";
import { EN_SUMMARIES } from "./phrases/en.ts";
import { ES_SUMMARIES } from "./phrases/es.ts";
import { FR_SUMMARIES } from "./phrases/fr.ts";
import { JA_SUMMARIES } from "./phrases/ja.ts";
import { IT_SUMMARIES, PT_SUMMARIES, RU_SUMMARIES } from "./phrases/others.ts";
import type { SummaryPhrases } from "./phrases/phrases.ts";
import { ZH_SUMMARIES } from "./phrases/zh.ts";

/** A request for a summary. */
export interface AskedSummary {
  /** What is to be summarised, as it was named, without its article; undefined: what came along, the page in front. */
  readonly about: string | undefined;
}

const PHRASES: readonly SummaryPhrases[] = [
  EN_SUMMARIES,
  DE_SUMMARIES,
  FR_SUMMARIES,
  ES_SUMMARIES,
  JA_SUMMARIES,
  ZH_SUMMARIES,
  RU_SUMMARIES,
  IT_SUMMARIES,
  PT_SUMMARIES,
];

/** UTF-16 units. Who asks for a summary says so in a line or two; it also bounds what patterns can cost. */
const MAX_REQUEST = 400;
/** A sentence of courtesies peels like an onion, in so many layers at most. */
const MAX_LAYERS = 4;

/**
 * What a question asks to have summarised; undefined where it asks for something else, as for one thing that a document
 * says. Other sentences around the request may tell, but not ask. Every language is tried: a few words tell none surely.
 * @param language ISO 639-1, of the question, which says whose abbreviations end no sentence
 */
export function summaryAsked(question: string, language: string | undefined): AskedSummary | undefined {
  const text = question.trim();
  if (text === "" || text.length > MAX_REQUEST) return undefined;
  const sentences = text.split("\n").flatMap((line) => sentencesOf(line, language));
  const requests = sentences.map(({ text: sentence }) => clearest(sentence));
  const at = requests.findIndex((request) => request !== undefined);
  const asksMore = sentences.some((sentence, index) => index !== at && /[?？؟]\s*$/.test(sentence.text));
  return asksMore ? undefined : requests[at];
}

/** Of the languages that see a request in a sentence, the one that sees through most of it: articles, "this page". */
function clearest(sentence: string): AskedSummary | undefined {
  const requests = PHRASES.flatMap((phrases) => requestIn(sentence, phrases) ?? []);
  return requests.toSorted((one, other) => (one.about ?? "").length - (other.about ?? "").length)[0];
}

function requestIn(sentence: string, phrases: SummaryPhrases): AskedSummary | undefined {
  const plain = plainOf(sentence);
  return requestAs(plain, phrases) ?? requestAs(withoutCourtesies(plain, phrases), phrases);
}

function requestAs(sentence: string, phrases: SummaryPhrases): AskedSummary | undefined {
  for (const pattern of phrases.asks) {
    const match = pattern.exec(sentence);
    if (match === null) continue;
    const { about, whole } = match.groups ?? {};
    if (whole !== undefined) {
      if (standsForAll(whole, phrases)) return { about: undefined };
      continue;
    }
    const asked = aboutWhat(about, phrases);
    if (asked !== undefined) return asked;
  }
  return undefined;
}

function aboutWhat(written: string | undefined, phrases: SummaryPhrases): AskedSummary | undefined {
  const named = withoutCourtesies((written ?? "").trim(), phrases);
  if (named === "" || standsForAll(named, phrases)) return { about: undefined };
  const linked = named.replace(phrases.links, "");
  if (phrases.others.test(linked)) return undefined;
  const about = linked.replace(phrases.articles, "").trim();
  return /[\p{L}\p{N}]/u.test(about) ? { about } : undefined;
}

function standsForAll(named: string, { alongside, links }: SummaryPhrases): boolean {
  return alongside.test(named) || alongside.test(named.replace(links, ""));
}

/** Quotation marks stand around titles, and no pattern speaks of them. */
function plainOf(sentence: string): string {
  return sentence
    .normalize("NFC")
    .replace(/[’‘´`＇]/g, "'")
    .replace(/["“”„«»「」『』《》‹›*_]/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^[-–•>\s]+|[\s.!?…。！？]+$/g, "");
}

function withoutCourtesies(sentence: string, { courtesies }: SummaryPhrases): string {
  let bare = sentence;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const before = bare;
    for (const courtesy of courtesies) bare = bare.replace(courtesy, "").trim();
    if (bare === before) break;
  }
  return bare;
}
