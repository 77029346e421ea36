import type { Caller, RateLimit, ServiceContext } from "../context.ts";
import { all, run, type Steps, value, values } from "../store/steps.ts";
import { LOCAL_ISSUER } from "../store/people/persons.ts";
import { Problem } from "./problem.ts";

type Scope = "user" | "user_group" | "global";

/** One budget that holds for a call: whose it is, and the moments it was used, oldest first. */
interface Budget {
  readonly scope: Scope;
  readonly limit: RateLimit;
  readonly key: string;
}

/**
 * The chat budgets of a service, kept in memory: a restart begins anew. Of several instances they are kept at the truth, by
 * its clock, so that nobody has as many as there are instances. A budget is a sliding window, so no burst of twice the
 * budget fits around a boundary.
 */
export class ChatBudgets {
  readonly #used = new Map<string, number[]>();
  readonly #passed: () => number;

  /** @param now the clock of the service, milliseconds since 1970 */
  constructor(now: () => number) {
    this.#passed = passedBy(now);
  }

  /**
   * Counts one message of this caller, or refuses it with status 429 (docs/wire.md, section 5). A refused message is
   * not counted. Runs before the body is read (specification section 4).
   */
  async spend(context: ServiceContext, caller: Caller): Promise<void> {
    const budgets = budgetsOf(context, caller);
    if (context.instances !== undefined && budgets.length > 0) {
      await context.store.write(() => spendTogether(budgets));
      return;
    }
    const at = this.#passed();
    for (const budget of budgets) this.#check(budget, at, context.now());
    for (const { key } of budgets) this.#used.get(key)?.push(at);
  }

  #check({ scope, limit, key }: Budget, at: number, now: number): void {
    const begin = at - limit.seconds * 1000;
    const used = (this.#used.get(key) ?? []).filter((moment) => moment > begin);
    this.#used.set(key, used);
    if (used.length < limit.messages) return;
    // The window has room again once the message `limit.messages` places before the end has left it.
    const frees = used[used.length - limit.messages] ?? at;
    throw overBudget(scope, limit, Math.max(1, Math.ceil((frees + limit.seconds * 1000 - at) / 1000)), now);
  }
}

/** Counts a message at the truth, or refuses it; then nothing of it is counted. */
function* spendTogether(budgets: readonly Budget[]): Steps<void> {
  const now = yield* value<number>("SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)");
  // Always in one order: two that want the same two would wait for each other.
  for (const { scope, limit, key } of budgets.toSorted((one, other) => (one.key < other.key ? -1 : 1))) {
    yield* all("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", `budget ${key}`);
    const begin = now - limit.seconds * 1_000;
    yield* run("DELETE FROM budget_uses WHERE budget = ? AND moment <= ?", key, begin);
    const used = yield* values<number>(
      "SELECT moment FROM budget_uses WHERE budget = ? ORDER BY moment DESC LIMIT ?",
      key,
      limit.messages,
    );
    const frees = used[limit.messages - 1];
    if (frees !== undefined) throw overBudget(scope, limit, Math.max(1, Math.ceil((frees - begin) / 1_000)), now);
    yield* run("INSERT INTO budget_uses (budget, moment) VALUES (?, ?)", key, now);
  }
}

/**
 * Milliseconds that have passed since some moment. The machine's clock is not asked: where somebody sets it, windows would
 * end too early, or not at all. One that was injected is followed as far as it goes forward.
 */
function passedBy(now: () => number): () => number {
  if (now === Date.now) return () => performance.now();
  let last = now();
  let passed = 0;
  return () => {
    const moment = now();
    if (moment > last) passed += moment - last;
    last = moment;
    return passed;
  };
}

function budgetsOf({ settings: { rateLimits } }: ServiceContext, caller: Caller): Budget[] {
  const budgets: Budget[] = [];
  const { user, group, global } = rateLimits;
  if (user !== undefined)
    budgets.push({ scope: "user", limit: user, key: `user:${caller.role === "anonymous" ? "" : "+"}${caller.user}` });
  if (group !== undefined) {
    for (const key of groupKeysOf(caller)) budgets.push({ scope: "user_group", limit: group, key: `group:${key}` });
  }
  if (global !== undefined) budgets.push({ scope: "global", limit: global, key: "global" });
  return budgets;
}

/** A group of a company's identity provider is another than one of this name that keys or people here are in. */
function groupKeysOf({ groups, person }: Caller): readonly string[] {
  if (person === undefined) return groups;
  return person.groups.map(({ issuer, name }) => (issuer === LOCAL_ISSUER ? name : JSON.stringify([issuer, name])));
}

const WHOSE: Record<Scope, string> = { user: "your", user_group: "your group's", global: "everybody's" };

function overBudget(scope: Scope, limit: RateLimit, seconds: number, now: number): Problem {
  const body = {
    scope,
    reset_at: new Date(now + seconds * 1000).toISOString(),
    retry_after_seconds: seconds,
    error_code: "RATE_LIMITED",
    detail:
      `That was more than ${WHOSE[scope]} budget of ${limit.messages} message(s) in ${limit.seconds} s. ` +
      `Ask again in ${seconds} s.`,
  };
  return new Problem(429, body, { "Retry-After": String(seconds) });
}
