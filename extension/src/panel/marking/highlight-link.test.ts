import { describe, expect, it } from "vitest";
import { highlightLink } from "./highlight-link.ts";

const PAGE = "https://wiki.example.com/travel";
const placeOf = (text: string, page = PAGE) => decodeURIComponent(highlightLink(page, text).slice(page.length));

describe("the address of a highlight", () => {
  it("names a short text whole, and a long one by its first and last words", () => {
    expect(placeOf("Visitors park behind the blue gate.")).toBe("#:~:text=Visitors park behind the blue gate.");
    const long = "Whoever travels for the company sends the receipts to finance before the end of the month.";
    expect(placeOf(long)).toBe("#:~:text=Whoever travels for the company,the end of the month.");
  });

  it("ends words where they end in scripts that put no space between them", () => {
    const place = placeOf("出張費は十日以内に払い戻されます。領収書を必ず添えて提出してください。");
    expect(place).toMatch(/^#:~:text=出張費は十日.*,.*てください。$/);
    expect(placeOf("ค่าเดินทางจะคืนให้ภายในสิบวันหลังจากส่งใบเสร็จรับเงินทั้งหมดแล้ว")).toMatch(/^#:~:text=ค่าเดินทาง.*,.*แล้ว$/);
    expect(placeOf("تُفتح المكتبة كل يوم")).toBe("#:~:text=تُفتح المكتبة كل يوم");
  });

  it("goes from the first line that is one to the last, without what the reading has written", () => {
    const text = "# Costs\n\n- Trains are booked early.\n- A hotel may cost **120** euros.\n\nReceipts go to finance.";
    expect(placeOf(text)).toBe("#:~:text=Trains are booked early,Receipts go to finance.");
    expect(placeOf("Costs\n\n4711")).toBe("#:~:text=Costs,4711");
    expect(placeOf("\n---\n")).toBe("");
  });

  it("keeps the page of an application, and no other place of the page", () => {
    expect(placeOf("One two", "https://app.example.com/#/travel")).toBe(":~:text=One two");
    expect(highlightLink(`${PAGE}#:~:text=Costs`, "One two")).toBe(`${PAGE}#:~:text=One%20two`);
    expect(highlightLink(`${PAGE}#costs`, "Up-to-date, & so on")).toBe(
      `${PAGE}#:~:text=Up%2Dto%2Ddate%2C%20%26%20so%20on`,
    );
  });
});
