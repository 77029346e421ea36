import type { KindText } from "../../part.ts";
import type { Attributes } from "../html-text.ts";
import { BodyText } from "./body-text.ts";
import type { ContentReading } from "./content-reading.ts";
import { OpenDocumentStyles } from "./styles.ts";

/** Reads the content of a text (ODT) until there are so many characters. */
export class TextReading implements ContentReading {
  readonly #styles = new OpenDocumentStyles();
  readonly #body = new BodyText(this.#styles);
  readonly #most: number;
  #inBody = 0;

  constructor(characters: number) {
    this.#most = characters;
  }

  get done(): boolean {
    return this.#body.length > this.#most;
  }

  open(name: string, attributes: Attributes): void {
    if (name === "office:text") this.#inBody++;
    else if (this.#inBody > 0) this.#body.open(name, attributes);
    else this.#styles.open(name, attributes);
  }

  text(text: string): void {
    if (this.#inBody > 0) this.#body.write(text);
  }

  close(name: string): void {
    if (name === "office:text") this.#inBody = 0;
    else if (this.#inBody > 0) this.#body.close(name);
  }

  result(): KindText {
    const parts = this.#body.parts();
    const title = parts.find(({ level }) => level === 1)?.heading;
    return { parts, title, hiddenCharacters: this.#body.hiddenCharacters, cut: this.done };
  }
}
