import { parseMoment } from "@threadlore/client/models";
import * as z from "zod";

/** A question, and what its answer has to be like. */
export interface AnswerTest {
  /** Tells it from the others of its file, and in runs that follow: what was written, else the question. */
  readonly id: string;
  /** What it is called in reports: its name, else its question. */
  readonly name: string;
  readonly ask: string;
  /** Where it begins in its file, counted from 1. */
  readonly line: number;
  readonly expected: Expectation;
  readonly settings: TestSettings;
  /** Why it is not asked; absent: it is. */
  readonly skip?: string;
}

/** What an answer has to be like. Of the inner lists one has to be met, of the outer ones all. */
export interface Expectation {
  readonly says: readonly (readonly string[])[];
  readonly saysNot: readonly string[];
  /** Ids, titles or links of documents. */
  readonly cites: readonly (readonly string[])[];
  readonly citesNot: readonly string[];
  /** Whether it has to say that nothing was found. Absent: it has to answer, where anything is to be said or cited. */
  readonly refuses?: boolean;
}

/** How a test is asked. */
export interface TestSettings {
  /** Number or name. Absent: the server's own assistant. */
  readonly persona?: string;
  readonly documentSets: readonly string[];
  readonly sources: readonly string[];
  /** Each `key=value`. */
  readonly tags: readonly string[];
  /** As `--since` of `ask`: `7d`, `2w`, `12h`, or a date. */
  readonly changedSince?: string;
  /** Name of the key it is asked with. Absent: the one of the run. */
  readonly key?: string;
}

/** Longest text of a question or an expectation, in characters. */
const MAX_TEXT = 50_000;
/** Most entries of one list of a test. */
const MAX_ENTRIES = 200;
/** Most tests of a file. */
const MAX_TESTS = 20_000;

// Everything in the file is read as text: `says: 0.380` is to be found as it is written.
const text = z
  .string({ error: "must be a text" })
  .trim()
  .min(1, "must not be empty")
  .max(MAX_TEXT, `must have at most ${MAX_TEXT.toLocaleString("en")} characters`);

const inList = (value: unknown): unknown => (Array.isArray(value) ? value : [value]);

/** One text, or a list of them. */
const texts = z.preprocess(inList, z.array(text).max(MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`));

/** One text, or a list of them; an entry that is a list itself holds alternatives. */
const expectations = z.preprocess(
  inList,
  z
    .array(z.preprocess(inList, z.array(text).min(1, "must not be empty").max(MAX_ENTRIES)))
    .max(MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`),
);

const KEY_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,30}$/;
/** Says nothing of what was written: it may be a key. */
const NO_KEY_NAME =
  "must be the name of a key, of at most 31 letters, digits, - and _: the key itself stands in the environment only";

const isMoment = (written: string): boolean => /^\d{1,5}[hdw]$/.test(written) || parseMoment(written) !== undefined;

/** Pairs of words: as a mapping, or each as `key=value`. */
const tags = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, values]) =>
          (inList(values) as unknown[]).map((one) => (typeof one === "string" ? `${key}=${one}` : one)),
        )
      : inList(value),
  z.array(text.regex(/^[^=]+=/, "must be written as key=value")).max(MAX_ENTRIES),
);

const SHARED = {
  persona: text.optional(),
  document_sets: texts.optional(),
  sources: texts.optional(),
  tags: tags.optional(),
  changed_since: text.refine(isMoment, "must be 7d, 2w, 12h, or a date such as 2026-01-31").optional(),
  key: z.string({ error: NO_KEY_NAME }).regex(KEY_NAME, NO_KEY_NAME).optional(),
  says_not: texts.optional(),
  cites_not: texts.optional(),
};

const WrittenTest = z.preprocess(
  (value) => (typeof value === "string" ? { ask: value } : value),
  z.strictObject(
    {
      ...SHARED,
      ask: z.string({ error: "must be the question, as a text" }).pipe(text),
      id: text.max(500, "must have at most 500 characters").optional(),
      name: text.max(500, "must have at most 500 characters").optional(),
      note: z.string({ error: "must be a text" }).optional(),
      says: expectations.optional(),
      cites: expectations.optional(),
      refuses: z.enum(["true", "false"], { error: "must be true or false" }).optional(),
      skip: text.optional(),
    },
    { error: (issue) => (issue.code === "invalid_type" ? "must be a question, or fields of a test" : undefined) },
  ),
);
/** A test as it stands in a file, before its defaults. */
export type WrittenTest = z.infer<typeof WrittenTest>;

/** What a file of tests may hold. A bare list is the tests alone. */
export const WrittenFile = z.preprocess(
  (value) => (Array.isArray(value) ? { tests: value } : value),
  z.strictObject(
    {
      note: z.string({ error: "must be a text" }).optional(),
      defaults: z.strictObject(SHARED, { error: wrongFields }).optional(),
      tests: z
        .array(WrittenTest, { error: "must be a list of tests" })
        .min(1, "must hold a test")
        .max(MAX_TESTS, `must hold at most ${MAX_TESTS.toLocaleString("en")} tests; divide the file`),
    },
    { error: wrongFields },
  ),
);
/** A file of tests as it is written. */
export type WrittenFile = z.infer<typeof WrittenFile>;

function wrongFields(issue: { code?: string }): string | undefined {
  return issue.code === "invalid_type" ? "must hold `tests:`, a list" : undefined;
}

/** Every field there is, for whoever wrote another. */
export const KNOWN_FIELDS: readonly string[] = [
  ...Object.keys(SHARED),
  ..."ask id name note says cites refuses skip tests defaults".split(" "),
];
