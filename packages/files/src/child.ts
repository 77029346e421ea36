/** Strangers' files, read in processes of their own that have a limit. For Node only. */
export { type FileToRead, type Place, ReaderPool } from "./process/reader-pool.ts";
export { ReadingError, type ReadingFailure } from "./process/reading-error.ts";
export type { ReaderPoolOptions } from "./process/pool-options.ts";
