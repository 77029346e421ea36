import type { Asker } from "./asked-by.ts";
import { isCalled } from "./named.ts";
import { CAUSE_KINDS, type CitedThen, type DifferenceCause, type RecordedSettings, type TestRecord } from "./record.ts";
import { type Lookup, nameableOf, type Standing } from "./standing.ts";
import type { AnswerTest } from "./test-model.ts";

/** What a difference is found by. */
export interface Compared {
  readonly test: AnswerTest;
  readonly now: Pick<TestRecord, "outcome" | "answer" | "cites" | "settings" | "expectation">;
  /** What was found last; undefined: nothing yet. */
  readonly before: TestRecord | undefined;
  /** Documents any test cited in the run before, as they were then. */
  readonly known: ReadonlyMap<string, CitedThen>;
  readonly asker: Asker;
  readonly lookup: Lookup;
}

/** What is different from the run before, and which document did it. Empty: nothing is. */
export async function causesOf(compared: Compared): Promise<readonly DifferenceCause[]> {
  const { now, before, known } = compared;
  const causes: DifferenceCause[] = [];
  const isOtherOutcome = before !== undefined && before.outcome !== now.outcome;
  if (before !== undefined) {
    const settings = settingsChange(before.settings, now.settings);
    if (settings !== undefined) causes.push(ofNone("settings", settings));
    if (isOtherOutcome && before.expectation !== now.expectation) {
      causes.push(ofNone("expectation", "what the test expects was changed"));
    }
    causes.push(...(await citedBefore(compared, before)));
  }
  const earlier = new Set(before?.cites.map((cited) => cited.document_id));
  for (const cited of before === undefined ? [] : now.cites) {
    if (!earlier.has(cited.document_id)) causes.push(citedNow(cited, known.get(cited.document_id)));
  }
  if (now.outcome === "failed") causes.push(...(await neverCited(compared, causes)));
  if (causes.length === 0 && isOtherOutcome) {
    causes.push(
      ofNone("worded", "it rests on the same documents, which are unchanged: the answer is worded otherwise"),
    );
  }
  if (causes.length === 0 && now.outcome === "failed" && before?.outcome === "failed") return before.causes;
  return causes.toSorted((one, other) => CAUSE_KINDS.indexOf(one.kind) - CAUSE_KINDS.indexOf(other.kind));
}

/** What became of the documents that were cited in the run before. */
async function citedBefore({ test, now, asker, lookup }: Compared, before: TestRecord): Promise<DifferenceCause[]> {
  const causes: DifferenceCause[] = [];
  for (const then of before.cites) {
    const still = now.cites.find((cited) => cited.document_id === then.document_id);
    if (still !== undefined) {
      // Whoever syncs every night dates all anew: what is cited with the same text is the same.
      const isSameText = then.hash !== null && then.hash === still.hash;
      const change = isSameText ? undefined : changeOf(then, { hash: still.hash, updatedAt: still.updated_at });
      if (change !== undefined) causes.push(ofDocument("changed", then, change));
      continue;
    }
    const standing = await lookup.standingOf(asker, then);
    causes.push(await noLongerCited(then, standing, () => lookup.isFilteredOut(asker, test, then)));
  }
  return causes;
}

async function noLongerCited(
  then: CitedThen,
  standing: Standing,
  isFilteredOut: () => Promise<boolean>,
  without = "not cited any more",
): Promise<DifferenceCause> {
  switch (standing.state) {
    case "gone":
      return ofDocument("gone", then, "is gone: the server has it no more");
    case "hidden":
      return ofDocument("hidden", then, "is still there, and hidden from the key that asked");
    case "missing":
      return ofDocument("missing", then, "is not found any more: deleted, or hidden from the key that asked");
    case "unknown":
      return ofDocument("uncited", then, `is ${without}; this server does not tell what became of it`);
    default: {
      const change = changeOf(then, standing);
      if (await isFilteredOut()) {
        const also = change === undefined ? "" : `, and ${change}`;
        return ofDocument("filtered", then, `is there, and the filters of the test leave it out now${also}`);
      }
      if (change !== undefined) return ofDocument("changed", then, change);
      return ofDocument("uncited", then, `is ${then.hash === null ? "there" : "unchanged"}, and ${without}`);
    }
  }
}

