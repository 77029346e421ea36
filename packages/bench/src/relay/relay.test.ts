import { beforeAll, describe, expect, it } from "vitest";
import { scriptAnswer } from "./relay-answer.ts";
import { measureFirstWords, RELAYS, wrongIn } from "./relay-first-words.ts";
import { measureRefusal } from "./relay-refused.ts";
import type { Group } from "../report.ts";
import { missedOf } from "../bars.ts";
import { percentile } from "../measure.ts";
import { benchRelay, RELAY_BARS } from "./relay.ts";

const OURS = RELAYS.filter(({ ours }) => ours);
const MANNER = { firstTextMs: 1500, characters: 5, everyMs: 20, length: 400 };

describe("the relay bench", () => {
  let groups: readonly Group[];
  beforeAll(async () => {
    ({ groups } = await benchRelay({ questions: 2, streams: 6, workspaces: 2, seconds: 5 }));
  }, 120_000);

  it("runs every contestant, and each answer arrives whole", () => {
    expect(groups.map(({ rows }) => rows.length)).toEqual([3, 3, 3, 2, 2]);
    for (const { columns, rows } of groups) {
      expect(rows.filter(({ ours }) => ours)).toHaveLength(1);
      for (const { figures } of rows) {
        expect(Object.keys(figures)).toEqual(columns.map(({ title }) => title));
        expect(Object.values(figures).every(Number.isFinite)).toBe(true);
      }
    }
  });

  it("tells bars that are missed from bars that are met", () => {
    const withEach = (figure: number) =>
      groups.map((group) => ({
        ...group,
        rows: group.rows.map((row) => ({
          ...row,
          figures: Object.fromEntries(group.columns.map(({ title }) => [title, figure])),
        })),
      }));
    expect(missedOf(withEach(0), RELAY_BARS)).toEqual([]);
    const missed = missedOf(withEach(1000), RELAY_BARS);
    expect(missed).toHaveLength(6);
    expect(missed[0]).toMatch(/own p95 ms 1000\.00, where 5 is the most/);
    expect(missed[3]).toMatch(/peak MB 1000\.00, where 200 is the most/);
    expect(missed[4]).toMatch(/loop delay p99 ms 1000\.00, where 50 is the most/);
    // A figure that could not be had is no pass.
    expect(missedOf(withEach(Number.NaN), RELAY_BARS)).toHaveLength(6);
  });

  it("waits as long for the same question each time", async () => {
    const waits = async () =>
      [...(await measureFirstWords(OURS, MANNER, 3)).values()].flat().map(({ waitedMs, calls }) => [waitedMs, calls]);
    expect(await waits()).toEqual(await waits());
  });

  it("stops for a relay that loses a word", async () => {
    const [ours] = OURS;
    const make: (typeof RELAYS)[number]["make"] = (parts) => {
      const { slack } = parts;
      const fetch: typeof slack.fetch = (url, init) =>
        slack.fetch(url, { ...init, body: String(init?.body).replace(/ferry/i, "") } as typeof init);
      return (ours ?? RELAYS[0])?.make({ ...parts, slack: { ...slack, fetch } }) ?? (() => Promise.resolve());
    };
    await expect(measureFirstWords([{ name: "lossy", ours: false, make }], MANNER, 5)).rejects.toThrow(
      /lossy, question/,
    );
  });

  it("sees what a refusal of one answer does to the others", { timeout: 120_000 }, async () => {
    const [sdk] = RELAYS;
    if (sdk === undefined) throw new Error("There is no peer.");
    const delays = await measureRefusal(sdk, { streams: 3, workspaces: 1, seconds: 40 });
    expect(Math.max(...delays.others)).toBeGreaterThan(10_000);
  });

  it("names the first word that is wrong", () => {
    const { text } = scriptAnswer(1, MANNER);
    expect(wrongIn([{ text }], text)).toBeUndefined();
    expect(wrongIn([{ text: "one [[1]](https://wiki.example.com/harbour/1) two" }], "one [[1]]() two")).toBeUndefined();
    expect(wrongIn([{ text: "one" }], "one two")).toContain('after "one" came "nothing"');
    expect(wrongIn([{ text: "one one two" }], "one two")).toContain("3 words of 2");
  });

  it("takes percentiles from what was measured", () => {
    expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
    expect(percentile([4, 1, 3, 2], 0.95)).toBe(4);
    expect(percentile([], 0.5)).toBeNaN();
  });
});
