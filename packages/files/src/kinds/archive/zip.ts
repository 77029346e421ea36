/** A file within a ZIP archive, as the archive's directory lists it. */
export interface ZipEntry {
  readonly name: string;
  readonly encrypted: boolean;
  /** Its bytes as they stand in the archive. */
  readonly packed: Uint8Array<ArrayBuffer>;
  /** 0: stored, 8: deflated. */
  readonly method: number;
}

const DIRECTORY_END = 0x06_05_4b_50;
const LARGE_DIRECTORY_END = 0x06_06_4b_50;
const LARGE_DIRECTORY_PLACE = 0x07_06_4b_50;
const DIRECTORY_ENTRY = 0x02_01_4b_50;
const LOCAL_ENTRY = 0x04_03_4b_50;
/** The end's own length, and the longest comment behind it. */
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const MAX_ENTRIES = 10_000;
/** Stands where a number has more than 32 bits and is found elsewhere (ZIP64). */
const ELSEWHERE = 0xff_ff_ff_ff;
/** The extra field that holds such numbers. */
const LARGE_NUMBERS = 1;

/** The entries of a ZIP archive; undefined where it has no sound directory. Beyond 10,000 of them, none is looked at. */
export function zipEntries(bytes: Uint8Array<ArrayBuffer>): ZipEntry[] | "too many" | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const directory = directoryOf(view);
    if (directory === undefined) return undefined;
    if (directory.count > MAX_ENTRIES) return "too many";
    const entries: ZipEntry[] = [];
    let { at } = directory;
    for (let index = 0; index < directory.count; index++) {
      if (view.getUint32(at, true) !== DIRECTORY_ENTRY) return undefined;
      const [nameLength = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
      const { length, local } = placeOf(view, at, at + 46 + nameLength, extra);
      if (view.getUint32(local, true) !== LOCAL_ENTRY) return undefined;
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      entries.push({
        name,
        encrypted: (view.getUint16(at + 8, true) & 1) === 1,
        packed: bytes.subarray(start, start + length),
        method: view.getUint16(at + 10, true),
      });
      at += 46 + nameLength + extra + comment;
    }
    return entries;
  } catch (error) {
    // A number that points beyond the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** How many entries there are, and where the first is described. */
function directoryOf(view: DataView): { count: number; at: number } | undefined {
  const end = endOf(view);
  if (end === undefined) return undefined;
  const place = end - 20;
  if (place < 0 || view.getUint32(place, true) !== LARGE_DIRECTORY_PLACE) {
    return { count: view.getUint16(end + 10, true), at: view.getUint32(end + 16, true) };
  }
  const large = largeNumber(view, place + 8);
  if (view.getUint32(large, true) !== LARGE_DIRECTORY_END) return undefined;
  return { count: largeNumber(view, large + 32), at: largeNumber(view, large + 48) };
}

/** How long an entry is, packed, and where it begins. @param extras where its extra fields begin, and how long they are */
function placeOf(view: DataView, entry: number, extras: number, extrasLength: number) {
  let length = view.getUint32(entry + 20, true);
  let local = view.getUint32(entry + 42, true);
  for (let at = extras; at + 4 <= extras + extrasLength; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== LARGE_NUMBERS) continue;
    // Only those are there that were too large, in this order.
    let next = at + 4 + (view.getUint32(entry + 24, true) === ELSEWHERE ? 8 : 0);
    if (length === ELSEWHERE) {
      length = largeNumber(view, next);
      next += 8;
    }
    if (local === ELSEWHERE) local = largeNumber(view, next);
    break;
  }
  return { length, local };
}

const largeNumber = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

function endOf(view: DataView): number | undefined {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (view.getUint32(at, true) === DIRECTORY_END) return at;
  }
  return undefined;
}

/**
 * An entry's bytes, unpacked no further than `most`; undefined when there are more. What the archive says about their
 * number is not believed. Throws TypeError when they are damaged.
 */
export async function unpack(entry: ZipEntry, most: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const piece of unpacked(entry)) {
    length += piece.length;
    if (length > most) return undefined;
    pieces.push(piece);
  }
  return pieces.length === 1 ? pieces[0] : new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** An entry's bytes, one piece after the other, each unpacked when it is asked for. Throws TypeError when they are damaged. */
export async function* unpacked({
  packed,
  method,
}: ZipEntry): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  if (method === 0) {
    yield packed;
    return;
  }
  if (method !== 8) throw new TypeError(`Packed by method ${method}, which nobody uses.`);
  const reader = inSteps(packed).pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Where whoever asks has enough.
    await reader.cancel().catch(() => undefined);
  }
}

/** Bytes that are given to be unpacked at one time. */
const STEP = 65_536;

/** Bytes as a stream, without a copy of all of them. */
function inSteps(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + STEP));
      else controller.close();
      at += STEP;
    },
  });
}

/** Bytes as archives are read: as they are, but for those that several threads share. */
export function archiveBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isUnshared(bytes) ? bytes : new Uint8Array(bytes);
}

const isUnshared = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer;
