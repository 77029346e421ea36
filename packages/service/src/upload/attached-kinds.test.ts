import {
  docxOf,
  epubOf,
  openDocumentOf,
  paragraph,
  pdfOf,
  pptxOf,
  shape,
  sheetRows,
  table,
  xlsxOf,
} from "@threadlore/testkit/files";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { overSocket } from "../service.harness.ts";
import { type ChatSubject, openChat } from "../chat.harness.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const utf8 = (text: string) => new TextEncoder().encode(text);
const MAIL = [
  "From: Ada <ada@example.com>",
  "Subject: Keys",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "The boathouse key hangs behind the red door.",
].join("\r\n");
const ROWS = [
  ["Room", "Key"],
  ["Boathouse", "behind the red door"],
];
const SENTENCE = "The boathouse key hangs behind the red door.";

let chat: ChatSubject;
beforeAll(async () => {
  chat = await openChat({}, undefined, overSocket);
});
afterAll(() => chat.close());

/** Whatever the terminal takes into the knowledge. */
const KINDS: readonly (readonly [string, string, Uint8Array<ArrayBuffer>, string])[] = [
  ["plain text", "keys.txt", utf8(SENTENCE), "plain_text"],
  ["a text under a name nobody knows", "KEYS", utf8(SENTENCE), "plain_text"],
  ["source code", "keys.ts", utf8(`// ${SENTENCE}\nexport const keys = 1;\n`), "plain_text"],
  ["mail", "keys.eml", utf8(MAIL), "document"],
  ["Latin-1", "schluessel.txt", latin1(`Die Schl\u00fcssel h\u00e4ngen dort. ${SENTENCE}`), "plain_text"],
  ["UTF-16", "keys16.txt", new Uint8Array(Buffer.from(`\ufeff${SENTENCE}`, "utf16le")), "plain_text"],
  [
    "Shift_JIS that says so",
    "keys.xml",
    latin1(`<?xml encoding="shift_jis"?><k>\u0083L\u0081[ ${SENTENCE}</k>`),
    "plain_text",
  ],
  ["Markdown", "keys.md", utf8(`---\ntitle: Keys\n---\n# Keys\n\n${SENTENCE}\n`), "plain_text"],
  ["HTML", "keys.html", utf8(`<!doctype html><title>Keys</title><h1>Keys</h1><p>${SENTENCE}`), "document"],
  ["HTML under another name", "keys", utf8(`<!doctype html><h1>Keys</h1><p>${SENTENCE}`), "document"],
  ["XHTML", "keys.xhtml", utf8(`<html><body><p>${SENTENCE}</p></body></html>`), "document"],
  ["PDF", "keys.pdf", pdfOf([[SENTENCE]]), "document"],
  ["PDF under another name", "scan-0001", pdfOf([[SENTENCE]]), "document"],
  ["Word", "keys.docx", docxOf(paragraph("Keys", "H1") + paragraph(SENTENCE)), "document"],
  ["Word with macros", "keys.docm", docxOf(paragraph(SENTENCE), { "word/vbaProject.bin": "Sub" }), "document"],
  ["a table of a Word document", "rooms.docx", docxOf(table(ROWS)), "document"],
  ["a presentation", "keys.pptx", pptxOf([{ shapes: shape("title", "Keys") + shape("body", SENTENCE) }]), "document"],
  ["a workbook", "rooms.xlsx", xlsxOf([{ name: "Rooms", rows: sheetRows(ROWS) }]), "document"],
  ["OpenDocument", "keys.odt", openDocumentOf("odt", `<text:p>${SENTENCE}</text:p>`), "document"],
  ["a book", "keys.epub", epubOf({ one: `<h1>Keys</h1><p>${SENTENCE}</p>` }), "document"],
  ["rich text", "keys.rtf", utf8(`{\\rtf1 ${SENTENCE}\\par}`), "document"],
  [
    "a notebook",
    "keys.ipynb",
    utf8(JSON.stringify({ nbformat: 4, cells: [{ cell_type: "markdown", source: SENTENCE }] })),
    "document",
  ],
  ["CSV", "rooms.csv", utf8("Room,Key\nBoathouse,behind the red door\n"), "csv"],
  ["CSV with bars", "rooms-bars.csv", utf8("Room|Key\nBoathouse|behind the red door\n"), "csv"],
  ["TSV", "rooms.tsv", utf8("Room\tKey\nBoathouse\tbehind the red door\n"), "csv"],
];

describe("a file attached to a question", { timeout: 60_000 }, () => {
  it.each(KINDS)("is read where it is %s, and the answer is drawn from it", async (_kind, name, bytes, type) => {
    const file = await chat.upload(name, bytes, "");
    expect(file).toMatchObject({ chat_file_type: type, status: "COMPLETED", reason: null });
    const { answer } = await chat.answer({
      message: "Where does the boathouse key hang?",
      file_descriptors: [{ id: file.id, type: file.chat_file_type, name }],
    });
    expect(answer).toContain("behind the red door");
  });

  it.each([
    ["a Word document behind a password", "a.docx", protectedWord(), "It is locked with a password."],
    ["a Word document that is damaged", "b.docx", docxOf("<w:p>"), "It is damaged or incomplete."],
    ["a Word document without text", "c.docx", docxOf(""), "There is no text in it."],
  ])("is kept unread where it is %s, and why is said", async (_kind, name, bytes, why) => {
    const file = await chat.upload(name, bytes, "");
    expect(file).toMatchObject({ chat_file_type: "document", status: "SKIPPED", reason: expect.stringContaining(why) });
  });

  it.each([
    ["a program", "tool", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]), "Files of this kind cannot be kept."],
    [
      "a spreadsheet of the old format",
      "a.xls",
      latin1("\u00d0\u00cf\u0011\u00e0"),
      "Files of this kind cannot be kept.",
    ],
    ["an archive", "a.zip", latin1("PK\u0003\u0004"), "Files of this kind cannot be kept."],
    ["a text in no encoding", "a.txt", latin1("\u0001\u008d\u0081\u009d".repeat(9)), "cannot be kept"],
  ])("is refused where it is %s", async (_kind, name, bytes, why) => {
    await expect(chat.upload(name, bytes, "")).rejects.toThrow(why);
  });
});

function protectedWord(): Uint8Array<ArrayBuffer> {
  const name = Buffer.from("EncryptedPackage", "utf16le");
  return new Uint8Array(Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600), name]));
}
