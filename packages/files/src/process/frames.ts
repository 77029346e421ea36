/**
 * What goes between the pool and a reader. To the reader: two lengths, a JSON head, the file's bytes. From it: one length,
 * a JSON value. Lengths are four bytes each, little-endian.
 */

/** What a reader is told about a file. */
export interface RequestHead {
  /** Given to the reader module as it is. */
  readonly about: unknown;
  /** Time it has, milliseconds. */
  readonly mostMs: number;
}

/** What a reader says: that it can begin, or how reading went. */
export interface ReaderReply {
  /** It is ready for its first file: the memory the operating system counts as its data, kilobytes; 0: not known. */
  readonly ready?: number;
  /** What the reader module answered. */
  readonly answer?: unknown;
  /** What the reader module threw instead. */
  readonly failed?: string;
  /** No memory was left for something large. */
  readonly memory?: boolean;
  /** The answer is larger than allowed, and was left out. */
  readonly output?: boolean;
  /** Bytes of it that are in memory now. */
  readonly resident?: number;
}

/** Bytes in front of a head. */
export const REQUEST_START = 8;
/** Bytes in front of a reply. */
const REPLY_START = 4;

/** A value as it goes between the two, behind its length and what else is to be told in numbers. */
export function framed(value: RequestHead | ReaderReply, ...numbers: number[]): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  const start = Buffer.alloc(4 * (1 + numbers.length));
  for (const [at, number] of [text.length, ...numbers].entries()) start.writeUInt32LE(number, 4 * at);
  return Buffer.concat([start, text]);
}

/** Puts the replies of one reader together again, however they are cut. */
export class ReplyCollector {
  readonly #most: number;
  #chunks: Buffer[] = [];
  #length = 0;

  /** @param most bytes of one reply; more is `"too-long"` */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The reply that these bytes complete, if they do. A reader says nothing before it is asked, so there is one at most.
   * Throws for what no reader says.
   */
  add(chunk: Buffer): ReaderReply | "too-long" | undefined {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length > this.#most + REPLY_START) return "too-long";
    if (this.#length < REPLY_START) return undefined;
    const [first] = this.#chunks;
    if (first === undefined || first.length < REPLY_START) this.#chunks = [Buffer.concat(this.#chunks)];
    const expected = this.#chunks[0]?.readUInt32LE(0) ?? 0;
    if (expected > this.#most) return "too-long";
    if (this.#length < expected + REPLY_START) return undefined;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
    // It was made of a file by somebody else's program: whatever it is, it is a value or an error here.
    const reply: unknown = JSON.parse(whole.toString("utf8", REPLY_START, REPLY_START + expected));
    if (isReply(reply)) return reply;
    throw new TypeError("This is no reply.");
  }
}

function isReply(value: unknown): value is ReaderReply {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { ready = 0, resident = 0, failed = "" }: Partial<Record<keyof ReaderReply, unknown>> = value;
  return Number.isFinite(ready) && Number.isFinite(resident) && typeof failed === "string";
}
