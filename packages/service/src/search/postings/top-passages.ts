import { anyBetween, type Bitmap } from "./bitmap.ts";
import { type BlockRoom, blockRoom, decodeBlock, type PostingsList } from "./postings.ts";

/** A term that is searched for. */
export interface WeighedList {
  readonly list: PostingsList;
  /** What an impact of 1 counts: a whole number. */
  readonly weight: number;
}

/** A passage, and the sum of what its terms count. */
export interface Scored {
  readonly id: number;
  readonly sum: number;
}

/** Ids that are ranked together: what is summed up for so many stays in the processor's cache. */
const WINDOW_BITS = 14;
const WINDOW = 1 << WINDOW_BITS;

/** A term's blocks in one window. */
interface Part {
  readonly list: PostingsList;
  readonly weight: number;
  /** The first block that may hold ids of the window, and the first behind it. */
  readonly from: number;
  readonly to: number;
  /** The most the term can count there. */
  readonly most: number;
}

/**
 * The best `limit` of the allowed passages, best first: those whose weighed impacts sum up to most; of equals the newest.
 * Exact: goes through the ids by windows, the newest first, and leaves out what cannot come among the best any more
 * (MaxScore with the blocks' maxima).
 * @param pause called between windows; what it throws ends the search
 */
export function topPassages(
  lists: readonly WeighedList[],
  allowed: Bitmap,
  limit: number,
  pause: () => void = () => undefined,
): readonly Scored[] {
  const best = new Best(limit);
  const window = new Window(allowed.words);
  const end = lists.reduce((most, { list }) => Math.max(most, list.end), 0);
  for (let index = Math.ceil(Math.min(end, allowed.words.length * 32) / WINDOW) - 1; index >= 0; index--) {
    const parts = partsOf(lists, index * WINDOW);
    if (parts.length === 0) continue;
    pause();
    window.rank(parts, index * WINDOW, best);
  }
  return best.sorted();
}

function partsOf(lists: readonly WeighedList[], low: number): Part[] {
  const parts: Part[] = [];
  for (const { list, weight } of lists) {
    const { firsts, most } = list;
    if (list.end <= low) continue;
    const to = firstFrom(firsts, low + WINDOW);
    // A block that begins before the window may reach into it.
    const from = Math.max(0, firstFrom(firsts, low + 1) - 1);
    let largest = 0;
    for (let block = from; block < to; block++) largest = Math.max(largest, most[block] as number);
    if (to > from) parts.push({ list, weight, from, to, most: largest * weight });
  }
  return parts.toSorted((one, other) => one.most - other.most);
}

