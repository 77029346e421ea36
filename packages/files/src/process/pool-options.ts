/** How files are read. */
export interface ReaderPoolOptions {
  /**
   * A module that exports `read(bytes, about)`, which answers a value that can be JSON, at once or later. It runs in the
   * readers, is loaded once in each, and sees no environment variables. What it throws ends as `failed`.
   */
  readonly reader: URL;
  /** Processes at one time; each is started when it is first needed. Default 2. */
  readonly readers?: number;
  /** Processes one person has at one time, so that nobody has all of them. Default: one less than all, at least 1. */
  readonly readersPerPerson?: number;
  /** Memory of one process, its program included, bytes. Default 208 MB. */
  readonly memoryBytes?: number;
  /** Time of one file, milliseconds, from when a reader has it. Default 20,000. */
  readonly mostMs?: number;
  /** Largest answer, bytes of JSON. Default 16 MB. */
  readonly outputBytes?: number;
  /** Places of one person, waiting or being read. Default 8. */
  readonly placesPerPerson?: number;
  /** Bytes that are held for one person. A single file may always come. Default 50 MB. */
  readonly bytesPerPerson?: number;
  /** Bytes that are held for everybody. A single file may always come. Default 100 MB. */
  readonly bytes?: number;
  /** Files after which a process is replaced. Default 200. */
  readonly filesPerReader?: number;
  /** Rest after which a process is ended, milliseconds. Default two minutes. */
  readonly idleMs?: number;
}
