/** Signs that take no column of their own: marks on the letter before, and what joins and directs. */
const NONE = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Signs that take two: of East Asian scripts, and pictures. */
const TWO =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

const widthOfSign = (sign: string): number => (NONE.test(sign) ? 0 : TWO.test(sign) ? 2 : 1);

/** Columns a text takes on a terminal. Terminals do not agree on all signs; where they differ it is the wider one. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) width += widthOfSign(sign);
  return width;
}

/** A text of at most so many columns; one that was cut says so with its last sign. */
export function cutToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [cut, width] = ["", 0];
  for (const sign of text) {
    width += widthOfSign(sign);
    if (width > columns - 1) break;
    cut += sign;
  }
  return columns < 1 ? "" : `${cut}…`;
}
