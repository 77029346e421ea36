import type { Tracing } from "@threadlore/tracing";
import { visibleLine } from "@threadlore/ask";

/** One of the two streams a command writes to. Everything written passes through here: secrets never leave. */
export interface Screen {
  readonly isTerminal: boolean;
  /** False when not a terminal, when NO_COLOR is set, or when TERM is "dumb". */
  readonly colours: boolean;
  /** Width in columns; 80 where it is not a terminal. */
  readonly columns: number;
  /** Height in lines; 24 where it is not a terminal. */
  readonly rows: number;
  write(text: string): void;
}

/** The world a command runs in: streams, environment, folder, and the signal of Ctrl-C. */
export interface Terminal {
  readonly out: Screen;
  readonly err: Screen;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly stdinIsTerminal: boolean;
  /** Everything from standard input, as text. */
  readStdin(): Promise<string>;
  /** Everything from standard input, byte by byte: a document says itself how it is to be read. */
  readStdinBytes(): Promise<Uint8Array>;
  /** One line from a person, after a prompt on stderr; with `hidden`, nothing typed is shown. */
  prompt(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** What goes along with calls, so that logs of several programs can be laid beside each other. Default: nothing. */
  readonly tracing?: Tracing;
  /** Aborted by the first Ctrl-C, by SIGTERM, and when the reader of stdout went away. */
  readonly interrupted: AbortSignal;
  /** From now on this text is written as `[key]`, wherever it would appear. */
  hide(secret: string): void;
}

const ESCAPE = String.fromCodePoint(27);

/** Select-graphic-rendition sequences: the only escapes threadlore ever writes. */
const STYLES = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;

/** `text` in a style, where the screen shows styles. */
export function styled(screen: Pick<Screen, "colours">, style: keyof typeof STYLES, text: string): string {
  return screen.colours && text !== "" ? `${ESCAPE}[${STYLES[style]}m${text}${ESCAPE}[0m` : text;
}

/**
 * Text from outside (a title, a server's message) as one safe line: no control bytes (C0, C1), no bidirectional
 * overrides, no line breaks (docs/threats.md, T31).
 */
export function oneLine(text: string): string {
  return visibleLine(text).replaceAll(/\s+/g, " ").trim();
}

/** A text cut to so many characters, the last of which then says so. */
export function cut(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, Math.max(0, max - 1)).join("")}…`;
}

/** Rows as aligned columns, the last column as it is. Cells are made safe. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  const safe = rows.map((row) => row.map(oneLine));
  for (const row of safe) row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  return safe
    .map((row) =>
      row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  "),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** Words in lines of fewer than so many columns. A longer word stands alone. */
export function wrapped(text: string, columns: number): string {
  const lines = [""];
  for (const word of oneLine(text).split(" ")) {
    const line = lines.at(-1) ?? "";
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || longer.length < columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("\n");
}

/** What JSON allows unescaped and a terminal acts on: C1 controls, line separators, marks of writing direction. */
const MISLEADING = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Writes one JSON document to stdout: the whole output of a command run with `--json`. */
export function writeJson(terminal: Terminal, document: unknown): void {
  terminal.out.write(`${harmless(JSON.stringify(document, undefined, 2))}\n`);
}

/** Writes one JSON document as one line to stdout, for commands whose output is many of them. */
export function writeJsonLine(terminal: Terminal, document: unknown): void {
  terminal.out.write(`${harmless(JSON.stringify(document))}\n`);
}

function harmless(json: string): string {
  return json.replaceAll(MISLEADING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A note for the person, on stderr. */
export function note(terminal: Pick<Terminal, "err">, text: string): void {
  terminal.err.write(`${text}\n`);
}
