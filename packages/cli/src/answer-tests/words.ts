import type { AnswerProblem } from "./judge.ts";
import type { TestRecord } from "./record.ts";

const quoted = (text: string): string => `"${text.length > 120 ? `${text.slice(0, 119)}…` : text}"`;

const oneOf = (texts: readonly string[], write: (text: string) => string): string =>
  texts.length === 1 ? write(texts[0] ?? "") : `one of ${texts.map(write).join(", ")}`;

/** What an answer should have been, for whoever reads that it was not. */
export function problemWords({ kind, expected }: AnswerProblem): string {
  switch (kind) {
    case "answers":
      return "must answer, and says that nothing was found";
    case "refuses":
      return "must say that nothing was found, and answers";
    case "says":
      return `must say ${oneOf(expected, quoted)}`;
    case "says_not":
      return `must not say ${oneOf(expected, quoted)}`;
    case "cites":
      return `must cite ${oneOf(expected, String)}`;
    default:
      return `must not cite ${oneOf(expected, String)}`;
  }
}

/** A cause as a sentence without its end: the document by its title, then what became of it. */
export function causeWords({ title, words }: TestRecord["causes"][number]): string {
  return title === null ? words : `${title} ${words}`;
}

/** Causes that say nothing of the documents themselves: a model may cite now this one, now that. */
const HARMLESS: ReadonlySet<string> = new Set(["settings", "expectation", "uncited", "cited", "worded"]);

/** Whether a test passes though documents it rested on are others than in the run before. */
export function isChanged({ outcome, before, causes }: Pick<TestRecord, "outcome" | "before" | "causes">): boolean {
  return outcome === "passed" && before === "passed" && causes.some(({ kind }) => !HARMLESS.has(kind));
}

/** How many tests came to what. */
export function countsOf(
  records: readonly TestRecord[],
): Record<"passed" | "failed" | "errors" | "not_asked" | "skipped" | "changed" | "fixed" | "broken", number> {
  const count = (is: (record: TestRecord) => boolean): number => records.filter(is).length;
  return {
    passed: count(({ outcome }) => outcome === "passed"),
    failed: count(({ outcome }) => outcome === "failed"),
    errors: count(({ outcome }) => outcome === "error"),
    not_asked: count(({ outcome }) => outcome === "not_asked"),
    skipped: count(({ outcome }) => outcome === "skipped"),
    changed: count(isChanged),
    fixed: count(({ outcome, before }) => outcome === "passed" && before === "failed"),
    broken: count(({ outcome, before }) => outcome === "failed" && before === "passed"),
  };
}
