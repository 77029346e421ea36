import { describe, expect, it } from "vitest";
import { benchCapture } from "./capture.ts";
import { missedOfPeers, qualityGroups, ratiosOf } from "./capture-groups.ts";
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
  set: "own pages",
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
    expect(scoreOf("a b b c", short).f1).toBe(1);
    expect(scoreOf("A, b! d d", short).f1).toBe(0.5);
    expect(scoreOf("", short).f1).toBe(0);
    expect(scoreOf("", { ...short, content: "" }).f1).toBe(1);
  });

  it("counts snippets that are there and those that should not be", () => {
    expect(scoreOf("not a drop on the leaves", page).snippets).toBe(1);
    expect(scoreOf("not a drop on the leaves. All rights reserved", page).snippets).toBeCloseTo(2 / 3);
    expect(scoreOf("x", { ...page, with: [] }).snippets).toBeUndefined();
  });

  it("is that of the snippets where no more is known of a page", () => {
    expect(scoreOf("not a drop on the leaves. All rights reserved", { ...page, content: undefined }).f1).toBeCloseTo(
      2 / 3,
    );
  });
});

const scored = (name: string, ours: number, theirs: number, atLeast = 0.1): Group => ({
  name,
  columns: [],
  rows: [
    { name: "Readability", ours: false, figures: { F1: theirs, "at least": atLeast } },
    { name: "threadlore", ours: true, figures: { F1: ours } },
  ],
});

describe("the bars of page capture", () => {
  it("are missed by every set and kind in which a peer is as good, and by no kind of the pages kept back", () => {
    const groups = [
      scored("forum (2)", 0.5, 0.5),
      scored("article (3)", 0.6, 0.5),
      scored("forum, kept back (1)", 0, 1),
      scored("seven kinds, kept back (9)", 0.4, 0.5),
    ];
    expect(missedOfPeers(groups)).toEqual([
      "forum (2): F1 is not above that of Readability.",
      "seven kinds, kept back (9): F1 is not above that of Readability.",
    ]);
  });

  it("want products and news above the peers by more than chance", () => {
    const groups = [
      scored("product (9)", 0.6, 0.5, -0.01),
      scored("news and blogs (9)", 0.6, 0.5),
      scored("forum (9)", 0.6, 0.5, -0.01),
    ];
    expect(missedOfPeers(groups)).toEqual(["product (9): F1 may be above that of Readability by chance."]);
  });

  it("tell by how much we are above a peer, and how sure that is, from the same pages", () => {
    const outcomes = Array.from({ length: 40 }, (_, at) => {
      const own = { ...page, id: `page ${at}` };
      const of = (name: string, f1: number) => ({ page: own, name, f1, snippets: undefined, milliseconds: 1 });
      return [of("Readability", at / 40), of("Defuddle", at % 2), of("threadlore", at / 40 + 0.1)];
    }).flat();
    const rows = qualityGroups(outcomes).find(({ name }) => name === "own pages (40)")?.rows ?? [];
    const [readability, defuddle, ours, oracle] = rows.map(({ figures }) => figures);
    expect(readability?.["at least"]).toBeCloseTo(0.1);
    expect(readability?.["at most"]).toBeCloseTo(0.1);
    expect(defuddle?.["ours above it by"]).toBeCloseTo(0.0875);
    expect(defuddle?.["at least"]).toBeLessThan(0);
    expect(defuddle?.["at most"]).toBeGreaterThan(0.1);
    expect(ours).not.toHaveProperty("at least");
    expect(oracle?.["F1"]).toBeCloseTo(0.7375);
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
const { groups } = await benchCapture({ pages: [page], largeBytes: 50_000, share: 0.01 });

describe.runIf(groups.length > 0)("the bench of page capture", () => {
  it("has every contestant read every page", () => {
    const all = groups.find(({ name }) => name === "own pages (1)");
    expect(all?.rows.map(({ name }) => name).slice(0, 3)).toEqual(["Readability", "Defuddle", "threadlore"]);
    for (const { figures } of all?.rows.slice(0, 3) ?? []) {
      expect(figures["F1"]).toBeGreaterThan(0.9);
      expect(figures["snippet F1"]).toBe(1);
    }
  });

  it("takes times, reads a large page and weighs the script", () => {
    const figure = (group: string, column: string) =>
      groups.find(({ name }) => name.startsWith(group))?.rows.find(({ ours }) => ours)?.figures[column];
    expect(figure("time per page", "times both extractors")).toBeGreaterThan(0);
    expect(figure("one page of", "ms")).toBeGreaterThan(0);
    expect(figure("longest that a page waits", "ms")).toBeGreaterThan(0);
    expect(figure("the script", "kB gzip")).toBeGreaterThan(30);
  });
});
