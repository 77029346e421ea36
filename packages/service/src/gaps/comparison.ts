import {
  createPlacement,
  hiddenTraits,
  type Placed,
  type Placement,
  type Traits,
  TRAITS_VERSION,
  traitsOf,
} from "@threadlore/gaps";
import { all, get, ofNumbers, type Steps, value } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import type { GapChange } from "./counting.ts";
import { type Hiding, hidingOf } from "./hiding.ts";

/** Questions a new one is compared with at most, the newest: some 3 kB of memory each, and a vector. */
const MAX_COMPARED = 30_000;
/** So many more, and it is begun anew with the newest. */
const MAX_MORE = 10_000;
/** Read at one time; in between others are served. */
const READ_TOGETHER = 500;
/** Questions of one gap that are compared. */
export const COMPARED_OF_GAP = 48;

/** A question as it is looked for: its traits are hidden already. */
export interface Sought {
  readonly traits: Traits;
  readonly model: string | null;
  readonly vector: Float32Array | null;
}

/** Where a question belongs: undefined, to a new gap; and which open gaps turned out to be the same one. */
interface Place {
  readonly gap: number | undefined;
  readonly also: readonly number[];
}

interface ComparedRow {
  readonly gap: number;
  readonly traits: string;
  readonly question: string | null;
  readonly model: string | null;
  readonly vector: Uint8Array | null;
  readonly change: number;
}

const COLUMNS = "gap, traits, question, model, vector, change";

/**
 * What questions are compared with, in memory: each instance has its own, and reads from the truth what changed since it last
 * looked, in the order of changes. Where it decides it does so within a change (`beginChange`), so that it has seen all before.
 */
export class GapComparison {
  readonly #model: string | null;
  #placement: Placement<number> = createPlacement<number>();
  /** The last change it has; undefined: none yet. */
  #last: number | undefined;
  /** The last change there was when it began: what left gaps up to then it never read. */
  #begunAt = 0;

  /** @param model whose vectors are compared; null: words alone are */
  constructor(model: string | null = null) {
    this.#model = model;
  }

