import { describe, expect, it } from "vitest";
import { LIMITS } from "../../slack/transport/limits.ts";
import type { DigestFacts } from "./digest-facts.ts";
import { digestMessage } from "./digest-message.ts";

/** Five of them, and more. */
const full = <Row>(row: Row) => ({ rows: Array.from({ length: 5 }, () => row), more: 195 });

/** A digest whose every part is full, with what may stand in it. */
function fullDigest(words: string, link: string): DigestFacts {
  const doubt = {
    id: "d".repeat(24),
    channel: "C0GENERAL",
    ts: "1.1",
    owner: "U0BO",
    reason: "contradicted" as const,
    state: "asked" as const,
    messages: [],
    since: 0,
    updatedAt: 0,
  };
  const saying = { title: words, link, says: words };
  return {
    gaps: full({ gap: "o1", people: 2, questions: 2, words, canBeAsked: true }),
    closed: full({ title: words, permalink: link }),
    doubted: full({ doubt, title: words, permalink: link }),
    changed: full({ ref: "c".repeat(24), kept: saying, newer: saying }),
    asked: full({ words, people: 3, permalink: link }),
    tests: { failed: 200, causes: full(words) },
    unknown: { elsewhere: "forbidden", contradictions: true },
  };
}

const textsOf = (blocks: readonly unknown[]): readonly string[] =>
  [...JSON.stringify(blocks).matchAll(/"type":"mrkdwn","text":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) =>
    String(JSON.parse(text)),
  );

describe("the digest as a message", () => {
  it.each([
    ["usual words", "Two people have to be aboard.", "https://handbook.example/boats"],
    ["many signs that are escaped", "<&>".repeat(2_000), `https://handbook.example/${"a".repeat(1_300)}`],
    ["words from the right", "أين المفتاح الاحتياطي؟ ".repeat(200), `https://handbook.example/${"a".repeat(5_000)}`],
  ])("is taken with every part full, of %s", (_what, words, link) => {
    const { blocks } = digestMessage(fullDigest(words, link));
    expect(blocks.length).toBeLessThan(LIMITS.messageBlocks);
    const texts = textsOf(blocks);
    expect(texts.length).toBeGreaterThan(30);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(LIMITS.sectionText);
  });

  it("names the kept answer and the newer document with their addresses, as far as there is room", () => {
    const shown = (link: string): string =>
      textsOf(digestMessage(fullDigest("Boats & crews", link)).blocks).find((one) => one.includes("Kept is:")) ?? "";
    const near = "https://handbook.example/boats";
    expect(shown(near)).toBe(
      `*<${near}|Boats &amp; crews>*\nKept is:\n> Boats &amp; crews\n<${near}|Boats &amp; crews> says:\n> Boats &amp; crews`,
    );
    expect(shown(`${near}/${"&".repeat(1_300)}`)).toBe(
      "*Boats &amp; crews*\nKept is:\n> Boats &amp; crews\nBoats &amp; crews says:\n> Boats &amp; crews",
    );
  });

  it("lets words that run from the right stand for themselves, in their own direction", () => {
    const { blocks } = digestMessage(fullDigest("أين المفتاح الاحتياطي؟", "https://handbook.example/keys"));
    expect(JSON.stringify(blocks)).toContain("\u2068أين المفتاح الاحتياطي؟\u2069 — 2 people wait");
  });
});
