/**
 * What changes in a file, as `diff -u` would say it with no line around it: those may hold the keys of other servers. The
 * lines that differ lie together, since one entry changes. Empty where nothing changes.
 */
export function difference(path: string, before: string | undefined, after: string | undefined): string {
  const [old, young] = [linesOf(before ?? ""), linesOf(after ?? "")];
  let same = 0;
  while (same < old.length && same < young.length && old[same] === young[same]) same += 1;
  let alike = 0;
  while (alike < Math.min(old.length, young.length) - same && old.at(-1 - alike) === young.at(-1 - alike)) alike += 1;
  const [gone, come] = [old.slice(same, old.length - alike), young.slice(same, young.length - alike)];
  if (gone.length + come.length === 0) return "";
  const name = (text: string | undefined): string => (text === undefined ? "/dev/null" : path);
  return [
    `--- ${name(before)}`,
    `+++ ${name(after)}`,
    `@@ -${rangeOf(same, gone.length)} +${rangeOf(same, come.length)} @@`,
    ...gone.map((line) => marked("-", line)),
    ...come.map((line) => marked("+", line)),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** Lines with their line breaks. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Where a stretch of no lines is, `diff` says by the line before it. */
const rangeOf = (same: number, count: number): string =>
  `${count === 0 ? same : same + 1}${count === 1 ? "" : `,${count}`}`;

function marked(sign: "-" | "+", line: string): string {
  return line.endsWith("\n") ? sign + line.slice(0, -1) : `${sign}${line}\n\\ No newline at end of file`;
}
