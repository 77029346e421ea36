import type { IngestionDocumentInput, Section as AnySection } from "@threadlore/client/models";
import { type Part, shortened } from "@threadlore/files";

/** A section of this package is always a text. */
type Section = AnySection & { text: string };

/** How much of a document is kept, in UTF-16 units. */
export interface SectionLimits {
  /** One section, headings not counted. */
  readonly sectionCharacters: number;
  /** All sections together (docs/threats.md, T26). */
  readonly totalCharacters: number;
  /** Number of sections. */
  readonly sections: number;
}

export const defaultLimits: SectionLimits = { sectionCharacters: 8_000, totalCharacters: 2_000_000, sections: 5_000 };

/** A document ready to be ingested. */
export interface MadeDocument {
  readonly document: IngestionDocumentInput;
  /** What a person should know about how it came about, in plain words; usually none. */
  readonly notes: readonly string[];
}

export interface Sections {
  readonly sections: Section[];
  /** The last section ends with a line that says so. */
  readonly cut: boolean;
}

const MAX_HEADING = 200;
/** Tells a person that a document was cut. */
export const CUT_NOTE = "It is longer than the limit; only its beginning was kept, and its end says so.";
/** Said at the end of what is kept of a document that is longer than the limits. */
const CUT_HERE = "[Cut here: the document goes on, but only its beginning was kept.]";

/**
 * Parts -> sections within the limits. A section begins with the headings it stands under, as markdown, so that each
 * can be read and found on its own; long ones are cut where a paragraph, a line or a sentence ends. With `link`, every
 * section links to its own place in the document. `more`: the document goes on beyond these parts. Linear.
 */
export function sectionsOf(
  parts: readonly Part[],
  options: { readonly link?: string | undefined; readonly limits?: SectionLimits; readonly more?: boolean } = {},
): Sections {
  const { link, limits = defaultLimits, more = false } = options;
  const sections: Section[] = [];
  let left = limits.totalCharacters;
  for (const draft of draftsOf(parts, limits.sectionCharacters)) {
    const full = sections.length >= limits.sections || left <= draft.headings.length;
    const room = left - draft.headings.length;
    if (full || draft.text.length > room) {
      const kept = full ? "" : draft.text.slice(0, cutPoint(draft.text, 0, room)).trimEnd();
      if (kept !== "" || sections.length === 0) sections.push(sectionOf({ ...draft, text: kept }, link));
      return { sections: sayCut(sections), cut: true };
    }
    sections.push(sectionOf(draft, link));
    left = room - draft.text.length;
  }
  const cut = more && sections.length > 0;
  return { sections: cut ? sayCut(sections) : sections, cut };
}

/** One section to be: the headings above it, as markdown, and its text. */
interface Draft {
  readonly headings: string;
  readonly text: string;
  readonly fragment: string | undefined;
  readonly link: string | undefined;
}

function* draftsOf(parts: readonly Part[], size: number): Generator<Draft> {
  const path: Part[] = [];
  for (const [index, part] of parts.entries()) {
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= part.level) path.pop();
    if (part.level > 0) path.push(part);
    const headings = path.map(headingLine).join("\n");
    const text = part.text.trim();
    if (text !== "") {
      for (const piece of piecesOf(text, size))
        yield { headings, text: piece, fragment: part.fragment, link: part.link };
    } else if (part.level > 0 && (parts[index + 1]?.level ?? 0) <= part.level) {
      // The sections below carry a heading along; only one that nothing stands under speaks for itself.
      yield { headings, text: "", fragment: part.fragment, link: part.link };
    }
  }
}

const headingLine = ({ level, heading }: Part): string => `${"#".repeat(level)} ${shortened(heading, MAX_HEADING)}`;

function sectionOf({ headings, text, fragment, link: own }: Draft, documentLink: string | undefined): Section {
  const link = own ?? documentLink;
  const whole = [headings, text].filter((one) => one !== "").join("\n\n");
  if (link === undefined) return { text: whole };
  return { text: whole, link: fragment === undefined ? link : `${link.split("#", 1)[0] ?? ""}#${fragment}` };
}

function sayCut(sections: readonly Section[]): Section[] {
  const last = sections.at(-1);
  if (last === undefined) return [];
  return [...sections.slice(0, -1), { ...last, text: `${last.text}\n\n${CUT_HERE}` }];
}

/** The text in pieces of at most `size`, each ending as cleanly as its second half allows. */
function* piecesOf(text: string, size: number): Generator<string> {
  let at = 0;
  while (text.length - at > size) {
    const end = cutPoint(text, at, size);
    const piece = text.slice(at, end).trim();
    if (piece !== "") yield piece;
    at = end;
  }
  const rest = text.slice(at).trim();
  if (rest !== "") yield rest;
}

/** Where to end a piece that begins at `from`: after a paragraph, else a line, else a sentence, else a word. */
function cutPoint(text: string, from: number, size: number): number {
  const view = text.slice(from, from + size);
  if (from + size >= text.length) return text.length;
  const half = Math.floor(view.length / 2);
  for (const mark of ["\n\n", "\n"]) {
    const at = view.lastIndexOf(mark);
    if (at >= half) return from + at + mark.length;
  }
  const sentence = lastSentenceEnd(view, half);
  if (sentence !== undefined) return from + sentence;
  const space = view.lastIndexOf(" ");
  if (space >= half) return from + space + 1;
  return from + (isHighSurrogate(view, view.length - 1) && view.length > 1 ? view.length - 1 : view.length);
}

function lastSentenceEnd(view: string, half: number): number | undefined {
  let end: number | undefined;
  for (const match of view.slice(half).matchAll(/[.!?]["')\]]?\s|[。！？]/g))
    end = half + match.index + match[0].length;
  return end;
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00;
}