/** The index of the first number that is at least `least`, in ascending numbers. */
function firstFrom(numbers: Uint32Array, least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sums of one window after the other. */
class Window {
  readonly #allowed: Uint32Array;
  readonly #sums = new Int32Array(WINDOW);
  /** Offsets of what has a sum. */
  readonly #touched = new Uint16Array(WINDOW);
  readonly #left = new Uint16Array(WINDOW);
  readonly #room: BlockRoom = blockRoom();

  constructor(allowed: Uint32Array) {
    this.#allowed = allowed;
  }

  /** @param parts those that can count least first */
  rank(parts: readonly Part[], low: number, best: Best): void {
    // What can be had from the first so many parts together.
    const upTo = [0];
    for (const { most } of parts) upTo.push((upTo.at(-1) as number) + most);
    let optional = 0;
    while (optional < parts.length && (upTo[optional + 1] as number) <= best.least) optional++;
    if (optional === parts.length) return;
    let touched = 0;
    for (let index = optional; index < parts.length; index++) touched = this.#add(parts[index] as Part, low, touched);
    let candidates = this.#candidates(touched, low, best.least - (upTo[optional] as number));
    for (let index = optional - 1; index >= 0 && candidates.length > 0; index--) {
      this.#addTo(candidates, parts[index] as Part, low);
      candidates = this.#above(candidates, best.least - (upTo[index] as number));
    }
    // The newest first: of equals they stay.
    for (let index = candidates.length - 1; index >= 0; index--) {
      const offset = candidates[index] as number;
      const sum = this.#sums[offset] as number;
      if (sum > best.least) best.offer(low + offset, sum);
    }
    for (let index = 0; index < touched; index++) this.#sums[this.#touched[index] as number] = 0;
  }

  /** Adds a part to the sums; answers how many have one now. */
  #add({ list, weight, from, to }: Part, low: number, before: number): number {
    const [sums, touched, room, allowed] = [this.#sums, this.#touched, this.#room, this.#allowed];
    const { ids, impacts } = room;
    let count = before;
    for (let block = from; block < to; block++) {
      // What holds nothing that is allowed is not read: the rest is left out among the candidates.
      const behind = block + 1 < list.firsts.length ? (list.firsts[block + 1] as number) : list.end;
      if (!anyBetween(allowed, list.firsts[block] as number, behind)) continue;
      const length = decodeBlock(list.bytes, list.places[block] as number, room);
      for (let index = 0; index < length; index++) {
        const offset = (ids[index] as number) - low;
        if (offset < 0 || offset >= WINDOW) continue;
        const sum = sums[offset] as number;
        if (sum === 0) touched[count++] = offset;
        sums[offset] = sum + (impacts[index] as number) * weight;
      }
    }
    return count;
  }

  /** What is allowed and has more than `least`, in ascending order. */
  #candidates(touched: number, low: number, least: number): Uint16Array {
    const [sums, allowed, left] = [this.#sums, this.#allowed, this.#left];
    let count = 0;
    for (let index = 0; index < touched; index++) {
      const offset = this.#touched[index] as number;
      if ((sums[offset] as number) <= least) continue;
      const id = low + offset;
      if ((((allowed[id >>> 5] ?? 0) >>> (id & 31)) & 1) === 1) left[count++] = offset;
    }
    return left.subarray(0, count).toSorted();
  }

  /** Those that still have more than `least`, in the place of all. */
  #above(candidates: Uint16Array, least: number): Uint16Array {
    let count = 0;
    for (const offset of candidates) if ((this.#sums[offset] as number) > least) candidates[count++] = offset;
    return candidates.subarray(0, count);
  }

  /** Adds a part to the sums of some; blocks that hold none of them are not read. */
  #addTo(candidates: Uint16Array, { list, weight, from, to }: Part, low: number): void {
    const { ids, impacts } = this.#room;
    let next = 0;
    for (let block = from; block < to && next < candidates.length; block++) {
      const behind = block + 1 < list.firsts.length ? (list.firsts[block + 1] as number) - low : WINDOW;
      const begin = (list.firsts[block] as number) - low;
      while (next < candidates.length && (candidates[next] as number) < begin) next++;
      if (next === candidates.length || (candidates[next] as number) >= behind) continue;
      const length = decodeBlock(list.bytes, list.places[block] as number, this.#room);
      for (let index = 0; next < candidates.length && index < length;) {
        const offset = (ids[index] as number) - low;
        const wanted = candidates[next] as number;
        if (offset < wanted) index++;
        else if (offset > wanted) next++;
        else {
          this.#sums[offset] = (this.#sums[offset] as number) + (impacts[index] as number) * weight;
          index++;
          next++;
        }
      }
    }
  }
}

/** The best so many: a heap with the worst of them on top. */
class Best {
  readonly #limit: number;
  readonly #heap: Scored[] = [];
  /** What a sum must be larger than. */
  least = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(id: number, sum: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push({ id, sum });
      this.#rise(heap.length - 1);
    } else {
      heap[0] = { id, sum };
      this.#sink();
    }
    if (heap.length === this.#limit) this.least = (heap[0] as Scored).sum;
  }

  sorted(): readonly Scored[] {
    return this.#heap.toSorted((one, other) => (isWorse(one, other) ? 1 : -1));
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0;) {
      const above = (at - 1) >>> 1;
      if (!isWorse(heap[at] as Scored, heap[above] as Scored)) return;
      [heap[at], heap[above]] = [heap[above] as Scored, heap[at] as Scored];
      at = above;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ;) {
      let worst = at;
      for (const below of [at * 2 + 1, at * 2 + 2]) {
        if (below < heap.length && isWorse(heap[below] as Scored, heap[worst] as Scored)) worst = below;
      }
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst] as Scored, heap[at] as Scored];
      at = worst;
    }
  }
}

function isWorse(one: Scored, other: Scored): boolean {
  return one.sum < other.sum || (one.sum === other.sum && one.id < other.id);
}
