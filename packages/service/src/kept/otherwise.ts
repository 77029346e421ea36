/**
 * Whether a sentence of a newer document says otherwise than a kept answer. Two things have to come together: it speaks of what
 * is asked for, and it says that this has changed or ended, or it has another value, person or stance in its place. The bounds
 * were chosen over pairs of kept answers and newer documents, with others beside ten thousand passages.
 */
import type { AnswerKind } from "@threadlore/language/meaning";
import type { OtherwiseSigns } from "./otherwise-signs.ts";

/** So much of a question, by weight, makes that its sentence speaks of it. */
const ALL = 0.95;
const MOST = 0.65;
const HALF = 0.55;
const SOME = 0.37;
/** So much of a question a sentence has to say itself; with much else that speaks for it, so much. */
const LEAST_OWN = 0.3;
const LEAST_OWN_BESIDE = 0.2;
/** What is said of both, here and around; and from where on one word of the question is enough. */
const LEAST_MASS = 0.45;
const MUCH_MASS = 0.6;
/** Of the question, names that are not said. */
const MAX_NAMELESS = 0.15;
/** What ends something that is kept says so much of it. */
const LEAST_ENDED = 0.15;
const MUCH_ENDED = 0.25;
const ENDED_NEAR = 0.45;
/** Where it says so much of what is kept, that is what it ends, whatever else it names. */
const NAMED_ENDED = 0.3;
/** What changes something that is kept says so much of it, and of the question with what is around. */
const MUCH_CHANGED = 0.35;
const CHANGED_NEAR = 0.6;
/** What says so much of what is kept may leave out what is rarest in the question. */
const INSTEAD_OF_RAREST = 0.15;
/** So little of what is kept is none of it. */
const NONE = 0.05;
/** From here on a sentence repeats what is kept; and from here on its document does. */
const REPEATED = 0.55;
const REPEATED_ANYWHERE = 0.8;
/** Kinds of question whose answers are told from each other by a value; the same one under yes or no is the same rule. */
const VALUED: ReadonlySet<AnswerKind> = new Set(["number", "money", "duration", "time", "thing"]);

/** Whether a sentence speaks of what a kept answer's question asks for. */
export function isOfOneThing(signs: OtherwiseSigns): boolean {
  const { isElsewhere, nameless, mass, words, share, ownShare, isUnchanged } = signs;
  if (isUnchanged) return false;
  const isNamedEnd = signs.isEnd && signs.keptShare >= NAMED_ENDED;
  if (!isNamedEnd && (isElsewhere || nameless > MAX_NAMELESS)) return false;
  if (mass < LEAST_MASS && (words < 2 || share < ALL)) return false;
  if (words < 2 && share < ALL && !isEnoughByOneWord(signs)) return false;
  if (changesKept(signs)) return true;
  if (!signs.isOfRarest && signs.keptShare < INSTEAD_OF_RAREST) return false;
  const isBeside = (signs.isEnd && signs.keptShare >= MUCH_ENDED) || (signs.isChange && signs.isOtherStance);
  return ownShare >= (isBeside ? LEAST_OWN_BESIDE : LEAST_OWN);
}

/** One word of a question says little: many documents have it. What is said beside has to be of what is kept, and of its change. */
function isEnoughByOneWord({ mass, isChange, isEnd, keptShare }: OtherwiseSigns): boolean {
  return mass >= MUCH_MASS && (isChange || (isEnd && keptShare >= LEAST_ENDED));
}

/** Whether it says that something is otherwise now in which it repeats much of what is kept: it need not repeat the question. */
function changesKept({ isChange, keptShare, shareNear }: OtherwiseSigns): boolean {
  return isChange && keptShare >= MUCH_CHANGED && shareNear >= CHANGED_NEAR;
}

/** Whether it says otherwise. */
export function saysOtherwise(signs: OtherwiseSigns, kind: AnswerKind): boolean {
  if (!isOfOneThing(signs)) return false;
  const { share, isChange, isEnd, isEndOfKept } = signs;
  if (isEnd && signs.shareNear >= ENDED_NEAR && signs.keptShare >= LEAST_ENDED) return true;
  if (isChange && signs.isOfBoth && share >= SOME) return true;
  if (isRepeating(signs, kind)) return false;
  if (changesKept(signs)) return true;
  const isRepeated = signs.mostRepeated >= REPEATED_ANYWHERE;
  const isOtherValue = signs.differs && !signs.isSameElsewhere;
  return (
    (isEnd && share >= HALF && signs.keptShare >= NONE) ||
    (isChange && share >= HALF && !isRepeated) ||
    (isEndOfKept && share >= MOST - 0.05 && !isRepeated) ||
    ((isChange || isEnd) && (isOtherValue || signs.isNewPerson) && share >= SOME) ||
    (isOtherValue && share >= (VALUED.has(kind) || kind === "person" || kind === "place" ? MOST : ALL)) ||
    (signs.isNewPerson && share >= MOST - 0.05 && !isRepeated) ||
    (signs.isOtherStance && share >= (isChange || isEnd ? HALF - 0.05 : MOST))
  );
}

/** What says the same as is kept contradicts nothing, whatever else it says. */
function isRepeating(signs: OtherwiseSigns, kind: AnswerKind): boolean {
  if (signs.repeats >= REPEATED || signs.isSamePerson) return true;
  return (signs.isSame && VALUED.has(kind) && signs.share < ALL) || (signs.isSameMeasure && kind === "choice");
}
