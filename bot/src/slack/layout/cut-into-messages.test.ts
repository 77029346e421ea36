import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";

import { card } from "../deliver/delivery.harness.ts";
import { STREAM } from "../transport/limits.ts";
import { type Piece, pieceText, type TaskCard } from "../render/pieces.ts";
import { type Batch, blocksOf, type Cursor, layOut, messagesLeft, plainOf, textOf } from "./cut-into-messages.ts";
import { budgetAfter, budgetInDoubt, closeCards, freshBudget, type MessageBudget } from "./message-budget.ts";

const START: Cursor = { piece: 0, offset: 0 };
const bytes = (text: string): number => Buffer.byteLength(text, "utf8");
const text = (words: string, after: "run" | "line" | "block" = "block"): Piece => ({
  kind: "text",
  text: words,
  after,
});
const code = (lines: string, info = ""): Piece => ({ kind: "code", info, code: lines });
const table = (words: string): Piece => ({
  kind: "table",
  block: { type: "table", rows: [[{ type: "raw_text", text: words }]] },
  text: words,
});

/** Lays everything out, message after message, as a stream would. */
function messages(pieces: readonly Piece[], limits = STREAM as Partial<typeof STREAM>): string[] {
  const found: string[] = [];
  let budget = freshBudget;
  let cursor = START;
  let open = "";
  for (let step = 0; cursor.piece < pieces.length; step += 1) {
    if (step > 5000) throw new Error("It does not come to an end.");
    const batch = layOut(budget, cursor, { cards: [], pieces }, { limits: { ...STREAM, ...limits } });
    open += plainOf(batch.parts);
    ({ budget, cursor } = batch);
    if (batch.full) {
      found.push(open);
      open = "";
      budget = budgetAfter(budget);
    }
  }
  if (open !== "") found.push(open);
  return found;
}

const letters = (words: string): string => words.replaceAll(/[^\p{Letter}\p{Number}]/gu, "");

/** A random answer: paragraphs, runs of text, code, tables, emoji and what not. */
function randomPieces(random: () => number): Piece[] {
  const below = (most: number): number => Math.floor(random() * most);
  const word = (): string =>
    ["tide", "berth", "ferry", "Hafen", "港口", "🚢⚓", "&amp;", "\\*", "[pier](https://a.example/x)"][below(9)] ?? "";
  const words = (most: number): string =>
    Array.from({ length: 1 + below(most) }, word).join(below(20) === 0 ? "" : " ");
  return Array.from({ length: 1 + below(12) }, (): Piece => {
    switch (below(8)) {
      case 0:
        return code(
          Array.from({ length: below(300) }, () => words(below(9) + 1)).join("\n"),
          below(2) === 0 ? "ts" : "",
        );
      case 1:
        return table(words(30));
      case 2:
        return text(`${words(1200)}\n\n`);
      case 3:
        return text(`${words(30)}\n`, "line");
      case 4:
        return text(`${words(30)} `, "run");
      default:
        return text(`${words(120)}\n\n`);
    }
  });
}

