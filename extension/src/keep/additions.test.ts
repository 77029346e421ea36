import { IngestionDocument } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import {
  ADDITION_LIMITS,
  type KeptAdditions,
  NO_ADDITIONS,
  tidyAdditions,
  tidyTags,
  withAdditions,
  withHighlight,
  withoutHighlight,
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

  it("has the title in both fields, tags in its metadata, the note in a section that links to the page, highlights to where they stand", () => {
    const additions: KeptAdditions = {
      title: "お茶の淹れ方",
      tags: ["茶", "Getränke"],
      note: "Ask Mia.",
      highlights: [{ text: "drunk hot", link: "https://example.com/tea#:~:text=drunk%20hot" }, { text: "ساخن" }],
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
      { text: "# Marked\n\ndrunk hot", link: "https://example.com/tea#:~:text=drunk%20hot" },
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

describe("highlights", () => {
  const added = (...texts: readonly string[]) => {
    let additions: KeptAdditions = { title: "Teas", tags: ["tea"], note: "Ask Mia.", highlights: [] };
    for (const text of texts) additions = withHighlight(additions, { text }).additions;
    return additions;
  };

  it("are added to what was there, and taken away again, and nothing else changes", () => {
    const two = added("drunk hot", "お茶は熱い");
    expect(two).toEqual({
      title: "Teas",
      tags: ["tea"],
      note: "Ask Mia.",
      highlights: [{ text: "drunk hot" }, { text: "お茶は熱い" }],
    });
    expect(withoutHighlight(two, "drunk  hot")).toEqual(added("お茶は熱い"));
    expect(withHighlight(undefined, { text: "hot", link: "https://example.com/" }).additions).toEqual({
      tags: [],
      highlights: [{ text: "hot", link: "https://example.com/" }],
    });
  });

  it("are one where they are the same text, however its lines and accents are written", () => {
    const { became, additions } = withHighlight(added("Caf\u00e9\nau lait"), { text: " Cafe\u0301  au lait" });
    expect([became, additions.highlights]).toEqual(["known", [{ text: "Caf\u00e9\nau lait" }]]);
    const twice = { ...NO_ADDITIONS, highlights: [{ text: "a b" }, { text: "a\nb" }, { text: " " }] };
    expect(tidyAdditions(twice)?.highlights).toEqual([{ text: "a b" }]);
  });

  it("are cut where they are very long, and no more are taken than may be, which is said", () => {
    const { became, text, isCut } = withHighlight(undefined, { text: "語".repeat(50_000) });
    expect([became, text.length, isCut]).toEqual(["added", ADDITION_LIMITS.highlight, true]);
    const all = added(...Array.from({ length: ADDITION_LIMITS.highlights }, (_, number) => `Line ${number}`));
    expect(withHighlight(all, { text: "One more" })).toMatchObject({ became: "full", additions: all });
    expect(withHighlight(all, { text: "Line 7" }).became).toBe("known");
    expect(withHighlight(all, { text: " " }).became).toBe("empty");
  });
});
