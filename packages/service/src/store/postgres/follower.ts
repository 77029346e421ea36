import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../log.ts";
import { type Background, type Pace, startBackground } from "../../search/background.ts";
import type { Database } from "../sqlite/database.ts";
import { isOutOfSpace } from "../sqlite/database-error.ts";
import {
  changesAfter,
  copyChanges,
  filesShown,
  lastChangeOfTruth,
  lastCopied,
  outcomesOf,
  tellOutcomes,
  waitingAtTruth,
} from "./copy.ts";
import type { PostgresStore } from "./postgres-store.ts";

/** What follows the truth. */
export interface Follower extends Background {
  /** Milliseconds for which it could not be followed; 0: it is. */
  behindMs(): number;
}

/** So often the truth is asked although nothing was heard: a message can be lost with a connection. */
const LOOK_EVERY_MS = 1_000;
const RETRY_MS = 500;
/** Documents whose outcome is told at once. */
const MAX_TOLD = 1_000;

/**
 * Keeps a machine's copy of the documents beside the truth, and tells the truth what its index has: as soon as the truth
 * says that something changed, once a second in any case, and from the beginning on where the copy is new.
 */
export function startFollower(
  { truth, db, log }: { readonly truth: PostgresStore; readonly db: Database; readonly log: Log },
  {
    whenMoved,
    quiet,
  }: { /** Called when documents were written. */ readonly whenMoved: () => void; readonly quiet: () => Promise<void> },
): Follower {
  let followed = db.perform(lastCopied());
  let followedMark: number | undefined;
  let lastFollowed = performance.now();
  let isToldBehind = false;
  const work = async ({ stopping }: Pace): Promise<void> => {
    const { last, mark } = await truth.read(lastChangeOfTruth(followed));
    const isOther = mark !== null && followedMark !== undefined && mark !== followedMark;
    if (last < followed || isOther) {
      throw new Error(
        "the database was put back to an earlier state: restart this instance, its copy is made anew then",
      );
    }
    while (followed < last && !stopping.aborted) {
      const changes = await truth.read(changesAfter(followed));
      const newest = changes.at(-1);
      // Every number has its change, or a later one has it.
      if (newest === undefined) {
        followed = last;
        followedMark = undefined;
      } else {
        const files = await truth.read(filesShown(changes));
        await quiet();
        db.transaction(() => db.perform(copyChanges(changes, files)));
        followed = newest.change;
        followedMark = newest.mark;
        whenMoved();
      }
    }
    await tell(stopping);
    lastFollowed = performance.now();
    if (isToldBehind) log.warn("the database is followed again");
    isToldBehind = false;
  };
  const tell = async (stopping: AbortSignal): Promise<void> => {
    while (!stopping.aborted) {
      const waiting = await truth.read(waitingAtTruth(MAX_TOLD));
      if (waiting.length === 0) return;
      const changeOf = new Map(waiting.map(({ document, change }) => [document, change]));
      const outcomes = db
        .perform(outcomesOf(waiting))
        .filter(({ document, change }) => changeOf.get(document) === change);
      if (outcomes.length === 0) return;
      await truth.write(() => tellOutcomes(outcomes));
    }
  };
  const failed = (cause: unknown): void => {
    if (isToldBehind) return;
    isToldBehind = true;
    log.warn("the database cannot be followed: tried again until it can", {
      cause: isOutOfSpace(cause) ? "the disk is full" : cause,
    });
  };
  const background = startBackground(work, failed, RETRY_MS);
  const unhear = truth.presence.hear("threadlore_changes", () => background.wake());
  const looking = setInterval(() => background.wake(), LOOK_EVERY_MS).unref();
  return {
    ...background,
    behindMs: () => (isToldBehind ? Math.round(performance.now() - lastFollowed) : 0),
    async drain() {
      // What runs may have asked before the last change: the next one has not.
      await background.drain();
      await pause(0);
      await background.drain();
    },
    async stop() {
      unhear();
      clearInterval(looking);
      await background.stop();
    },
  };
}
