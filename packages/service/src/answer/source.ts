import type { SearchDoc } from "@threadlore/client/models";

/** Something an answer can cite. */
export interface Source {
  /** What packets name it by: no two sources of an answer have the same. */
  readonly documentId: string;
  readonly title: string;
  /** Where it can be opened: http or https, else null. */
  readonly link: string | null;
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
