import { FileRefusedError } from "@threadlore/files";
import { docxOf, paragraph, table, zipOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { documentFromFile } from "./file.ts";

const CORE = `<cp:coreProperties xmlns:cp="urn:c" xmlns:dc="urn:d" xmlns:dcterms="urn:t">
  <dc:title>Ferry handbook</dc:title><dc:creator>Ada Lovelace; Grace Hopper</dc:creator>
  <dcterms:modified>2026-01-31T10:00:00Z</dcterms:modified></cp:coreProperties>`;

const HANDBOOK =
  paragraph("Handbook", "T") +
  paragraph("Boarding", "H1") +
  paragraph("Be at the ramp ten minutes before &amp; wait.") +
  table([
    ["Pier", "Leaves"],
    ["North", "noon"],
  ]) +
  paragraph("Dogs", "H2") +
  paragraph("On a lead.");

const refusal = async (name: string, bytes: Uint8Array): Promise<string> => {
  try {
    await documentFromFile({ name, bytes });
  } catch (error) {
    return error instanceof Error ? `${error.name} ${error.message}` : "";
  }
  throw new Error("it was read");
};

describe("a Word document", () => {
  it("becomes sections under its headings, with its tables as text", async () => {
    const bytes = docxOf(HANDBOOK, { "docProps/core.xml": CORE });
    const { document, notes } = await documentFromFile({ name: "ferry.docx", bytes });
    const text = document.sections.map((section) => section.text).join("\n---\n");
    expect(text).toMatch(/Boarding[\s\S]*Be at the ramp ten minutes before & wait\./);
    expect(text).toMatch(/Pier.*Leaves[\s\S]*North.*noon/);
    expect(text).toMatch(/Dogs[\s\S]*On a lead\./);
    expect(document).toMatchObject({
      semantic_identifier: "Ferry handbook",
      doc_updated_at: "2026-01-31T10:00:00Z",
      primary_owners: [{ display_name: "Ada Lovelace" }, { display_name: "Grace Hopper" }],
    });
    expect(notes).toEqual([]);
  });

  it("is known by its content, whatever its name, and its macros are left out", async () => {
    const bytes = docxOf(paragraph("Text"), { "word/vbaProject.bin": "Sub Auto" });
    const { document, notes } = await documentFromFile({ name: "plan.docm", bytes });
    expect(document.sections[0]?.text).toBe("Text");
    expect(notes).toEqual(["It holds macros, which were left out."]);
  });

  it.each([
    ["only macros", docxOf("", { "word/vbaProject.bin": "Sub Auto" }), "there is no text in it"],
    ["cut off", docxOf(HANDBOOK).slice(0, 900), "damaged or incomplete"],
    ["not XML", docxOf("<w:p>"), "damaged"],
    ["a workbook without a sheet", zipOf({ "xl/workbook.xml": "<x/>" }), "there is no text in it"],
    ["an archive", zipOf({ "a.txt": "a" }), "this is a ZIP archive"],
    [
      "unfolding to gigabytes",
      docxOf("", { "word/media.xml": new Uint8Array(61_000_000) }),
      "it unfolds to over 60 MB",
    ],
  ])("that is %s is refused with the reason", async (_case, bytes, why) => {
    expect(await refusal("x.docx", bytes)).toContain(why);
    expect(await refusal("x.docx", bytes)).toContain("FileRefusedError");
  });

  it("behind a password is refused with what to do", async () => {
    const name = Buffer.from("EncryptedPackage", "utf16le");
    const bytes = new Uint8Array(Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600), name]));
    expect(await refusal("x.docx", bytes)).toContain("protected by a password. Save a copy without one");
    expect(await refusal("x.doc", bytes.slice(0, 500))).toContain("an office document of the old format");
  });

  it("with damaged bytes anywhere is read or refused, never anything else", async () => {
    const whole = docxOf(HANDBOOK, { "docProps/core.xml": CORE });
    const others: unknown[] = [];
    for (let at = 0; at < whole.length; at += 7) {
      const bytes = whole.slice();
      bytes[at] = 255 - (bytes[at] ?? 0);
      const outcome = await documentFromFile({ name: "x.docx", bytes }).catch((error: unknown) => error);
      if (outcome instanceof Error && !(outcome instanceof FileRefusedError)) others.push(outcome);
    }
    expect(others).toEqual([]);
  }, 120_000);
});
