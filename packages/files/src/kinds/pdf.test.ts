import { column, pdfInScript, pdfOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { noTextIn } from "../refusal.ts";
import { partsOfPdf } from "./pdf.ts";

describe("PDF", () => {
  it.each([
    ["Hebrew", ["מותר לנגן בבית עד השעה 22:00 בלבד.", "הגינה פתוחה לכולם."]],
    ["Arabic", ["يبدأ الدوام المدرسي في الساعة 7:45 صباحا.", "وينتهي عند الظهر."]],
  ])("reads lines of %s from the right, and the numbers in them from the left", async (_, lines) => {
    const bytes = pdfInScript([column(lines)], { rightToLeft: true });
    const { parts } = await partsOfPdf({ bytes, name: "rules.pdf" }, 1_000);
    expect(parts[0]?.text).toBe(lines.join("\n"));
  });

  it("reads words from the left in a line from the right, and letters in the forms they have inside of words", async () => {
    // As it is seen from the left: the last word first, each letter in the form it is drawn in.
    const seen = [
      { text: "\u{FEAE}\u{FEF3}\u{FEAA}\u{FEE4}\u{FEDF}\u{FE8D}", x: 60, y: 700 },
      { text: "nakheel", x: 120, y: 700 },
      { text: "restore", x: 190, y: 700 },
      { text: "\u{FEAE}\u{FEE3}\u{FEF7}\u{FE8D}", x: 260, y: 700 },
    ];
    const { parts } = await partsOfPdf({ bytes: pdfInScript([seen]), name: "rules.pdf" }, 1_000);
    expect(parts[0]?.text).toBe("الأمر nakheel restore المدير");
  });

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
