/** A set of passages: a bit for each id. */
export class Bitmap {
  #words: Uint32Array;

  /** @param ids up to which there is room; it grows as ids are added */
  constructor(ids = 0) {
    this.#words = new Uint32Array((ids >>> 5) + 1);
  }

  /** All ids below `end`, but for 0, which nothing has. */
  static upTo(end: number): Bitmap {
    const all = new Bitmap(end);
    all.#words.fill(0xffffffff, 0, end >>> 5);
    all.#words[end >>> 5] = (1 << (end & 31)) - 1;
    all.delete(0);
    return all;
  }

  /** The bits, 32 ids a word; what lies behind them is not set. */
  get words(): Uint32Array {
    return this.#words;
  }

  has(id: number): boolean {
    return (((this.#words[id >>> 5] ?? 0) >>> (id & 31)) & 1) === 1;
  }

  /** In ascending order. */
  *ids(): Generator<number> {
    for (const [at, word] of this.words.entries()) {
      for (let left = word; left !== 0; left &= left - 1) yield at * 32 + 31 - Math.clz32(left & -left);
    }
  }

  add(id: number): void {
    const word = id >>> 5;
    if (word >= this.#words.length) this.#grow(word + 1);
    this.#words[word] = (this.#words[word] as number) | (1 << (id & 31));
  }

  delete(id: number): void {
    const word = id >>> 5;
    if (word < this.#words.length) this.#words[word] = (this.#words[word] as number) & ~(1 << (id & 31));
  }

  /** What is in both: one of them itself where it is the other one. */
  and(other: Bitmap): Bitmap {
    if (other === this) return this;
    const both = new Bitmap();
    const [one, two] = [this.#words, other.#words];
    const words = new Uint32Array(Math.min(one.length, two.length));
    for (let at = 0; at < words.length; at++) words[at] = (one[at] as number) & (two[at] as number);
    both.#words = words;
    return both;
  }

  /** Takes in what another one holds. */
  addAll(other: Bitmap): void {
    const more = other.#words;
    if (more.length > this.#words.length) this.#grow(more.length);
    const words = this.#words;
    for (let at = 0; at < more.length; at++) words[at] = (words[at] as number) | (more[at] as number);
  }

  /** Takes out what bytes of bits, the lowest first, stand for: ids from `first` on. */
  deleteAll(bits: Uint8Array, first: number): void {
    for (const [place, byte] of bits.entries()) {
      for (let bit = 0; bit < 8; bit++) if ((byte >>> bit) & 1) this.delete(first + place * 8 + bit);
    }
  }

  /** Whether it holds any id from `from` on and before `to`. */
  hasAny(from: number, to: number): boolean {
    return anyBetween(this.#words, from, to);
  }

  /** How many there are. */
  get size(): number {
    return this.sizeWithin(this);
  }

  /** How many of them another one holds as well. */
  sizeWithin(other: Bitmap): number {
    const [one, two] = [this.#words, other.#words];
    const length = Math.min(one.length, two.length);
    let size = 0;
    for (let at = 0; at < length; at++) {
      const word = (one[at] as number) & (two[at] as number);
      let bits = word - ((word >>> 1) & 0x55555555);
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      size += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return size;
  }

  #grow(words: number): void {
    const grown = new Uint32Array(Math.max(words, this.#words.length * 2));
    grown.set(this.#words);
    this.#words = grown;
  }
}

/** Whether any bit is set from `from` on and before `to`, the lowest of each word first. */
export function anyBetween(words: Uint32Array, from: number, to: number): boolean {
  const end = Math.min(to, words.length * 32);
  if (from >= end) return false;
  const [first, last] = [from >>> 5, (end - 1) >>> 5];
  const head = ~0 << (from & 31);
  const tail = ~0 >>> (31 - ((end - 1) & 31));
  if (first === last) return ((words[first] as number) & head & tail) !== 0;
  if (((words[first] as number) & head) !== 0) return true;
  for (let at = first + 1; at < last; at++) if (words[at] !== 0) return true;
  return ((words[last] as number) & tail) !== 0;
}
