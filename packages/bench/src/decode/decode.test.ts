import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missedOf } from "../bars.ts";
import { barChart } from "../chart.ts";
import { benchDecode } from "./decode.ts";
import { cutStream } from "./framing.ts";
import { median } from "../measure.ts";
import { generatePackets } from "./packet-stream.ts";
import { type Result, tableOf } from "../report.ts";

const folder = join(import.meta.dirname, "../..");

describe("the decode bench", () => {
  it("runs every contestant and finds its output right", async () => {
    const { groups } = await benchDecode({ packets: 500, rounds: 1, largeBytes: 100_000 });
    expect(groups).toHaveLength(5);
    for (const { rows } of groups) {
      expect(rows.filter(({ ours }) => ours)).toHaveLength(2);
      expect(rows.every(({ figures }) => (figures["CPU ms"] ?? -1) >= 0)).toBe(true);
    }
  });

  it("generates the same ten types of packets each time", () => {
    const { lines } = generatePackets(5_000);
    expect(lines).toEqual(generatePackets(5_000).lines);
    expect(lines).toHaveLength(5_000);
    expect(new Set(lines.map((line) => (JSON.parse(line) as { obj: { type: string } }).obj.type)).size).toBe(10);
    expect(lines.join("")).toMatch(/^[\x20-\x7e]*$/);
  });

  it.each(["random", "packet", { every: 7 }] as const)("cuts a stream at %j without losing a byte", (cutting) => {
    const { lines } = generatePackets(200);
    const whole = Buffer.concat(cutStream(lines, "frames", cutting)).toString();
    expect(whole).toBe(lines.map((line) => `data: ${line}\n\n`).join(""));
  });

  it("takes the middle of its rounds", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });
});

describe("a bar", () => {
  const groups = [
    { name: "lines, cut", columns: [], rows: [{ name: "ours", ours: true, figures: { ms: 4, times: Number.NaN } }] },
  ];
  it("is missed by a figure beyond it, and by one that is not there", () => {
    expect(missedOf(groups, [{ group: "lines", row: "ours", column: "ms", most: 4, least: 4 }])).toEqual([]);
    expect(missedOf(groups, [{ group: "lines", row: "ours", column: "ms", most: 3 }])).toEqual([
      "lines, cut: ours, ms 4.00, where 3 is the most.",
    ]);
    expect(missedOf(groups, [{ group: "lines", row: "ours", column: "ms", least: 5 }])).toEqual([
      "lines, cut: ours, ms 4.00, where 5 is the least.",
    ]);
    const either = { group: "lines", row: "ours", column: "ms", most: 3 };
    expect(missedOf(groups, [{ ...either, or: { column: "ms", most: 5 } }])).toEqual([]);
    expect(missedOf(groups, [{ ...either, or: { column: "times", most: 5 } }])).toEqual([
      "lines, cut: ours, ms 4.00, where 3 is the most, and times NaN, where 5 is the most.",
    ]);
    for (const bar of [
      { group: "lines", row: "ours", column: "times", most: 9 },
      { group: "lines", row: "theirs", column: "ms", most: 9 },
      { group: "frames", row: "ours", column: "ms", most: 9 },
    ]) {
      expect(missedOf(groups, [bar])).toHaveLength(1);
    }
  });
});

describe("what is published", () => {
  it.each(["capture", "decode", "relay", "markdown", "panel", "ingest", "cold-start"])(
    "of %s is what the last run measured",
    (bench) => {
      const result = JSON.parse(readFileSync(join(folder, "results", `${bench}.json`), "utf8")) as Result;
      expect(readFileSync(join(folder, "FIGURES.md"), "utf8")).toContain(tableOf(result));
    },
  );

  it("is drawn with every label escaped", () => {
    const chart = barChart("a < b", [{ name: "g & h", bars: [{ label: "<x>", value: 2, ours: true }] }]);
    expect(chart).toContain("a &lt; b");
    expect(chart).toContain("g &amp; h");
    expect(chart).not.toContain("<x>");
  });
});
