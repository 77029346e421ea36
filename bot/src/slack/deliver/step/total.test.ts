import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";

import type { DeliveryEvent } from "./state.ts";
import {
  answerAll,
  answered,
  answerOne,
  begin,
  broke,
  done,
  fail,
  finish,
  hear,
  opened,
  own,
  prepared,
  readBack,
  ready,
  REFUSALS,
  refused,
  stop,
  turn,
  type Walk,
} from "./step.harness.ts";

const TS = "200.000000";

/** Whatever a delivery may hear, sensible or not. */
const EVENTS: readonly DeliveryEvent[] = [
  { type: "shown" },
  turn(0),
  turn(1),
  turn(4),
  turn(9, 400),
  turn(4, 12, TS),
  finish(),
  finish({ rewritten: true }),
  finish({ withdrawn: true }),
  finish({}, 40),
  fail,
  stop,
  broke,
  ready,
  prepared(),
  prepared(true),
  done(),
  done("300.000000"),
  answered({ type: "done" }, true),
  readBack(undefined),
  readBack([]),
  readBack([], true),
  readBack([own(TS, "Paragraph0x")]),
  readBack([own("250.000000", "", { part: 1 }), own("260.000000", "", { part: 2, last: true })]),
  readBack([{ ...own(TS, "Somebody was called."), foreign: true }, own("270.000000", "", { task: "OTHER" })]),
  ...(Object.keys(REFUSALS) as (keyof typeof REFUSALS)[]).flatMap((name) => [refused(name), refused(name, true)]),
];

const BEGINNINGS: readonly Walk[] = [
  begin(),
  begin(undefined, true),
  begin({ stage: "starting", messages: [] }),
  begin({
    stage: "posting",
    messages: [
      { ts: TS, how: "stream" },
      { ts: "210.000000", how: "post" },
    ],
  }),
  begin({ stage: "closed", messages: [{ ts: TS, how: "plain" }] }),
].map((walk) => hear(walk, opened));

/** What tells one state from another, for the sake of what may come next. */
function shapeOf({ state, awaited }: Walk): string {
  const { work } = state;
  const jobs = work === undefined ? [] : [`${work.job.do}@${work.heard.length}`, state.end?.do];
  const open = state.open === undefined ? "" : state.open.isDoubtful ? "doubtful" : "open";
  return [state.tag, open, state.ended.length > 0, state.slots.length > 0, awaited?.do, ...jobs].join(" ");
}

/** States of every shape that many walks through good days and arbitrary events come by, one of each. */
function reachable(): readonly Walk[] {
  const found = new Map(BEGINNINGS.map((walk) => [shapeOf(walk), walk]));
  for (let seed = 1; seed <= 1500; seed += 1) {
    const random = seededRandom(seed);
    const of = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
    let walk = of(BEGINNINGS);
    for (let count = 0; count < 30 && walk.state.tag !== "broken" && walk.state.tag !== "closed"; count += 1) {
      // Days on which nothing goes well lead nowhere.
      const luck = random();
      walk = luck < 0.5 ? answerOne(walk, count) : hear(walk, luck < 0.7 ? turn(count, 12 * count) : of(EVENTS));
      if (!found.has(shapeOf(walk))) found.set(shapeOf(walk), walk);
    }
  }
  return [...found.values()];
}

describe("a delivery", () => {
  const states = reachable();

  it("has states of every kind to be tried in", () => {
    const tags = new Set(states.map(({ state }) => state.tag));
    expect([...tags].toSorted()).toEqual(
      ["broken", "closed", "closing", "gone", "quiet", "resuming", "streaming", "waiting"].toSorted(),
    );
    const jobs = new Set(states.flatMap(({ state }) => state.work?.job.do ?? []));
    expect([...jobs].toSorted().join(" ")).toBe("fail finish leave prepare resume show stop");
    const awaited = new Set(states.flatMap((walk) => walk.awaited?.do ?? []));
    expect([...awaited].toSorted().join(" ")).toBe(
      "append backOff delete guard post postEphemeral prepare read save settle settleSession start stop switchOff update",
    );
    expect(states.length).toBeGreaterThan(150);
  });

  it("takes any event in any state, and waits for one thing exactly while something is under way", () => {
    for (const walk of states) {
      for (const event of EVENTS) {
        const next = hear(walk, event);
        expect(next.state.work !== undefined, `${shapeOf(walk)} after ${event.type}`).toBe(next.awaited !== undefined);
      }
    }
  });

  it("comes to its end from any state once everything is answered", { timeout: 60_000 }, () => {
    for (const walk of states) {
      for (const event of EVENTS) {
        const next = hear(walk, event);
        const end = answerAll(hear(next, finish()));
        const expected = next.state.tag === "broken" ? "broken" : "closed";
        expect(end.state.tag, `${shapeOf(walk)} after ${event.type}`).toBe(expected);
        expect(end.state.outcome === undefined, shapeOf(walk)).toBe(expected === "broken");
      }
    }
  });

  it("changes nothing any more once it is closed or broken", () => {
    for (const walk of states.filter(({ state }) => state.tag === "closed" || state.tag === "broken")) {
      for (const event of EVENTS) expect(hear(walk, event).state).toEqual(walk.state);
    }
  });
});
