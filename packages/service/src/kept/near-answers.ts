/** Which kept answers a document may change: whoever brought it can tell where rules cannot. */
import { setImmediate as turn } from "node:timers/promises";
import { KEPT_ENTRY } from "@threadlore/client/models";
import { calmed } from "../answer/extracted/asked.ts";
import { readPassage } from "../answer/extracted/reading.ts";
import { searchEvidence, statisticsOf } from "../answer/retrieve.ts";
import type { Evidence } from "../answer/source.ts";
import type { ServiceContext } from "../context.ts";
import { search } from "../search/query.ts";
import { documentNumbered, type StoredDocument } from "../store/documents.ts";
import { callerSeeing, pairsSeenWith } from "./audience.ts";
import { evidenceOf } from "./kept-evidence.ts";
import { confirmedAt, isKept, knownContradictions } from "./kept-store.ts";
import { comparedBy, keptWords } from "./kept-text.ts";
import { LEAST_NEAR, type Nearest, nearestThere } from "./nearness.ts";
import { type KeptReading, readKept } from "./otherwise-signs.ts";

/** What is looked with. */
type NearContext = Pick<ServiceContext, "store" | "db" | "embeddings" | "log" | "now">;

/** A kept answer that a document may change. */
export interface NearAnswer extends Nearest {
  readonly number: number;
}

/** Nobody is shown more: whoever brought a document reads a few, and not a list. */
const MAX_NEAR = 3;
/** Sentences that are looked for, and what each may find. */
const MAX_SENTENCES = 40;
const MAX_FOUND = 8;
/** Kept answers that are compared. */
const MAX_COMPARED = 32;
/** Characters of a document that are looked for as a whole. */
const MAX_WHOLE = 2_000;
/** Longer than somebody waits for an answer: nobody does. */
const PATIENCE_MS = 10_000;

const KEPT_TAG = { tag_key: KEPT_ENTRY.key, tag_value: KEPT_ENTRY.value };

/**
 * The kept answers a document may change, the likeliest first: older than it, seen by everybody who sees it, as it is by
 * everybody who sees them, and not known already to be contradicted by it as it reads now.
 * @param visible pairs that whoever asks sees; null: all
 */
export async function nearAnswers(
  looking: NearContext,
  document: StoredDocument,
  visible: readonly number[] | null,
): Promise<readonly NearAnswer[]> {
  if (isKept(document.metadata) || document.pairId === null) return [];
  const context = patient(looking);
  const seen = await context.store.read(pairsSeenWith(document.pairId));
  const pairs = together(visible, seen);
  const passages = evidenceOf(document);
  const known = new Set(await context.store.read(knownContradictions(document.number)));
  const readings = new Map<number, KeptReading>();
  for (const number of await keptFoundBy(context, document.title, passages, pairs)) {
    if (readings.size === MAX_COMPARED) break;
    if (known.has(number)) continue;
    // What is worked with here lets nobody else go first by itself, here and below.
    await turn();
    const reading = await readingOf(context, number, document);
    if (reading !== undefined) readings.set(number, reading);
  }
  const nearest = await nearestThere(context.db, { passages, readings: [...readings.values()] });
  return [...readings.keys()]
    .flatMap((number, at): NearAnswer[] => {
      const near = nearest[at];
      return near === undefined || near.nearness < LEAST_NEAR ? [] : [{ number, ...near }];
    })
    .toSorted((one, other) => other.nearness - one.nearness)
    .slice(0, MAX_NEAR);
}

/** The sentences of a document and of a kept answer that are nearest to each other, however near. */
export async function nearestTo(
  looking: NearContext,
  document: StoredDocument,
  number: number,
): Promise<Nearest | undefined> {
  const reading = await readingOf(patient(looking), number);
  if (reading === undefined) return undefined;
  return (await nearestThere(looking.db, { passages: evidenceOf(document), readings: [reading] }))[0];
}

const together = (visible: readonly number[] | null, seen: readonly number[] | null): readonly number[] | null =>
  visible === null ? seen : visible.filter((pair) => seen === null || seen.includes(pair));

type Patient = NearContext & { readonly patienceMs: number };

/** Without the moments at which a search answers: the whole is told at one, and not each of dozens of searches. */
const patient = ({ store, db, embeddings, log, now }: NearContext): Patient => ({
  store,
  db,
  embeddings,
  log,
  now,
  patienceMs: PATIENCE_MS,
});

/** The first sentences of a document, each once. No passage is read before it is needed: reading takes milliseconds. */
function* sentencesIn(passages: readonly Evidence[]): Generator<string> {
  const told = new Set<string>();
  for (const passage of passages) {
    for (const { unit } of readPassage(passage).units) {
      if (told.size === MAX_SENTENCES) return;
      if (!told.has(unit.text)) yield unit.text;
      told.add(unit.text);
    }
  }
}

/** Those that the document finds as a whole and by its sentences, what came first in any of them first. */
async function keptFoundBy(
  context: Patient,
  title: string,
  passages: readonly Evidence[],
  pairs: readonly number[] | null,
): Promise<readonly number[]> {
  const caller = callerSeeing(pairs);
  const filters = { tags: [KEPT_TAG] };
  const places = new Map<number, number>();
  const note = (number: number | undefined, place: number): void => {
    if (number !== undefined) places.set(number, Math.min(place, places.get(number) ?? Infinity));
  };
  const whole = [title, ...passages.map(({ text }) => text)].join("\n").slice(0, MAX_WHOLE);
  const found = await searchEvidence(context, whole, filters, caller, MAX_FOUND);
  for (const [at, { source }] of found.entries()) note(source.number, at);
  for (const text of sentencesIn(passages)) {
    await turn();
    const { passages: few } = await search(context, { text, filters, caller, limit: MAX_FOUND });
    for (const [at, { number }] of few.entries()) note(number, at);
  }
  return [...places].toSorted(([, one], [, other]) => one - other).map(([number]) => number);
}

/**
 * A kept answer as it is compared; undefined: it is gone, or it is one of those that a document does not change: it came after
 * it, or others see it than see the document.
 */
async function readingOf(
  context: Patient,
  number: number,
  document?: StoredDocument,
): Promise<KeptReading | undefined> {
  const { store } = context;
  const kept = await store.read(documentNumbered(number));
  if (kept === undefined || kept.pairId === null || !isKept(kept.metadata)) return undefined;
  const pairs = await store.read(pairsSeenWith(kept.pairId));
  if (document !== undefined) {
    if (pairs !== null && !pairs.includes(document.pairId ?? -1)) return undefined;
    if (Math.max(kept.updatedAt, (await store.read(confirmedAt(number))) ?? 0) >= document.updatedAt) return undefined;
  }
  const statistics = await statisticsOf(context, callerSeeing(pairs), comparedBy(kept));
  return readKept(calmed(kept.title), keptWords(kept), statistics);
}
