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
const DIRECTORY_ENTRY = 0x02_01_4b_50;
const LOCAL_ENTRY = 0x04_03_4b_50;
/** The end's own length, and the longest comment behind it. */
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const MAX_ENTRIES = 10_000;

/** The entries of a ZIP archive; undefined where it has no sound directory, or more than 10,000 entries. */
export function zipEntries(bytes: Uint8Array<ArrayBuffer>): ZipEntry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const end = endOf(view);
    if (end === undefined) return undefined;
    const count = view.getUint16(end + 10, true);
    if (count > MAX_ENTRIES) return undefined;
    const entries: ZipEntry[] = [];
    let at = view.getUint32(end + 16, true);
    for (let index = 0; index < count; index++) {
      if (view.getUint32(at, true) !== DIRECTORY_ENTRY) return undefined;
      const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + (nameLength ?? 0)));
      const local = view.getUint32(at + 42, true);
      if (view.getUint32(local, true) !== LOCAL_ENTRY) return undefined;
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      entries.push({
        name,
        encrypted: (view.getUint16(at + 8, true) & 1) === 1,
        packed: bytes.subarray(start, start + view.getUint32(at + 20, true)),
        method: view.getUint16(at + 10, true),
      });
      at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
    }
    return entries;
  } catch (error) {
    // A number that points beyond the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

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
export async function unpack({ packed, method }: ZipEntry, most: number): Promise<Uint8Array | undefined> {
  if (method === 0) return packed.length > most ? undefined : packed;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > most) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
}
