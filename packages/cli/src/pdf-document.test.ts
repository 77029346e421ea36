import { describe, expect, it } from "vitest";
import { documentFromPdf, isPdf } from "./pdf-document.ts";
import { onePagePdf } from "./testing/one-page-pdf.ts";

const file = { name: "prices/tariff.pdf", bytes: onePagePdf("A berth costs 412 crowns a night.") };

describe("a PDF on its way into the knowledge", () => {
  it("is told by its first bytes, by its name, or by what the server it came from says", () => {
    expect(isPdf({ name: "tariff", bytes: file.bytes })).toBe(true);
    expect(isPdf({ name: "tariff.PDF", bytes: new Uint8Array() })).toBe(true);
    expect(isPdf({ name: "tariff", bytes: new Uint8Array(), kind: "pdf" })).toBe(true);
    expect(isPdf({ name: "tariff.pdf", bytes: file.bytes, kind: "html" })).toBe(false);
    expect(isPdf({ name: "notes.md", bytes: Buffer.from("# Notes") })).toBe(false);
  });

  it("is read in a thread, with its title, place and time", { timeout: 60_000 }, async () => {
    const { document, notes } = await documentFromPdf({ ...file, modifiedAt: new Date("2026-01-31T10:00:00Z") });
    expect(JSON.stringify(document.sections)).toContain("A berth costs 412 crowns a night.");
    expect(document.doc_updated_at).toBe("2026-01-31T10:00:00.000Z");
    expect(document.metadata).toMatchObject({ path: "prices/tariff.pdf", pages: "1" });
    expect(notes).toEqual([]);
  });

  it("is refused with the reason where it cannot be read", { timeout: 60_000 }, async () => {
    const damaged = { ...file, bytes: Buffer.from("%PDF-1.7\nnothing") };
    await expect(documentFromPdf(damaged)).rejects.toThrow(/^it is damaged or incomplete\./);
  });

  it("is given up where its time is over", { timeout: 60_000 }, async () => {
    await expect(documentFromPdf(file, 1)).rejects.toThrow(/^reading it took too long and was given up\./);
  });
});
