import { endsWith, holds, positionsOf } from "../text/bytes.ts";

/** Nested openings that are still read; whole files have none. */
const MAX_UNCLOSED = 1_000;

/**
 * Whether a PDF is damaged beyond what can be repaired: it holds no object, table or trailer at all, or more than 1,000
 * objects begin inside one another. Such files keep pdf.js searching for a time that grows with the square of their
 * size, and it cannot be interrupted. Linear.
 */
export function isHopelessPdf(bytes: Uint8Array): boolean {
  const known = ["endobj", "xref", "trailer"].some((word) => holds(bytes, word));
  return !known || unclosedObjects(bytes) > MAX_UNCLOSED;
}

/** How many objects (`1 0 obj`) begin before the one in front of them has ended (`endobj`). */
function unclosedObjects(bytes: Uint8Array): number {
  let open = false;
  let unclosed = 0;
  for (const at of positionsOf(bytes, "obj")) {
    if (endsWith(bytes, at, "end")) open = false;
    else if (followsNumber(bytes, at)) {
      if (open) unclosed++;
      open = true;
    }
  }
  return unclosed;
}

function followsNumber(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (isBlank(bytes[before])) before--;
  const digit = bytes[before] ?? 0;
  return before < at - 1 && digit >= 0x30 && digit <= 0x39;
}

/** White space as PDF has it. */
function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20].includes(byte);
}
