/** Whether two different answers are to one question about one thing: what all signs say together. */
import type { AskedQuestion } from "../asked.ts";
import type { Differing } from "./contradiction.ts";
import type { Reading } from "./readings.ts";
import { areSiblings, commonOf, isOfOther, isOfOtherNumber } from "./subject.ts";

/** So much less may a sentence answer than its source's and than the best of all. */
const MOST_WORSE = 5;
/** Both lead so closely that little else need speak for them. */
const CLOSE = 2;
/** Sentences so far behind the best have to say themselves what they are about. */
const FAR = 3.2;
const MOST_VALUES = 4;
/** Characters between a name and the words that say whose it is. */
const MOST_DISTANT = 40;

/** Whether they are. */
export function isSameSubject(question: AskedQuestion, one: Reading, other: Reading, { values }: Differing): boolean {
  const names = values.flatMap((value) => (value.sort === "name" ? value.words : []));
  if (areSiblings(one.candidate, other.candidate)) return false;
  if (isOfOther(question, one.candidate, other.candidate, names)) return false;
  if ([one, other].some(({ candidate }) => isOfOtherNumber(question, candidate))) return false;
  if ([one, other].some((reading) => reading.values.length > MOST_VALUES)) return false;
  if (names.length > 0 && values.some(({ distance }) => distance > MOST_DISTANT)) return false;
  const { around, own, names: named, told, beyond, asked } = commonOf(question, one.candidate, other.candidate);
  const behind = one.behind + one.score - other.score;
  if (behind > MOST_WORSE || named < 0.45 || asked < 0.2) return false;
  if (behind <= CLOSE) return around >= 0.25;
  return around >= 0.35 && own >= (behind > FAR ? 0.4 : 0.2) && told + 2 * beyond >= 0.25;
}
