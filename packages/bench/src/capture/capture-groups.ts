import { mean, seededRandom } from "@threadlore/testkit";
import type { CorpusPage } from "./capture-corpus.ts";
import type { Score } from "./capture-score.ts";
import { median, percentile } from "../measure.ts";
import { columnsOf, type Group, type Row } from "../report.ts";

/** The contestants, by the names `capture-page.ts` knows them by. */
export const NAMES: readonly string[] = ["Readability", "Defuddle", "threadlore"];
export const OURS = "threadlore";
/** Nobody's: who knew for each page which of the others is better there, and took that. */
const ORACLE = "the better of both, page by page";

/** What a contestant made of a page. */
export interface PageOutcome extends Score {
  readonly page: CorpusPage;
  readonly name: string;
  readonly milliseconds: number;
}

const QUALITY = columnsOf({ F1: 3, "snippet F1": 3, "ours above it by": 3, "at least": 3, "at most": 3 });
const TIME = columnsOf({ "median ms": 0, "p95 ms": 0, "times both extractors": 2 });

/**
 * How well each contestant read: sets of pages, what of them was kept back from learning, kinds of pages of all sets, and
 * what of those was kept back.
 */
export function qualityGroups(outcomes: readonly PageOutcome[]): Group[] {
  const valuesOf = (what: "set" | "kind") => [...new Set(outcomes.map(({ page }) => page[what]))];
  const sets = valuesOf("set");
  // Of news there is one set.
  const kinds = valuesOf("kind")
    .filter((kind) => kind !== "news")
    .toSorted();
  const group = (what: "set" | "kind", value: string, isKeptBack: boolean): Group => {
    const here = outcomes.filter(({ page }) => page[what] === value && (page.heldBack || !isKeptBack));
    const name = `${value}${isKeptBack ? ", kept back" : ""} (${here.length / NAMES.length})`;
    const rows = NAMES.map((contestant) => qualityOf(here, contestant));
    return { name, columns: QUALITY, rows: what === "set" ? [...rows, oracleOf(here)] : rows };
  };
  const both = (what: "set" | "kind", values: readonly string[]) =>
    [false, true].flatMap((isKeptBack) => values.map((value) => group(what, value, isKeptBack)));
  return [...both("set", sets), ...both("kind", kinds)];
}

function qualityOf(outcomes: readonly PageOutcome[], name: string): Row {
  const own = outcomes.filter((one) => one.name === name);
  const snippets = own.flatMap((one) => (one.snippets === undefined ? [] : [one.snippets]));
  const figures = { F1: mean(own.map(({ f1 }) => f1)), "snippet F1": mean(snippets) };
  const ours = name === OURS;
  return {
    name,
    ours,
    figures: ours ? figures : { ...figures, ...distances(byPage(outcomes, OURS), byPage(outcomes, name)) },
  };
}

const byPage = (outcomes: readonly PageOutcome[], name: string): Map<string, number> =>
  new Map(outcomes.filter((one) => one.name === name).map(({ page, f1 }) => [page.id, f1]));

function oracleOf(outcomes: readonly PageOutcome[]): Row {
  const best = new Map<string, number>();
  for (const { name, page, f1 } of outcomes) if (name !== OURS) best.set(page.id, Math.max(f1, best.get(page.id) ?? 0));
  const figures = { F1: mean([...best.values()]), ...distances(byPage(outcomes, OURS), best) };
  return { name: ORACLE, ours: false, figures };
}

/** Samples of pages that are drawn. */
const SAMPLES = 4_000;

/** By how much the first is above the second on the average of the pages, and between what in 95 of 100 drawn samples. */
function distances(ours: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): Row["figures"] {
  const each = [...ours].map(([id, f1]) => f1 - (theirs.get(id) ?? Number.NaN));
  const random = seededRandom(1);
  const drawn = Array.from({ length: SAMPLES }, () =>
    mean(each.map(() => each[Math.floor(random() * each.length)] ?? Number.NaN)),
  );
  return { "ours above it by": mean(each), "at least": percentile(drawn, 0.025), "at most": percentile(drawn, 0.975) };
}

/** How long each contestant took, set by set. */
export function timeGroups(outcomes: readonly PageOutcome[]): Group[] {
  const sets = [...new Set(outcomes.map(({ page }) => page.set))];
  return sets.map((set) => {
    const here = outcomes.filter(({ page }) => page.set === set);
    const rows = NAMES.map((name) => {
      const times = here.filter((one) => one.name === name).map(({ milliseconds }) => milliseconds);
      return { name, ours: name === OURS, figures: { "median ms": median(times), "p95 ms": percentile(times, 0.95) } };
    });
    return { name: `time per page, ${set}`, columns: TIME, rows: ratiosOf(here, rows, OURS) };
  });
}

/** Sets and kinds of which 95 of 100 samples have to be above those of a peer. */
const SURE = /^(?:product|news)[^,]*\(/;

/**
 * Sets and kinds where a peer is as good on the average. Of the pages kept back only the sets are held to it; products and
 * news are to be above by more than chance.
 */
export function missedOfPeers(groups: readonly Group[]): string[] {
  return groups
    .filter(
      ({ name, rows }) => rows.some(({ figures }) => "F1" in figures) && !(isKind(name) && name.includes("kept back")),
    )
    .flatMap(({ name, rows }) => {
      const own = rows.find(({ ours }) => ours)?.figures["F1"] ?? Number.NaN;
      const peers = rows.filter((row) => !row.ours && row.name !== ORACLE);
      return peers.flatMap(({ name: peer, figures }) => {
        if (!(own > (figures["F1"] ?? Number.NaN))) return [`${name}: F1 is not above that of ${peer}.`];
        const isSure = !SURE.test(name) || (figures["at least"] ?? Number.NaN) > 0;
        return isSure ? [] : [`${name}: F1 may be above that of ${peer} by chance.`];
      });
    });
}

const isKind = (name: string): boolean =>
  /^(?:article|collection|documentation|forum|listing|product|service)\b/.test(name);

/** Adds to our row the median, over the pages, of our time as a share of the time the others took together. */
export function ratiosOf(
  outcomes: readonly (Pick<PageOutcome, "name" | "milliseconds"> & { readonly page: { readonly id: string } })[],
  rows: readonly Row[],
  ours: string,
): Row[] {
  const own = new Map<string, number>();
  const others = new Map<string, number>();
  for (const { page, name, milliseconds } of outcomes) {
    const times = name === ours ? own : others;
    times.set(page.id, (times.get(page.id) ?? 0) + milliseconds);
  }
  const ratio = median([...own].map(([id, time]) => time / (others.get(id) ?? Number.NaN)));
  return rows.map((row) => (row.ours ? { ...row, figures: { ...row.figures, "times both extractors": ratio } } : row));
}
