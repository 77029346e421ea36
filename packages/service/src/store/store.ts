import type { Steps } from "./steps.ts";

/** The truth: what is known of documents, keys, conversations and files, in one database. */
export interface Store {
  /** Looks something up. What several statements give may be of different moments. */
  read<Result>(steps: Steps<Result>): Promise<Result>;
  /** Does something in one transaction. It is on the disk when this resolves; when it rejects, nothing of it is kept. */
  write<Result>(steps: () => Steps<Result>): Promise<Result>;
  /** As `write`, for what takes things out or ends what was begun: with the room that is kept back on a full disk. */
  makeRoom<Result>(steps: () => Steps<Result>): Promise<Result>;
}
