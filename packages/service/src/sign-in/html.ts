/** A piece of a page. Whatever is put into one as text cannot leave its place. */
export class Html {
  readonly text: string;

  /** @param text markup, as it is */
  constructor(text: string) {
    this.text = text;
  }
}

/** What can stand in a template: text is escaped, pieces stay, nothing is nothing. */
type Part = string | number | Html | readonly Html[] | undefined;

/** A piece of a page, from a template: html`<p>${words}</p>`. Values stand between tags or in quoted attributes only. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((string, at) => string + markupOf(parts[at])).join(""));
}

function markupOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Longest text of others that is shown, characters. */
const MAX_FOREIGN = 120;

/**
 * A text somebody else chose, told from the page's own: without characters nobody sees or that turn the direction, cut, in a
 * frame of its own.
 */
export function foreign(text: string): Html {
  const line = text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  const characters = [...line];
  const cut = characters.length > MAX_FOREIGN ? `${characters.slice(0, MAX_FOREIGN).join("")}…` : line;
  return html`<bdi class="foreign">${cut === "" ? "–" : cut}</bdi>`;
}
