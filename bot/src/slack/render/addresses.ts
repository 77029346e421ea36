/** Addresses in the words of an answer. */
import type { Links } from "@threadlore/ask";

const ADDRESS = /https?:\/\/[^\s<>"]+/i;

/** The first address in a word that may be opened, closing punctuation left out where need be. */
export function linkedAddress(
  word: string,
  links: Links,
): { readonly index: number; readonly text: string; readonly href: string } | undefined {
  const found = ADDRESS.exec(word);
  if (found === null) return undefined;
  const [text] = found;
  for (const candidate of [text, text.replace(/[.,;:!?*_~'")\]}]+$/, "")]) {
    const href = links.href(candidate);
    if (href !== undefined) return { index: found.index, text: candidate, href };
  }
  return undefined;
}

const HOST_LIKE = /(?:^|[\s(/@])((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?![\p{L}\p{N}])/u;

/** What to say beside a label that reads like another address than the one behind it: ` (host)`. */
export function misleads(label: string, href: string): string | undefined {
  const named = HOST_LIKE.exec(label)?.[1]?.toLowerCase();
  const host = URL.parse(href)?.hostname ?? "";
  return named === undefined || host === named || host === `www.${named}` || !/[/:]|^[^\s]+$/.test(label.trim())
    ? undefined
    : ` (${host})`;
}
