/** What came of one question. */
export interface CameOf {
  /** The gap it is of. */
  readonly truth: string;
  readonly words: string;
  /** How often it is noted. */
  readonly noted: number;
  /** The gap it was put into; undefined: it is not noted, as it had an answer. */
  readonly gap: string | undefined;
  readonly askedAt: number;
  /** How many answers stand below it. */
  readonly answers: number;
  /** It says that there is none: something failed. */
  readonly isFailed: boolean;
  /** All the bot said below it. */
  readonly shown: string;
  /** Its answer cites what was kept, and shows what answers the question. */
  readonly isAnswered: boolean;
  /** Not its answer, and what its asker is told right after it shows what answers the question. */
  readonly isPointed: boolean;
  /** How often its asker was told. */
  readonly tellings: number;
  /** They were told twice of one thing, or of another answer after that to their own call. */
  readonly isTwice: boolean;
}

/** What came of a loop. */
export interface Played {
  readonly asked: readonly CameOf[];
  readonly later: readonly CameOf[];
  /** Askers who were told by the first reply to each gap. */
  readonly toldByThen: number;
  /** By thread in which a person was wanted: how often people were asked, and how many answers stand as kept. */
  readonly calls: readonly number[];
  readonly kept: readonly number[];
  /** Kept answers the service has. */
  readonly documents: number;
  readonly kills: number;
  readonly refusals: readonly unknown[];
}

/** What a set of gaps comes to; shares are of 1. */
export interface LoopFigures {
  readonly questions: number;
  readonly noted: number;
  /** Of questions after an alike one: those in a gap with it. */
  readonly inOneGap: number;
  /** Of pairs of alike questions: those in one gap. */
  readonly pairs: number;
  /** Of all that were noted: those in a gap that is about something else. */
  readonly wronglyJoined: number;
  /** Of questions asked afterwards: those answered from the new document. */
  readonly answered: number;
  /** Those, and those whose asker was shown its answer right below. */
  readonly answeredOrTold: number;
}

/** The figures of those gaps. */
export function figuresOf(
  { asked, later }: Pick<Played, "asked" | "later">,
  isOf: (truth: string) => boolean,
): LoopFigures {
  const some = asked.filter(({ truth }) => isOf(truth));
  const laterOnes = later.filter(({ truth }) => isOf(truth));
  const noted = asked.filter(({ noted: times }) => times > 0).toSorted((one, other) => one.askedAt - other.askedAt);
  const placed = placements(noted).filter(({ truth }) => isOf(truth));
  const alike = placed.filter(({ hasAlike }) => hasAlike);
  return {
    questions: some.length,
    noted: placed.length,
    inOneGap: share(alike, ({ isRight }) => isRight),
    pairs: pairsTogether(noted.filter(({ truth }) => isOf(truth))),
    wronglyJoined: share(placed, ({ isWrong }) => isWrong),
    answered: share(laterOnes, ({ isAnswered }) => isAnswered),
    answeredOrTold: share(laterOnes, ({ isAnswered, isPointed }) => isAnswered || isPointed),
  };
}

const share = <Thing>(some: readonly Thing[], is: (one: Thing) => boolean): number =>
  some.length === 0 ? Number.NaN : some.filter(is).length / some.length;

/** How each question joined its gap, one after the other. A gap is about what its first question and most of it are about. */
function placements(noted: readonly CameOf[]) {
  const members = new Map<string, string[]>();
  const seen = new Set<string>();
  return noted.map(({ truth, gap = "" }) => {
    const before = members.get(gap) ?? [];
    const isOwn = before[0] === truth && 2 * before.filter((one) => one === truth).length >= before.length;
    const hasAlike = seen.has(truth);
    seen.add(truth);
    members.set(gap, [...before, truth]);
    return { truth, hasAlike, isRight: hasAlike && isOwn, isWrong: before.length > 0 && !isOwn };
  });
}

function pairsTogether(noted: readonly CameOf[]): number {
  const pairs = (many: number): number => (many * (many - 1)) / 2;
  const sizes = (groups: Iterable<readonly unknown[]>): number =>
    [...groups].reduce((sum, { length }) => sum + pairs(length), 0);
  const together = sizes(Map.groupBy(noted, ({ truth, gap }) => `${truth} ${gap}`).values());
  return together / sizes(Map.groupBy(noted, ({ truth }) => truth).values());
}

/** The same as a table, a line for each set. */
export function tableOf(rows: Readonly<Record<string, LoopFigures>>): string {
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  const lines = Object.entries(rows).map(([name, one]) => [
    name,
    `${one.noted} of ${one.questions}`,
    ...[one.inOneGap, one.pairs, one.wronglyJoined, one.answered, one.answeredOrTold].map(percent),
  ]);
  const head = ["", "noted", "in one gap", "pairs together", "wrongly joined", "answered after", "or told below it"];
  return [head, ...lines].map((cells) => `| ${cells.map((cell) => cell.padEnd(26)).join(" | ")} |`).join("\n");
}

/** What stands once, whatever is found: nothing is lost or doubled. */
export function standingOf({ asked, later, calls, kept, documents, kills, refusals }: Played) {
  const all = [...asked, ...later];
  return {
    kills,
    notedTwice: all.filter(({ noted }) => noted > 1).map(named),
    // Nothing is cited, and nobody knows of it.
    lost: asked.filter(({ noted, shown }) => noted === 0 && !shown.includes("[1]")).map(named),
    unanswered: all.filter(({ answers }) => answers === 0).map(named),
    failed: all.filter(({ isFailed }) => isFailed).map(named),
    answeredTwice: all.filter(({ answers }) => answers > 1).map(named),
    miscalled: calls.filter((times) => times !== 1).length,
    miskept: kept.filter((times) => times !== 1).length,
    documentsTooMany: documents - calls.length,
    refusals,
  };
}

/** Who was told, whatever is found: everybody who waited, once. */
export function tellingsOf({ asked, later }: Pick<Played, "asked" | "later">) {
  const all = [...asked, ...later];
  return {
    neverTold: asked.filter(({ noted, tellings }) => noted > 0 && tellings === 0).map(named),
    toldTwice: all.filter(({ isTwice }) => isTwice).map(named),
    toldForNothing: all.filter(({ noted, tellings }) => noted === 0 && tellings > 0).map(named),
  };
}

const named = ({ truth, words, shown }: CameOf): string => `${truth} ${words}: ${shown}`;

/** What holds of it. */
export const ALL_STAND_ONCE = {
  notedTwice: [],
  lost: [],
  unanswered: [],
  failed: [],
  answeredTwice: [],
  miscalled: 0,
  miskept: 0,
  documentsTooMany: 0,
  refusals: [],
} as const;
export const ALL_TOLD_ONCE = { neverTold: [], toldTwice: [], toldForNothing: [] } as const;
