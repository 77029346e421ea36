import { beginningOf, languageOf, sentencesOf } from "@threadlore/language";
import { termsOf } from "@threadlore/language/stems";
import type { SearchDoc } from "@threadlore/client/models";

/** Something an answer can cite. */
export interface Source {
  /** What packets name it by: no two sources of an answer have the same. */
  readonly documentId: string;
  readonly title: string;
  /** Where it can be opened: http or https, else null. */
  readonly link: string | null;
  /** Of the stored document; undefined: it came with the question. */
  readonly number?: number | undefined;
  /** As packets and responses carry it. */
  readonly document: SearchDoc;
  /** Its text belongs to this turn only and is never stored (specification section 2, additional_context). */
  readonly passing: boolean;
}

/** A piece of a source's text, as found: the best first. */
export interface Evidence {
  readonly source: Source;
  readonly heading: string;
  readonly text: string;
  /** How well it was found, 0 to 1: measured on the best of what was found with it. */
  readonly score: number;
  /** ISO 639-1, where it is known already. */
  readonly language?: string | undefined;
  /** How like the question its vector is, -1 to 1; absent where it has none. */
  readonly similarity?: number | undefined;
  /** It is the reply somebody gave to a question that asks the same. */
  readonly isReply?: true;
}

/** The sources of some evidence or quotes, each once, in order of appearance. */
export function sourcesOf(evidence: readonly Pick<Evidence, "source">[]): Source[] {
  const byId = new Map<string, Source>();
  for (const { source } of evidence) if (!byId.has(source.documentId)) byId.set(source.documentId, source);
  return [...byId.values()];
}

/** A link that may stand in an answer: http or https, nothing in it that could end a citation mark early. */
export function safeLink(link: string | null | undefined): string | null {
  if (link === null || link === undefined || !URL.canParse(link)) return null;
  const url = new URL(link);
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.username !== "" || url.password !== "")
    return null;
  // The caller's own spelling is kept where it can be, so that it still equals the document's link.
  const spelled = /[\s<>"\\^`{|}\p{C}]/u.test(link) ? url.href : link;
  return balanced(spelled) ? spelled : spelled.replaceAll("(", "%28").replaceAll(")", "%29");
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Longest excerpt of a passage, in characters. */
const MAX_BLURB = 300;

/**
 * What is shown of a passage: all of a short one, else the whole sentences around the one that says most of what was
 * asked. Lines stay lines, and `…` stands on one of its own: whoever looks for a sentence of it in the document, as
 * links into the middle of a page do, must find it there.
 */
export function blurbOf(text: string, asked: string): string {
  const language = languageOf(text);
  const wanted = new Set(termsOf(asked, language));
  const lines = text.split("\n").flatMap((line) => line.replace(/\s+/g, " ").trim() || []);
  const whole = lines.join("\n");
  if (whole.length <= MAX_BLURB) return whole;
  const pieces = lines.flatMap((line, index) =>
    sentencesOf(line, language).map((sentence, at) => ({
      text: sentence.text,
      before: at > 0 ? " " : index > 0 ? "\n" : "",
    })),
  );
  const said = pieces.map((piece) => new Set(termsOf(piece.text, language).filter((term) => wanted.has(term))).size);
  const best = said.indexOf(Math.max(...said));
  let [from, to] = [best, best];
  let room = MAX_BLURB - (pieces[best]?.text.length ?? 0);
  const taken = (at: number): boolean => {
    const { text: more = "" } = pieces[at] ?? {};
    if (more === "" || more.length + 1 > room) return false;
    room -= more.length + 1;
    return true;
  };
  while (taken(from - 1)) from--;
  while (taken(to + 1)) to++;
  const shown = pieces.slice(from, to + 1).map((piece, at) => (at === 0 ? "" : piece.before) + piece.text);
  return [from > 0 && "…", cutAtWord(shown.join("")), (room < 0 || to + 1 < pieces.length) && "…"]
    .filter((line) => line !== false)
    .join("\n");
}

function cutAtWord(text: string): string {
  if (text.length <= MAX_BLURB) return text;
  const cut = beginningOf(text, MAX_BLURB);
  const end = cut.lastIndexOf(" ");
  return end > MAX_BLURB / 2 ? cut.slice(0, end) : cut;
}
