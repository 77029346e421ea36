/**
 * A term's postings: which passages hold it, and how much it says about each, in blocks. A block is its first id (four
 * bytes), the number of postings less one, their largest impact, the length of the steps (two bytes), the steps from id to
 * id (seven bits a byte, the high bit says that more follow), and an impact for each. Blocks stand one behind the other.
 */

/** Postings of a full block: few enough that one step is skipped cheaply, so many that its head weighs little. */
export const BLOCK = 128;
const HEAD = 8;

/** Postings in the order of their ids. */
export interface Postings {
  readonly ids: Uint32Array;
  readonly impacts: Uint8Array;
  readonly length: number;
}

/** Blocks of postings from a place on: full ones, and behind them one with what is left. */
export function encodePostings({ ids, impacts, length }: Postings, from = 0): Uint8Array {
  // A step takes at most five bytes.
  const bytes = new Uint8Array((length - from) * 6 + (Math.ceil((length - from) / BLOCK) + 1) * HEAD);
  let at = 0;
  for (let start = from; start < length; start += BLOCK) {
    const end = Math.min(start + BLOCK, length);
    let previous = ids[start] as number;
    let body = at + HEAD;
    let most = 0;
    for (let index = start; index < end; index++) {
      const id = ids[index] as number;
      if (index > start) {
        let step = id - previous;
        while (step > 0x7f) {
          bytes[body++] = (step & 0x7f) | 0x80;
          step >>>= 7;
        }
        bytes[body++] = step;
      }
      previous = id;
      most = Math.max(most, impacts[index] as number);
    }
    const first = ids[start] as number;
    const steps = body - at - HEAD;
    bytes[at] = first;
    bytes[at + 1] = first >>> 8;
    bytes[at + 2] = first >>> 16;
    bytes[at + 3] = first >>> 24;
    bytes[at + 4] = end - start - 1;
    bytes[at + 5] = most;
    bytes[at + 6] = steps;
    bytes[at + 7] = steps >>> 8;
    for (let index = start; index < end; index++) bytes[body++] = impacts[index] as number;
    at = body;
  }
  return bytes.slice(0, at);
}

/** How many postings the block at a place has. */
function countAt(bytes: Uint8Array, at: number): number {
  return (bytes[at + 4] as number) + 1;
}

/** Where the block behind the one at a place begins. */
export function blockBehind(bytes: Uint8Array, at: number): number {
  return at + HEAD + ((bytes[at + 6] as number) | ((bytes[at + 7] as number) << 8)) + countAt(bytes, at);
}

/** Room for the postings of one block. */
export interface BlockRoom {
  readonly ids: Uint32Array;
  readonly impacts: Uint8Array;
}

/** Room for the postings of one block. */
export function blockRoom(): BlockRoom {
  return { ids: new Uint32Array(BLOCK), impacts: new Uint8Array(BLOCK) };
}

/** Reads the block at a place into `room`; answers how many postings it has. */
export function decodeBlock(bytes: Uint8Array, at: number, { ids, impacts }: BlockRoom): number {
  const count = countAt(bytes, at);
  let id = firstAt(bytes, at);
  let place = at + HEAD;
  ids[0] = id;
  for (let index = 1; index < count; index++) {
    let byte = bytes[place++] as number;
    let step = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[place++] as number;
      step |= (byte & 0x7f) << shift;
    }
    id += step;
    ids[index] = id;
  }
  for (let index = 0; index < count; index++) impacts[index] = bytes[place++] as number;
  return count;
}

/** The first id of the block at a place. */
function firstAt(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0
  );
}

/** A term's blocks, with what is known of each without reading it. */
export class PostingsList {
  readonly bytes: Uint8Array;
  /** Where each block begins. */
  readonly places: Uint32Array;
  /** Its first id. */
  readonly firsts: Uint32Array;
  /** Its largest impact. */
  readonly most: Uint8Array;
  /** Postings in all of them. */
  readonly length: number;
  /** The id behind the last one. */
  readonly end: number;

  constructor(bytes: Uint8Array) {
    const places: number[] = [];
    let length = 0;
    for (let at = 0; at < bytes.length; at = blockBehind(bytes, at)) {
      places.push(at);
      length += countAt(bytes, at);
    }
    this.bytes = bytes;
    this.length = length;
    this.places = Uint32Array.from(places);
    this.firsts = this.places.map((at) => firstAt(bytes, at));
    this.end = endOf(bytes, places.at(-1));
    this.most = Uint8Array.from(places, (at) => bytes[at + 5] as number);
  }

  /** Bytes of memory it takes. */
  get size(): number {
    return this.bytes.length + this.places.length * 9 + 200;
  }
}

function endOf(bytes: Uint8Array, last: number | undefined): number {
  if (last === undefined) return 0;
  const room = blockRoom();
  return (room.ids[decodeBlock(bytes, last, room) - 1] as number) + 1;
}
