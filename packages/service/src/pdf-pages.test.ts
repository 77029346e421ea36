import { describe, expect, it } from "vitest";
import { LOCKED, pdfOf } from "./pdf.harness.ts";
import type { PdfLimits, ReadText } from "./pdf-pages.ts";
import { textOfUpload } from "./upload-text.ts";

const PAGES = [
  ["Contractors enter by", "the north gate."],
  ["The code changes", "every Mon-", "day."],
];

const textOfPdf = async (bytes: Uint8Array<ArrayBuffer>, limits: Partial<PdfLimits> = {}): Promise<ReadText> => {
  const read = await textOfUpload("application/pdf", bytes, limits);
  if ("rejected" in read) throw new Error(read.rejected);
  return read;
};

describe("the text of a PDF", () => {
  it("is read page by page, lines kept, broken words joined", async () => {
    expect(await textOfPdf(pdfOf(PAGES))).toEqual({
      text: "Contractors enter by\nthe north gate.\n\nThe code changes\nevery Monday.",
      gap: null,
    });
  });

  it.each([
    ["scanned", pdfOf([[], []]), "no text (a scan)"],
    ["locked", pdfOf(PAGES, LOCKED), "locked with a password"],
    ["damaged", new TextEncoder().encode("%PDF-1.7\nnothing"), "damaged or incomplete"],
    ["cut off", pdfOf(PAGES).slice(0, 120), "damaged or incomplete"],
  ])("is missing where it is %s, and why is said", async (_case, bytes, why) => {
    const { text, gap } = await textOfPdf(bytes);
    expect(text).toBeNull();
    expect(gap).toContain(why);
  });

  it("says how many pages hold none", async () => {
    expect((await textOfPdf(pdfOf([...PAGES, []]))).gap).toContain("1 of its 3 pages hold no text");
  });

  it.each([
    ["pages", { pages: 1 }],
    ["characters", { characters: 12 }],
    ["time", { budgetMs: 0.001 }],
  ])("ends at the limit of %s, and says how far it was read", async (_limit, limits) => {
    const many = pdfOf(Array.from({ length: 40 }, () => ["Contractors enter by the north gate."]));
    const { text, gap } = await textOfPdf(many, limits);
    expect(text).toMatch(/^Contractors/);
    expect(text?.length).toBeLessThan(100);
    expect(gap).toMatch(/Only the first \d+ of its 40 pages were read/);
  });
});
