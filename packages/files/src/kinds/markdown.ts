import type { Part } from "../part.ts";
import { type FrontMatter, splitFrontMatter } from "./front-matter.ts";

/** A markdown file: what stands before it, and what stands under each heading. */
export interface MarkdownParts {
  readonly frontMatter: FrontMatter;
  /** The first heading of the first level. */
  readonly title?: string;
  readonly parts: Part[];
}

/**
 * Cuts markdown at its headings, `# …` and underlined ones, outside code. Comments are left out: no reader sees them.
 * The text otherwise stays as it was written. Fragments are the ones the usual renderers give headings.
 */
export function partsOfMarkdown(source: string): MarkdownParts {
  const { frontMatter, body } = splitFrontMatter(source);
  const slugs = new Map<string, number>();
  const parts: Part[] = [];
  let open: Omit<Part, "text"> = { level: 0, heading: "" };
  let lines: string[] = [];
  const close = () => parts.push({ ...open, text: lines.join("\n").replace(/\n{3,}/g, "\n\n") });
  for (const line of markdownLines(body)) {
    const heading = line.code ? undefined : headingOf(line.text, lines.at(-1));
    if (heading === undefined) {
      lines.push(line.text);
      continue;
    }
    if (heading.underlined) lines.pop();
    close();
    lines = [];
    const text = plainInline(heading.text);
    open = { level: heading.level, heading: text, fragment: fragmentOf(text, slugs) };
  }
  close();
  return { frontMatter, title: parts.find((part) => part.level === 1)?.heading, parts };
}

interface Line {
  readonly text: string;
  readonly code: boolean;
}

/** The lines outside comments, each with whether it is code. */
function* markdownLines(body: string): Generator<Line> {
  let fence = "";
  let comment = false;
  for (const raw of body.split("\n")) {
    if (comment || fence === "") {
      const rest = withoutComments(raw, comment);
      comment = rest.open;
      if (rest.text.trim() === "" && raw.trim() !== "") continue;
      const start = /^ {0,3}(`{3,}|~{3,})/.exec(rest.text)?.[1];
      if (start !== undefined) fence = start;
      yield { text: rest.text, code: start !== undefined || rest.text.startsWith("    ") };
    } else {
      const end = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(raw)?.[1];
      if (end !== undefined && end.startsWith(fence)) fence = "";
      yield { text: raw, code: true };
    }
  }
}

function withoutComments(line: string, inside: boolean): { text: string; open: boolean } {
  let text = "";
  let at = 0;
  let open = inside;
  while (at <= line.length) {
    const mark = open ? "-->" : "<!--";
    const next = line.indexOf(mark, at);
    if (!open) text += line.slice(at, next === -1 ? line.length : next);
    if (next === -1) break;
    at = next + mark.length;
    open = !open;
  }
  return { text, open };
}

function headingOf(line: string, before: string | undefined) {
  const marks = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line);
  const level = marks?.[1]?.length;
  if (marks !== null && level !== undefined) {
    return { level, text: withoutClosingMarks(line.slice(marks[0].length)), underlined: false };
  }
  const line2 = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(line)?.[1];
  if (line2 === undefined || before === undefined || !isParagraph(before)) return undefined;
  return { level: line2.startsWith("=") ? 1 : 2, text: before, underlined: true };
}

function withoutClosingMarks(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end--;
  return end === 0 || " \t".includes(trimmed[end - 1] ?? "") ? trimmed.slice(0, end).trim() : trimmed;
}

/** Whether a line can be a heading by what is drawn under it: no list, quote, table or rule. */
function isParagraph(line: string): boolean {
  return line.trim() !== "" && !/^(?:\s{4}|\s*(?:[-*+>|]|\d+[.)]\s))/.test(line) && !line.includes(" | ");
}

/** A heading as a reader sees it: links by their words, no marks of emphasis or code. */
function plainInline(text: string): string {
  return text
    .slice(0, 1_000)
    .replace(/!?\[([^[\]]{0,300})\](?:\([^()]{0,1000}\)|\[[^[\]]{0,300}\])/g, "$1")
    .replace(/\s\{#[\w-]{1,100}\}$/, "")
    .replace(/\*\*|__|`|~~|\*(?=\S)|(?<=\S)\*/g, "")
    .trim();
}

/** The anchor the usual renderers give a heading: lower case, words joined by `-`, numbered when it comes again. */
function fragmentOf(heading: string, seen: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
  const times = seen.get(slug) ?? 0;
  seen.set(slug, times + 1);
  return encodeURIComponent(times === 0 ? slug : `${slug}-${times}`);
}
