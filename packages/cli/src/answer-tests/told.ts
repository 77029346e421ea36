import { cut, oneLine, styled, type Terminal } from "../terminal/output.ts";
import type { TestRecord, TestRun } from "./record.ts";
import { causeWords, isChanged } from "./words.ts";

/** Tests of one kind that are told one by one. */
const MAX_TOLD = 200;
/** Characters of an answer that are shown. */
const QUOTED = 160;
/** Tests without an answer for one reason that are told one by one. */
const MAX_ALIKE = 3;
/** Causes of one test that are shown. */
const MAX_CAUSES = 4;

type Told = Pick<Terminal, "out">;

/** A run for a person: what failed and why, what changed, and what it comes to. */
export function tellRun({ out }: Told, run: TestRun): void {
  const of = (is: (record: TestRecord) => boolean): TestRecord[] => run.tests.filter(is);
  const blocks = (records: readonly TestRecord[], block: (record: TestRecord) => string): void => {
    for (const record of records.slice(0, MAX_TOLD)) out.write(block(record));
    const left = records.length - MAX_TOLD;
    if (left > 0) out.write(`… and ${left} more of these; \`--report\` has them all.\n`);
  };
  blocks(of(isChanged), (record) => head(out, "yellow", "Changed", record) + changedLines(record));
  blocks(
    of(({ outcome }) => outcome === "failed"),
    (record) => head(out, "red", "Failed", record) + failedLines(record, run),
  );
  for (const [message, records] of byMessage(of(({ outcome }) => outcome === "error"))) {
    for (const record of records.slice(0, MAX_ALIKE))
      out.write(head(out, "red", "No answer", record) + lineOf("", message));
    const left = records.length - MAX_ALIKE;
    if (left > 0) out.write(`… and ${left} more without an answer for the same reason.\n`);
  }
  for (const [message, { length }] of byMessage(of(({ outcome }) => outcome === "not_asked"))) {
    const many = length === 1 ? "1 test was not asked" : `${length} tests were not asked`;
    out.write(`${styled(out, "red", many)}: ${message}\n`);
  }
  out.write(`${summary(out, run)}\n`);
}

function head(out: Terminal["out"], style: "red" | "yellow", word: string, { name }: TestRecord): string {
  return `${styled(out, style, word)}  ${oneLine(cut(name, 200))}\n`;
}

/** What a line is about, and what it says. */
function lineOf(label: string, text: string): string {
  return label === "" ? `  ${oneLine(text)}\n` : `  ${label.padEnd(9)} ${oneLine(text)}\n`;
}

function failedLines(record: TestRecord, run: TestRun): string {
  const cited = record.cites.map(({ title }) => title).join(", ");
  return [
    ...record.problems.map(({ words }) => lineOf("expected", words)),
    lineOf("answered", record.answer === "" ? "nothing" : cut(oneLine(record.answer), QUOTED)),
    lineOf("cited", cited === "" ? "nothing" : cut(cited, QUOTED)),
    ...causeLines(record),
    ...sinceLines(record, run),
  ].join("");
}

function causeLines({ causes }: TestRecord): string[] {
  const left = causes.length - MAX_CAUSES;
  return [
    ...causes.slice(0, MAX_CAUSES).map((cause) => lineOf("because", causeWords(cause))),
    ...(left > 0 ? [lineOf("", `… and ${left} more`)] : []),
  ];
}

function sinceLines({ since, runs }: TestRecord, { compared_with: compared }: TestRun): string[] {
  if (runs > 1) return [lineOf("since", `the run of ${momentOf(since)}, in ${runs} runs`)];
  return compared === null ? [] : [lineOf("since", `this run; compared with the one of ${momentOf(compared)}`)];
}

function changedLines(record: TestRecord): string {
  return [lineOf("", "passes, and what it rests on is another than before"), ...causeLines(record)].join("");
}

/** Tests that were not answered or not asked, by the reason. */
function byMessage(records: readonly TestRecord[]): Map<string, TestRecord[]> {
  return Map.groupBy(records, ({ error }) => oneLine((error?.message ?? "").replace(/^Not asked: /, "")));
}

function summary(out: Terminal["out"], { counts, ms }: TestRun): string {
  const { passed = 0, failed = 0, errors = 0, not_asked: left = 0, skipped = 0, changed = 0, fixed = 0 } = counts;
  const parts = [
    styled(out, "green", `${passed} passed`),
    ...(changed > 0 ? [styled(out, "yellow", `${changed} of them with changed documents`)] : []),
    ...(fixed > 0 ? [`${fixed} of them failed before`] : []),
    ...(failed > 0 ? [styled(out, "red", `${failed} failed`)] : []),
    ...(errors > 0 ? [styled(out, "red", `${errors} without an answer`)] : []),
    ...(left > 0 ? [`${left} not asked`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `${parts.join(", ")}, in ${(ms / 1_000).toFixed(1)} s.`;
}

/** To the minute, in UTC: runs of pipelines are told by machines anywhere. */
export function momentOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
