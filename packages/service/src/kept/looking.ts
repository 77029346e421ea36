import { setTimeout as pause } from "node:timers/promises";
import { calmed } from "../answer/extracted/asked.ts";
import { readPassage } from "../answer/extracted/reading.ts";
import { searchEvidence, statisticsOf } from "../answer/retrieve.ts";
import type { Evidence } from "../answer/source.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { type Background, type Pace, startBackground } from "../search/background.ts";
import { passagesOf } from "../search/cutting.ts";
import { lastChange } from "../store/changes.ts";
import { documentNumbered, queuedDocuments, type StoredDocument } from "../store/documents.ts";
import { isOutOfSpace } from "../store/sqlite/database-error.ts";
import type { Steps } from "../store/steps.ts";
import { noteAnyKept } from "./any-kept.ts";
import { callerSeeing, pairsSeenWith } from "./audience.ts";
import { compareThere } from "./comparing.ts";
import { evidenceOf } from "./kept-evidence.ts";
import {
  beginComparing,
  changedDocuments,
  type Contradiction,
  contradictionsOf,
  dueAnswers,
  endComparing,
  followedSoFar,
  forgetComparing,
  holdComparing,
  isAnyKept,
  isKept,
  keptTexts,
  noteCompared,
  noteLooked,
  noteNoticed,
  toldAgainst,
} from "./kept-store.ts";
import { KeptTerms } from "./kept-terms.ts";
import { comparedBy, keptWords } from "./kept-text.ts";
import { maybeChanging, noteMaybe } from "./maybe/maybe-store.ts";
import { readKept } from "./otherwise-signs.ts";

/** What is looked at with. */
export type LookingContext = Pick<ServiceContext, "store" | "db" | "embeddings" | "log" | "now">;

/** Nobody waits for what is found: a machine that has much to do takes longer, and what it compares is compared all the same. */
const PATIENCE_MS = 30_000;

/** How it is looked. */
interface LookingOptions {
  /** Awaited before each step: lets whatever else waits go first. */
  readonly quiet: () => Promise<void>;
  /** The last change this machine's copy has of a truth that is elsewhere; absent: this machine's database is the truth. */
  readonly lastCopied?: (() => Steps<number>) | undefined;
  /** What this process is called among those that share the truth. */
  readonly holder: number;
}

/** So long one process has the comparing for itself after it was last heard of, milliseconds. */
const HELD_MS = 30_000;
const RETRY_MS = 5_000;
/** Changed documents that are looked at before it is noted how far. */
const CHANGES_AT_ONCE = 200;
const TEXTS_AT_ONCE = 200;
const DUE_AT_ONCE = 50;
/** Passages that are compared with a kept answer, of each of two searches. */
const MAX_FOUND = 40;
/** Changed documents that are compared with a kept answer beside those. */
const MAX_CHANGED = 20;
/** Of the time that passes a third is worked: nobody waits for any of it. */
const REST = 2;

/**
 * Compares what is kept with what came since, in the background, once for all instances: which kept answers a changed document
 * may be about is told by the words they are asked by, and those alone are asked again, when the index has nothing left to do.
 * What was noted is gone on with after a kill.
 */
export function startLooking(context: LookingContext, options: LookingOptions): Background {
  let retry: NodeJS.Timeout | undefined;
  // What came while it was looked is looked at as well.
  let isAgain = false;
  const terms: Terms = { known: new KeptTerms(), followed: undefined };
  const work = async (pace: Pace): Promise<void> => {
    clearTimeout(retry);
    let isDone = true;
    do {
      isAgain = false;
      isDone = await new Look(context, options, terms, pace).work();
    } while (isAgain && !pace.stopping.aborted);
    if (pace.stopping.aborted) return;
    // Another process does it, or will not have ended it.
    if (!isDone) retry = setTimeout(() => background.wake(), HELD_MS).unref();
    setImmediate(() => {
      if (isAgain) background.wake();
    }).unref();
  };
  const failed = (error: unknown): void => {
    context.log.warn("kept answers are not compared for now", {
      cause: isOutOfSpace(error) ? "the disk is full" : error,
    });
  };
  const background = startBackground(work, failed, RETRY_MS);
  return {
    wake() {
      isAgain = true;
      background.wake();
    },
    async drain() {
      isAgain = true;
      await background.drain();
      // It may have been at its end already.
      if (isAgain) await background.drain();
    },
    async stop() {
      clearTimeout(retry);
      await background.stop();
    },
  };
}

/** The words kept answers are asked by, up to which change. */
interface Terms {
  known: KeptTerms;
  followed: number | undefined;
}

/** One look at everything there is to compare. */
class Look {
  readonly #context: LookingContext;
  readonly #options: LookingOptions;
  readonly #terms: Terms;
  readonly #pace: Pace;
  /**
   * Changed documents by the kept answers they may be about: search may not find what says it in quite other words. After a kill
   * search alone finds them.
   */
  readonly #changed = new Map<number, number[]>();
  #begun = performance.now();

