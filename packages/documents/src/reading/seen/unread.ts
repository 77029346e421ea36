import type { UnreadPart } from "../../page/page-snapshot.ts";
import type { Place } from "./place.ts";

/** Least part of the window from which on something is much of what a person sees there. */
const MUCH = 0.2;
/** Least size of a part that was made to be read, square pixels. */
const LEAST = 10_000;
/** Characters of text for each large picture, from which on the pictures go with the text and not in its stead. */
const WORDS_OF_PICTURE = 400;

/** Tables whose rows are counted. */
const MAX_TABLES = 50;

/** Counts what a person sees of a page that has no text to be had: it can be said then. */
export class Unread {
  readonly #found = new Map<UnreadPart, number>();
  #tables = 0;

  /** An element that is shown. */
  look(place: Place): void {
    const { element, view } = place;
    const name = element.localName;
    const large = SORTS.get(name);
    const size = () => (place.box.width * place.box.height) / (view.innerWidth * view.innerHeight);
    if (large !== undefined) {
      if (size() >= MUCH && (name !== "svg" || (element.textContent ?? "").trim() === "")) this.#count(large);
    } else if (name.includes("-")) {
      // Elements of a page's own making that show something, and have nothing in them that is told.
      const isShut = element.shadowRoot === null && element.firstElementChild === null;
      const { width, height } = place.box;
      if (isShut && width * height >= LEAST && (element.textContent ?? "").trim() === "") this.#count("closed");
    }
    const rows = Number(element.getAttribute("aria-rowcount"));
    if (rows > 0 && (this.#tables += 1) <= MAX_TABLES) {
      // Its own rows, and none of a table inside of it, would be as many.
      const here = element.querySelectorAll("tr,[role=row]").length;
      if (here < rows) this.#count("rows", rows - here);
    }
  }

  /** What is to be said of it, beside so many characters that were read. */
  told(characters: number): Readonly<Partial<Record<UnreadPart, number>>> {
    const pictures = this.#found.get("pictures") ?? 0;
    if (characters >= pictures * WORDS_OF_PICTURE) this.#found.delete("pictures");
    return Object.fromEntries(this.#found);
  }

  #count(part: UnreadPart, by = 1): void {
    this.#found.set(part, (this.#found.get(part) ?? 0) + by);
  }
}

const SORTS: ReadonlyMap<string, UnreadPart> = new Map([
  ["img", "pictures"],
  ["canvas", "drawings"],
  ["svg", "drawings"],
  ["embed", "drawings"],
  ["object", "drawings"],
  ["video", "films"],
]);
