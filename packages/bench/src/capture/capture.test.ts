import { describe, expect, it } from "vitest";
import { benchCapture, missedOfPeers, ratiosOf } from "./capture.ts";
import type { CorpusPage } from "./capture-corpus.ts";
import { scoreOf } from "./capture-score.ts";
import type { Group } from "../report.ts";

const sentence =
  "Beans want water at the root, early in the day, and not a drop on the leaves, because wet leaves invite rust.";
// Each says something of its own: what a page says again is no more of it.
const sentences = Array.from(
  { length: 8 },
  (_, bed) => `${sentence} In bed ${bed} they stood ${bed + 20} days in ${2010 + bed}.`,
);
const page: CorpusPage = {
  id: "own",
  url: "https://allotment.example/beans",
  kind: "article",
  html: `<!doctype html><title>Beans</title><nav><a href="/">Plots to let</a></nav><main><article><h1>Beans</h1>${sentences.map((one) => `<p>${one}</p>`).join("")}</article></main><footer>All rights reserved</footer>`,
  content: sentences.join("\n"),
  with: ["not a drop on the leaves"],
  without: ["All rights reserved"],
  heldBack: false,
};

describe("the score of a capture", () => {
  it("counts words as often as they stand there", () => {
    const short = { ...page, content: "a b b c" };
    expect(scoreOf("a b b c", short).words).toBe(1);
    expect(scoreOf("A, b! d d", short).words).toBe(0.5);
    expect(scoreOf("", short).words).toBe(0);
    expect(scoreOf("", { ...short, content: "" }).words).toBe(1);
  });

  it("counts snippets that are there and those that should not be", () => {
    expect(scoreOf("not a drop on the leaves", page).snippets).toBe(1);
    expect(scoreOf("not a drop on the leaves. All rights reserved", page).snippets).toBeCloseTo(2 / 3);
    expect(scoreOf("x", { ...page, with: [] }).snippets).toBeUndefined();
  });
});

const words = (name: string, ours: number, theirs: number): Group => ({
  name,
  columns: [],
  rows: [
    { name: "Readability", ours: false, figures: { "word F1": theirs } },
    { name: "threadlore", ours: true, figures: { "word F1": ours } },
  ],
});

describe("the bars of page capture", () => {
  it("are missed by every kind in which a peer is as good, and by no part of the pages kept back", () => {
    const groups = [words("forum (2)", 0.5, 0.5), words("article (3)", 0.6, 0.5), words("forum, kept back (1)", 0, 1)];
    expect(missedOfPeers(groups, "threadlore")).toEqual(["forum (2): word F1 is not above that of Readability."]);
  });

  it("take our time as a share of what the others need together, page by page", () => {
    const timed = (id: string, name: string, milliseconds: number) => ({ page: { id }, name, milliseconds });
    const outcomes = [
      timed("a", "x", 10),
      timed("a", "y", 30),
      timed("a", "threadlore", 20),
      timed("b", "x", 1),
      timed("b", "y", 1),
      timed("b", "threadlore", 3),
    ];
    const [row] = ratiosOf(outcomes, [{ name: "threadlore", ours: true, figures: {} }], "threadlore");
    expect(row?.figures["times both extractors"]).toBe(1);
  });
});

// Awaited here, where no time limit counts: it may install a browser first.
const { groups } = await benchCapture({ pages: [page], largeBytes: 50_000, largeRows: 300 });

describe.runIf(groups.length > 0)("the bench of page capture", () => {
  it("has every contestant read every page", () => {
    const all = groups.find(({ name }) => name === "all pages (1)");
    expect(all?.rows.map(({ name }) => name)).toEqual(["Readability", "Defuddle", "threadlore"]);
    for (const { figures } of all?.rows ?? []) {
      expect(figures["word F1"]).toBeGreaterThan(0.9);
      expect(figures["snippet F1"]).toBe(1);
    }
  });

  it("takes times, reads a large page and weighs the script", () => {
    const figure = (group: string, column: string) =>
      groups.find(({ name }) => name.startsWith(group))?.rows.find(({ ours }) => ours)?.figures[column];
    expect(figure("time per page", "times both extractors")).toBeGreaterThan(0);
    expect(figure("one page of", "ms")).toBeGreaterThan(0);
    expect(figure("the script", "kB gzip")).toBeGreaterThan(50);
  });
});
