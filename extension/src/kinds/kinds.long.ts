import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../testing/chromium.ts";
import { judgeKinds } from "./judge-kinds.ts";
import { countsIn, tableOf } from "./outcome-table.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

describe.runIf(await hasChromium())("ten pages of each of twelve kinds", () => {
  it("are read, told about, cited and kept no worse than the README says", { timeout: 1_800_000 }, async () => {
    const told = countsIn(README);
    expect(told.size).toBeGreaterThan(80);
    const counted = countsIn(tableOf(await judgeKinds()));
    const worse = [...told].filter(([cell, { passed }]) => (counted.get(cell)?.passed ?? 0) < passed);
    expect(
      worse.map(([cell, { passed, of }]) => `${cell}: ${counted.get(cell)?.passed} not ${passed} of ${of}`),
    ).toEqual([]);
  });
});
