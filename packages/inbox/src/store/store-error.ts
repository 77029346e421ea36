/** Why a store cannot be used. */
export type StoreProblem = "unreachable" | "refused" | "not_a_database" | "newer_schema" | "read_only" | "corrupt";

/** A store that cannot be opened. `message` says in plain words which and what to do; nothing was overwritten. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly problem: StoreProblem;

  constructor(problem: StoreProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}
