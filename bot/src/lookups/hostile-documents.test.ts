import { readFileSync } from "node:fs";
import { markupIn } from "@threadlore/chat-workspace";
import { sharedFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import type { FoundDocument } from "./documents.ts";
import { resultOf } from "./search.ts";
import { EXCERPT, previewBlocks, workObject } from "./work-object.ts";

const LINK = "https://wiki.example.com/leave";

const OWN = [
  "https://evil.example/x?d=CANARY",
  "<https://evil.example/x?d=CANARY|click>",
  "<!channel> <!here> <@U0SOMEBODY> @everyone",
  "[a](https://evil.example) ![b](https://evil.example/b.png)",
  "a|b> <https://evil.example|c",
  "\u202Ehttps://evil.example \u001b[31m",
  "mailto:a@evil.example www.evil.example",
  "x".repeat(20_000),
];

function ofShared(): string[] {
  const folder = sharedFolder("vectors");
  if (folder === undefined) return [];
  const { vectors } = JSON.parse(readFileSync(`${folder}/exfil-vectors.json`, "utf8")) as {
    vectors: { text: string }[];
  };
  return vectors.map(({ text }) => text);
}

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("a document's words in results and previews", () => {
  it.each([...OWN, ...ofShared()])("lead nowhere and call nobody: %s", (text) => {
    const document: FoundDocument = { id: "x", title: text, link: LINK, passages: [text] };
    const shown = [resultOf(document, "2026-03-02"), workObject(document, EXCERPT.opened)];
    // Addresses of the document itself are the only ones.
    const words = textsIn(shown).filter((one) => one !== LINK);
    for (const one of words) {
      expect(one).not.toMatch(/:\/\/|<[!@#]|\u202E/);
      expect(one).not.toContain("\u001b");
      expect(one.length).toBeLessThanOrEqual(4_000);
      expect(one).not.toBe("");
    }
    const { links, mentions, broadcasts } = markupIn({ unfurls: { [LINK]: { blocks: previewBlocks(document) } } });
    expect([...new Set(links.map(({ url }) => url))]).toEqual([LINK]);
    expect([mentions, broadcasts]).toEqual([[], []]);
  });
});
