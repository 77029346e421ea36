import { basename } from "node:path";
import { visibleText } from "@threadlore/ask";
import { momentOf } from "./told.ts";
import type { TestRecord, TestRun } from "./record.ts";
import { causeWords, isChanged } from "./words.ts";

/**
 * A run as JUnit's XML, with the elements and attributes that Jenkins' schema for it names, which other readers take too: one
 * suite, a case for each test. A wrong answer is a failure; a question that could not be asked is an error.
 */
export function junitOf(run: TestRun, isStrict: boolean): string {
  const suite = basename(run.file === "-" ? "answer tests" : run.file);
  const count = (is: (record: TestRecord) => boolean): number => run.tests.filter(is).length;
  const counts = {
    tests: run.tests.length,
    failures: count((record) => isFailure(record, isStrict)),
    errors: count(isError),
  };
  const time = seconds(run.ms);
  const skipped = count(({ outcome }) => outcome === "skipped");
  const timestamp = run.began_at.slice(0, 19);
  const cases = run.tests.map((record) => caseOf(record, suite, run, isStrict)).join("");
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuites${attributes({ name: "threadlore test", ...counts, time })}>\n` +
    `  <testsuite${attributes({ name: suite, ...counts, skipped, time, timestamp })}>\n` +
    `    <properties>\n      <property${attributes({ name: "server", value: run.server })}/>\n    </properties>\n` +
    `${cases}  </testsuite>\n</testsuites>\n`
  );
}

const isFailure = (record: TestRecord, isStrict: boolean): boolean =>
  record.outcome === "failed" || (isStrict && isChanged(record));

const isError = ({ outcome }: TestRecord): boolean => outcome === "error" || outcome === "not_asked";

function caseOf(record: TestRecord, suite: string, run: TestRun, isStrict: boolean): string {
  const body = bodyOf(record, run, isStrict);
  const opening = `    <testcase${attributes({ name: record.name, classname: suite, time: seconds(record.ms) })}`;
  return body === "" ? `${opening}/>\n` : `${opening}>\n${body}    </testcase>\n`;
}

function bodyOf(record: TestRecord, run: TestRun, isStrict: boolean): string {
  const message = record.error?.message ?? "";
  if (record.outcome === "skipped") return `      <skipped${attributes({ message })}/>\n`;
  if (isError(record)) return element("error", { message, type: record.error?.cause ?? "error" }, message);
  const causes = record.causes.map((cause) => `because: ${causeWords(cause)}`);
  if (isFailure(record, isStrict)) {
    const problems = record.problems.map(({ words }) => words);
    const what = problems.length > 0 ? problems.join("; ") : "what the answer rests on is another than before";
    const said = [
      `asked: ${record.ask}`,
      ...problems.map((words) => `expected: ${words}`),
      `answered: ${record.answer}`,
      `cited: ${record.cites.map(({ title }) => title).join(", ") || "nothing"}`,
      ...causes,
      ...(run.compared_with === null ? [] : [`since: the run of ${momentOf(record.since)}`]),
    ];
    const kinds = record.problems.map(({ kind }) => kind);
    return element("failure", { message: what, type: kinds[0] ?? "changed" }, said.join("\n"));
  }
  return isChanged(record) ? element("system-out", {}, causes.join("\n")) : "";
}

function element(name: string, given: Readonly<Record<string, string>>, text: string): string {
  return `      <${name}${attributes(given)}>${escaped(text)}</${name}>\n`;
}

function attributes(given: Readonly<Record<string, string | number>>): string {
  return Object.entries(given)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll("\n", " ")}"`)
    .join("");
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

/** A text as XML may hold it; what a reader does not see, and what XML 1.0 has no way to write, is left out. */
function escaped(text: string): string {
  return visibleText(text.toWellFormed())
    .replaceAll(/[\uFFFE\uFFFF]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
