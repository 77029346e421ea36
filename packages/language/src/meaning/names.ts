/**
 * Names in a text: of people, places, products, files, hosts. Where a script has capitals they tell; a sentence's first
 * word tells nothing, unless it looks like a name by itself or is written so elsewhere. German writes every noun with a
 * capital: there only two in a row, or capitals and digits inside, make a name. Scripts without capitals have names
 * where something marks them: foreign letters, a middle dot, a title behind the name, quotation marks.
 */
import { isFunctionWord } from "../function-words.ts";
import { foldWord } from "../folding.ts";
import { lexiconFor, type CompiledLexicon } from "./lexicon/all.ts";
import { MAX_TEXT, type Token, tokensOf } from "./tokens.ts";

/** A name in a text. */
export interface Name {
  /** Folded, its words with one blank between. */
  readonly text: string;
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Longer runs of capitalised words are headings. */
const MAX_WORDS = 8;
const PARTICLES: ReadonlySet<string> = new Set(
  "de van von der den del della di da dos das du la le el al bin ibn ben of the zu zur af av y e and und et do ter ten".split(
    " ",
  ),
);

const ADDRESS = /[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu;
/** What is marked as a name by its signs alone, in any language. Every part has a limit, so that no run is read twice. */
const MARKED: readonly RegExp[] = [
  /(?<![\p{L}\p{N}@.-])(?:[a-z0-9-]{1,63}\.){1,6}(?:com|org|net|io|dev|app|ai|co|eu|de|fr|es|it|nl|jp|cn|ru|uk|info|edu|gov|example|test|local|internal)(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])[A-Z][A-Z0-9]{1,9}-[0-9]{1,8}(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}.])v?[0-9]{1,4}(?:\.[0-9]{1,5}){2,4}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])v[0-9]{1,4}(?:\.[0-9]{1,5}){0,3}(?![\p{L}\p{N}])/gu,
  /[「『《〈][^「」『』《》〈〉\n]{1,60}[」』》〉]/gu,
  /[“„«][^“”„«»\n]{1,80}[”“»]/gu,
  /(?<![\p{L}\p{N}])"[^"\n]{1,80}"(?![\p{L}\p{N}])/gu,
  /[[\p{Script=Han}\p{Script=Katakana}ー]--[在的是和与了被将從从对對说說于於为為也及或由向]]{1,12}(?:[·・＝=][[\p{Script=Han}\p{Script=Katakana}ーA-Z]--[在的是和与了被将從从对對说說于於为為也及或由向]]{1,12}){1,5}/gv,
];
const EASTERN: readonly RegExp[] = [
  /[\p{Script=Katakana}ー]{3,30}/gu,
  /[A-Za-z][A-Za-z0-9]{1,20}(?:[ .&-][A-Za-z0-9]{1,20}){0,4}/gu,
  /[\p{Script=Han}々]{1,4}(?=さん|氏|先生|様|君|教授|博士|社長|部長)/gu,
  /[\p{Script=Han}\p{Script=Katakana}々]{1,8}(?:市|県|州|町|村|区|省|县|郡|大学|公司|会社|城|寺|神社|天皇|川|河|山|島|岛|王|帝|党|社)/gu,
];
const KOREAN: readonly RegExp[] = [
  /[\p{Script=Hangul}]{2,4}(?=\s?(?:씨|님|교수|박사|사장|대통령))/gu,
  /[A-Za-z][A-Za-z0-9]{1,20}/gu,
];

/** The names of a text, in order, none overlapping. `language` is a BCP 47 tag; by default it is told from the text. */
export function namesOf(text: string, language?: string): Name[] {
  const read = text.slice(0, MAX_TEXT);
  const lexicon = lexiconFor(language, read);
  const taken = new Uint8Array(read.length);
  const names: Name[] = [];
  const add = (start: number, end: number): void => {
    const name = nameAt(read, start, end);
    if (name === undefined || taken.subarray(start, end).includes(1)) return;
    taken.fill(1, start, end);
    names.push(name);
  };
  const isEastern = lexicon.language === "ja" || lexicon.language === "zh";
  const isForeign = isEastern || lexicon.language === "ko";
  const patterns = [
    // Every word may begin one, and hardly a sentence has any.
    ...(read.includes("@") ? [ADDRESS] : []),
    ...MARKED,
    ...(isEastern ? EASTERN : []),
    ...(lexicon.language === "ko" ? KOREAN : []),
  ];
  for (const pattern of patterns) {
    for (const match of read.matchAll(pattern)) add(match.index, match.index + match[0].length);
  }
  if (!isForeign) for (const [start, end] of capitalRuns(read, lexicon)) add(start, end);
  return names.toSorted((one, other) => one.start - other.start);
}

