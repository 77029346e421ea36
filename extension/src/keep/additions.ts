/** What a person adds to a page they keep: a title of their own, tags, a note, what they marked. Pure. */
import type { IngestionDocumentInput } from "@threadlore/client/models";

/** A page's own additions; the page itself stays as it was read. */
export interface KeptAdditions {
  /** Shown and searched in place of the page's; absent: the page's own. */
  readonly title?: string;
  readonly tags: readonly string[];
  readonly note?: string;
  /** Oldest first, none twice. */
  readonly highlights: readonly KeptHighlight[];
}

/** A text that a person marked on a page. */
export interface KeptHighlight {
  readonly text: string;
  /** Address that opens the page where the text stands; absent: the page's own. */
  readonly link?: string;
}

/** Most tags of a page; characters of a tag, of a title, of a note and of one highlight; most highlights. */
export const ADDITION_LIMITS = {
  tags: 20,
  tag: 60,
  title: 300,
  note: 10_000,
  highlight: 2_000,
  highlights: 100,
} as const;

/** Nothing added. */
export const NO_ADDITIONS: KeptAdditions = { tags: [], highlights: [] };

/** What stands above a note and above a highlight in the document, in the person's language. */
export interface AdditionWords {
  readonly note: string;
  readonly highlight: string;
}

/**
 * The document to send of a page's own and what was added to it: the title stands in both fields for it, tags in the
 * metadata as `tags`, the note and each highlight in a section of its own: the note links to the page, a highlight to where
 * it stands there.
 */
export function withAdditions(
  document: IngestionDocumentInput,
  additions: KeptAdditions | undefined,
  words: AdditionWords,
): IngestionDocumentInput {
  if (additions === undefined) return document;
  const { title, tags, note, highlights } = additions;
  const link = document.sections[0]?.link?.split("#:~:", 1)[0];
  const section = (heading: string, text: string, at = link) => ({
    text: `# ${heading}\n\n${text}`,
    ...(at != null && { link: at }),
  });
  const added = [
    ...(note === undefined ? [] : [section(words.note, note)]),
    ...highlights.map((one) => section(words.highlight, one.text, one.link)),
  ];
  return {
    ...document,
    ...(title !== undefined && { semantic_identifier: title, title }),
    ...(tags.length > 0 && { metadata: { ...document.metadata, tags: [...tags] } }),
    ...(added.length > 0 && { sections: [...document.sections, ...added] }),
  };
}

/**
 * Additions as they are kept: without blanks around them, no tag twice however it is written, nothing over the limits.
 * A title that says nothing, or what the page says, is none. Undefined: nothing was added.
 */
export function tidyAdditions(given: KeptAdditions, pageTitle: string = ""): KeptAdditions | undefined {
  const title = tidied(given.title ?? "", ADDITION_LIMITS.title);
  const note = cut(given.note?.trim() ?? "", ADDITION_LIMITS.note);
  const tags = tidyTags(given.tags);
  const highlights = tidyHighlights(given.highlights);
  const isOwn = title !== "" && title !== pageTitle.trim();
  if (!isOwn && note === "" && tags.length === 0 && highlights.length === 0) return undefined;
  return { ...(isOwn && { title }), tags, ...(note !== "" && { note }), highlights };
}

/** Tags as they are kept: the first spelling of each, at most as many and as long as the limits say. */
export function tidyTags(given: readonly string[]): string[] {
  const byPlain = new Map<string, string>();
  for (const written of given) {
    const tag = tidied(written.replace(/^\s*#/, ""), ADDITION_LIMITS.tag);
    const plain = tag.normalize("NFKC").toLowerCase();
    if (tag !== "" && !byPlain.has(plain)) byPlain.set(plain, tag);
  }
  return [...byPlain.values()].slice(0, ADDITION_LIMITS.tags);
}

/** What adding a highlight comes to. */
export interface HighlightAdded {
  /** "known": the text is a highlight already; "full": there are as many as there may be; "empty": it says nothing. */
  readonly became: "added" | "known" | "full" | "empty";
  /** With it, where it was added; else as they were. */
  readonly additions: KeptAdditions;
  /** As it is kept. */
  readonly text: string;
  /** It was longer than a highlight may be, and only its beginning was taken. */
  readonly isCut: boolean;
}

/** Adds a highlight to what was added before, which stays as it is. */
export function withHighlight(
  before: KeptAdditions | undefined = NO_ADDITIONS,
  { text: given, link }: KeptHighlight,
): HighlightAdded {
  const whole = given.trim();
  const text = cut(whole, ADDITION_LIMITS.highlight);
  const [highlights, isCut] = [before.highlights, text.length < whole.length];
  const refused = (became: HighlightAdded["became"]) => ({ became, additions: before, text, isCut });
  if (text === "") return refused("empty");
  if (highlights.some((one) => plainOf(one) === plainOf({ text }))) return refused("known");
  if (highlights.length >= ADDITION_LIMITS.highlights) return refused("full");
  const added = { text, ...(link !== undefined && { link }) };
  return { became: "added", additions: { ...before, highlights: [...highlights, added] }, text, isCut };
}

/** Takes a highlight away; everything else stays. */
export function withoutHighlight(before: KeptAdditions, text: string): KeptAdditions {
  return { ...before, highlights: before.highlights.filter((one) => plainOf(one) !== plainOf({ text })) };
}

function tidyHighlights(given: readonly KeptHighlight[]): readonly KeptHighlight[] {
  let tidy = NO_ADDITIONS;
  for (const one of given) tidy = withHighlight(tidy, one).additions;
  return tidy.highlights;
}

/** What makes two highlights one, however their lines break. */
const plainOf = ({ text }: KeptHighlight): string => text.normalize().replaceAll(/\s+/gu, " ").trim();

/** On one line, without signs that nobody sees and that turn text round. */
function tidied(text: string, limit: number): string {
  return cut(
    text
      .normalize()
      .replaceAll(/[\s\p{Cc}]+/gu, " ")
      .replaceAll(/[\u200B\u202A-\u202E\u2066-\u2069\uFEFF]/g, "")
      .trim(),
    limit,
  );
}

/** No character is cut in two. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, limit + 64))) {
    if (kept.length + segment.length > limit) break;
    kept += segment;
  }
  return kept.trimEnd();
}
