import { FileRefusedError } from "../../refusal.ts";
import { archiveBytes, unpack, unpacked, type ZipEntry, zipEntries } from "./zip.ts";
import { type XmlHandler, XmlReading } from "./xml.ts";

/** Bytes unpacked of one archive, all its parts together (docs/threats.md, T26). */
const MAX_UNPACKED = 60_000_000;
/** Bytes that are unpacked besides, to see what stands behind them. */
const MAX_PASSED = 100_000_000;
/** Bytes of a part that is read as a whole. */
const MAX_PART = 20_000_000;

/**
 * A ZIP archive of parts that belong together. A part is unpacked when it is read, piece by piece, and all of them no
 * further than 60 MB together. What is damaged, protected or larger ends as FileRefusedError.
 */
export class Archive {
  readonly file: string;
  readonly #entries = new Map<string, ZipEntry>();
  #left = MAX_UNPACKED;
  #leftToPass = MAX_PASSED;

  /** @param file its name, for what is said of it */
  constructor(bytes: Uint8Array, file: string) {
    this.file = file;
    const entries = zipEntries(archiveBytes(bytes));
    if (entries === undefined) throw new FileRefusedError("damaged", file);
    if (entries === "too many") throw new FileRefusedError("too-large", file, { detail: "it has over 10,000 parts" });
    for (const entry of entries) this.#entries.set(keyOf(entry.name), entry);
  }

  has(part: string): boolean {
    return this.#entries.has(keyOf(part));
  }

  /** Names of its parts, as they are compared: lower case. */
  names(): string[] {
    return [...this.#entries.keys()];
  }

  /** A part's bytes; undefined: there is none of that name. */
  async bytes(part: string): Promise<Uint8Array | undefined> {
    const entry = this.#entry(part);
    if (entry === undefined) return undefined;
    const isLast = this.#left < MAX_PART;
    const bytes = await this.#sound(() => unpack(entry, isLast ? this.#left : MAX_PART));
    if (bytes === undefined)
      throw this.#tooLarge(isLast ? "it unfolds to over 60 MB" : "a part of it unfolds to over 20 MB");
    this.#left -= bytes.length;
    return bytes;
  }

  /** Reads a part that is XML. @returns whether it is there and was read to its end */
  async read(part: string, handler: XmlHandler): Promise<boolean> {
    const entry = this.#entry(part);
    if (entry === undefined) return false;
    const reading = new XmlReading(handler);
    return await this.#sound(async () => {
      for await (const piece of unpacked(entry)) {
        this.#left -= piece.length;
        if (this.#left < 0) throw this.#tooLarge();
        if (!reading.write(piece)) return false;
      }
      reading.end();
      return true;
    });
  }

  /**
   * Reads what of a part that is XML stands behind a mark, which is cheaper than reading all of it. Of parts that are too
   * large for that, nothing is read. @param mark at most 100 characters long
   */
  async readBehind(part: string, mark: RegExp, handler: XmlHandler): Promise<void> {
    const entry = this.#entry(part);
    if (entry === undefined) return;
    const reading = new XmlReading(handler);
    const decoder = new TextDecoder();
    let before = "";
    let found = false;
    await this.#sound(async () => {
      for await (const piece of unpacked(entry)) {
        this.#leftToPass -= piece.length;
        if (this.#leftToPass < 0) return;
        const text = before + decoder.decode(piece, { stream: true });
        const at = found ? 0 : text.search(mark);
        found = at !== -1;
        before = found ? "" : text.slice(-100);
        if (found) reading.writeText(text.slice(at));
      }
    });
  }

  #entry(part: string): ZipEntry | undefined {
    const entry = this.#entries.get(keyOf(part));
    if (entry?.encrypted === true) throw new FileRefusedError("encrypted", this.file);
    return entry;
  }

  async #sound<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof FileRefusedError ? error : new FileRefusedError("damaged", this.file, { cause: error });
    }
  }

  #tooLarge(detail = "it unfolds to over 60 MB"): FileRefusedError {
    return new FileRefusedError("too-large", this.file, { detail });
  }
}

/** Programs disagree about letters, a slash in front, and which slash. */
const keyOf = (name: string): string => name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

/** Where a reference leads that stands in a part: from its folder, or from the archive's root. */
export function partAt(reference: string, from: string): string {
  const path = reference.startsWith("/") ? reference : `${from.slice(0, from.lastIndexOf("/") + 1)}${reference}`;
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}