function citedNow(cited: CitedThen, then: CitedThen | undefined): DifferenceCause {
  if (then === undefined) return ofDocument("new", cited, "is cited now, and was not before");
  const isSameText = then.hash !== null && then.hash === cited.hash;
  const change = isSameText ? undefined : changeOf(then, { hash: cited.hash, updatedAt: cited.updated_at });
  if (change !== undefined) return ofDocument("changed", cited, `${change}, and is cited now`);
  return ofDocument("cited", cited, "is unchanged, and cited now");
}

/** Documents a test asks for that no run has seen it cite, so that the last run says nothing of them. */
async function neverCited(
  { test, now, before, known, asker, lookup }: Compared,
  causes: readonly DifferenceCause[],
): Promise<DifferenceCause[]> {
  const found: DifferenceCause[] = [];
  for (const names of test.expected.cites) {
    const cited = [...now.cites, ...(before?.cites ?? [])].map(nameableOf);
    if (names.some((name) => cited.some((source) => isCalled(source, name)))) continue;
    for (const name of names) {
      const then =
        [...known.values()].find((one) => isCalled(nameableOf(one), name)) ?? (await lookup.named(asker, name));
      if (then === undefined) continue;
      if (then === "none") {
        const words = "is not found: there is none of this name, or it is hidden from the key that asked";
        found.push({ kind: "missing", document_id: name, title: name, words });
      } else if (!causes.some((cause) => cause.document_id === then.document_id)) {
        const standing = await lookup.standingOf(asker, then);
        found.push(await noLongerCited(then, standing, () => lookup.isFilteredOut(asker, test, then), "not cited"));
      }
    }
  }
  return found;
}

/** What is different about a document, in words; undefined: nothing that the server tells. */
function changeOf(
  then: CitedThen,
  now: { readonly hash: string | null; readonly updatedAt: string | null },
): string | undefined {
  const [before, after] = [minuteOf(then.updated_at), minuteOf(now.updatedAt)];
  const isDatedOtherwise =
    then.updated_at !== null && now.updatedAt !== null && Date.parse(then.updated_at) !== Date.parse(now.updatedAt);
  const dates = isDatedOtherwise && before !== after ? ` (of ${before} before, of ${after} now)` : "";
  const isSameText = then.hash !== null && then.hash === now.hash;
  if (isSameText) return isDatedOtherwise ? `has the same text and another date${dates}` : undefined;
  return isDatedOtherwise || (then.hash !== null && now.hash !== null) ? `was changed${dates}` : undefined;
}

const minuteOf = (moment: string | null): string => (moment ?? "").slice(0, 16).replace("T", " ");

const NAMES: Readonly<Record<keyof RecordedSettings, string>> = {
  persona: "persona",
  document_sets: "document sets",
  sources: "sources",
  tags: "tags",
  changed_since: "`changed_since`",
  key: "key",
};

/** Which settings of a test are others than in the run before, in words. */
function settingsChange(before: RecordedSettings, now: RecordedSettings): string | undefined {
  const names = Object.keys(NAMES) as (keyof RecordedSettings)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  if (changed.length === 0) return undefined;
  const each = changed.map((name) => `${NAMES[name]} (${told(before[name])} before, ${told(now[name])} now)`);
  return `the test is asked with other settings: ${each.join(", ")}`;
}

function told(value: string | readonly string[] | null): string {
  if (value === null || value.length === 0) return "none";
  return typeof value === "string" ? value : value.join(", ");
}

const ofNone = (kind: DifferenceCause["kind"], words: string): DifferenceCause => ({
  kind,
  document_id: null,
  title: null,
  words,
});

const ofDocument = (kind: DifferenceCause["kind"], document: CitedThen, words: string): DifferenceCause => ({
  kind,
  document_id: document.document_id,
  title: document.title,
  words,
});
