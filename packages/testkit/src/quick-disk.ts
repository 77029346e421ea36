import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** The file system in memory that Linux has. */
const SHARED_MEMORY = "/dev/shm";
/** Room it has to have, bytes: containers are given 64 MB unless somebody asks for more. */
const LEAST_BYTES = 2_000_000_000;

/**
 * The folder in which tests make folders for databases: in memory, where the machine has room there, else the usual one. A
 * database waits for its disk at every commit, and no test can tell whether it did: what is on a disk survives the death of
 * every process here and there alike.
 */
export function quickDisk(): string {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= LEAST_BYTES ? SHARED_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
