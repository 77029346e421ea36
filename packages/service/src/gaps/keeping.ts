import type { Log } from "../log.ts";
import { forgetGoodAnswersBefore } from "../good-answers/good-answers.ts";
import { startRepeating } from "../repeated.ts";
import type { Store } from "../store/store.ts";
import { forgetWithdrawnBefore } from "./asks.ts";
import { forgetAskedBefore, forgetTooMany } from "./book.ts";

/** From the start to the first look, and from one to the next. Milliseconds. */
const FIRST_MS = 30_000;
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** What the keeping of questions works with. */
interface Keeping {
  readonly store: Pick<Store, "makeRoom">;
  readonly now: () => number;
  /** Days after which a question is forgotten. */
  readonly days: number;
}

/** Forgets the questions that were kept for long enough, and those of a caller who told of too many; a part at a time. */
export async function forgetOld({ store, now, days }: Keeping): Promise<void> {
  while (await store.makeRoom(() => forgetAskedBefore(now() - days * DAY_MS)));
  while (await store.makeRoom(() => forgetTooMany()));
  while (await store.makeRoom(() => forgetGoodAnswersBefore(now() - days * DAY_MS)));
  await store.makeRoom(() => forgetWithdrawnBefore(now() - days * DAY_MS));
}

/** Does so now and then. Answers what ends it. */
export function startKeeping({ log, ...keeping }: Keeping & { readonly log: Log }): () => void {
  const told = (cause: unknown): void => {
    log.warn("questions without an answer are kept longer than they should be", { cause });
  };
  return startRepeating(() => forgetOld(keeping), { firstMs: FIRST_MS, everyMs: EVERY_MS, told });
}
