/** The beginning of a text: at most so many UTF-16 units, and no half of a character at its end. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? most - 1 : most);
}
