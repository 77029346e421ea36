import { IngestionDocument } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import {
  ADDITION_LIMITS,
  type KeptAdditions,
  NO_ADDITIONS,
  tidyAdditions,
  tidyTags,
  withAdditions,
} from "./additions.ts";

const WORDS = { note: "Note", highlight: "Marked" };
const PAGE = {
  id: "web_tea",
  semantic_identifier: "Tea",
  title: "Tea",
  sections: [{ text: "# Tea\n\nIt is drunk hot.", link: "https://example.com/tea#:~:text=hot" }],
  source: "web" as const,
  metadata: { host: "example.com" },
};

describe("the document of a page with what was added", () => {
  it("is the page's own where nothing was", () => {
    expect(withAdditions(PAGE, undefined, WORDS)).toEqual(PAGE);
    expect(withAdditions(PAGE, NO_ADDITIONS, WORDS)).toEqual(PAGE);
  });

  it("has the title in both fields, tags in its metadata, note and highlights in sections that link to the page", () => {
    const additions: KeptAdditions = {
      title: "お茶の淹れ方",
      tags: ["茶", "Getränke"],
      note: "Ask Mia.",
      highlights: [{ text: "drunk hot" }, { text: "ساخن" }],
    };
    const made = withAdditions(PAGE, additions, WORDS);
    expect(IngestionDocument.parse(made)).toMatchObject({
      id: "web_tea",
      semantic_identifier: "お茶の淹れ方",
      title: "お茶の淹れ方",
      metadata: { host: "example.com", tags: ["茶", "Getränke"] },
    });
    expect(made.sections.slice(1)).toEqual([
      { text: "# Note\n\nAsk Mia.", link: "https://example.com/tea" },
      { text: "# Marked\n\ndrunk hot", link: "https://example.com/tea" },
      { text: "# Marked\n\nساخن", link: "https://example.com/tea" },
    ]);
    expect(PAGE.sections).toHaveLength(1);
  });
});

describe("additions as they are kept", () => {
  it("are none where they say nothing that the page does not", () => {
    expect(tidyAdditions({ ...NO_ADDITIONS, title: " Tea ", note: "\n" }, "Tea")).toBeUndefined();
    expect(tidyAdditions({ ...NO_ADDITIONS, title: " Teas\n of Asia " }, "Tea")).toEqual({
      title: "Teas of Asia",
      tags: [],
      highlights: [],
    });
  });

  it("have each tag once, in its first spelling, without signs nobody sees", () => {
    expect(tidyTags(["Tea", "tea", " #ＴＥＡ ", "", "a\u202eb", "\u0e0a\u0e32", "שלום עולם"])).toEqual([
      "Tea",
      "ab",
      "\u0e0a\u0e32",
      "שלום עולם",
    ]);
    expect(tidyTags(Array.from({ length: 50 }, (_, number) => `t${number}`))).toHaveLength(ADDITION_LIMITS.tags);
  });

  it("cut no character in two", () => {
    const [tag = ""] = tidyTags([`${"x".repeat(58)}👩‍👩‍👧‍👦`]);
    expect(tag).toBe("x".repeat(58));
    expect(tidyTags(["語".repeat(80)])[0]).toHaveLength(ADDITION_LIMITS.tag);
  });
});
