import { describe, expect, it } from "vitest";
import { mixesScripts } from "./host-script.ts";

const hostOf = (address: string): string => URL.parse(address)?.hostname ?? "";

describe("a host label that mixes scripts which look alike", () => {
  it.each([
    ["https://аpple.com/", "Cyrillic а"],
    ["https://xn--pple-43d.com/", "the same, in punycode"],
    ["https://wiki.gооgle.example/", "in the middle of a label, two letters"],
    ["https://paypaΙ.example/", "Greek capital iota"],
    ["https://docs.μicro.example/", "Greek mu before Latin"],
    ["https://été-а.example/", "Latin with accents and Cyrillic"],
    ["https://handbook.bücher-скидка.example/", "two whole words of one label"],
  ])("is found in %s: %s", (address) => {
    expect(hostOf(address)).toContain("xn--");
    expect(mixesScripts(hostOf(address))).toBe(true);
  });

  it.each([
    "https://example.com/",
    "https://bücher.example/",
    "https://пример.рф/",
    "https://новости.example.com/",
    "https://παράδειγμα.gr/",
    "https://例え.jp/",
    "https://日本語wiki.example/",
    "https://مثال.example/",
    "https://xn--.example/",
    "https://127.0.0.1/",
    "https://[::1]/",
  ])("is not seen in %s, whose labels are of one script, or of scripts nobody confuses", (address) => {
    expect(mixesScripts(hostOf(address))).toBe(false);
  });

  const letters: Record<string, boolean> = { ж: true, λ: true, ש: false, ش: false, ह: false, 漢: false, 가: false };
  const labels = Object.entries(letters).flatMap(([letter, mixed]) =>
    [`abc${letter}`, `${"a".repeat(40)}${letter}b`, `a${letter}${letter}${letter}z-9`].map((label) => ({
      host: hostOf(`https://${label}.example/`),
      mixed,
    })),
  );
  it.each(labels.filter(({ host }) => host !== ""))("reads $host as it was written: mixed is $mixed", (label) => {
    expect(mixesScripts(label.host)).toBe(label.mixed);
  });
});
