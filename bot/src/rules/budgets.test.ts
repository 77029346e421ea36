import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore, type Store } from "@threadlore/inbox";
import { type AskedWhere, type QuestionLimits, takeBudget, usedUpBudget } from "./budgets.ts";
import { VARIABLES } from "../settings/variables.ts";

const MINUTE = 60_000;
const asked: AskedWhere = { team: "T", user: "U1", channel: "C1", threadTs: "1.0", byProgram: true };
/** As a bot has them that nobody told otherwise. */
const LOOPS = Object.fromEntries(
  (
    [
      ["threadLoop", VARIABLES.ANSWERS_PER_THREAD],
      ["channelLoop", VARIABLES.ANSWERS_PER_CHANNEL],
    ] as const
  ).map(([which, { form, standard }]) => [which, form.parse(standard)]),
);
const NO_LOOPS = { threadLoop: null, channelLoop: null };

let store: Store;
let now: number;
beforeEach(async () => {
  store = await openStore(":memory:");
  now = 1_000_000;
});
afterEach(() => store.close());

function budgets(limits?: QuestionLimits) {
  return (where: Partial<AskedWhere> = {}) =>
    takeBudget({ store, limits: { ...LOOPS, ...limits }, now }, { ...asked, ...where });
}

describe("question budgets", () => {
  it("limit each person on their own, and say when they may ask again", async () => {
    const allow = budgets({ user: { most: 2, windowMs: MINUTE }, ...NO_LOOPS });
    expect(await allow()).toEqual({ allowed: true });
    now += 10_000;
    expect(await allow({ channel: "C2" })).toEqual({ allowed: true });
    expect(await allow()).toEqual({ allowed: false, which: "user", resetAt: 1_060_000 });
    expect(await allow({ user: "U2" })).toEqual({ allowed: true });
    now = 1_060_000;
    expect(await allow()).toEqual({ allowed: true });
  });

  it("limit a channel and the whole workspace", async () => {
    const allow = budgets({
      channel: { most: 2, windowMs: MINUTE },
      workspace: { most: 3, windowMs: MINUTE },
      ...NO_LOOPS,
    });
    await allow({ user: "U1" });
    await allow({ user: "U2" });
    expect(await allow({ user: "U3" })).toMatchObject({ allowed: false, which: "channel" });
    expect(await allow({ user: "U3", channel: "D3", direct: true })).toEqual({ allowed: true });
    expect(await allow({ user: "U4", channel: "C4" })).toMatchObject({ allowed: false, which: "workspace" });
    expect(await allow({ team: "T2" })).toEqual({ allowed: true });
  });

  it("count a refused question nowhere", async () => {
    const allow = budgets({ user: { most: 5, windowMs: MINUTE }, channel: { most: 1, windowMs: MINUTE }, ...NO_LOOPS });
    await allow();
    for (let n = 0; n < 10; n++) expect(await allow()).toMatchObject({ which: "channel" });
    for (let n = 0; n < 4; n++) expect(await allow({ channel: `C${n + 2}` })).toEqual({ allowed: true });
    expect(await allow({ channel: "C9" })).toMatchObject({ which: "user" });
  });

  it("tell which is used up, and until when, to who only wants to know, and count nothing", async () => {
    const limits = { user: { most: 1, windowMs: MINUTE } };
    const look = () => usedUpBudget({ store, limits, now }, asked);
    for (let n = 0; n < 3; n++) expect(await look()).toBeUndefined();
    expect(await budgets(limits)()).toEqual({ allowed: true });
    for (let n = 0; n < 3; n++) {
      expect(await look()).toEqual({ allowed: false, which: "user", resetAt: 1_060_000 });
      now += 1_000;
    }
    now = 1_060_000;
    expect(await look()).toBeUndefined();
    expect(await budgets(limits)()).toEqual({ allowed: true });
  });

  it("are exact when many ask at once", async () => {
    const allow = budgets({
      workspace: { most: 9, windowMs: MINUTE },
      user: { most: 4, windowMs: MINUTE },
      ...NO_LOOPS,
    });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => allow({ user: `U${n % 3}` })));
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(9);
  });

  it("end a loop in a thread after 5 answers in 10 minutes, unless told otherwise", async () => {
    const allow = budgets();
    let answered = 0;
    for (let second = 0; second < 600; second++, now += 1_000) if ((await allow()).allowed) answered++;
    expect(answered).toBe(5);
    expect(await allow({ threadTs: "2.0" })).toEqual({ allowed: true });
    expect(await budgets({ threadLoop: { most: 100, windowMs: MINUTE } })()).toEqual({ allowed: true });
  });

  it("end a loop over many threads after 30 answers in an hour", async () => {
    const allow = budgets();
    for (let n = 0; n < 30; n++) expect(await allow({ threadTs: `${n}.0` })).toEqual({ allowed: true });
    expect(await allow({ threadTs: "31.0" })).toEqual({
      allowed: false,
      which: "channelLoop",
      resetAt: 1_000_000 + 60 * MINUTE,
    });
    expect(await budgets(NO_LOOPS)({ threadTs: "31.0" })).toEqual({ allowed: true });
  });

  it("see no loop where one person talks with the bot, nor where people ask", async () => {
    const allow = budgets();
    for (let n = 0; n < 40; n++) expect(await allow({ byProgram: false })).toEqual({ allowed: true });
    for (let n = 0; n < 40; n++) expect(await allow({ channel: "D1", direct: true })).toEqual({ allowed: true });
  });

  it("count a person by workspace, and a direct conversation as no channel", async () => {
    const one = { most: 1, windowMs: MINUTE };
    const perPerson = budgets({ user: one, ...NO_LOOPS });
    expect(await perPerson()).toEqual({ allowed: true });
    expect(await perPerson({ team: "T2" })).toEqual({ allowed: true });
    expect(await perPerson()).toMatchObject({ which: "user" });
    const perChannel = budgets({ channel: one, ...NO_LOOPS });
    for (let n = 0; n < 3; n++) expect(await perChannel({ channel: "D1", direct: true })).toEqual({ allowed: true });
  });
});
