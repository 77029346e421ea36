import type { KindText } from "../../part.ts";
import { commaSeparated } from "../../text/visible-text.ts";
import type { Archive } from "../archive/archive.ts";
import type { XmlHandler } from "../archive/xml.ts";

/** What an office document says of itself. */
export type Properties = Pick<KindText, "title" | "authors" | "updated">;

/** The part that says it. */
export const PROPERTIES = "docProps/core.xml";

/** Characters of one property. */
const MAX_PROPERTY = 1_000;

/** Gathers the texts of elements by their names; where there are several of a name, one after the other in lines. */
export class NamedTexts implements XmlHandler {
  readonly #found = new Map<string, string>();
  #open = "";

  open(name: string): void {
    this.#open = name;
    const before = this.#found.get(name);
    if (before !== undefined) this.#found.set(name, `${before}\n`);
  }

  close(): void {
    this.#open = "";
  }

  text(text: string): void {
    this.#found.set(this.#open, ((this.#found.get(this.#open) ?? "") + text).slice(0, MAX_PROPERTY));
  }

  /** The first text of an element; undefined: none, or it is empty. */
  first(name: string): string | undefined {
    return this.all(name)[0];
  }

  all(name: string): string[] {
    const lines = (this.#found.get(name) ?? "").split("\n").map((line) => line.trim());
    return lines.filter((line) => line !== "");
  }
}

/** Titles that programs give to what nobody gave one. */
const NO_TITLE =
  /^(?:(?:Microsoft )?PowerPoint\b.{0,40}|Slide 1|Untitled.{0,20}|Presentation\d*|Book\d*|Document\d*)$/i;

/** The properties of an office document of 2007 or later. */
export function propertiesIn(texts: NamedTexts): Properties {
  const title = texts.first("dc:title");
  const authors = commaSeparated((texts.first("dc:creator") ?? "").replaceAll(";", ","));
  return {
    title: title === undefined || NO_TITLE.test(title) ? undefined : title,
    authors,
    updated: texts.first("dcterms:modified"),
  };
}

/** Reads them. */
export async function propertiesOf(archive: Archive): Promise<Properties> {
  const texts = new NamedTexts();
  await archive.read(PROPERTIES, texts);
  return propertiesIn(texts);
}
