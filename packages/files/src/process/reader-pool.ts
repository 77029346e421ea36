import type { ReaderPoolOptions } from "./pool-options.ts";
import { ReadingError } from "./reading-error.ts";
import { ReaderProcess } from "./reader-process.ts";
import { Room } from "./memory-shares.ts";
import { Turns } from "./turns.ts";

/** A file to be read. */
export interface FileToRead {
  readonly bytes: Uint8Array;
  /** Given to `read` as it is; anything that can be JSON. */
  readonly about?: unknown;
  /** Ends the reading at once, as an AbortSignal does: the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time of this file, milliseconds. Default: the pool's. */
  readonly mostMs?: number | undefined;
}

/** A person's place among those who have files read. */
export interface Place {
  /** Has a file read, when it is this person's turn. Rejects with ReadingError. */
  read(file: FileToRead): Promise<unknown>;
  /** Gives the place back. */
  leave(): void;
}

/** Of the memory it may have: a process that has kept more than this is replaced. */
const GROWN = 0.75;

const usual = {
  readers: 2,
  memoryBytes: 208_000_000,
  mostMs: 20_000,
  outputBytes: 16_000_000,
  placesPerPerson: 8,
  bytesPerPerson: 50_000_000,
  bytes: 100_000_000,
  filesPerReader: 200,
  idleMs: 120_000,
};

interface Waiting extends FileToRead {
  readonly person: string;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * A few processes that read strangers' files, and who has the next one. It starts none before there is a file, and keeps
 * no program running.
 */
export class ReaderPool {
  readonly #options: ReaderPoolOptions & typeof usual;
  readonly #perPerson: number;
  readonly #room: Room;
  readonly #turns = new Turns<Waiting>();
  readonly #reading = new Map<ReaderProcess, string>();
  readonly #idle = new Map<ReaderProcess, NodeJS.Timeout>();
  #closed = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = { ...usual, ...options };
    const { readers, readersPerPerson } = this.#options;
    this.#perPerson = readersPerPerson ?? Math.max(1, readers - 1);
    this.#room = new Room(this.#options);
  }

  /**
   * Takes a place, before anything of the file is in memory. Throws ReadingError `crowded` where this person has too much
   * waiting, and `full` where all have.
   * @param bytes what will be held in memory until the place is left. Default 0.
   */
  enter(person: string, bytes = 0): Place {
    if (this.#closed) throw new ReadingError("closed");
    const leave = this.#room.take(person, bytes);
    return { read: (file) => this.#read(person, file), leave };
  }

  /** Ends all processes; what is being read, or waits, is rejected with ReadingError `closed`. */
  close(): void {
    this.#closed = true;
    for (const { reject } of this.#turns.clear()) reject(new ReadingError("closed"));
    for (const reader of [...this.#reading.keys(), ...this.#idle.keys()]) reader.end("closed");
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
  }

  async #read(person: string, file: FileToRead): Promise<unknown> {
    file.signal?.throwIfAborted();
    if (this.#closed) throw new ReadingError("closed");
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const waiting: Waiting = { ...file, person, resolve, reject };
    const stop = (): void => {
      this.#turns.remove(person, waiting);
      reject(file.signal?.reason);
    };
    file.signal?.addEventListener("abort", stop, { once: true });
    this.#turns.add(person, waiting);
    this.#next();
    return promise.finally(() => file.signal?.removeEventListener("abort", stop));
  }

  /** Gives whoever is next a reader, as long as there is one. */
  #next(): void {
    while (!this.#closed && this.#reading.size < this.#options.readers) {
      const waiting = this.#turns.next((person) => this.#countOf(person) < this.#perPerson);
      if (waiting === undefined) return;
      void this.#readWith(this.#reader(), waiting);
    }
  }

  #countOf(person: string): number {
    return [...this.#reading.values()].filter((one) => one === person).length;
  }

  /** A process that rests, or a new one. */
  #reader(): ReaderProcess {
    for (const [reader, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(reader);
      if (reader.isAlive) return reader;
    }
    return new ReaderProcess(this.#options);
  }

  async #readWith(reader: ReaderProcess, waiting: Waiting): Promise<void> {
    const { person, bytes, about, signal, mostMs = this.#options.mostMs } = waiting;
    this.#reading.set(reader, person);
    try {
      waiting.resolve(await reader.read(bytes, { about: about ?? null, mostMs }, signal));
    } catch (error) {
      waiting.reject(error);
    } finally {
      this.#reading.delete(reader);
      this.#rest(reader);
      this.#next();
    }
  }

  /** A reader that has had its time, or has grown, is ended. */
  #rest(reader: ReaderProcess): void {
    const { memoryBytes, filesPerReader, idleMs } = this.#options;
    if (!reader.isAlive) return;
    if (this.#closed || reader.files >= filesPerReader || reader.resident > memoryBytes * GROWN) {
      reader.end("closed");
      return;
    }
    const timer = setTimeout(() => {
      this.#idle.delete(reader);
      reader.end("closed");
    }, idleMs);
    timer.unref();
    this.#idle.set(reader, timer);
  }
}
