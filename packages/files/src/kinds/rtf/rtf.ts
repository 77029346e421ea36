import type { KindText } from "../../part.ts";
import { FileRefusedError } from "../../refusal.ts";
import { RtfBody } from "./rtf-body.ts";
import { encodingOfPage, FontEncodings, SYMBOLS } from "./rtf-encodings.ts";
import { RtfStyles } from "./rtf-styles.ts";
import { readRtf, type RtfHandler } from "./rtf-tokens.ts";

/** Groups inside each other; programs write a few dozen. */
const MAX_GROUPS = 1_000;
/** Characters between two paragraphs. */
const BREAK = 2;
/** Bytes that are kept before they are read. */
const MAX_RUN = 10_000;
/** Characters of what a document says of itself. */
const MAX_ABOUT = 1_000;

/**
 * Reads a rich text file (RTF): headings by its styles, lists, tables, notes in brackets; letters in the encodings its fonts have.
 * Hidden text is left out and counted; pictures, remarks, headers and footers are left out. Read until there are `characters`
 * of text. Throws FileRefusedError for what ends in the middle. Linear.
 */
export function partsOfRtf(bytes: Uint8Array, file: string, characters: number): KindText {
  const reading = new RtfReading(characters);
  try {
    readRtf(bytes, reading);
  } catch (error) {
    throw new FileRefusedError("damaged", file, { cause: error });
  }
  if (!reading.done && reading.depth > 0)
    throw new FileRefusedError("damaged", file, { detail: "it ends in the middle" });
  return reading.result();
}

/** Where text goes: into the document, into what the document says of itself, or nowhere. */
type Destination = "text" | "nowhere" | "fonts" | "styles" | "style" | "title" | "author" | "changed" | "mark" | "note";

interface Group {
  readonly destination: Destination;
  readonly font: number;
  /** Signs that stand for a letter told by number, for programs that do not know it. */
  readonly substitutes: number;
  readonly hidden: boolean;
  readonly deleted: boolean;
}

/** Groups that lead elsewhere. */
const DESTINATIONS: Readonly<Record<string, Destination>> = {
  fonttbl: "fonts",
  stylesheet: "styles",
  title: "title",
  author: "author",
  revtim: "changed",
  listtext: "mark",
  pntext: "mark",
  footnote: "note",
};
/** Groups whose text nobody sees in the document, or sees on each page. */
const NOWHERE = new Set(
  `colortbl filetbl pict fldinst xe tc tcn rxe header headerl headerr headerf footer footerl footerr footerf
  ftnsep ftnsepc ftncn nonshppict shprslt sp sn sv objclass objname objdata nonesttables private comment operator
  keywords doccomm subject company manager category hlinkbase template atnid atnauthor annotation pntxta pntxtb
  listname liststylename falt panose fname svgcont`.split(/\s+/),
);
/** Groups that programs may leave out, and hold text all the same. */
const KEPT = new Set(["shpinst", "shptxt"]);

const SIGNS: Readonly<Record<string, string>> = {
  line: "\n",
  tab: " ",
  "~": " ",
  _: "-",
  lquote: "\u2018",
  rquote: "\u2019",
  ldblquote: "\u201C",
  rdblquote: "\u201D",
  emdash: "\u2014",
  endash: "\u2013",
  bullet: "\u2022",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
  nestcell: " ",
  nestrow: "\n",
  zwnj: "\u200C",
  zwj: "\u200D",
};

class RtfReading implements RtfHandler {
  #group: Group = { destination: "text", font: -1, substitutes: 1, hidden: false, deleted: false };
  readonly #groups: Group[] = [];
  readonly #fonts = new FontEncodings();
  readonly #styles = new RtfStyles();
  readonly #body = new RtfBody();
  readonly #decoders = new Map<string, InstanceType<typeof TextDecoder>>();
  readonly #about = new Map<string, string>();
  readonly #changed = new Map<string, number>();
  readonly #most: number;
  /** Bytes of one run of text, until it is known where it ends: a letter can have several. */
  #bytes: number[] = [];
  #toSkip = 0;
  #isOptional = false;
  #text = "";
  #mark: string | undefined;
  #style = 0;
  #outline = 0;
  #depth = 0;
  #inCell = false;
  #tableFont = 0;
  #length = 0;
  #hiddenCharacters = 0;

