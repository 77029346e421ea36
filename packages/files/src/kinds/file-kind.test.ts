import {
  docxOf,
  epubOf,
  openDocumentOf,
  paragraph,
  pdfOf,
  pptxOf,
  shape,
  sheetRows,
  xlsxOf,
  zipOf,
} from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { fileText } from "../file-text.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (name: string, bytes: Uint8Array) => fileText({ name, bytes }, { characters: 2_000_000 });
const why = (name: string, bytes: Uint8Array) =>
  read(name, bytes).then(
    () => "read",
    (error: Error) => error.message,
  );
const wide = (text: string) => Buffer.from(text, "utf16le");
const container = (stream: string) =>
  new Uint8Array(Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600), wide(stream)]));

const workbook = xlsxOf([{ name: "A", rows: sheetRows([["a", "b"]]) }]);

describe("a file whose name is wrong", () => {
  it.each([
    ["deck.pptx", pdfOf([["text"]]), "pdf"],
    ["deck.pptx", utf8("<!doctype html><p>text"), "html"],
    ["plan.xlsx", docxOf(paragraph("text")), "docx"],
    ["plan.docx", workbook, "xlsx"],
    ["plan", pptxOf([{ shapes: shape("title", "x") }]), "pptx"],
    ["plan.zip", openDocumentOf("odt", "<text:p>x</text:p>"), "odt"],
    ["letter.doc", utf8("{\\rtf1 text}"), "rtf"],
    ["mail.eml", utf8("<html><p>text"), "html"],
    ["mail.eml", pdfOf([["text"]]), "pdf"],
  ])("%s is read as what it is: %#", async (name, bytes, kind) => {
    expect((await read(name, bytes)).kind).toBe(kind);
  });
});

describe("a file that cannot be read", () => {
  it.each([
    [
      "a.doc",
      container("WordDocument"),
      "a Word document of the old kind (DOC), which Word and LibreOffice save anew as DOCX",
    ],
    ["a.xls", container("Workbook"), "a workbook of the old kind (XLS), which Excel and LibreOffice save anew as XLSX"],
    [
      "a.ppt",
      container("PowerPoint Document"),
      "a presentation of the old kind (PPT), which PowerPoint and LibreOffice save anew as PPTX",
    ],
    ["a.msg", container("__properties_version1.0"), "a message of Outlook (MSG), which mail programs save anew as EML"],
    ["a.xlsb", zipOf({ "xl/workbook.bin": "x" }), "a workbook of the binary kind (XLSB)"],
    ["a.key", zipOf({ "Index/Document.iwa": "x" }), "a document of Pages, Numbers or Keynote"],
    [
      "a.odg",
      zipOf({ mimetype: "application/vnd.oasis.opendocument.graphics", "content.xml": "x" }),
      "an OpenDocument file of another kind",
    ],
    ["a.zip", zipOf({ "a.txt": "a" }), "this is a ZIP archive"],
    ["a.pptx", container("EncryptedPackage"), "it is protected by a password. Save a copy without one"],
    [
      "a.xlsx",
      workbook.slice(0, 500),
      "a.xlsx: it is damaged or incomplete. Open it in its own program, save it again",
    ],
    ["a.epub", zipOf({ mimetype: "application/epub+zip" }), "a.epub: it is damaged or incomplete"],
    ["a.odt", zipOf({ mimetype: "application/vnd.oasis.opendocument.text" }), "a.odt: it is damaged or incomplete"],
  ])("%s says what it is and what to do", async (name, bytes, words) => {
    expect(await why(name, bytes)).toContain(words);
  });

  it("of a kind that is read is read or refused whatever bytes of it are damaged, never anything else", async () => {
    const others: unknown[] = [];
    const mail = "Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b--\r\n";
    const files: readonly (readonly [string, Uint8Array])[] = [
      ["x", workbook],
      ["x", pptxOf([{ shapes: shape("body", "text") }])],
      ["x", openDocumentOf("ods", "<table:table/>")],
      ["x", epubOf({ one: "<h1>One</h1><p>text</p>" })],
      ["x", utf8("{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset128 A;}}\\f0 \\'8c\\'ae\\u1050?\\par{\\footnote n}}")],
      ["x.eml", utf8(mail)],
      ["x.ipynb", utf8(JSON.stringify({ nbformat: 4, cells: [{ cell_type: "code", source: ["a"], outputs: [] }] }))],
    ];
    for (const [name, whole] of files) {
      const step = whole.length > 1_000 ? 29 : 3;
      for (let at = 0; at < whole.length; at += step) {
        const bytes = whole.slice();
        bytes[at] = 255 - (bytes[at] ?? 0);
        const outcome = await read(name, bytes).catch((error: unknown) => error);
        if (outcome instanceof Error && outcome.name !== "FileRefusedError") others.push(outcome);
      }
    }
    expect(others).toEqual([]);
  }, 60_000);
});
