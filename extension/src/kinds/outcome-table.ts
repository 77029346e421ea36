import { type Kind, KINDS } from "./kind-page.ts";
import { type Check, CHECKS, groupOf, type LanguageGroup, type PageOutcome } from "./outcome.ts";

/** How a page of a kind did. */
export interface ScoredPage {
  readonly kind: Kind;
  readonly at: string;
  readonly language: string;
  readonly what: string;
  readonly outcome: PageOutcome;
}

/** How many pages passed a check, and how many had something to look at. */
export interface Count {
  readonly passed: number;
  readonly of: number;
}

const GROUPS: readonly LanguageGroup[] = ["English", "others"];

const TITLES: Readonly<Record<Check, string>> = {
  read: "read",
  "furniture out": "furniture left out",
  "unseen out": "hidden and typed left out",
  said: "said what has to be",
  named: "named well",
  cited: "asked: cited at the place",
  kept: "kept whole",
  "found again": "kept: cited at the place",
};

/** How many of these pages pass. */
function countOf(pages: readonly ScoredPage[], check: Check): Count {
  const looked = pages.flatMap(({ outcome }) => outcome[check] ?? []);
  return { passed: looked.filter((wrong) => wrong === "").length, of: looked.length };
}

/** The table of outcomes, as Markdown. */
export function tableOf(pages: readonly ScoredPage[]): string {
  const head = ["kind", "pages", ...CHECKS.map((check) => TITLES[check])];
  const rows = [
    ...KINDS.flatMap((kind) => {
      const own = pages.filter((page) => page.kind === kind);
      return own.length === 0 ? [] : [rowOf(kind, own)];
    }),
    ...GROUPS.map((group) =>
      rowOf(
        group === "English" ? "all English" : "all others",
        pages.filter(({ language }) => groupOf(language) === group),
      ),
    ),
    rowOf("**all**", pages),
  ];
  return aligned([head, ...rows]);
}

/** The counts of a table of outcomes, by kind and column: what {@link tableOf} wrote, read again. */
export function countsIn(markdown: string): ReadonlyMap<string, Count> {
  const found = new Map<string, Count>();
  const lines = markdown.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  for (const [, kind = "", , ...cells] of lines.filter(([, name]) => KINDS.some((one) => one === name))) {
    for (const [at, check] of CHECKS.entries()) {
      const [passed, of] = (cells[at] ?? "").split(" of ").map(Number);
      if (passed !== undefined && of !== undefined) found.set(`${kind}, ${TITLES[check]}`, { passed, of });
    }
  }
  return found;
}

function rowOf(name: string, pages: readonly ScoredPage[]): string[] {
  return [
    name,
    String(pages.length),
    ...CHECKS.map((check) => {
      const { passed, of } = countOf(pages, check);
      return of === 0 ? "" : `${passed} of ${of}`;
    }),
  ];
}

/** A table as the formatter would leave it. */
function aligned([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** What failed and why, page by page, as a Markdown list. */
export function listOfFailures(pages: readonly ScoredPage[]): string {
  const lines = pages.flatMap(({ kind, at, language, what, outcome }) => {
    const wrong = CHECKS.flatMap((check) => (outcome[check] ? `  - ${TITLES[check]}: ${oneLine(outcome[check])}` : []));
    return wrong.length === 0 ? [] : [`- ${kind}, ${language}, ${what} (\`${at}\`)`, ...wrong];
  });
  return lines.join("\n");
}

const oneLine = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[|<>`*_[\]]/g, " ")
    .slice(0, 220)
    .toWellFormed();
