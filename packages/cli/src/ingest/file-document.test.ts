import { docxOf, pdfOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { readDocument } from "./file-document.ts";

const file = { name: "prices/tariff.pdf", bytes: pdfOf([["A berth costs 412 crowns a night."]]) };
const text = (value: string) => new TextEncoder().encode(value);

describe("a file on its way into the knowledge", { timeout: 120_000 }, () => {
  it("is read in a process of its own where it is a PDF, with its title, place and time", async () => {
    const { document, notes } = await readDocument({ ...file, modifiedAt: new Date("2026-01-31T10:00:00Z") });
    expect(JSON.stringify(document.sections)).toContain("A berth costs 412 crowns a night.");
    expect(document.doc_updated_at).toBe("2026-01-31T10:00:00.000Z");
    expect(document.metadata).toMatchObject({ path: "prices/tariff.pdf", pages: "1" });
    expect(notes).toEqual([]);
  });

  it("becomes the same document there as here, to the last letter", async () => {
    const words = "Die Fähre 🙂 legt um zwölf ab.\n".repeat(40_000);
    const bytes = text(`---\ntitle: Fähre\ntags: [a, b]\n---\n# Eins\n${words}`);
    const here = { name: "x.md", bytes: bytes.subarray(0, 900_000) };
    const [small, large] = await Promise.all([readDocument(here), readDocument({ name: "x.md", bytes })]);
    const { sections: first, ...one } = small.document;
    const { sections: second, ...other } = large.document;
    expect(JSON.stringify(other)).toBe(JSON.stringify(one));
    expect(second[0]).toEqual(first[0]);
    expect(second.length).toBeGreaterThan(first.length);
  });

  it("is refused with the reason where it cannot be read", async () => {
    const damaged = { ...file, bytes: text("%PDF-1.7\nnothing") };
    await expect(readDocument(damaged)).rejects.toThrow(/^it is damaged or incomplete\./);
    await expect(readDocument({ name: "a.txt", bytes: new Uint8Array(9) })).rejects.toThrow(/^it is not text\./);
  });

  it("is given up where its time is over, or whoever wanted it has gone", async () => {
    await expect(readDocument(file, { mostMs: 1 })).rejects.toThrow(/^reading it took too long and was given up\./);
    const gone = new AbortController();
    const reading = readDocument({ name: "a.docx", bytes: paragraphs(900_000) }, { signal: gone.signal });
    setTimeout(() => gone.abort(new Error("Ctrl-C")), 200);
    await expect(reading).rejects.toThrow("Ctrl-C");
  });

  it("T26 of 900,000 paragraphs in some kilobytes is refused for its memory, and the next one is read", async () => {
    const bytes = paragraphs(900_000);
    expect(bytes.length).toBeLessThan(100_000);
    await expect(readDocument({ name: "a.docx", bytes }, { mostMs: 110_000 })).rejects.toThrow(
      "it takes more memory than reading a file may take. Split it, or give its text.",
    );
    expect((await readDocument(file)).document.metadata).toMatchObject({ pages: "1" });
  });

  it("T26 that says less of its size than is true is refused", async () => {
    const lying = paragraphs(11_000_000);
    const view = new DataView(lying.buffer);
    // What local and central entries say of the unpacked size.
    for (let at = 0; at + 4 < lying.length; at++) {
      if (view.getUint32(at, true) === 0x04_03_4b_50) view.setUint32(at + 22, 10, true);
      if (view.getUint32(at, true) === 0x02_01_4b_50) view.setUint32(at + 24, 10, true);
    }
    await expect(readDocument({ name: "a.docx", bytes: lying })).rejects.toThrow("it unfolds to over 60 MB");
  });
});

function paragraphs(count: number): Uint8Array<ArrayBuffer> {
  return docxOf("<w:p/>".repeat(count));
}