  /** Reads what it does not have yet, while others are served: of a hundred thousand questions that takes a second. */
  async catchUp(store: Pick<Store, "read">): Promise<void> {
    for (let isMore = true; isMore;) {
      isMore = await store.read(this.#readAt());
      // Where the truth is a file of this process, a read is work and no wait.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  *#readAt(): Steps<boolean> {
    const upTo = yield* value<number>("SELECT last FROM gap_book WHERE id = 1");
    return yield* this.#readOn(upTo, yield* hidingOf());
  }

  /** Where a question belongs. Within a change. */
  *placeOf(sought: Sought, { number, hiding }: GapChange): Steps<Place> {
    // Numbers come again after a change that came to nothing, and after the database was put back.
    if ((this.#last ?? 0) >= number) this.#begin();
    while (yield* this.#readOn(number - 1, hiding));
    for (;;) {
      const { gap, also } = this.#placed(sought);
      if (gap === undefined) return { gap, also: [] };
      const states = yield* statesOf([gap, ...also]);
      for (const one of [gap, ...also]) if (!states.has(one)) this.#placement.forget(one);
      if (!states.has(gap)) continue;
      const isOpen = (one: number): boolean => states.get(one) === "open";
      return { gap, also: isOpen(gap) ? also.filter(isOpen) : [] };
    }
  }

  /**
   * The number of the document that answers the gap a question belongs to, by what is written by now: nothing is noted, and no
   * change is waited for. Answers `more` where it has not read everything yet: it is asked again, and others are served in between.
   * @param seek the question, its traits hidden by what they are hidden with here
   */
  *answerTo(seek: (hiding: Hiding) => Sought): Steps<number | "more" | undefined> {
    const upTo = yield* value<number>("SELECT last FROM gap_book WHERE id = 1");
    const hiding = yield* hidingOf();
    if (yield* this.#readOn(upTo, hiding)) return "more";
    if (this.#placement.size === 0) return undefined;
    const { gap } = this.#placed(seek(hiding));
    if (gap === undefined) return undefined;
    const closed = yield* get<{ document: number }>(
      "SELECT document FROM gaps WHERE id = ? AND state = 'closed' AND document IS NOT NULL",
      gap,
    );
    return closed?.document;
  }

  #placed(sought: Sought): Placed<number> {
    return this.#placement.placeOf(this.#compared(sought));
  }

  /** Gaps a question may be of besides the one it is in, as far as this has read. */
  maybeOf(sought: Sought, but: number): readonly number[] {
    return this.#placement.maybeOf(this.#compared(sought), but);
  }

  #compared({ traits, model, vector }: Sought) {
    return { traits, ...(vector !== null && model === this.#model && { vector }) };
  }

  #begin(): void {
    this.#placement = createPlacement<number>();
    this.#last = undefined;
    this.#begunAt = 0;
  }

  /** Reads some of the changes up to one; answers whether there are more. */
  *#readOn(upTo: number, hiding: Hiding): Steps<boolean> {
    if (this.#placement.size > MAX_COMPARED + MAX_MORE) this.#begin();
    if (this.#last === undefined) {
      const before = (yield* changeBefore(MAX_COMPARED)) ?? 0;
      this.#last ??= before;
      this.#begunAt = Math.max(this.#begunAt, upTo);
    }
    const [placement, from] = [this.#placement, this.#last];
    if (from >= upTo) return false;
    const rows = yield* all<ComparedRow>(
      `SELECT ${COLUMNS} FROM gap_questions WHERE traits IS NOT NULL AND change > ? AND change <= ?
       ORDER BY change LIMIT ${READ_TOGETHER}`,
      from,
      upTo,
    );
    const isMore = rows.length === READ_TOGETHER;
    const to = isMore ? (rows.at(-1)?.change ?? upTo) : upTo;
    const changed = to <= this.#begunAt ? [] : yield* changedGaps(Math.max(from, this.#begunAt), to);
    // Somebody else read on meanwhile.
    if (this.#placement !== placement || this.#last !== from) return true;
    this.#last = to;
    const isRead = new Set<number>();
    for (const { id, merged_into: into, questions } of changed) {
      if (into !== null) placement.merge(id, into);
      else {
        isRead.add(id);
        placement.forget(id);
        for (const row of questions) this.#add(row, hiding);
      }
    }
    for (const row of rows) if (!isRead.has(row.gap)) this.#add(row, hiding);
    return isMore;
  }

  #add({ gap, traits: text, question, model, vector }: ComparedRow, hiding: Hiding): void {
    const kept = JSON.parse(text) as Traits;
    // What traits mean has changed since: those whose words are there are read again.
    const isCurrent = kept.version === TRAITS_VERSION || question === null;
    const traits = isCurrent ? kept : hiddenTraits(traitsOf(question), (term) => hiding.term(term));
    const isComparable = vector !== null && model === this.#model;
    this.#placement.add({ gap, traits, ...(isComparable && { vector: floatsOf(vector) }) });
  }
}

/** The numbers in some bytes, which are a part of others where they came from a connection. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

/** The change before those with which the newest so many questions came. */
function* changeBefore(most: number): Steps<number | undefined> {
  const row = yield* get<{ change: number }>(
    "SELECT change FROM gap_questions WHERE traits IS NOT NULL ORDER BY change DESC LIMIT 1 OFFSET ?",
    most,
  );
  return row?.change;
}

/** Gaps that questions left since a change, each with what is compared of it now. */
function* changedGaps(
  from: number,
  to: number,
): Steps<{ id: number; merged_into: number | null; questions: ComparedRow[] }[]> {
  const gaps = yield* all<{ id: number; merged_into: number | null }>(
    "SELECT id, merged_into FROM gaps WHERE change > ? AND change <= ? ORDER BY change",
    from,
    to,
  );
  const found = [];
  for (const gap of gaps) {
    const questions =
      gap.merged_into === null
        ? yield* all<ComparedRow>(
            `SELECT ${COLUMNS} FROM gap_questions WHERE gap = ? AND traits IS NOT NULL ORDER BY id LIMIT ${COMPARED_OF_GAP}`,
            gap.id,
          )
        : [];
    found.push({ ...gap, questions });
  }
  return found;
}

/** The states of those of some gaps that there are. */
function* statesOf(gaps: readonly number[]): Steps<ReadonlyMap<number, string>> {
  const rows = yield* all<{ id: number; state: string }>(
    ofNumbers((among) => `SELECT id, state FROM gaps WHERE id ${among} AND state <> 'merged'`),
    JSON.stringify(gaps),
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}
