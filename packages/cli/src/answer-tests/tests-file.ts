import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type * as z from "zod";
import { UsageError } from "../exit-codes.ts";
import { type AnswerTest, KNOWN_FIELDS, WrittenFile, type WrittenTest } from "./test-model.ts";

/** Problems that are shown of one file. */
const MAX_SHOWN = 20;
/** Uses of anchors in one file: far more than a person writes, far fewer than it takes to fill a memory. */
const MAX_ALIASES = 20_000;

/**
 * Reads the text of a file of tests. Throws one UsageError that lists what is wrong, each with its line and field.
 * @param name of the file, as problems call it
 */
export function parseTests(text: string, name: string): readonly AnswerTest[] {
  const lines = new LineCounter();
  const complain = (problems: readonly string[]): never => {
    const [first = "It cannot be read.", ...rest] = problems.slice(0, MAX_SHOWN);
    const left = problems.length - MAX_SHOWN;
    throw new UsageError(first, ...rest, ...(left > 0 ? [`… and ${left} more.`] : []));
  };
  const document = readYaml(text, name, lines);
  if (document.errors.length > 0) {
    const line = (at: number): number => lines.linePos(at).line;
    const errors = document.errors.map(({ pos, message }) => `${name} line ${line(pos[0])}: is not YAML: ${message}`);
    return complain(errors);
  }
  const written = valueOf(document, name);
  const isBare = Array.isArray(written);
  const placeOf = (path: readonly PropertyKey[]): readonly PropertyKey[] => (isBare ? path.slice(1) : path);
  const parsed = WrittenFile.safeParse(written);
  if (!parsed.success) {
    const at = (path: readonly PropertyKey[]): string => {
      const line = lineOf(document, path, lines);
      return `${name}${line === undefined ? "" : ` line ${line}`}`;
    };
    return complain(
      parsed.error.issues.flatMap((issue) => problemsOf({ ...issue, path: [...placeOf(issue.path)] }, at)),
    );
  }
  const tests = parsed.data.tests.map((test, index) =>
    testOf(test, parsed.data.defaults ?? {}, lineOf(document, placeOf(["tests", index]), lines) ?? 1),
  );
  const problems = [...contradictions(tests, name), ...repeated(tests, name)];
  return problems.length > 0 ? complain(problems) : tests;
}

function readYaml(text: string, name: string, lineCounter: LineCounter): Document {
  // As text only: no number, date or word of YAML is to be anything else than what was written.
  const options = { lineCounter, prettyErrors: false, schema: "failsafe" } as const;
  const document = parseDocument(text.replace(/^\uFEFF/, ""), options);
  if (document.errors.some(({ message }) => message.includes("call stack"))) throw tooDeep(name);
  return document;
}

const tooDeep = (name: string): UsageError => new UsageError(`${name}: is nested too deeply to be a file of tests.`);

/** Aliases that stand for nothing, or for too much, only show now. */
function valueOf(document: Document, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) ?? "";
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(name);
    throw new UsageError(`${name}: ${messageOf(error)}.`);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/\.$/, "") : "cannot be read";

/** The line of what is nearest to a place; undefined where the file has none of it. */
function lineOf(document: Document, path: readonly PropertyKey[], lines: LineCounter): number | undefined {
  const keys = path.map((part) => (typeof part === "symbol" ? String(part) : part));
  for (let length = keys.length; length >= 0; length -= 1) {
    const found = nodeAt(document, keys.slice(0, length));
    if (found !== undefined) return lines.linePos(found).line;
  }
  return undefined;
}

/** Where something begins, following what stands for another: what is named begins with its name. */
function nodeAt(document: Document, keys: readonly (string | number)[]): number | undefined {
  let node: unknown = document.contents;
  let at = isNode(node) ? node.range?.[0] : undefined;
  for (const key of keys) {
    const real = isAlias(node) ? node.resolve(document) : node;
    if (isMap(real)) {
      const pair = real.items.find((one) => isScalar(one.key) && one.key.value === key);
      at = isNode(pair?.key) ? pair.key.range?.[0] : undefined;
      node = pair?.value;
    } else {
      node = isSeq(real) ? real.items[Number(key)] : undefined;
      at = isNode(node) ? node.range?.[0] : undefined;
    }
  }
  return at;
}

