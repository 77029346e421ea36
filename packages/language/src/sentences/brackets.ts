/** Brackets, with what closes them. What is said or added in them belongs to the sentence around them. */
const CLOSING: Readonly<Record<string, string>> = { "「": "」", "『": "』", "（": "）", "《": "》", "(": ")" };
const BRACKET = /[「」『』（）《》()]/g;

/** What stands in brackets for longer than so many UTF-16 units has sentences of its own. */
const MAX_BRACKETED = 300;

/** A test whether a place is inside brackets, to be called with places in ascending order. Brackets count outermost. */
export function bracketsOf(text: string): (at: number) => boolean {
  const inside: (readonly [open: number, close: number])[] = [];
  const opened = new Map<string, number>();
  let covered = -1;
  for (const { 0: bracket, index } of text.matchAll(BRACKET)) {
    const closing = CLOSING[bracket];
    if (closing !== undefined) {
      const before = opened.get(closing);
      // One that was never closed gives way.
      if (before === undefined || index - before > MAX_BRACKETED) opened.set(closing, index);
      continue;
    }
    const open = opened.get(bracket);
    opened.delete(bracket);
    if (open === undefined || index - open > MAX_BRACKETED || index <= covered) continue;
    inside.push([open, index]);
    covered = index;
  }
  let next = 0;
  return (at) => {
    for (let pair = inside[next]; pair !== undefined && pair[1] < at; pair = inside[next]) next++;
    const pair = inside[next];
    return pair !== undefined && pair[0] < at;
  };
}
