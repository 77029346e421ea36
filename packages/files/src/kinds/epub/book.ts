import type { KindText } from "../../part.ts";
import { oneLine } from "../../text/visible-text.ts";
import { localName, type XmlHandler } from "../archive/xml.ts";
import type { Attributes } from "../html-text.ts";
import { NamedTexts } from "../office/properties.ts";

/** Parts of a book, and lines of its table of contents. */
const MAX_PARTS = 10_000;
const MAX_LABEL = 300;

/** A part of a book as it is listed. */
interface BookPart {
  readonly href: string;
  readonly type: string;
  readonly properties: readonly string[];
}

/** Reads what a book says of itself: which parts it has, and in which order they are read. */
export class BookReading implements XmlHandler {
  readonly #texts = new NamedTexts();
  readonly #parts = new Map<string, BookPart>();
  readonly #order: string[] = [];
  #table: string | undefined;
  #isModified = false;
  #modified = "";

  open(name: string, attributes: Attributes): void {
    this.#texts.open(name);
    const local = localName(name);
    const { id, href, "media-type": type, idref, toc, property, properties } = attributes;
    if (local === "item" && id !== undefined && href !== undefined && this.#parts.size < MAX_PARTS) {
      this.#parts.set(id, { href, type: type ?? "", properties: (properties ?? "").split(/\s+/) });
    } else if (local === "itemref" && idref !== undefined && this.#order.length < MAX_PARTS) this.#order.push(idref);
    else if (local === "spine") this.#table = toc;
    this.#isModified = local === "meta" && property === "dcterms:modified";
  }

  text(text: string): void {
    this.#texts.text(text);
    if (this.#isModified) this.#modified += text;
  }

  close(): void {
    this.#texts.close();
    this.#isModified = false;
  }

  /** The parts that are read, one after the other, without the table of contents. */
  chapters(): BookPart[] {
    return [...new Set(this.#order)]
      .map((id) => this.#parts.get(id))
      .filter((part) => part !== undefined)
      .filter(({ type, properties }) => /html/i.test(type) && !properties.includes("nav"));
  }

  /** Where the table of contents is. */
  navigation(): string | undefined {
    return [...this.#parts.values()].find(({ properties }) => properties.includes("nav"))?.href;
  }

  /** Where the table of contents is that books had before 2011. */
  formerNavigation(): string | undefined {
    const named = this.#table === undefined ? undefined : this.#parts.get(this.#table);
    return (named ?? [...this.#parts.values()].find(({ type }) => type === "application/x-dtbncx+xml"))?.href;
  }

  described(): Pick<KindText, "title" | "authors" | "updated" | "metadata"> {
    const tags = this.#texts.all("dc:subject");
    return {
      title: this.#texts.first("dc:title"),
      authors: this.#texts.all("dc:creator"),
      updated: this.#modified.trim() || this.#texts.first("dc:date"),
      metadata: { language: this.#texts.first("dc:language"), tags: tags.length === 0 ? undefined : tags },
    };
  }
}

/** Reads references with the words that stand with them: the links of a table of contents. */
export class LabelReading implements XmlHandler {
  /** By reference, in their order; the first words of each. */
  readonly labels = new Map<string, string>();
  readonly #element: string;
  readonly #attribute: string;
  readonly #around: string;
  #reference: string | undefined;
  #label = "";

  /** @param around the element whose text is a reference's words, which come before it; default: the element itself */
  constructor(element: string, attribute: string, around = element) {
    this.#element = element;
    this.#attribute = attribute;
    this.#around = around;
  }

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    if (local === this.#around) this.#label = "";
    if (local === this.#element) this.#reference = attributes[this.#attribute];
  }

  text(text: string): void {
    if (this.#label.length < MAX_LABEL) this.#label += text;
  }

  close(name: string): void {
    if (localName(name) !== this.#element || this.#reference === undefined) return;
    const isNew = !this.labels.has(this.#reference) && this.labels.size < MAX_PARTS;
    if (isNew) this.labels.set(this.#reference, oneLine(this.#label).slice(0, MAX_LABEL));
    this.#reference = undefined;
  }
}

/** Ways in which fonts are made unreadable to other books, which say nothing of the text. */
const OF_FONTS = /(?:idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

/** Reads which parts of a book are locked. */
export class LockedParts implements XmlHandler {
  readonly #parts = new Set<string>();
  #method = "";

  open(name: string, { Algorithm: algorithm, URI: part }: Attributes): void {
    const local = localName(name);
    if (local === "EncryptedData") this.#method = "";
    else if (local === "EncryptionMethod") this.#method ||= algorithm ?? "";
    else if (local === "CipherReference" && part !== undefined && !OF_FONTS.test(this.#method)) {
      if (this.#parts.size < MAX_PARTS) this.#parts.add(part.toLowerCase());
    }
  }

  close(): void {
    // Says nothing.
  }

  text(): void {
    // Says nothing.
  }

  has(path: string): boolean {
    return this.#parts.has(path.toLowerCase()) || this.#parts.has(encodeURI(path).toLowerCase());
  }
}