  constructor(characters: number) {
    this.#most = characters;
  }

  get done(): boolean {
    return this.#length > this.#most;
  }

  /** Groups that are open. */
  get depth(): number {
    return this.#groups.length;
  }

  open(): void {
    this.#flush();
    if (this.#groups.length >= MAX_GROUPS) throw new RangeError(`More than ${MAX_GROUPS} groups inside each other.`);
    this.#groups.push(this.#group);
    this.#isOptional = false;
    this.#toSkip = 0;
    if (this.#group.destination !== "styles") return;
    this.#group = { ...this.#group, destination: "style" };
    this.#styles.begin();
  }

  close(): void {
    this.#flush();
    const before = this.#groups.pop();
    if (before === undefined) return;
    const { destination } = this.#group;
    if (destination === "style" && before.destination === "styles") this.#styles.end();
    if (destination === "note" && before.destination !== "note") {
      this.#text = this.#text.trimEnd();
      this.#append(")");
    }
    this.#group = before;
    this.#isOptional = false;
    this.#toSkip = 0;
  }

  byte(byte: number): void {
    this.#isOptional = false;
    if (this.#toSkip > 0) this.#toSkip--;
    else if (this.#group.destination !== "nowhere") {
      this.#bytes.push(byte);
      // A digit, a space or a bracket begins and ends no letter.
      if (byte < 0x30 && this.#bytes.length > MAX_RUN) this.#flush();
    }
  }

  control(word: string, number: number | undefined): void {
    // A substitute that is told as a word counts as one sign.
    if (this.#toSkip > 0 && word !== "u" && SIGNS[word] !== undefined) {
      this.#toSkip--;
      return;
    }
    this.#flush();
    this.#toSkip = 0;
    if (word === "*") {
      this.#isOptional = true;
      return;
    }
    const isOptional = this.#isOptional;
    this.#isOptional = false;
    if (this.#group.destination === "nowhere") return;
    const leads = DESTINATIONS[word];
    if (NOWHERE.has(word) || (isOptional && !KEPT.has(word) && leads === undefined)) {
      this.#lead("nowhere");
    } else if (leads !== undefined) this.#lead(leads);
    // A box of its own within the paragraph.
    else if (word === "shptxt") this.#append("\n");
    else this.#read(word, number);
  }

  result(): KindText {
    this.#flush();
    this.#endParagraph();
    const about = (what: string) => this.#about.get(what)?.trim() || undefined;
    const author = about("author");
    const parts = this.#body.parts();
    return {
      parts,
      title: about("title") ?? parts.find(({ level }) => level === 1)?.heading,
      authors: author === undefined ? [] : [author],
      updated: this.#updated(),
      hiddenCharacters: this.#hiddenCharacters,
      cut: this.done,
    };
  }

  #lead(destination: Destination): void {
    if (destination === "mark") this.#mark = "";
    if (destination === "note") this.#append(" (");
    this.#group = { ...this.#group, destination };
  }

  #read(word: string, number: number | undefined): void {
    if (this.#group.destination === "fonts") this.#readFont(word, number ?? 0);
    else if (this.#group.destination === "style") this.#styles.control(word, number ?? 0);
    else if (this.#group.destination === "changed") this.#changed.set(word, number ?? 0);
    else if (word === "u") this.#letter(number ?? 0);
    else if (SIGNS[word] !== undefined) this.#append(SIGNS[word]);
    // The mark of an item is no paragraph by itself, though it is written like one.
    else if (this.#group.destination === "mark" || !this.#readParagraph(word, number)) this.#readLook(word, number);
  }

  #readFont(word: string, number: number): void {
    if (word === "f") this.#tableFont = number;
    else if (word === "fcharset") this.#fonts.tellCharset(this.#tableFont, number);
    else if (word === "cpg") this.#fonts.tellPage(this.#tableFont, number);
  }

  /** @returns whether it is about a paragraph */
  #readParagraph(word: string, number: number | undefined): boolean {
    if (word === "par" || word === "sect" || word === "page") this.#endParagraph();
    else if (word === "cell") this.#endCell();
    else if (word === "row") this.#body.row();
    else if (word === "pard") {
      this.#style = 0;
      this.#outline = 0;
      this.#depth = 0;
      this.#inCell = false;
    } else if (word === "intbl") this.#inCell = true;
    else if (word === "s") this.#style = number ?? 0;
    else if (word === "ilvl") this.#depth = number ?? 0;
    else if (word === "outlinelevel") this.#outline = number !== undefined && number < 9 ? number + 1 : 0;
    else return false;
    return true;
  }

  #readLook(word: string, number: number | undefined): void {
    if (word === "f") this.#group = { ...this.#group, font: number ?? 0 };
    else if (word === "plain") this.#group = { ...this.#group, font: -1, hidden: false, deleted: false };
    else if (word === "v") this.#group = { ...this.#group, hidden: number !== 0 };
    else if (word === "deleted") this.#group = { ...this.#group, deleted: number !== 0 };
    else if (word === "uc") this.#group = { ...this.#group, substitutes: Math.max(0, number ?? 1) };
    else if (word === "deff") this.#fonts.usual = number ?? 0;
    else if (word === "ansicpg") this.#fonts.page = number || 1252;
    else if (word === "mac") this.#fonts.page = 10_000;
  }

  /** A letter told by its number, which is negative above 32,767; those beyond 65,535 are told in two halves. */
  #letter(number: number): void {
    const code = number & 0xff_ff;
    // Fonts of symbols have theirs where no letters are.
    const isSymbol = code >= 0xf0_00 && code <= 0xf0_ff;
    this.#append(isSymbol ? this.#symbol() : String.fromCharCode(code));
    this.#toSkip = this.#group.substitutes;
  }

  /** Writes the bytes that have come, read as the font says. */
  #flush(): void {
    if (this.#bytes.length === 0) return;
    const { font } = this.#group;
    const isText = !["fonts", "styles", "style"].includes(this.#group.destination);
    const encoding = isText ? this.#fonts.of(font === -1 ? this.#fonts.usual : font) : encodingOfPage(this.#fonts.page);
    const bytes = Uint8Array.from(this.#bytes);
    this.#bytes = [];
    if (encoding === SYMBOLS) this.#append(this.#symbol());
    else this.#append(this.#decoder(encoding).decode(bytes));
  }

  /** A bullet, an arrow or a tick: before an item it says that it is one. */
  #symbol(): string {
    return this.#group.destination === "mark" ? "\u2022" : "";
  }

  #decoder(encoding: string): InstanceType<typeof TextDecoder> {
    const decoder = this.#decoders.get(encoding) ?? new TextDecoder(encoding);
    this.#decoders.set(encoding, decoder);
    return decoder;
  }

  #append(text: string): void {
    const { destination, hidden, deleted } = this.#group;
    if (destination === "style") this.#styles.text(text);
    else if (destination === "title" || destination === "author") {
      this.#about.set(destination, ((this.#about.get(destination) ?? "") + text).slice(0, MAX_ABOUT));
    } else if (destination === "mark") this.#mark = ((this.#mark ?? "") + text).slice(0, MAX_ABOUT);
    else if (destination !== "text" && destination !== "note") return;
    else if (hidden) this.#hiddenCharacters += text.trim().length;
    else if (!deleted) {
      this.#text += this.#text.endsWith("(") ? text.trimStart() : text;
      this.#length += text.length;
    }
  }

  #endParagraph(): void {
    if (this.#group.destination === "note") {
      this.#append(" ");
      return;
    }
    const text = this.#text;
    this.#text = "";
    this.#length += BREAK;
    if (this.#inCell) this.#body.cellText(text);
    else {
      const heading = this.#outline || this.#styles.headingOf(this.#style);
      this.#body.paragraph(text, { heading, mark: this.#mark?.trim(), depth: Math.max(0, this.#depth) });
    }
    this.#mark = undefined;
  }

  #endCell(): void {
    this.#body.cell(this.#text);
    this.#text = "";
    this.#mark = undefined;
  }

  /** As people write moments; undefined: it does not say. */
  #updated(): string | undefined {
    const [year, month, day, hour = 0, minute = 0] = ["yr", "mo", "dy", "hr", "min"].map((word) =>
      this.#changed.get(word),
    );
    if (year === undefined || month === undefined || day === undefined) return undefined;
    const two = (number: number) => String(number).padStart(2, "0");
    return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
  }
}
