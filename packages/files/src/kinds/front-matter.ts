/** Keys in lower case; a value is a text or a list of texts. */
export type FrontMatter = ReadonlyMap<string, string | readonly string[]>;

const MAX_LINES = 200;

/**
 * The lines between `---` (or `+++`) at the very start of a file: `key: value`, `key: [a, b]` and lists of `- item`.
 * That is what people write there; deeper structure is passed over. Without front matter the body is the whole text.
 */
export function splitFrontMatter(text: string): { frontMatter: FrontMatter; body: string } {
  const mark = /^(---|\+\+\+)[ \t]*\n/.exec(text);
  if (mark === null) return { frontMatter: new Map(), body: text };
  const lines: string[] = [];
  let at = mark[0].length;
  while (lines.length <= MAX_LINES) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 1;
    if (line.trimEnd() === mark[1] || line.trimEnd() === "...")
      return { frontMatter: parse(lines), body: text.slice(at) };
    if (end === -1) break;
    lines.push(line);
  }
  return { frontMatter: new Map(), body: text };
}

function parse(lines: readonly string[]): FrontMatter {
  const entries = new Map<string, string | readonly string[]>();
  let list: { key: string; values: string[] } | undefined;
  for (const line of lines) {
    const element = /^\s*-\s+(.*)$/.exec(line)?.[1];
    if (element !== undefined && list !== undefined) {
      list.values.push(scalar(element));
      entries.set(list.key, list.values);
      continue;
    }
    const pair = /^([A-Za-z][\w -]{0,60}?)[ \t]*[:=](?:[ \t]+(.*))?$/.exec(line);
    const key = pair?.[1]?.toLowerCase();
    if (key === undefined) continue;
    const value = pair?.[2]?.trim() ?? "";
    if (/^[|>][+-]?$/.test(value)) continue;
    list = value === "" ? { key, values: [] } : undefined;
    if (value !== "") entries.set(key, isList(value) ? listOf(value) : scalar(value));
  }
  return entries;
}

const isList = (value: string): boolean => value.startsWith("[") && value.endsWith("]");

function listOf(value: string): string[] {
  return value
    .slice(1, -1)
    .split(",")
    .map(scalar)
    .filter((one) => one !== "");
}

function scalar(text: string): string {
  const trimmed = text.trim();
  const quote = trimmed[0];
  if ((quote === '"' || quote === "'") && trimmed.length > 1 && trimmed.endsWith(quote)) return trimmed.slice(1, -1);
  return trimmed.replace(/\s#.*$/, "");
}
