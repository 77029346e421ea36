/** Entries there is room for at first; a power of two. */
const ROOM = 4_096;

/**
 * Numbers stretches of texts: equal ones have the same number, from 0 on. As a map of strings does, but without making a
 * string of every word that is read: that takes longer than everything else that is done with most of them.
 */
export class Stretches {
  /** Numbers by hash, open addressing, never more than half full; -1: nothing there. */
  #slots = new Int32Array(ROOM * 2).fill(-1);
  /** By number: its hash, and where its characters stand; behind the last, where the next will. */
  #hashes = new Int32Array(ROOM);
  #places = new Int32Array(ROOM + 1);
  #characters = new Uint16Array(ROOM * 8);
  #size = 0;

  /** How many there are: the number that the next new one gets. */
  get size(): number {
    return this.#size;
  }

  /** The number of a stretch, a new one where it was not met before. */
  numberOf(text: string, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    hash ^= hash >>> 15;
    const [slots, hashes] = [this.#slots, this.#hashes];
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let number = slots[slot] as number; number !== -1; number = slots[slot] as number) {
      if (hashes[number] === hash && this.#is(number, text, start, end)) return number;
      slot = (slot + 1) & mask;
    }
    return this.#add(slot, hash, text, start, end);
  }

  /** What a number stands for. */
  textOf(number: number): string {
    const [from, to] = [this.#places[number] as number, this.#places[number + 1] as number];
    return String.fromCharCode(...this.#characters.subarray(from, to));
  }

  #is(number: number, text: string, start: number, end: number): boolean {
    const [characters, from] = [this.#characters, this.#places[number] as number];
    if ((this.#places[number + 1] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (characters[from + at - start] !== text.charCodeAt(at)) return false;
    return true;
  }

  #add(slot: number, hash: number, text: string, start: number, end: number): number {
    const number = this.#size++;
    const from = this.#places[number] as number;
    const to = from + end - start;
    while (to > this.#characters.length) this.#characters = grown(this.#characters);
    for (let at = start; at < end; at++) this.#characters[from + at - start] = text.charCodeAt(at);
    this.#hashes[number] = hash;
    this.#places[number + 1] = to;
    this.#slots[slot] = number;
    if (this.#size === this.#hashes.length) this.#grow();
    return number;
  }

  #grow(): void {
    this.#hashes = grown(this.#hashes);
    const places = new Int32Array(this.#hashes.length + 1);
    places.set(this.#places);
    this.#places = places;
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = (this.#hashes[number] as number) & mask;
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}

function grown<Numbers extends Int32Array | Uint16Array>(numbers: Numbers): Numbers {
  const more = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2);
  more.set(numbers);
  return more;
}
