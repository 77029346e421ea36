/** Text with styles, and how it is broken into lines. Nothing here knows markdown. */
import { cutAtWidth, textWidth, unspacedPieces } from "./text-width.ts";

/** How a piece of text looks. Every flag absent: plain. */
export interface Style {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly underline?: boolean;
  readonly dim?: boolean;
  readonly code?: boolean;
  /** Address an OSC 8 hyperlink leads to; allowed by the provenance rule already. */
  readonly href?: string;
}

export interface StyledRun {
  /** Visible text: no control characters but line feeds. */
  readonly text: string;
  readonly style: Style;
}

/** A line as it is written, what of it can be seen, and the columns that takes. */
export interface StyledLine {
  readonly text: string;
  readonly visible: string;
  readonly width: number;
}

const ESC = "\u001b";
const CODES: readonly (readonly [keyof Style, string, string])[] = [
  ["bold", "1", "22"],
  ["dim", "2", "22"],
  ["italic", "3", "23"],
  ["underline", "4", "24"],
  ["strike", "9", "29"],
  ["code", "36", "39"],
];

/** What a terminal is to be sent for a piece of text. */
function paint(run: StyledRun, color: boolean): string {
  let text = run.text;
  if (color && text.trim() !== "") {
    const on = CODES.filter(([flag]) => run.style[flag] === true);
    const [open, close] = [on.map((code) => code[1]).join(";"), on.map((code) => code[2]).join(";")];
    if (on.length > 0) text = `${ESC}[${open}m${text}${ESC}[${close}m`;
  }
  return run.style.href === undefined ? text : `${ESC}]8;;${run.style.href}${ESC}\\${text}${ESC}]8;;${ESC}\\`;
}

export function line(runs: readonly StyledRun[], color: boolean): StyledLine {
  const text = joined(runs).map((run) => paint(run, color));
  return { text: text.join(""), visible: textOf(runs), width: runsWidth(runs) };
}

/** A line of one style. */
export function plainLine(text: string, style: Style, color: boolean): StyledLine {
  return line([{ text, style }], color);
}

/** Columns that runs take. */
export function runsWidth(runs: readonly StyledRun[]): number {
  return runs.reduce((width, run) => width + textWidth(run.text), 0);
}

const textOf = (runs: readonly StyledRun[]): string => runs.map((run) => run.text).join("");

/** Neighbours of one style as one run: its codes are written once. */
function joined(runs: readonly StyledRun[]): StyledRun[] {
  const all: StyledRun[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    if (last?.style === run.style) all[all.length - 1] = { text: last.text + run.text, style: run.style };
    else all.push(run);
  }
  return all;
}

/**
 * Breaks runs into lines no wider than `width` columns (0: only where the text itself breaks): at spaces, between
 * characters of languages written without them, and inside a word only where it is wider than a line. A web address
 * stays whole even then, for in two lines it is none, unless `cutAddresses` says that nothing may stick out.
 */
export function wrap(runs: readonly StyledRun[], width: number, cutAddresses = false): StyledRun[][] {
  const lines: StyledRun[][] = [];
  let current: StyledRun[] = [];
  let used = 0;
  const newLine = (): void => {
    lines.push(trimmed(current));
    current = [];
    used = 0;
  };
  for (const word of words(runs)) {
    if (word === "break") {
      newLine();
      continue;
    }
    const wide = runsWidth(word);
    const blank = word.every((run) => run.text.trim() === "");
    if (width > 0 && used + wide > width && used > 0 && !blank) newLine();
    if (blank && used === 0) continue;
    const cut = width > 0 && wide > width && (cutAddresses || !ADDRESS.test(textOf(word)));
    for (const piece of cut ? cutRuns(word, width) : [word]) {
      const columns = runsWidth(piece);
      if (width > 0 && used + columns > width && used > 0 && !blank) newLine();
      current.push(...piece);
      used += columns;
    }
  }
  lines.push(trimmed(current));
  return lines;
}

/** A web address, with the parenthesis it may stand in. */
const ADDRESS = /^\(?https?:\/\/[!-~]+$/;

/** Words (pieces that stay together, across styles), the white space between them, and breaks. */
function* words(runs: readonly StyledRun[]): Generator<StyledRun[] | "break"> {
  let word: StyledRun[] = [];
  for (const run of runs) {
    for (const part of run.text.split(/(\n|[ \u3000]+)/)) {
      if (part === "") continue;
      const separates = part === "\n" || part.trim() === "";
      if (!separates) {
        for (const [index, piece] of unspacedPieces(part).entries()) {
          if (index > 0 && word.length > 0) yield word;
          if (index > 0) word = [];
          // A word may be made of very many runs; it was handed on or begun anew before it grows here.
          word.push({ text: piece, style: run.style });
        }
        continue;
      }
      if (word.length > 0) yield word;
      word = [];
      yield part === "\n" ? "break" : [{ text: part, style: run.style }];
    }
  }
  if (word.length > 0) yield word;
}

function* cutRuns(word: readonly StyledRun[], width: number): Generator<StyledRun[]> {
  for (const run of word) {
    for (const text of cutAtWidth(run.text, width)) yield [{ text, style: run.style }];
  }
}

function trimmed(runs: StyledRun[]): StyledRun[] {
  const kept = [...runs];
  while (kept.length > 0 && kept.at(-1)?.text.trim() === "") kept.pop();
  return kept;
}
