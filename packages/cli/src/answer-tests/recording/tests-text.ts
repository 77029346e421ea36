import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { UsageError } from "../../exit-codes.ts";
import { oneLine } from "../../terminal/output.ts";
import type { AnswerTest } from "../test-model.ts";
import { parseTests } from "../tests-file.ts";
import type { RecordedTest } from "./candidates.ts";

/** What is added to a file of tests. */
export interface Addition {
  readonly tests: readonly RecordedTest[];
  /** Why some of them are written as comments, by their ids. */
  readonly failing: ReadonlyMap<string, string>;
}

const HEADINGS: Readonly<Record<RecordedTest["from"], string>> = {
  good: "Answers that people marked as good",
  gaps: "Questions that nobody could answer, and a document does now",
  kept: "Answers of people that were kept",
  pins: "Messages that were pinned",
  open: "Questions that nobody has answered yet: that is what is to be said",
};

/** What a new file begins with. */
const BEGINNING = "tests:\n";

/**
 * What has to be added behind the text of a file, so that it holds these tests after its own; of a file without any, with what
 * makes it one. Throws UsageError where nothing can stand behind what is there.
 * @param text of the file; empty: there is none yet
 */
export function additionTo(text: string, name: string, addition: Addition): string {
  const own = holdsNothing(text, name) ? undefined : parseTests(text, name);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text === "" || text.endsWith("\n") ? "" : lineEnd;
  const indent = own === undefined ? 2 : indentOf(text, name);
  const lines = linesOf(addition, " ".repeat(indent));
  const added = before + ((own === undefined ? BEGINNING : "") + lines).replaceAll("\n", lineEnd);
  if (!isAsMeant(text + added, name, own ?? [], addition)) throw unfit(name);
  return added;
}

/** Whether a file holds nothing but comments, if that. */
export function holdsNothing(text: string, name: string): boolean {
  if (text.trim() === "") return true;
  const document = parseDocument(text, { schema: "failsafe", prettyErrors: false });
  if (document.errors.length > 0) parseTests(text, name);
  const { contents } = document;
  return contents === null || (isScalar(contents) && contents.value === "" && contents.source === "");
}

/** How far the tests of a file are indented, which must be the last thing in it. */
function indentOf(text: string, name: string): number {
  const { contents } = parseDocument(text.replace(/^\uFEFF/, ""), { schema: "failsafe", prettyErrors: false });
  const last = isMap(contents) ? contents.items.at(-1) : undefined;
  const isOfTests = isScalar(last?.key) && last.key.value === "tests";
  const tests = isMap(contents) ? (isOfTests ? last?.value : undefined) : contents;
  if (!isSeq(tests) || tests.flow === true || tests.range == null) throw unfit(name);
  const at = tests.range[0];
  return at - (text.replace(/^\uFEFF/, "").lastIndexOf("\n", at - 1) + 1);
}

const unfit = (name: string): UsageError =>
  new UsageError(
    `Nothing can be added behind the tests of ${name}: they must be the last thing in it, as a list with a dash before each.`,
    "Record into another file; `threadlore test` reads one at a time.",
  );

/** Whether what comes out is what was there and what was to be added, word for word. */
function isAsMeant(text: string, name: string, own: readonly AnswerTest[], { tests, failing }: Addition): boolean {
  let all: readonly AnswerTest[];
  try {
    all = parseTests(text, name);
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
  const added = tests.filter(({ id }) => !failing.has(id));
  const isSame = JSON.stringify(all.slice(0, own.length)) === JSON.stringify(own);
  const now = all.slice(own.length).map(({ id, ask, expected: { cites } }) => [id, ask, cites]);
  const meant = added.map(({ id, ask, cites }) => [id, ask, cites.length === 0 ? [] : [cites]]);
  return isSame && JSON.stringify(now) === JSON.stringify(meant);
}

function linesOf({ tests, failing }: Addition, indent: string): string {
  const lines: string[] = [];
  let from: RecordedTest["from"] | undefined;
  for (const test of tests) {
    if (test.from !== from) lines.push(`# ${HEADINGS[test.from]}`);
    from = test.from;
    const why = failing.get(test.id);
    const written = [`- id: ${test.id}`, `  ask: ${quoted(test.ask)}`, `  ${expectationOf(test)}`];
    lines.push(
      ...(why === undefined ? written : [`# Not as it should be now: ${oneLine(why)}`, ...written.map(asComment)]),
    );
  }
  return lines.map((line) => `${indent}${line}\n`).join("");
}

const asComment = (line: string): string => `# ${line}`;

function expectationOf({ cites }: RecordedTest): string {
  if (cites.length === 0) return "refuses: true";
  const names = cites.map(quoted).join(", ");
  return cites.length === 1 ? `cites: ${names}` : `cites: [[${names}]]`;
}

/** What a reader of the file would not see, or see as something else, though YAML would take it. */
// oxlint-disable-next-line no-control-regex -- it is these signs that are written as numbers
const UNSEEN = /[\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]/g;

/** A text in the one kind of quotes in which YAML can write every text, on one line. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
