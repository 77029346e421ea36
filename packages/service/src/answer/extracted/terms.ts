/** Words as the extractive answer compares them: folded, without stop words, stemmed. */

// The function words of English questions and answers. What search drops it may drop too, but not the reverse:
// a word missing here only weighs a little.
const STOP_WORDS = new Set(
  (
    "a about after again all also am an and any anyone are as at be because been before being between both but by can " +
    "could did do does doing done down each every few for from further get gets give given go goes got had has have " +
    "having he her here hers him his how however i if in into is it its itself just know let like ll me mean means " +
    "might mine more most much must my need no nor not of off on once one only or other our ours out over own please " +
    "re s same say says shall she should show so some someone something such t tell than thanks that the their theirs " +
    "them then there these they this those through to too under until up us use ve very want was we were what when " +
    "where whether which while who whom whose why will with within without won would you your yours hello hi many " +
    "find explain describe there're anything happen happens happened " +
    "der die das den dem des ein eine einen einem einer und oder ist sind war wie was wer wo wann warum welche welcher " +
    "für von mit zu zum zur auf aus bei ich wir sie es man kann nicht im in am"
  ).split(" "),
);

/** The words of a text, lower case, without accents; function words and order kept. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** What a text is about: its words without function words, stemmed, in order, repeats included. */
export function termsOf(text: string): string[] {
  return wordsOf(text.replace(/['’]s\b/g, ""))
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}

/** The terms of a text, each once; words joined by a hyphen count joined up too ("Wi-Fi" answers for "wifi"). */
export function termSetOf(text: string): Set<string> {
  const terms = new Set(termsOf(text));
  for (const [run] of text.matchAll(/[\p{L}-]+/gu)) {
    const parts = run.split("-");
    for (let at = 1; at < parts.length; at++) {
      for (const term of termsOf(`${parts[at - 1]}${parts[at]}`)) terms.add(term);
    }
  }
  return terms;
}

const VOWEL = /[aeiouy]/;

/**
 * Brings the forms of an English word together ("policies", "policy"; "travelling", "travel"). Lighter than Porter's:
 * plurals, -ed, -ing, -ly and the commonest noun endings, which is what differs between a question and its answer.
 */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stemmed = withoutPlural(word);
  for (const ending of ["ing", "ed", "ly"]) {
    if (
      stemmed.endsWith(ending) &&
      VOWEL.test(stemmed.slice(0, -ending.length)) &&
      stemmed.length - ending.length >= 3
    ) {
      stemmed = undouble(stemmed.slice(0, -ending.length));
      break;
    }
  }
  for (const ending of ["ation", "ition", "ement", "ment", "ion", "able", "ible", "ance", "ence", "al", "er", "or"]) {
    if (stemmed.endsWith(ending) && stemmed.length - ending.length >= 4) {
      stemmed = undouble(stemmed.slice(0, -ending.length));
      break;
    }
  }
  if (stemmed.length > 4 && stemmed.endsWith("e")) stemmed = stemmed.slice(0, -1);
  return stemmed.endsWith("y") && stemmed.length > 3 ? `${stemmed.slice(0, -1)}i` : stemmed;
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("xes") || word.endsWith("ches") || word.endsWith("shes")) {
    return word.slice(0, -2);
  }
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith("s") && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function undouble(word: string): string {
  return /([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
