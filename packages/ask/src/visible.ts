/**
 * Text made safe to show: what a person cannot see, and what a terminal obeys, is left out. Line feeds stay; the
 * surfaces deal with them.
 */

/*
 * C0 and C1 controls but tab and line feed; soft hyphens; bidirectional controls; zero-width characters but the joiner
 * that holds emoji together; interlinear anchors; the invisible tag characters of plane 14, variation selectors there.
 */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** The text without controls and invisible characters; tabs and the rarer line separators become spaces. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, "").replace(/[\t\u2028\u2029]/g, " ");
}

/** As `visibleText`, on one line: line feeds, and the white space around them, become one space. Linear. */
export function visibleLine(text: string): string {
  const [first = "", ...rest] = visibleText(text).split("\n");
  const last = rest.pop();
  if (last === undefined) return first;
  const between = rest.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...between, last.trimStart()].join(" ");
}
