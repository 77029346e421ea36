/** A paragraph of a page, and the heading it stands below. */
export interface Paragraph {
  readonly title: string;
  readonly text: string;
}

/** Characters of a paragraph that is taken. */
const LEAST = 200;
const MOST = 1_200;

/** Every heading and paragraph of a page, and its title; some books have their paragraphs in elements of the class "para". */
const PIECES = /<(title|h[1-6]|p|div(?=\s+class="para"))\b[^>]*>([\s\S]*?)<\/\1\s*>/gi;

/** Paragraphs of English prose in a page of HTML or of Mallard, GNOME's format of help, which has the same elements. */
export function proseOf(html: string): Paragraph[] {
  const shown = html.replace(/<(script|style|pre|svg)\b[\s\S]*?<\/\1\s*>/gi, " ");
  const found: Paragraph[] = [];
  let title = "";
  for (const [, element = "", inner = ""] of shown.matchAll(PIECES)) {
    const text = wordsOf(inner);
    if (/^[th]/i.test(element)) title = text.replace(/\s*[¶#]$/, "").slice(0, 200) || title;
    else if (isProse(text)) found.push({ title, text });
  }
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  ndash: "–",
  mdash: "—",
  hellip: "…",
};

/** Tags out, entities read, one space between words. */
function wordsOf(inner: string): string {
  return inner
    .replace(/<br\b[^>]*>/gi, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/gi, (whole: string, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : " ";
    })
    .replace(/\s+/g, " ")
    .trim();
}

/** The commonest words of English: two in five of any text, and next to none of a table, a listing or another language. */
const COMMON = new Set(
  "the of and to a in is that for it as with be on by are this or an from at not you your can have if which will has but".split(
    " ",
  ),
);
const LEAST_COMMON = 0.22;
/** Listings and formulas hold fewer letters and spaces. */
const LEAST_LETTERS = 0.9;

/** Names of a program's parts: such a text is about code. */
const CODE = /[_\\={}<>|]|\(\)|::|(?<!\S)--?\w/;

function isProse(text: string): boolean {
  if (CODE.test(text)) return false;
  if (text.length < LEAST || text.length > MOST || !/[.!?:]["”’)]?$/.test(text)) return false;
  const letters = text.match(/[\p{L}\s]/gu)?.length ?? 0;
  if (letters < LEAST_LETTERS * text.length) return false;
  const words = text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "");
  return words.filter((word) => COMMON.has(word)).length >= LEAST_COMMON * words.length;
}
