/** A part of a document's text, with the link of the section it is from. */
export interface DocumentPiece {
  readonly text: string;
  readonly link: string | null;
}

/** A stretch of a document: as much as was asked for, and where the rest begins. */
export interface TextStretch {
  readonly pieces: readonly DocumentPiece[];
  /** Characters (UTF-16) of the whole. */
  readonly length: number;
  /** Where the next stretch begins; null: this one ends the text. */
  readonly next: number | null;
}

/** What one section is, as far as reading it goes. */
interface ReadSection {
  readonly text?: string | null | undefined;
  readonly heading?: string | null | undefined;
  readonly link?: string | null | undefined;
}

/**
 * A stretch of the sections' texts, counted as if they stood one behind the other. It ends where a line or a sentence
 * does, if one does in its last fifth, and never inside what a reader takes for one character, such as a letter with its
 * marks.
 * @param from characters to pass over
 * @param most characters to give; one that is longer is given all the same where it is the first
 */
export function stretchOf(sections: readonly ReadSection[], from: number, most: number): TextStretch {
  const pieces: DocumentPiece[] = [];
  let given = 0;
  let at = 0;
  let next: number | null = null;
  for (const section of sections) {
    const text = textOf(section);
    const [start, end] = [at, at + text.length];
    at = end;
    if (next !== null || end <= from || text === "") continue;
    const rest = text.slice(characterAt(text, Math.max(0, from - start)));
    const part = given + rest.length <= most ? rest : beginningOf(rest, most - given, given > 0);
    if (part !== "") pieces.push({ text: part, link: section.link ?? null });
    given += part.length;
    if (part.length < rest.length) next = end - rest.length + part.length;
  }
  return { pieces, length: at, next };
}

/** The sections of some pages, by what their links end with; undefined where the document is not one of pages. */
export function pagesOf<Section extends ReadSection>(
  sections: readonly Section[],
  first: number,
  last: number,
): Section[] | undefined {
  const numbered = sections.flatMap((section) => {
    const page = /#(?:.*&)?page=(\d{1,9})$/.exec(section.link ?? "")?.[1];
    return page === undefined ? [] : [{ section, page: Number(page) }];
  });
  if (numbered.length === 0) return undefined;
  return numbered.filter(({ page }) => page >= first && page <= last).map(({ section }) => section);
}

function textOf({ heading, text }: ReadSection): string {
  return [heading, text].filter((part) => part != null && part !== "").join("\n\n");
}

/** @param mayBeEmpty something was given before: what does not fit can wait */
function beginningOf(text: string, most: number, mayBeEmpty: boolean): string {
  const cut = text.slice(0, Math.max(0, most));
  const from = Math.floor(most * 0.8);
  const ends = [cut.lastIndexOf("\n") + 1, Math.max(...[..."。．"].map((mark) => cut.lastIndexOf(mark))) + 1];
  const sentence = /^[\s\S]*[.!?]\s/.exec(cut)?.[0].length ?? 0;
  const end = Math.max(...ends.filter((place) => place > from), sentence > from ? sentence : 0);
  if (end > 0) return cut.slice(0, end);
  const whole = wholeCharacters(text, most);
  if (whole > 0 || mayBeEmpty) return text.slice(0, whole);
  return text.slice(0, characterAt(text, most) || 2);
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** So much around a cut is looked at: no character of any writing is as long. */
const AROUND = 256;

/** Length of the text's beginning that is at most so long and ends between two characters as readers see them. */
function wholeCharacters(text: string, most: number): number {
  const start = characterAt(text, Math.max(0, most - AROUND));
  const index = characters.segment(text.slice(start, most + AROUND)).containing(most - start)?.index ?? 0;
  return start + index;
}

/** The place itself, or the one before it where it is between the two halves of a character (UTF-16). */
function characterAt(text: string, place: number): number {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, place - 1), place + 1)) ? place - 1 : place;
}