  constructor(context: LookingContext, options: LookingOptions, terms: Terms, pace: Pace) {
    this.#context = context;
    this.#options = options;
    this.#terms = terms;
    this.#pace = pace;
  }

  /** Answers false where another process does it now. */
  async work(): Promise<boolean> {
    const { store, now } = this.#context;
    const { holder } = this.#options;
    const last = this.#lastIndexed();
    // It is gone on with when the index has everything.
    if (last === undefined) return true;
    const isAny = await store.read(isAnyKept());
    noteAnyKept(this.#context.db, isAny);
    if (!isAny) {
      if ((await store.read(followedSoFar())) !== undefined) await store.write(forgetComparing);
      return true;
    }
    const followed = await store.write(() => beginComparing(holder, last, now(), now() + HELD_MS));
    if (followed === undefined) return false;
    try {
      if (this.#terms.followed !== followed) await this.#readTexts();
      return (await this.#notice(followed, last)) && (await this.#compareDue());
    } finally {
      await store.write(() => endComparing(holder));
    }
  }

  /** The last change of which the index here has everything; undefined: it is not known, since something waits. */
  #lastIndexed(): number | undefined {
    const { db } = this.#context;
    const { lastCopied } = this.#options;
    const last = db.perform(lastCopied === undefined ? lastChange() : lastCopied());
    return db.perform(queuedDocuments(1)).length > 0 ? undefined : last;
  }

  async #readTexts(): Promise<void> {
    const known = new KeptTerms();
    for (let after = 0; ;) {
      const some = await this.#context.store.read(keptTexts(after, TEXTS_AT_ONCE));
      for (const kept of some) known.set(kept.number, comparedBy(kept));
      const newest = some.at(-1);
      if (newest === undefined) break;
      after = newest.number;
      await this.#rest();
    }
    this.#terms.known = known;
  }

  /** Which kept answers changed documents may be about. */
  async #notice(from: number, last: number): Promise<boolean> {
    const { store, db, now } = this.#context;
    let followed = from;
    while (followed < last && !this.#pace.stopping.aborted) {
      const changes = await store.read(changedDocuments(followed, last, CHANGES_AT_ONCE));
      const kept: number[] = [];
      const concerned = new Set<number>();
      for (const { document } of changes) {
        await this.#rest();
        const found = db.perform(documentNumbered(document));
        if (found !== undefined && isKept(found.metadata)) {
          kept.push(document);
          this.#terms.known.set(document, comparedBy(found));
        } else {
          this.#terms.known.remove(document);
          if (found !== undefined) this.#concern(found, concerned);
        }
      }
      followed = changes.length < CHANGES_AT_ONCE ? last : (changes.at(-1)?.change ?? last);
      const documents = changes.map(({ document }) => document);
      const noticed = { followed, documents, kept, concerned: [...concerned] };
      if (!(await store.write(() => noteNoticed(this.#options.holder, now() + HELD_MS, noticed)))) return false;
    }
    this.#terms.followed = followed;
    return true;
  }

  #concern(document: StoredDocument, concerned: Set<number>): void {
    const { known } = this.#terms;
    for (const number of known.concernedBy(
      document.title,
      passagesOf(document, () => undefined),
    )) {
      concerned.add(number);
      const changed = this.#changed.get(number) ?? [];
      if (changed.length < MAX_CHANGED) this.#changed.set(number, [...changed, document.number]);
    }
  }

  /** Asks those again that are due. */
  async #compareDue(): Promise<boolean> {
    const { store, now } = this.#context;
    let held = now();
    for (let after = 0; ;) {
      const due = await store.read(dueAnswers(after, DUE_AT_ONCE));
      for (const { document, confirmedAt } of due) {
        await this.#rest();
        if (this.#pace.stopping.aborted) return true;
        if (now() - held > HELD_MS / 3) {
          held = now();
          if (!(await store.write(() => holdComparing(this.#options.holder, held + HELD_MS)))) return false;
        }
        await compare(this.#context, document, confirmedAt, this.#changed.get(document) ?? []);
        after = document;
      }
      if (due.length === 0) return true;
    }
  }

  /** Lets whatever else waits go first, and has worked no more than its part of the time. */
  async #rest(): Promise<void> {
    await this.#options.quiet();
    const worked = performance.now() - this.#begun;
    if (!this.#pace.isHurried && worked > 1) await pause(worked * REST);
    this.#begun = performance.now();
  }
}

/** Asks a kept answer's question again, and notes which newer documents say otherwise, and which may. */
async function compare(
  looking: LookingContext,
  number: number,
  confirmedAt: number | null,
  changed: readonly number[],
): Promise<void> {
  const context = { ...looking, patienceMs: PATIENCE_MS };
  const { store, db, now } = context;
  const kept = db.perform(documentNumbered(number));
  if (kept === undefined || kept.pairId === null) return store.write(() => noteLooked(number));
  const pairs = await store.read(pairsSeenWith(kept.pairId));
  const caller = callerSeeing(pairs);
  const text = calmed(kept.title);
  const whole = comparedBy(kept);
  const found = (await foundBy(context, [text, whole], caller)).filter(
    ({ source }) => source.number !== number && !isKept(source.document.metadata),
  );
  const looked = new Set(found.map(({ source }) => source.number));
  const known = (await store.read(contradictionsOf(number))).filter((one) => !looked.has(one));
  const those = new Set([...looked, ...known]);
  const noted = new Set([...(await store.read(maybeChanging(number))), ...changed]);
  const more = [...noted].filter((one) => !those.has(one)).flatMap((one) => evidenceNumbered(context, one, pairs));
  const others = [...found, ...known.flatMap((one) => evidenceNumbered(context, one)), ...more];
  const reading = readKept(text, keptWords(kept), await statisticsOf(context, caller, whole));
  const { otherwise, near } = await compareThere(db, { reading, kept: evidenceOf(kept), others });
  const keptAt = Math.max(kept.updatedAt, confirmedAt ?? 0);
  const changedAt = new Map(others.map(({ source }) => [source.number, Date.parse(source.document.updated_at ?? "")]));
  const isNewer = (one: number): boolean => (changedAt.get(one) ?? 0) > keptAt;
  const contradictions = otherwise.map(({ number: by, ...said }) => ({ by, ...said, isOlder: !isNewer(by) }));
  const told = await store.read(toldAgainst(number));
  contradictions.push(
    ...standing(context, { told, kept, contradictions, keptAt, language: reading.question.language }),
  );
  const still = new Set(contradictions.map(({ by }) => by));
  const not = [...changedAt.keys()].flatMap((one) => (one === undefined || still.has(one) ? [] : one));
  await store.write(function* () {
    yield* noteCompared(number, contradictions, not, now());
    const maybe = near.filter((one) => isNewer(one.number) && !still.has(one.number));
    yield* noteMaybe(number, maybe, now());
    yield* noteLooked(number);
  });
}

/** What is compared with what was told before. */
interface ToldBefore {
  readonly told: readonly (Pick<Contradiction, "by" | "says" | "keptSays"> & { readonly since: number })[];
  readonly kept: StoredDocument;
  readonly contradictions: readonly Contradiction[];
  readonly keptAt: number;
  /** Of what is asked: both are read by it where their own words do not tell. */
  readonly language: string | undefined;
}

/**
 * Of what was told before, what no rule tells now: somebody may have said it who read both. As long as both sentences stand there,
 * and the answer has not been changed since, nothing of it is over, whatever else was written below them.
 */
function standing({ db }: LookingContext, before: ToldBefore): Contradiction[] {
  const { told, kept, contradictions, keptAt, language } = before;
  const found = new Set(contradictions.map(({ by }) => by));
  return told.flatMap(({ since, ...one }): Contradiction[] => {
    const other = found.has(one.by) || kept.updatedAt > since ? undefined : db.perform(documentNumbered(one.by));
    if (other === undefined || !stands(one.says, other, language) || !stands(one.keptSays, kept, language)) return [];
    return [{ ...one, isOlder: other.updatedAt <= keptAt }];
  });
}

const inOneLine = (words: string): string => words.replace(/\s+/g, " ");

/** Whether it is written there, or read there: a row of a table, and a sentence without an end, are not quoted as they are written. */
function stands(sentence: string, document: StoredDocument, language: string | undefined): boolean {
  const { title, sections } = document;
  const wanted = inOneLine(sentence);
  if (inOneLine([title, ...sections.map(({ text }) => text ?? "")].join("\n")).includes(wanted)) return true;
  return evidenceOf(document).some((passage) =>
    readPassage(passage, language).units.some(({ unit }) => inOneLine(unit.text) === wanted),
  );
}

/** The passages some texts find, each once: what says otherwise often says it in words of the answer alone. */
async function foundBy(
  context: LookingContext & { readonly patienceMs: number },
  texts: readonly string[],
  caller: Caller,
): Promise<Evidence[]> {
  const found = new Map<string, Evidence>();
  for (const text of texts) {
    for (const one of await searchEvidence(context, text, null, caller, MAX_FOUND)) {
      const name = `${one.source.documentId}\n${one.text}`;
      if (!found.has(name)) found.set(name, one);
    }
  }
  return [...found.values()];
}

/** What contradicted before is compared again whether it is found or not. */
function evidenceNumbered({ db }: LookingContext, number: number, pairs: readonly number[] | null = null): Evidence[] {
  const document = db.perform(documentNumbered(number));
  if (document === undefined || isKept(document.metadata)) return [];
  return pairs === null || pairs.includes(document.pairId ?? -1) ? evidenceOf(document) : [];
}
