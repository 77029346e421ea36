/** Strangers' files, read in processes of their own that have a limit. For Node only. */
export {
  createReaderPool,
  type FileToRead,
  type Place,
  type ReaderPool,
  type ReaderPoolOptions,
} from "./process/reader-pool.ts";
export { ReadingError, type ReadingFailure } from "./process/reading-error.ts";
