/** How much room a text takes in a terminal, counted in columns, and where it may be broken. */

const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;
/** A picture made of several characters: joined, coloured, a keycap, or the two letters of a flag. */
const PICTURE = /\u200d|\ufe0f|\u20e3|\p{Regional_Indicator}{2}|\p{Emoji_Modifier}/u;
const ASCII = /^[ -~]*$/;

const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Columns of what a reader takes for one character: 0, 1, 2, rarely more. */
function clusterWidth(cluster: string): number {
  if (cluster.length > 1 && PICTURE.test(cluster)) return 2;
  let width = 0;
  for (const character of cluster) width += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Columns a text takes. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of clusters.segment(text)) width += clusterWidth(segment);
  return width;
}

/** A text in pieces of as many characters as fit into a number of columns, at least one. Linear. */
export function* cutAtWidth(text: string, columns: number): Generator<string> {
  let width = 0;
  let from = 0;
  // In one go: a segmenter takes a copy of whatever it is given.
  for (const { segment, index } of clusters.segment(text)) {
    const wide = clusterWidth(segment);
    if (width + wide > columns && index > from) {
      yield text.slice(from, index);
      from = index;
      width = 0;
    }
    width += wide;
  }
  if (from < text.length) yield text.slice(from);
}

/** Rows a text takes where the terminal breaks it itself: a wide character that does not fit leaves its column empty. */
export function rowsTaken(text: string, columns: number): number {
  let rows = 1;
  let used = 0;
  for (const { segment } of clusters.segment(text)) {
    const width = clusterWidth(segment);
    if (used + width > columns && used > 0) {
      rows += 1;
      used = 0;
    }
    used += width;
  }
  return rows;
}

// Chinese and Japanese are written without spaces: a line may end behind any of their characters, but neither begin with
// what closes or lengthens nor end with what opens.
const UNSPACED =
  "[\\u2e80-\\u303e\\u3041-\\u4dbf\\u4e00-\\ua4cf\\uf900-\\ufaff\\ufe30-\\ufe4f\\uff00-\\uff60\\u{20000}-\\u{3fffd}]";
const NOT_FIRST =
  "[\\p{Pe}\\p{Pf}\\p{M}\\u200d.,!?:;%、。，．・：；？！ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々〻…‥]";
const NOT_LAST = "[\\p{Ps}\\p{Pi}]";
const BREAK = new RegExp(`(?<=${UNSPACED}|(?=${UNSPACED})(?<=.))(?<!${NOT_LAST})(?!${NOT_FIRST})(?=.)`, "u");

/** A text without spaces, taken apart wherever a line may end inside it. */
export function unspacedPieces(text: string): string[] {
  return ASCII.test(text) ? [text] : text.split(BREAK);
}
