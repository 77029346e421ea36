import type { KindText, Part } from "../../part.ts";
import type { SlideText } from "./slide.ts";

/** Slides of a presentation of any make, one after the other. */
export class DeckText {
  readonly #parts: Part[] = [];
  #number = 0;
  #hidden = 0;
  #hiddenCharacters = 0;
  #left: number;

  /** @param characters after which no further slide is wanted */
  constructor(characters: number) {
    this.#left = characters;
  }

  get full(): boolean {
    return this.#left < 0;
  }

  /** A slide is left out. It counts, as it does for whoever pages through. */
  skip(hidden: boolean): void {
    this.#number++;
    if (hidden) this.#hidden++;
  }

  add({ title, text, hiddenCharacters }: SlideText, drawings = "", notes = ""): void {
    this.#number++;
    this.#hiddenCharacters += hiddenCharacters;
    const said = notes === "" ? "" : `Notes: ${notes}`;
    const whole = [text, drawings, said].filter((one) => one !== "").join("\n\n");
    if (whole === "" && title === "") return;
    const heading = title === "" ? `Slide ${this.#number}` : title;
    this.#parts.push({ level: 1, heading, fragment: `page=${this.#number}`, text: whole });
    this.#left -= heading.length + whole.length;
  }

  /** @param title that the file has; otherwise the first slide's */
  result(title: string | undefined): KindText {
    const first = this.#parts.find(({ fragment }) => fragment === "page=1");
    return {
      parts: this.#parts,
      title: title ?? first?.heading.replace(/^Slide 1$/, ""),
      hiddenPages: this.#hidden,
      hiddenCharacters: this.#hiddenCharacters,
      cut: this.full,
    };
  }
}
