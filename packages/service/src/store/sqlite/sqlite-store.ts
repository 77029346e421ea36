import type { Steps } from "../steps.ts";
import { resultOf, type Store, type Fate } from "../store.ts";
import type { Database } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";

/** The truth in one SQLite file: what is to be written goes to the disk with what others write at the same time. */
export class SqliteStore implements Store {
  readonly #db: Database;
  readonly #together: GroupCommit;

  /** @param db stays open as long as whoever opened it lets it */
  constructor(db: Database) {
    this.#db = db;
    this.#together = new GroupCommit(db);
  }

  async read<Result>(steps: Steps<Result>): Promise<Result> {
    return this.#db.perform(steps);
  }

  write<Result>(steps: () => Steps<Result>): Promise<Result> {
    return this.#together.write(() => this.#db.perform(steps()));
  }

  gathering<Item, Result>(writeAll: (items: readonly Item[]) => Steps<Fate<Result>[]>) {
    return (item: Item): Promise<Result> =>
      // A savepoint each costs next to nothing here, and what is gathered is committed together anyway.
      this.write(function* () {
        return resultOf((yield* writeAll([item]))[0]);
      });
  }

  async makeRoom<Result>(steps: () => Steps<Result>): Promise<Result> {
    return this.#db.makingRoom(() => this.#db.transaction(() => this.#db.perform(steps())));
  }
}
