/** Pieces of a page's source, with links put in words: what reads HTML keeps no addresses. */
export class HtmlPieces {
  readonly #source: string;
  readonly #pieces: string[] = [];
  /** Up to where the source was taken or left out; -1: nothing is being taken. */
  #from = -1;

  constructor(source: string) {
    this.#source = source;
  }

  /** Takes what comes from here on. */
  take(from: number): void {
    this.#from = from;
  }

  /** Puts words in the place of what stands between two places, and goes on behind it. */
  replace(from: number, to: number, words: string): void {
    if (this.#from === -1) return;
    this.#pieces.push(this.#source.slice(this.#from, from), words);
    this.#from = to;
  }

  /** Takes up to here and no further. */
  end(to: number): void {
    if (this.#from !== -1) this.#pieces.push(this.#source.slice(this.#from, to));
    this.#from = -1;
  }

  text(): string {
    return this.#pieces.join("");
  }
}

const REFERENCES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as it stands in HTML. */
export const escapedHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => REFERENCES[character] ?? character);

/** What closes a link in words that was opened by `[`. */
export const linkEnd = (address: string): string =>
  `](${escapedHtml(address.replaceAll("(", "%28").replaceAll(")", "%29"))})`;

/** A reference as a file of an export has it, without its fragment, decoded; undefined: it leads elsewhere. */
export function localReference(href: string | undefined): string | undefined {
  if (href === undefined || /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(href)) return undefined;
  const path = href.split(/[?#]/, 1)[0] ?? "";
  try {
    return decodeURIComponent(path).normalize();
  } catch {
    return path.normalize();
  }
}