describe("an answer laid out in messages", () => {
  it("loses no letter, keeps their order and stays within each message, whatever it is", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const pieces = randomPieces(seededRandom(seed));
      const whole = letters(pieces.map(pieceText).join(""));
      const parts = messages(pieces);
      const said = letters(parts.join(""));
      // A fence that is opened again repeats its info string, which here is "ts" or nothing.
      expect(said.replaceAll("ts", ""), `seed ${seed}`).toBe(whole.replaceAll("ts", ""));
      for (const part of parts) {
        expect(bytes(part), `seed ${seed}`).toBeLessThanOrEqual(STREAM.bytes + 4);
        expect(part.includes("\uFFFD"), `seed ${seed}`).toBe(false);
        expect((part.match(/^```/gm) ?? []).length % 2, `seed ${seed}`).toBe(0);
      }
    }
  });

  it("comes out the same however small the steps are in which it arrives", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const pieces = randomPieces(seededRandom(seed));
      const found: string[] = [];
      let budget = freshBudget;
      let cursor = START;
      let open = "";
      for (let count = 1; count <= pieces.length; count += 1) {
        for (;;) {
          const batch: Batch = layOut(
            budget,
            cursor,
            { cards: [], pieces: pieces.slice(0, count) },
            { limits: STREAM },
          );
          open += plainOf(batch.parts);
          ({ budget, cursor } = batch);
          if (!batch.full) break;
          found.push(open);
          open = "";
          budget = budgetAfter(budget);
          if (!batch.more) break;
        }
      }
      if (open !== "") found.push(open);
      expect(found, `seed ${seed}`).toEqual(messages(pieces));
    }
  });

  it("ends a message at a blank line when one is near", () => {
    const pieces = Array.from({ length: 40 }, (_, index) => text(`${index} ${"tide ".repeat(100)}\n\n`));
    const parts = messages(pieces);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part.endsWith("\n\n")).toBe(true);
    for (const part of parts.slice(0, -1)) expect(bytes(part)).toBeGreaterThan(STREAM.blockCutBytes);
  });

  it("opens a fence again where code is longer than a message, and cuts it at a line", () => {
    const lines = Array.from({ length: 900 }, (_, index) => `const berth${index} = "${"x".repeat(20)}";`);
    const parts = messages([text("Look:\n\n"), code(lines.join("\n"), "ts")]);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      expect(part).toContain("```ts\n");
      expect(part.trimEnd().endsWith("```")).toBe(true);
    }
    const kept = parts
      .join("")
      .split("\n")
      .filter((line) => line.startsWith("const"));
    expect(kept).toEqual(lines);
  });

  it("moves code that fits into a message of its own there, whole", () => {
    const block = code("y".repeat(5000));
    const parts = messages([text(`${"tide ".repeat(1200)}\n\n`), block, text("after\n\n")]);
    expect(parts[1]?.startsWith("```")).toBe(true);
    expect(parts).toHaveLength(2);
  });

  it("does not cut a piece that fits into a message", () => {
    const sentence = (name: string, words: number): Piece => text(`${name} ${"tide ".repeat(words)}`, "run");
    const parts = messages([sentence("first", 1300), sentence("second", 700)]);
    expect(parts.map((part) => part.split(" ")[0])).toEqual(["first", "second"]);
  });

  it("never cuts inside a link, an escape or an entity", () => {
    const link = "[the long name of the pier](https://a.example/pier) ";
    for (const part of messages([text(link.repeat(900))])) expect(letters(part.replaceAll(link.trim(), ""))).toBe("");
    for (const part of messages([text("&amp;".repeat(6000))])) expect(part.replaceAll("&amp;", "")).toBe("");
    for (const part of messages([text("\\*".repeat(9001))])) expect(part.replaceAll("\\*", "")).toBe("");
  });

  it("says a table in words where blocks are refused", () => {
    const pieces = [text("one\n\n"), table("north quay"), table("south quay")];
    const batch = layOut(freshBudget, START, { cards: [], pieces }, { limits: STREAM, plainTables: true });
    expect(textOf(batch.parts)).toBe("one\n\nnorth quay\n\nsouth quay\n\n");
    expect(batch.chunks).toHaveLength(1);
  });

  it("is the same as messages to post, tables included", () => {
    const pieces = [text("one\n\n"), table("north quay"), text("two\n\n"), table("south quay"), text("three")];
    const posts = messagesLeft({ piece: 0, offset: 3 }, pieces, STREAM);
    expect(posts.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
      ["table", "markdown"],
      ["table", "markdown"],
    ]);
    expect(posts.map((post) => letters(post.text)).join("")).toBe("northquaytwosouthquaythree");
  });
});

describe("cards", () => {
  const show = (budget: MessageBudget, cards: readonly TaskCard[]): Batch =>
    layOut(budget, START, { cards, pieces: [] }, { limits: STREAM });

  it("are sent when they are new or have changed, output once", () => {
    const first: TaskCard = { ...card("a"), output: "three documents" };
    const one = show(freshBudget, [first]);
    expect(one.chunks).toEqual([
      { type: "task_update", id: "a", title: "Step a", status: "in_progress", output: "three documents" },
    ]);
    expect(show(one.budget, [first]).chunks).toEqual([]);
    const two = show(one.budget, [{ ...first, status: "complete" }]);
    expect(two.chunks).toEqual([{ type: "task_update", id: "a", title: "Step a", status: "complete" }]);
  });

  it("are named by one row, which is said where there are cards and where it changed", () => {
    const named = (budget: MessageBudget, plan: string, cards: readonly TaskCard[]): Batch =>
      layOut(budget, START, { cards, plan, pieces: [] }, { limits: STREAM });
    expect(named(freshBudget, "Searching", []).chunks).toEqual([]);
    const one = named(freshBudget, "Searching", [card("a")]);
    expect(one.chunks[0]).toEqual({ type: "plan_update", title: "Searching" });
    expect(named(one.budget, "Searching", [card("a")]).chunks).toEqual([]);
    expect(closeCards(one.budget, "stopped")[0]).toEqual({ type: "plan_update", title: "Searching (stopped)" });
    const two = named(one.budget, "Searched 3 documents", [card("a", "complete")]);
    expect(two.chunks[0]).toEqual({ type: "plan_update", title: "Searched 3 documents" });
    // Nobody is at work in it any more.
    expect(closeCards(two.budget, "goes on")).toEqual([]);
  });

  it("beyond the rows of a message are counted in the last row, failures too", () => {
    const cards = Array.from({ length: 300 }, (_, index) => card(`c${index}`, index === 299 ? "error" : "complete"));
    const { chunks, budget } = show(freshBudget, cards);
    expect(chunks).toHaveLength(50);
    expect(chunks.at(-1)).toMatchObject({ title: "and 251 more steps, 1 failed", status: "error" });
    expect(show(budget, cards).chunks).toEqual([]);
  });

  it("with long words leave room for the answer, and still tell how they end", () => {
    const long = (id: number, status: TaskCard["status"]): TaskCard => ({
      ...card(`c${id}`, status),
      output: "d".repeat(400),
    });
    const running = Array.from({ length: 30 }, (_, index) => long(index, "in_progress"));
    const begun = show(freshBudget, running);
    expect(begun.budget.cardBytes).toBeLessThanOrEqual(STREAM.cardBytes);
    const ended = show(
      begun.budget,
      running.map((one) => ({ ...one, status: "complete" as const })),
    );
    expect(ended.budget.bytes).toBeLessThanOrEqual(STREAM.bytes);
    const ids = new Set(ended.chunks.map((chunk) => ("id" in chunk ? chunk.id : "")));
    expect(ids.size).toBe(new Set(begun.chunks.map((chunk) => ("id" in chunk ? chunk.id : ""))).size);
    for (const chunk of ended.chunks) expect(chunk).toMatchObject({ status: "complete" });
  });

  it("that ended are not shown again in the next message; those under way are", () => {
    const cards = [card("done", "complete"), card("going")];
    const { budget } = show(freshBudget, cards);
    expect(closeCards(budget, "goes on")).toMatchObject([{ id: "going", status: "complete" }]);
    expect(show(budgetAfter(budget), cards).chunks).toMatchObject([{ id: "going", status: "in_progress" }]);
  });

  it("are sent again after a lost call, but not what would add up", () => {
    const one: TaskCard = { ...card("a"), output: "three documents" };
    const { budget } = show(freshBudget, [one]);
    expect(show(budgetInDoubt(budget), [one]).chunks).toEqual([
      { type: "task_update", id: "a", title: "Step a", status: "in_progress" },
    ]);
  });

  it("are left out of posted blocks", () => {
    const batch = layOut(freshBudget, START, { cards: [card("a")], pieces: [text("words")] }, { limits: STREAM });
    expect(blocksOf(batch.parts)).toEqual([{ type: "markdown", text: "words" }]);
  });
});
