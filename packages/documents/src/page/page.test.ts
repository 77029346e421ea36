import { IngestionDocument } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import { documentFromPage, type PageSnapshot } from "../index.ts";

const snapshot: PageSnapshot = {
  url: "https://www.allotment.example/water?utm_source=mail#top",
  contentType: "text/html",
  title: "Watering",
  authors: [],
  parts: [
    { level: 1, heading: "Watering", text: "Twice a week." },
    { level: 2, heading: "Beans", fragment: "beans", text: "At the root." },
  ],
  extent: "main",
  characters: 40,
  hiddenCharacters: 0,
  editedCharacters: 0,
  invisibleCharacters: 0,
  unreadFrames: 0,
  cut: false,
  privacy: [],
  readAt: "2026-05-04T08:00:00.000Z",
};

describe("a document from a page", () => {
  it("takes the moment of reading where the page names no date, and links each section to its place", async () => {
    const { document } = await documentFromPage(snapshot);
    expect(IngestionDocument.parse(document)).toEqual(document);
    expect(document.doc_updated_at).toBe("2026-05-04T08:00:00.000Z");
    expect(document.sections).toEqual([
      { text: "# Watering\n\nTwice a week.", link: "https://www.allotment.example/water" },
      { text: "# Watering\n## Beans\n\nAt the root.", link: "https://www.allotment.example/water#beans" },
    ]);
  });

  it("is never newer than the moment it was read, whatever it says of itself", async () => {
    for (const date of [{ modified: "2099-01-01T00:00:00Z" }, { published: "2099-01-01T00:00:00+09:00" }]) {
      const { document } = await documentFromPage({ ...snapshot, ...date });
      expect(document.doc_updated_at).toBe("2026-05-04T08:00:00.000Z");
    }
    const { document } = await documentFromPage({ ...snapshot, modified: "2026-05-04T09:30:00+02:00" });
    expect(document.doc_updated_at).toBe("2026-05-04T09:30:00+02:00");
  });

  it("has the same id by every address of the page, and another where the page says so", async () => {
    const idOf = async (changes: Partial<PageSnapshot>) =>
      (await documentFromPage({ ...snapshot, ...changes })).document.id;
    const id = await idOf({});
    expect(await idOf({ url: "http://allotment.example/water/?fbclid=1" })).toBe(id);
    expect(await idOf({ canonicalUrl: "https://allotment.example/beans" })).not.toBe(id);
  });

  it("refuses an address that nobody else can open", async () => {
    await expect(documentFromPage({ ...snapshot, url: "file:///home/a.html" })).rejects.toThrow(TypeError);
  });

  it("says how much of the page is missing", async () => {
    const missing = { hiddenCharacters: 12, unreadFrames: 2, cut: true };
    const { notes, document } = await documentFromPage({ ...snapshot, ...missing });
    expect(notes).toHaveLength(3);
    expect(document.sections.at(-1)?.text).toMatch(/\[Cut here/);
  });
});
