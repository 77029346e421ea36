import type { Attributes } from "../html-text.ts";

/** Styles of one document; long ones have thousands. */
const MAX_STYLES = 50_000;
/** Styles that a style may be made from, one from the other. */
const MAX_PARENTS = 20;

/** What the styles of an OpenDocument file say that its text does not: titles, numbered lists, and what is hidden. */
export class OpenDocumentStyles {
  readonly #parents = new Map<string, string>();
  readonly #hidden = new Set<string>();
  /** Lists by name and level whose items are numbered. */
  readonly #numbered = new Set<string>();
  #style = "";
  #list = "";

  /** Takes what it knows of an element. */
  open(name: string, attributes: Attributes): void {
    if (name === "style:style") {
      this.#style = `${attributes["style:family"] ?? ""} ${attributes["style:name"] ?? ""}`;
      const parent = attributes["style:parent-style-name"];
      if (parent !== undefined && this.#parents.size < MAX_STYLES) this.#parents.set(this.#style, parent);
    } else if (name === "text:list-style") this.#list = attributes["style:name"] ?? "";
    else if (name === "text:list-level-style-number" && this.#numbered.size < MAX_STYLES) {
      // One that has no format has no number to show.
      if (attributes["style:num-format"] !== "") this.#numbered.add(`${this.#list} ${attributes["text:level"] ?? "1"}`);
    } else if (hides(name, attributes) && this.#hidden.size < MAX_STYLES) this.#hidden.add(this.#style);
  }

  /** @param family `text`, `paragraph`, `table`, `table-column`, `drawing-page` */
  isHidden(family: string, style: string | undefined): boolean {
    return style !== undefined && this.#hidden.has(`${family} ${style}`);
  }

  isNumbered(list: string, level: number): boolean {
    return this.#numbered.has(`${list} ${level}`);
  }

  /** The style that a paragraph's style was made from: the first that is no automatic one. */
  origin(style: string | undefined): string {
    let name = style ?? "";
    for (let steps = 0; steps < MAX_PARENTS && /^[A-Z]+\d+$/.test(name); steps++) {
      name = this.#parents.get(`paragraph ${name}`) ?? "";
    }
    return name;
  }
}

function hides(name: string, attributes: Attributes): boolean {
  if (name === "style:text-properties") return attributes["text:display"] === "none";
  if (name === "style:table-properties") return attributes["table:display"] === "false";
  return name === "style:drawing-page-properties" && attributes["presentation:visibility"] === "hidden";
}
