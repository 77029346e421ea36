import type { BudgetTake, Store } from "@threadlore/inbox";

/** At most so many in any span of that many milliseconds. */
export interface BudgetLimit {
  readonly most: number;
  readonly windowMs: number;
}

/** How many questions are answered. What is absent is not limited. */
export interface QuestionLimits {
  readonly user?: BudgetLimit;
  readonly channel?: BudgetLimit;
  readonly workspace?: BudgetLimit;
  /** Answers in one thread, so that two programs cannot talk for ever. Default 5 in 10 minutes; null: no limit. */
  readonly threadLoop?: BudgetLimit | null;
  /** Answers in one channel, for the same reason. Default 30 in an hour; null: no limit. */
  readonly channelLoop?: BudgetLimit | null;
}

/** Which limit a question met. */
export type QuestionBudget = "user" | "channel" | "workspace" | "threadLoop" | "channelLoop";

/** Who asks, and where. */
export interface AskedWhere {
  readonly team: string;
  readonly user: string;
  readonly channel: string;
  /** The thread's first message; of a question outside threads, its own timestamp. */
  readonly threadTs: string;
  /** A conversation of one person with the bot: no loop can begin there, and it is no channel. */
  readonly direct?: boolean;
}

/** Whether a question may be answered. `resetAt`: when it may be asked again, milliseconds since 1970. */
export type QuestionAllowance =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly which: QuestionBudget; readonly resetAt: number };

const THREAD_LOOP: BudgetLimit = { most: 5, windowMs: 10 * 60_000 };
const CHANNEL_LOOP: BudgetLimit = { most: 30, windowMs: 60 * 60_000 };

/**
 * Counts questions against the limits of their asker, channel and workspace, for all instances together. A refused
 * question is counted nowhere. Windows slide: no moment lets twice as many through.
 */
export function createBudgets(options: {
  store: Pick<Store, "takeTogether">;
  limits?: QuestionLimits;
  now?: () => number;
}): {
  allow(asked: AskedWhere): Promise<QuestionAllowance>;
} {
  const { store, limits = {}, now = Date.now } = options;
  return {
    async allow(asked) {
      const budgets = budgetsOf(asked, limits);
      const taken = await store.takeTogether(
        budgets.map(({ take }) => take),
        now(),
      );
      if (taken.allowed) return taken;
      const which = budgets.find(({ take }) => take.budget === taken.budget)?.which ?? "workspace";
      return { allowed: false, which, resetAt: taken.resetAt };
    },
  };
}

function budgetsOf(
  { team, user, channel, threadTs, direct = false }: AskedWhere,
  {
    user: perUser,
    channel: perChannel,
    workspace,
    threadLoop = THREAD_LOOP,
    channelLoop = CHANNEL_LOOP,
  }: QuestionLimits,
): readonly { which: QuestionBudget; take: BudgetTake }[] {
  const inChannel = `${team}:${channel}`;
  const candidates: [QuestionBudget, string, BudgetLimit | null | undefined][] = [
    ["user", `${team}:${user}`, perUser],
    ["workspace", team, workspace],
    ["channel", inChannel, direct ? null : perChannel],
    ["threadLoop", `${inChannel}:${threadTs}`, direct ? null : threadLoop],
    ["channelLoop", inChannel, direct ? null : channelLoop],
  ];
  return candidates.flatMap(([which, whose, limit]) =>
    limit ? [{ which, take: { budget: `${which}:${whose}`, most: limit.most, windowMs: limit.windowMs } }] : [],
  );
}
