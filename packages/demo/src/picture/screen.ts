import { isDeepStrictEqual } from "node:util";

/** How a character looks: the codes of select graphic rendition that threadlore writes. */
export interface Look {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  /** 31 to 36, or 0 for the ordinary colour. */
  readonly colour: number;
}

/** A piece of a line in one look. */
export interface Piece {
  readonly text: string;
  /** Column it begins in, from 0. */
  readonly column: number;
  readonly look: Look;
}

const PLAIN: Look = { bold: false, dim: false, italic: false, colour: 0 };
// oxlint-disable-next-line no-control-regex -- control sequences are what is read
const SEQUENCE = /\u001b\[([\d;]*)([A-Za-z])|\r|\n|[^\u001b\r\n]/gu;

/**
 * What a terminal would show of this output, line by line. It knows what threadlore writes and no more: text, colours,
 * line feed, carriage return, cursor up, one column on, erase the line's rest, erase below.
 */
export function screenOf(output: string): Piece[][] {
  const lines: { text: string; look: Look }[][] = [[]];
  let row = 0;
  let column = 0;
  let look = PLAIN;
  for (const [token, numbers = "", command] of output.matchAll(SEQUENCE)) {
    if (token === "\r") column = 0;
    else if (token === "\n") [row, column] = [row + 1, 0];
    else if (command === "m") look = lookAfter(look, numbers);
    else if (command === "A") row = Math.max(0, row - Number(numbers || 1));
    else if (command === "C") column += 1;
    else if (command === "K") (lines[row] ??= []).splice(column);
    else if (command === "J") lines.splice(row, lines.length, (lines[row] ?? []).slice(0, column));
    else if (command === undefined) {
      const line = (lines[row] ??= []);
      while (line.length < column) line.push({ text: " ", look: PLAIN });
      line[column] = { text: token, look };
      column += 1;
    }
    while (lines.length <= row) lines.push([]);
  }
  return lines.map(piecesOf);
}

/** What the codes change. */
const CHANGES: Readonly<Record<number, Partial<Look>>> = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  39: { colour: 0 },
};

function lookAfter(look: Look, numbers: string): Look {
  const changes = numbers.split(";").map((code) => {
    const colour = Number(code);
    return CHANGES[colour] ?? (colour >= 31 && colour <= 36 ? { colour } : {});
  });
  return Object.assign({}, look, ...changes);
}

function piecesOf(line: readonly { text: string; look: Look }[]): Piece[] {
  const pieces: Piece[] = [];
  for (const [column, { text, look }] of line.entries()) {
    const last = pieces.at(-1);
    if (last !== undefined && isDeepStrictEqual(last.look, look))
      pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else pieces.push({ text, column, look });
  }
  return pieces.filter((piece) => piece.text.trim() !== "");
}
