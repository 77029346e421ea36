import { byteLength, escapeControl } from "../render/escape.ts";
import { fencedCode } from "../render/markdown.ts";
import type { Piece } from "../render/pieces.ts";

/** Code in parts, each fenced anew; a line only where it alone is too long. */
export function codeParts(code: string, info: string, bytes: number): readonly Piece[] {
  const room = bytes - byteLength(fencedCode("", info)) - 100;
  const lines = code.split(/(?<=\n)/).flatMap((line) => codeLineParts(line, room));
  return parts(lines, room, (line) => byteLength(escapeControl(line))).map((text) => ({
    kind: "code",
    info,
    code: text,
  }));
}

/** A line of code in parts of so many bytes, once escaped. */
function codeLineParts(line: string, bytes: number): string[] {
  return parts(line.match(/[^]/gu) ?? [], bytes, (character) => byteLength(escapeControl(character)));
}

function parts(units: readonly string[], bytes: number, sizeOfUnit: (unit: string) => number): string[] {
  const found: string[] = [];
  let part = "";
  let size = 0;
  for (const unit of units) {
    const length = sizeOfUnit(unit);
    if (size + length > bytes && part !== "") {
      found.push(part);
      [part, size] = ["", 0];
    }
    part += unit;
    size += length;
  }
  return part === "" ? found : [...found, part];
}
