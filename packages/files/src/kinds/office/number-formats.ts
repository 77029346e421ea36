import { localName, type XmlHandler } from "../archive/xml.ts";
import type { Attributes } from "../html-text.ts";

/** How a number of a sheet is shown, as far as words and searches need it. */
export type NumberFormat = "plain" | "date" | "time" | "moment" | "span" | "percent" | { readonly digits: number };

/** Formats every program knows by number (ECMA-376, 18.8.30), with those of East Asia; what is not here shows the number. */
const BUILT_IN: readonly (readonly [from: number, to: number, NumberFormat])[] = [
  [9, 10, "percent"],
  [14, 17, "date"],
  [18, 21, "time"],
  [22, 22, "moment"],
  [27, 31, "date"],
  [32, 35, "time"],
  [36, 36, "date"],
  [45, 47, "span"],
  [50, 54, "date"],
  [55, 56, "time"],
  [57, 58, "date"],
];

/** What a format written out shows. */
export function formatOfCode(code: string): NumberFormat {
  // Of several, the first is for what is above zero. Words in it, colours and places say nothing of the kind.
  const bare = code
    .slice(0, MAX_CODE)
    .replace(/"[^"]*"|\\.|[_*].|\[(?![hms]+\])[^\]]*\]/gi, "")
    .split(";", 1)[0]
    ?.toLowerCase();
  if (bare === undefined || bare.includes("general")) return "plain";
  if (/\[[hms]+\]/.test(bare)) return "span";
  const hasTime = /[hs]/.test(bare);
  const hasDate = /[yde]/.test(bare.replace(/e[+-]/g, "")) || (!hasTime && bare.includes("m"));
  if (hasDate) return hasTime ? "moment" : "date";
  if (hasTime) return "time";
  if (bare.includes("%")) return "percent";
  return /^0{2,20}$/.test(bare) ? { digits: bare.length } : "plain";
}

const MAX_CODE = 500;
/** Styles of cells, and formats written out, of one workbook: as many as programs take. */
const MAX_STYLES = 65_536;

/** Reads the styles of a workbook: which format the cells of a style have. */
export class CellFormats implements XmlHandler {
  readonly #written = new Map<number, NumberFormat>();
  readonly #ofStyle: NumberFormat[] = [];
  #inCells = false;

  /** @param style as a cell names it */
  of(style: string | undefined): NumberFormat {
    return this.#ofStyle[Number(style ?? 0)] ?? "plain";
  }

  open(name: string, { numFmtId: id, formatCode: code }: Attributes): void {
    const local = localName(name);
    if (local === "cellXfs") this.#inCells = true;
    else if (local === "numFmt" && this.#written.size < MAX_STYLES) {
      this.#written.set(Number(id), formatOfCode(code ?? ""));
    } else if (local === "xf" && this.#inCells && this.#ofStyle.length < MAX_STYLES) {
      this.#ofStyle.push(this.#format(Number(id ?? 0)));
    }
  }

  close(name: string): void {
    if (localName(name) === "cellXfs") this.#inCells = false;
  }

  text(): void {
    // Says nothing.
  }

  #format(id: number): NumberFormat {
    return this.#written.get(id) ?? BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? "plain";
  }
}

const DAY = 86_400_000;
/** Days from 1970 back to day zero of the two calendars workbooks have. */
const DAYS_1900 = 25_569;
const DAYS_1904 = 24_107;
/** The first day of the year 10000, which none of these programs has. */
const MAX_SERIAL = 2_958_466;

/** A number as a sheet shows it: dates and times by ISO 8601, which everybody reads alike, shares in hundredths. */
export function shownNumber(written: string, format: NumberFormat, from1904: boolean): string {
  const value = Number(written);
  if (written === "" || !Number.isFinite(value)) return written;
  if (typeof format === "object") {
    return Number.isInteger(value) && value >= 0 ? String(value).padStart(format.digits, "0") : shown(value);
  }
  if (format === "percent") return `${shown(value * 100)}%`;
  if (format === "plain" || value < 0 || value >= MAX_SERIAL) return shown(value);
  if (format === "span") return spanOf(value);
  const moment = momentOf(value, from1904);
  const [date = "", clock = ""] = moment.split("T");
  const time = clock.endsWith(":00") ? clock.slice(0, -3) : clock;
  if (format === "time" || (format === "moment" && value < 1)) return time;
  return format === "date" || time === "00:00" ? date : `${date} ${time}`;
}

/** Without what binary fractions add to it: 0.30000000000000004 is 0.3. */
const shown = (value: number): string => String(Number(value.toPrecision(15)));

function momentOf(serial: number, from1904: boolean): string {
  // The first calendar takes 1900 for a leap year: up to that day that never was, it is one day ahead.
  const days = from1904 ? serial - DAYS_1904 : serial - DAYS_1900 + (serial < 60 ? 1 : 0);
  return new Date(Math.round((days * DAY) / 1_000) * 1_000).toISOString().slice(0, 19);
}

function spanOf(value: number): string {
  const seconds = Math.round(value * 86_400);
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  const rest = seconds % 60 === 0 ? "" : `:${two(seconds % 60)}`;
  return `${Math.floor(seconds / 3_600)}:${two((seconds % 3_600) / 60)}${rest}`;
}
