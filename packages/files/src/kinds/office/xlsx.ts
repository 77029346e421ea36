import type { KindText, Part } from "../../part.ts";
import { FileRefusedError } from "../../refusal.ts";
import { Archive } from "../archive/archive.ts";
import { localName, prefixed, type XmlHandler } from "../archive/xml.ts";
import type { Attributes } from "../html-text.ts";
import { SheetText } from "../tables/sheet-text.ts";
import { LayoutReading } from "./merged-cells.ts";
import { CellFormats } from "./number-formats.ts";
import { propertiesOf } from "./properties.ts";
import { relationsOf } from "./relations.ts";
import { unescaped, WorksheetReading } from "./worksheet.ts";

const WORKBOOK = "xl/workbook.xml";
/** Characters of shared texts that are kept for each that is wanted: in most files they stand in the order of the cells. */
const SHARED_SHARE = 4;
/** Shared texts that are kept, however short. */
const MAX_SHARED = 1_000_000;
/** Sheets of one workbook. */
const MAX_SHEETS = 1_000;

/**
 * Reads a workbook (XLSX, also with macros, which are left out): one part per sheet that is shown, named as it is, rows as
 * in a CSV file. Hidden sheets are left out and counted. Sheets are read until there are `characters` of text.
 */
export async function partsOfXlsx(bytes: Uint8Array, file: string, characters: number): Promise<KindText> {
  const archive = new Archive(bytes, file);
  const properties = await propertiesOf(archive);
  const workbook = new WorkbookReading();
  await archive.read(WORKBOOK, workbook);
  const relations = await relationsOf(archive, WORKBOOK);
  const partOf = (type: string) => relations.find((relation) => relation.type === type)?.part ?? "";
  const formats = new CellFormats();
  await archive.read(partOf("styles"), formats);
  const texts = new SharedTexts(characters * SHARED_SHARE);
  await archive.read(partOf("sharedStrings"), texts);
  const { from1904 } = workbook;
  const parts: Part[] = [];
  let left = characters;
  let hiddenCharacters = 0;
  let cut = false;
  for (const { name, id } of workbook.sheets.filter(({ hidden }) => !hidden)) {
    const relation = relations.find((one) => one.id === id && one.type === "worksheet");
    if (relation === undefined) continue;
    cut = left <= 0;
    if (cut) break;
    const sheet = new SheetText(left);
    const layout = new LayoutReading();
    await archive.readBehind(relation.part, /<\/(?:\w{1,20}:)?sheetData>/, layout);
    const rows = new WorksheetReading(sheet, { shared: texts.texts, formats, from1904 }, layout.layout());
    const isWhole = await isReadWhole(archive, relation.part, rows, sheet);
    const text = sheet.text();
    hiddenCharacters += rows.hiddenCharacters;
    if (text !== "") parts.push({ level: 1, heading: name, fragment: fragmentOf(name), text });
    left -= text.length;
    cut = !isWhole || sheet.full || (rows.unread > 0 && texts.done);
    if (cut) break;
  }
  return {
    ...properties,
    parts,
    cut,
    hiddenCharacters,
    hiddenPages: workbook.sheets.filter(({ hidden }) => hidden).length,
    macros: archive.has("xl/vbaProject.bin"),
  };
}

/** Of a sheet that is too large, what was read before: often it is cells in colour to its end that make it large. */
async function isReadWhole(archive: Archive, part: string, rows: XmlHandler, sheet: SheetText): Promise<boolean> {
  try {
    await archive.read(part, rows);
    return true;
  } catch (error) {
    if (error instanceof FileRefusedError && error.reason === "too-large" && sheet.length > 0) return false;
    throw error;
  }
}

/** How spreadsheets themselves write the place of a sheet behind a file's address. */
const fragmentOf = (sheet: string): string => encodeURIComponent(`'${sheet.replaceAll("'", "''").toWellFormed()}'!A1`);

interface Sheet {
  readonly name: string;
  readonly id: string | undefined;
  readonly hidden: boolean;
}

class WorkbookReading implements XmlHandler {
  readonly sheets: Sheet[] = [];
  from1904 = false;

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    if (local === "workbookPr") this.from1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
    if (local !== "sheet" || this.sheets.length >= MAX_SHEETS) return;
    const hidden = /hidden/i.test(attributes["state"] ?? "");
    this.sheets.push({ name: attributes["name"] ?? "", id: prefixed(attributes, "id"), hidden });
  }

  close(): void {
    // Says nothing.
  }

  text(): void {
    // Says nothing.
  }
}

/** The texts that cells share, in plain words: fonts within them are left out, and how a word is read aloud. */
class SharedTexts implements XmlHandler {
  readonly texts: string[] = [];
  /** More than is kept. */
  done = false;
  readonly #most: number;
  #length = 0;
  #open: string[] = [];
  #inText = false;
  #inReading = false;

  constructor(most: number) {
    this.#most = most;
  }

  open(name: string): void {
    const local = localName(name);
    if (local === "si") this.#open = [];
    else if (local === "t") this.#inText = true;
    else if (local === "rPh") this.#inReading = true;
  }

  text(text: string): void {
    if (this.#inText && !this.#inReading) this.#open.push(text);
  }

  close(name: string): void {
    const local = localName(name);
    if (local === "t") this.#inText = false;
    else if (local === "rPh") this.#inReading = false;
    else if (local === "si") {
      const text = unescaped(this.#open.join(""));
      this.texts.push(text);
      this.#length += text.length;
      this.done = this.#length > this.#most || this.texts.length >= MAX_SHARED;
    }
  }
}