function nameAt(text: string, start: number, end: number): Name | undefined {
  const written = text.slice(start, end);
  const isTight = /[@.]/.test(written) && !/\s/.test(written);
  const words = isTight ? [written] : (written.match(/[\p{L}\p{M}\p{N}-]+/gu) ?? []);
  const folded = words.map((word) => foldWord(word)).filter((word) => word !== "");
  return folded.length === 0 ? undefined : { text: folded.join(" "), start, end };
}

function capitalRuns(text: string, lexicon: CompiledLexicon): [start: number, end: number][] {
  const tokens = tokensOf(text);
  const within = new Set<string>();
  for (const [at, token] of tokens.entries())
    if (isCapital(token) && !isFirst(text, tokens, at)) within.add(token.text);
  const runs: [number, number][] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined || !(isCapital(token) || isMixed(token))) continue;
    const end = endOfRun(text, tokens, at);
    const run = runFrom(text, tokens, at, end, { lexicon, within });
    if (run !== undefined) runs.push(run);
    at = end - 1;
  }
  return runs;
}

function isCapital({ raw }: Token): boolean {
  return /^\p{Lu}/u.test(raw);
}

/** iPhone, GitLab, VPN, H2O. */
function isMixed({ raw }: Token): boolean {
  return /^\p{Ll}{1,3}\p{Lu}/u.test(raw) || /^\p{Lu}\p{Ll}+\p{Lu}/u.test(raw) || /^\p{Lu}{2,}$/u.test(raw);
}

/** Whether a token begins a sentence, a line, a cell or a quotation. */
function isFirst(text: string, tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (token === undefined || before === undefined) return true;
  const between = text.slice(before.end, token.start);
  if (/[!?:;\n|•*#>"“„«¿¡(]/u.test(between)) return true;
  // "J. K. Rowling", "U.S. Army": a dot behind one letter ends no sentence; one behind "at 9:00" does.
  return between.includes(".") && (before.raw.length > 2 || before.isNumber);
}

function endOfRun(text: string, tokens: readonly Token[], from: number): number {
  let end = from + 1;
  for (let at = from + 1; at < Math.min(tokens.length, from + MAX_WORDS); at++) {
    const before = tokens[at - 1];
    const token = tokens[at];
    if (before === undefined || token === undefined) break;
    const between = text.slice(before.end, token.start);
    if (!/^(?:[ \u00a0]|-|'|’|\. |\.|& | & |)$/u.test(between) || (between.startsWith(".") && before.raw.length > 2))
      break;
    if (isCapital(token) || isMixed(token) || (token.isNumber && token.text.length <= 4 && between !== ""))
      end = at + 1;
    else if (!PARTICLES.has(token.text)) break;
  }
  return end;
}

interface Known {
  readonly lexicon: CompiledLexicon;
  /** Words that are written with a capital within a sentence. */
  readonly within: ReadonlySet<string>;
}

function runFrom(
  text: string,
  tokens: readonly Token[],
  from: number,
  until: number,
  { lexicon, within }: Known,
): [number, number] | undefined {
  let start = from;
  let end = until;
  while (start < end && isSmallWord(lexicon, tokens[start])) start++;
  // "Use GitLab": a sentence's first word belongs to no name that is told by its letters.
  const opening = tokens[start];
  const following = tokens[start + 1];
  if (start + 1 < end && opening !== undefined && following !== undefined && isFirst(text, tokens, start)) {
    if (!isMixed(opening) && isMixed(following) && !within.has(opening.text) && lexicon.language !== "de") start++;
  }
  while (
    end > start &&
    tokens[end - 1]?.isNumber === true &&
    end - start > 1 &&
    /^[0-9]{4}$/.test(tokens[end - 1]?.text ?? "")
  )
    end--;
  const first = tokens[start];
  const last = tokens[end - 1];
  if (first === undefined || last === undefined || start >= end) return undefined;
  const capitals = tokens.slice(start, end).filter((token) => isCapital(token) || isMixed(token)).length;
  const isMarked = tokens.slice(start, end).some(isMixed);
  if (isMarked && end - start === 1 && first.raw.length > 1) return [first.start, last.end];
  if (first.raw.length < 2 && end - start === 1) return undefined;
  if (lexicon.language === "de")
    return isMarked || capitals >= 2 || /[0-9]/.test(last.text) ? [first.start, last.end] : undefined;
  if (start === from && isFirst(text, tokens, start) && end - start === 1 && !within.has(first.text)) return undefined;
  return [first.start, last.end];
}

function isSmallWord(lexicon: CompiledLexicon, token: Token | undefined): boolean {
  if (token === undefined || isMixed(token)) return false;
  return lexicon.stops.has(token.text) || lexicon.skips.has(token.text) || isFunctionWord(token.text, lexicon.language);
}
