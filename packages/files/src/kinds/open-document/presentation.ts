import type { KindText } from "../../part.ts";
import { oneLine } from "../../text/visible-text.ts";
import type { Attributes } from "../html-text.ts";
import { DeckText } from "../office/deck-text.ts";
import { BodyText } from "./body-text.ts";
import type { ContentReading } from "./content-reading.ts";
import { OpenDocumentStyles } from "./styles.ts";

/** Frames that say the same on each slide, or hold a picture of it. */
const REPEATED = new Set(["page-number", "date-time", "footer", "header", "page", "handout"]);

/** A slide that is being read. */
interface OpenSlide {
  readonly hidden: boolean;
  readonly title: BodyText;
  readonly body: BodyText;
  readonly notes: BodyText;
}

/** Reads the content of a presentation (ODP): slides with their titles and notes. */
export class PresentationReading implements ContentReading {
  readonly #styles = new OpenDocumentStyles();
  readonly #deck: DeckText;
  #slide: OpenSlide | undefined;
  #depth = 0;
  /** Depths at which what is read there begins; 0: nowhere. */
  #notesFrom = 0;
  #titleFrom = 0;
  #repeatedFrom = 0;

  constructor(characters: number) {
    this.#deck = new DeckText(characters);
  }

  get done(): boolean {
    return this.#deck.full;
  }

  open(name: string, attributes: Attributes): void {
    this.#depth++;
    if (name === "draw:page") {
      const hidden = this.#styles.isHidden("drawing-page", attributes["draw:style-name"]);
      this.#slide = { hidden, ...this.#texts() };
      return;
    }
    if (this.#slide === undefined) {
      this.#styles.open(name, attributes);
      return;
    }
    const role = attributes["presentation:class"] ?? "";
    if (name === "presentation:notes") this.#notesFrom = this.#depth;
    else if (REPEATED.has(role) && this.#repeatedFrom === 0) this.#repeatedFrom = this.#depth;
    else if (role === "title" && this.#notesFrom === 0) this.#titleFrom = this.#depth;
    if (this.#repeatedFrom === 0) this.#target(this.#slide).open(name, attributes);
  }

  text(text: string): void {
    if (this.#slide !== undefined && this.#repeatedFrom === 0) this.#target(this.#slide).write(text);
  }

  close(name: string): void {
    const depth = this.#depth--;
    if (this.#slide === undefined) return;
    if (name === "draw:page") {
      this.#closeSlide(this.#slide);
      return;
    }
    if (this.#repeatedFrom === 0) this.#target(this.#slide).close(name);
    if (this.#repeatedFrom === depth) this.#repeatedFrom = 0;
    if (this.#titleFrom === depth) this.#titleFrom = 0;
    if (this.#notesFrom === depth) this.#notesFrom = 0;
  }

  result(): KindText {
    return this.#deck.result(undefined);
  }

  #texts() {
    return { title: new BodyText(this.#styles), body: new BodyText(this.#styles), notes: new BodyText(this.#styles) };
  }

  #target({ title, body, notes }: OpenSlide): BodyText {
    if (this.#notesFrom > 0) return notes;
    return this.#titleFrom > 0 ? title : body;
  }

  #closeSlide({ hidden, title, body, notes }: OpenSlide): void {
    this.#slide = undefined;
    if (hidden) this.#deck.skip(true);
    else {
      const { hiddenCharacters } = body;
      this.#deck.add({ title: oneLine(textOf(title)), text: textOf(body), hiddenCharacters }, "", textOf(notes));
    }
  }
}

function textOf(body: BodyText): string {
  const texts = body.parts().flatMap(({ heading, text }) => [heading, text]);
  return texts.filter((text) => text.trim() !== "").join("\n\n");
}