/** One issue of zod in plain words, with where it is. Lists are counted from 1, as a person does. */
function problemsOf(issue: z.core.$ZodIssue, at: (path: readonly PropertyKey[]) => string): string[] {
  const field = issue.path.map((part) => (typeof part === "number" ? String(part + 1) : String(part))).join(" → ");
  const where = (more: readonly PropertyKey[] = []): string => at([...issue.path, ...more]);
  if (issue.code === "unrecognized_keys") {
    const within = field === "" ? "" : `${field} → `;
    return issue.keys.map((key) => `${where([key])}: ${within}${key}: is no field of a test${nearestField(key)}`);
  }
  return [`${where()}: ${field === "" ? "the file" : field}: ${issue.message}`];
}

function nearestField(key: string): string {
  const plain = (one: string): string => one.toLowerCase().replaceAll(/[^a-z]/g, "");
  const written = plain(key);
  const meant = MEANT[written] ?? KNOWN_FIELDS.find((known) => isNear(written, plain(known)));
  return meant === undefined ? "" : `; did you mean \`${meant}\`?`;
}

/** What people write who know other programs. */
const MEANT: Readonly<Record<string, string>> = {
  question: "ask",
  query: "ask",
  mustsay: "says",
  mustcite: "cites",
  mustnotsay: "says_not",
  mustnotcite: "cites_not",
  mustrefuse: "refuses",
  contains: "says",
  notcontains: "says_not",
  filters: "document_sets",
  since: "changed_since",
  title: "name",
};

/** The beginning of it or more than it, another last letter, or the same letters in another order. */
function isNear(one: string, other: string): boolean {
  const sorted = (text: string): string => [...text].toSorted().join("");
  if (one.length < 2) return false;
  return (
    one.startsWith(other) ||
    other.startsWith(one) ||
    one.slice(0, -1) === other.slice(0, -1) ||
    sorted(one) === sorted(other)
  );
}

function testOf(written: WrittenTest, defaults: Partial<WrittenTest>, line: number): AnswerTest {
  const { ask, id = ask, name, says = [], cites = [], refuses, skip, ...own } = written;
  const {
    persona,
    document_sets: documentSets = [],
    sources = [],
    tags = [],
    changed_since: changedSince,
    key,
    says_not: saysNot = [],
    cites_not: citesNot = [],
  } = { ...defaults, ...own };
  return {
    id: oneSpaced(id),
    name: oneSpaced(name ?? (written.id === undefined ? ask : `${written.id}: ${ask}`)),
    ask,
    line,
    expected: { says, saysNot, cites, citesNot, ...(refuses !== undefined && { refuses: refuses === "true" }) },
    settings: {
      ...(persona !== undefined && { persona }),
      documentSets,
      sources,
      tags,
      ...(changedSince !== undefined && { changedSince }),
      ...(key !== undefined && { key }),
    },
    ...(skip !== undefined && skip !== "false" && { skip: skip === "true" ? "skipped by its file" : skip }),
  };
}

const oneSpaced = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function contradictions(tests: readonly AnswerTest[], name: string): string[] {
  return tests
    .filter(({ expected: { refuses, cites } }) => refuses === true && cites.length > 0)
    .map(
      ({ line }) => `${name} line ${line}: \`refuses\` and \`cites\` cannot both be: what says nothing cites nothing`,
    );
}

function repeated(tests: readonly AnswerTest[], name: string): string[] {
  const first = new Map<string, number>();
  return tests.flatMap(({ id, ask, line }) => {
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, line);
      return [];
    }
    const what = id === oneSpaced(ask) ? "this question" : "this id";
    return [`${name} line ${line}: a test before it, in line ${before}, has ${what} too; give it an \`id\` of its own`];
  });
}
