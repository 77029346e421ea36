/** Where a word stands in bytes, a byte to a character. Linear. */
export function* positionsOf(bytes: Uint8Array, word: string): Generator<number> {
  const first = word.charCodeAt(0);
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (endsWith(bytes, at + word.length, word)) yield at;
  }
}

/** Whether it stands there at all. */
export const holds = (bytes: Uint8Array, word: string): boolean => positionsOf(bytes, word).next().done !== true;

/** Whether `word` stands right before `end`. */
export function endsWith(bytes: Uint8Array, end: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    if (bytes[end - word.length + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}
