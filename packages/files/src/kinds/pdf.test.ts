import { pdfOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { noTextIn } from "../refusal.ts";
import { partsOfPdf } from "./pdf.ts";

describe("PDF", () => {
  it("is read for a number of pages and a time only, and what is left out is told", async () => {
    const bytes = pdfOf([["One."], ["Two."], ["Three."]]);
    const limited = (pages: number, milliseconds: number) =>
      partsOfPdf({ bytes, name: "a.pdf" }, 1_000, { pages, milliseconds });
    const texts = ({ parts, pages }: Awaited<ReturnType<typeof partsOfPdf>>) => [
      parts.map((part) => part.text).join(" "),
      pages.read < pages.all,
    ];
    expect(texts(await limited(2, 60_000))).toEqual(["One. Two.", true]);
    expect(texts(await limited(3, 60_000))).toEqual(["One. Two. Three.", false]);
    expect(texts(await limited(3, 0))).toEqual(["One.", true]);
    const blank = await partsOfPdf({ bytes: pdfOf([[], ["x"]]), name: "slow.pdf" }, 9, { pages: 9, milliseconds: 0 });
    expect(blank.parts).toEqual([]);
    expect(noTextIn("slow.pdf", blank.pages)).toMatchObject({
      reason: "too-large",
      message: expect.stringContaining("took too long"),
    });
  });
});
