/** What is read of a text that is too long to be read for one answer: pieces from its beginning to its end. */

/** UTF-16 units that are read: some 60,000 words, more than any one document a person writes. */
const MAX_READ = 400_000;
const PIECES = 40;
/** How far from where it is to be cut an empty line is looked for. */
const MAX_SHIFT = 2_000;

/** The whole text, or pieces of it that begin behind an empty line, the first one the beginning. */
export function sampleOf(text: string): string {
  if (text.length <= MAX_READ) return text;
  const pieces: string[] = [];
  for (let piece = 0; piece < PIECES; piece++) {
    const from = Math.floor((text.length * piece) / PIECES);
    const start = piece === 0 ? 0 : from + afterEmptyLine(text.slice(from, from + MAX_SHIFT));
    const end = from + MAX_READ / PIECES;
    pieces.push(text.slice(start, end - MAX_SHIFT + afterEmptyLine(text.slice(end - MAX_SHIFT, end))).toWellFormed());
  }
  return pieces.join("\n\n");
}

function afterEmptyLine(text: string): number {
  const at = text.indexOf("\n\n");
  return at < 0 ? 0 : at + 2;
}
