import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Size of the file, bytes, where the disk has room for it: what taking out a large document writes before it frees any. */
const LARGEST = 2 * 1024 * 1024;
/** A smaller one would help nobody. */
const SMALLEST = 256 * 1024;
/** Part of the free room that is taken for it at the most. */
const SHARE = 1 / 4;
/** Room that must be left beside it before it is made again, bytes. */
const SPARE = 1024 * 1024;

/**
 * A file beside a database that holds nothing but room. On a disk that is full it is given up, so that what makes room
 * can be written; it is made again once there is some. It stays when the service ends: a start needs some room, too.
 */
export class Ballast {
  readonly #path: string;
  readonly #folder: string;

  constructor(database: string) {
    this.#path = `${database}.ballast`;
    this.#folder = dirname(database);
  }

  /** Makes its room free. Answers whether there was any to give. */
  give(): boolean {
    const there = existsSync(this.#path);
    rmSync(this.#path, { force: true });
    return there;
  }

  /** Makes the file again, where it is missing and the disk has room for it and `spare` bytes besides. */
  restore(spare: number = SPARE): void {
    if (existsSync(this.#path)) return;
    const free = freeBytes(this.#folder);
    const size = Math.min(LARGEST, Math.floor(free * SHARE));
    if (size < SMALLEST || free - size < spare) return;
    try {
      // Not zeros: some file systems keep those for nothing, and give nothing back.
      writeFileSync(this.#path, randomBytes(size), { mode: 0o600 });
    } catch {
      rmSync(this.#path, { force: true });
    }
  }
}

/** Bytes that can still be written to the disk of a folder; without an answer, as many as anybody wants. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
