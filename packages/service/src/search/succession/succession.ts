import type { ServiceContext } from "../../context.ts";
import { isOutOfSpace } from "../../store/sqlite/database-error.ts";
import type { Database } from "../../store/sqlite/database.ts";
import { type Background, type Pace, startBackground } from "../background.ts";
import { forgetFormer, formersOf, indexOf } from "../hosting/index-host.ts";
import { LostIndex } from "../hosting/index-trouble.ts";
import type { PassageVector } from "../hosting/index-work.ts";
import type { Former, SamePassage } from "./former.ts";

/** How the succession works. */
interface SuccessionOptions {
  /** Pause between two looks at whether the index is whole, milliseconds. */
  readonly lookEveryMs: number;
  /** From one line of the log about how far the index is to the next, milliseconds. */
  readonly tellEveryMs: number;
  /** Awaited before each step: lets whatever else waits go first. */
  readonly quiet: () => Promise<void>;
  /** Called when former vectors are in the index: what has none then is asked for. */
  readonly whenCarried: () => void;
}

/** Passages that are looked at in one step. */
const AT_ONCE = 200;

/** Databases whose former vectors are in the index. */
const carried = new WeakSet<Database>();

/** Whether vectors may still come from a former index, so that nobody needs to make them. */
export function awaitsVectors(db: Database): boolean {
  return !carried.has(db) && formersOf(db).some(({ hasVectors }) => hasVectors);
}

/**
 * When the index has everything, what was before it is taken away: its vectors go over where the texts are the same, since
 * only the embedding server could make them again; then it leaves, some at a time. Killed on the way, it begins where it was.
 */
export function startSuccession(
  { db, log }: Pick<ServiceContext, "db" | "log">,
  { lookEveryMs = 2_000, tellEveryMs = 30_000, quiet = nobodyWaits, whenCarried }: Partial<SuccessionOptions> = {},
): Background {
  let told = 0;
  const tell = (): void => {
    const now = performance.now();
    if (told > 0 && now < told + tellEveryMs) return;
    told = now;
    log.warn("the search index is being made anew", { percent: percentDone(db) });
  };
  const work = async (pace: Pace): Promise<void> => {
    if (!indexOf(db).isWhole) {
      tell();
      later = setTimeout(() => background.wake(), lookEveryMs).unref();
      return;
    }
    if (told > 0) log.warn("the search index is whole");
    told = 0;
    const steps: Steps = { stopping: pace.stopping, quiet };
    if (awaitsVectors(db) && !(await carryVectors(db, steps))) return;
    carried.add(db);
    whenCarried?.();
    for (const former of formersOf(db)) if (await remove(former, steps)) forgetFormer(db, former);
  };
  let later: NodeJS.Timeout | undefined;
  const failed = (error: unknown): void => {
    // That is told, and then there is no former one either.
    if (error instanceof LostIndex) return;
    log.warn("the former search index stays for now", { cause: isOutOfSpace(error) ? "the disk is full" : error });
  };
  const background = startBackground(work, failed, lookEveryMs);
  return {
    ...background,
    async stop() {
      clearTimeout(later);
      await background.stop();
    },
  };
}

const nobodyWaits = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** How long the steps go on, and what is awaited before each. */
interface Steps {
  readonly stopping: AbortSignal;
  readonly quiet: () => Promise<void>;
}

/** How much of what there was when the index was begun is in it, in percent, rounded down. */
export function percentDone(db: Database): number {
  const index = indexOf(db);
  const { applied, target } = index.watched(() => ({ applied: index.here.applied, target: index.here.target }));
  return target === 0 ? 100 : Math.min(100, Math.floor((100 * applied) / target));
}

/** Answers false when it was stopped. */
async function carryVectors(db: Database, { stopping, quiet }: Steps): Promise<boolean> {
  const formers = formersOf(db).filter(({ hasVectors }) => hasVectors);
  for (let after = 0; ;) {
    await quiet();
    if (stopping.aborted) return false;
    const passages = passagesWithoutVectors(db, after);
    const last = passages.at(-1);
    if (last === undefined) return true;
    after = last.id;
    const vectors = passages.flatMap((passage): PassageVector[] => {
      const known = vectorIn(formers, passage);
      return known === undefined ? [] : [{ passage: passage.id, ...known }];
    });
    if (vectors.length > 0) await indexOf(db).write({ puts: [], removals: [], vectors });
  }
}

function vectorIn(formers: readonly Former[], passage: SamePassage) {
  for (const former of formers) {
    const known = former.vectorOf(passage);
    if (known !== undefined) return known;
  }
  return undefined;
}

/** The next passages that have no vector of any model. */
function passagesWithoutVectors(db: Database, after: number) {
  const index = indexOf(db);
  return index.watched(() =>
    index.here.sqlite.prepare(WITHOUT_VECTOR).all(after, AT_ONCE),
  ) as unknown as (SamePassage & {
    readonly id: number;
  })[];
}

const WITHOUT_VECTOR = `
  SELECT id, document, ordinal, title, text FROM passages JOIN documents ON number = document
  WHERE id > ? AND NOT EXISTS (SELECT 1 FROM vectors WHERE passage = id) ORDER BY id LIMIT ?`;

/** Answers false when it was stopped. */
async function remove(former: Former, { stopping, quiet }: Steps): Promise<boolean> {
  for (;;) {
    await quiet();
    if (stopping.aborted) return false;
    if (!(await former.removeSome())) return true;
  }
}
