import type { RateLimit, Store } from "@threadlore/inbox";

/** At most so many in any span of that many milliseconds. */
export type BudgetLimit = Omit<RateLimit, "name">;

/**
 * How many questions are answered. What is absent or null is not limited. The loops are answers to programs in one thread
 * and in one channel, so that two of them cannot talk for ever (docs/threats.md, T17).
 */
export type QuestionLimits = Partial<
  Readonly<Record<"user" | "channel" | "workspace" | "threadLoop" | "channelLoop", BudgetLimit | null>>
>;

/** Who asks, and where. */
export interface AskedWhere {
  readonly team: string;
  readonly user: string;
  readonly channel: string;
  /** The thread's first message; of a question outside threads, its own timestamp. */
  readonly threadTs: string;
  /** A conversation of one person with the bot: no loop can begin there, and it is no channel. */
  readonly direct?: boolean;
  /** A program asks: only with those there can be a loop. */
  readonly byProgram?: boolean;
}

/**
 * Counts a question against the limits of its asker, channel and workspace, for all instances together. A refused
 * question is counted nowhere. Windows slide: no moment lets twice as many through. `resetAt`: when it may be asked again,
 * milliseconds since 1970.
 */
export async function takeBudget(
  { store, limits, now }: { store: Pick<Store, "hit">; limits: QuestionLimits; now: number },
  where: AskedWhere,
) {
  const budgets = budgetsOf(limits, where);
  const hit = await store.hit(budgets, now);
  if (hit.allowed) return hit;
  const which = budgets.find(({ name }) => name === hit.name)?.which ?? "workspace";
  return { allowed: false, which, resetAt: hit.resetAt } as const;
}

/**
 * Which budget is used up, for who only wants to know: nothing is counted, unless a place becomes free while it is looked
 * at. Undefined: none.
 */
export async function usedUpBudget(
  { store, limits, now }: { store: Pick<Store, "hit" | "hitsLeft">; limits: QuestionLimits; now: number },
  where: AskedWhere,
) {
  const left = await Promise.all(budgetsOf(limits, where).map((budget) => store.hitsLeft(budget, now)));
  if (left.every((count) => count > 0)) return undefined;
  const taken = await takeBudget({ store, limits, now }, where);
  return taken.allowed ? undefined : taken;
}

function budgetsOf(
  limits: QuestionLimits,
  { team, user, channel, threadTs, direct = false, byProgram = false }: AskedWhere,
) {
  const inChannel = `${team}:${channel}`;
  const isLoop = byProgram && !direct;
  const candidates: readonly [keyof QuestionLimits, string, boolean][] = [
    ["user", `${team}:${user}`, true],
    ["workspace", team, true],
    ["channel", inChannel, !direct],
    ["threadLoop", `${inChannel}:${threadTs}`, isLoop],
    ["channelLoop", inChannel, isLoop],
  ];
  return candidates.flatMap(([which, whose, counts]) => {
    const limit = limits[which];
    return limit && counts ? [{ which, name: `${which}:${whose}`, ...limit }] : [];
  });
}

const USED_UP: Readonly<Record<keyof QuestionLimits, string>> = {
  user: "You have asked as many questions as one person may for now",
  channel: "This channel has asked as many questions as it may for now",
  workspace: "This workspace has asked as many questions as it may for now",
  threadLoop: "I have answered an app here as often as I may for now",
  channelLoop: "I have answered apps in this channel as often as I may for now",
};

/** Why somebody must wait. `moment`: when it may be asked again, as it is written where this is read. */
export function budgetWords(which: keyof QuestionLimits, moment: string): string {
  return `${USED_UP[which]}. Ask again after ${moment}.`;
}
