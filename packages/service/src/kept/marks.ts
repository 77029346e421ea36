/** Answers that cite kept ones, and were marked as bad: who marked one, and in which words, is not noted. */
import type { Caller } from "../context.ts";
import type { Message } from "../store/sessions.ts";
import { run, type Steps } from "../store/steps.ts";
import { visiblePairs } from "../store/visibility.ts";
import { isAnyKept, keptNamed } from "./kept-store.ts";

/** Documents of one answer that are looked at. */
const MAX_CITED = 20;

/**
 * Notes for each kept answer that an answer cites whether that is marked as bad: the last word of whoever asked counts. An
 * answer that was given before a kept answer was confirmed says nothing new of it.
 */
export function* noteMark(caller: Caller, message: Message, isBad: boolean, now: number): Steps<void> {
  if (!(yield* isAnyKept())) return;
  yield* run("DELETE FROM kept_marks WHERE message = ?", message.id);
  if (!isBad) return;
  const visible = yield* visiblePairs(caller);
  const cited = [...new Set(Object.values(message.citations))].slice(0, MAX_CITED);
  const kept = new Set<number>();
  for (const name of cited) for (const number of yield* keptNamed(name, visible)) kept.add(number);
  for (const number of kept) {
    yield* run("INSERT INTO kept_answers (document) VALUES (?) ON CONFLICT (document) DO NOTHING", number);
    yield* run(
      `INSERT INTO kept_marks (document, message, since)
       SELECT document, CAST(?2 AS BIGINT), CAST(?3 AS BIGINT) FROM kept_answers
       WHERE document = ?1 AND (confirmed_at IS NULL OR confirmed_at < ?4)`,
      number,
      message.id,
      now,
      message.createdAt,
    );
  }
}
