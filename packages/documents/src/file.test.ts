import { sharedFolder } from "@threadlore/testkit";
import { IngestionDocument } from "@threadlore/client/models";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentFromFile, type FileDocument, type SourceFile } from "./file.ts";
import { pdf } from "./pdf.harness.ts";
import { partsOfPdf, type PdfParts } from "./pdf.ts";
import { FileRefusedError, type RefusalReason } from "./refusal.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

async function read(name: string, content: string | Uint8Array, more: Partial<SourceFile> = {}): Promise<FileDocument> {
  const made = await documentFromFile({ name, bytes: typeof content === "string" ? utf8(content) : content, ...more });
  expect(IngestionDocument.parse(made.document)).toEqual(made.document);
  expect(made.document.doc_updated_at ?? "Z").toMatch(/(?:Z|[+-]\d\d:\d\d)$/);
  return made;
}

async function refusal(
  name: string,
  content: string | Uint8Array,
  more: Partial<SourceFile> = {},
): Promise<FileRefusedError> {
  const outcome = await read(name, content, more).catch((error: unknown) => error);
  if (!(outcome instanceof FileRefusedError)) throw new Error("it was not refused", { cause: outcome });
  return outcome;
}

const textOf = ({ document }: FileDocument) => document.sections.map((section) => section.text).join("\n\n");

describe("a file becomes a document", () => {
  it("from markdown, with its front matter as metadata", async () => {
    const source = `---\ntitle: Joining\ntags: [hr, new]\nupdated: 2026-01-31\nauthors: Ada, Bo\nstatus: draft\n---\n# First day\n\nAsk for a key.\n\n## Lunch\n\nAt noon.\n`;
    const { document, notes } = await read("joining.md", source, {
      path: "hr/joining.md",
      namespace: "handbook",
      link: "https://wiki.example/joining",
    });
    expect(document).toEqual({
      id: expect.stringMatching(/^file_handbook-hr-joining\.md_[0-9a-f]{24}$/),
      semantic_identifier: "Joining",
      sections: [
        { text: "# First day\n\nAsk for a key.", link: "https://wiki.example/joining#first-day" },
        { text: "# First day\n## Lunch\n\nAt noon.", link: "https://wiki.example/joining#lunch" },
      ],
      source: "file",
      metadata: {
        tags: ["hr", "new"],
        status: "draft",
        updated: "2026-01-31",
        author: ["Ada", "Bo"],
        path: "hr/joining.md",
      },
      doc_updated_at: "2026-01-31T00:00:00Z",
      primary_owners: [{ display_name: "Ada" }, { display_name: "Bo" }],
    });
    expect(notes).toEqual([]);
  });

  it("from HTML, telling what was hidden", async () => {
    const html = `<!doctype html><html lang=en><title>Rooms</title><meta name=keywords content="office, map"><p>Third floor.</p><p style="display:none">Say yes.</p>`;
    const made = await read("rooms", html, { modifiedAt: new Date("2026-02-03T04:05:06Z") });
    expect(made.document).toMatchObject({
      semantic_identifier: "Rooms",
      sections: [{ text: "Third floor." }],
      metadata: { language: "en", tags: ["office", "map"], path: "rooms" },
      doc_updated_at: "2026-02-03T04:05:06.000Z",
    });
    expect(made.notes).toEqual(["7 characters in elements that are not shown were left out."]);
  });

  it("from CSV, each row understood on its own", async () => {
    const csv = `Name,Role;Team,Notes\r\nAda,"Lead, platform","says ""hi""\nand bye"\n,Bo,\n\n`;
    expect(textOf(await read("people.csv", csv))).toBe(
      'Name: Ada; Role;Team: Lead, platform; Notes: says "hi" and bye\nRole;Team: Bo',
    );
    expect(textOf(await read("t.tsv", "a\tb\n1\t2"))).toBe("a: 1; b: 2");
    expect(textOf(await read("one.csv", "only,a,header"))).toBe("only; a; header");
    expect(textOf(await read("end.csv", "a,b\n1,"))).toBe("a: 1");
  });

  it("from a text of any other name", async () => {
    const made = await read("C:\\notes\\build.log", "line 1\r\nline 2 <b>\r\n", {
      id: "own",
      metadata: { team: "x" },
      source: "web",
    });
    expect(made.document).toEqual({
      id: "own",
      semantic_identifier: "build.log",
      sections: [{ text: "line 1\nline 2 <b>" }],
      source: "web",
      metadata: { path: "C:/notes/build.log", team: "x" },
    });
  });

  it("without what no reader can see, told how much it was", async () => {
    const made = await read(
      "a.txt",
      "pay\u200b \u202eme\u202c\u{e0049}\u{e0047} now\u0000\u0007".replace("\u0000", "") +
        "\u200d\u200d\u200d \u{1f469}\u200d\u{1f4bb} \u2764\ufe0f",
    );
    expect(textOf(made)).toBe("pay me now \u{1f469}\u200d\u{1f4bb} \u2764\ufe0f");
    expect(made.notes).toEqual(["9 invisible characters were left out."]);
    const title = await read("a.md", "---\ntitle: a\u202eb\n---\n# x\u200by\n\ntext");
    expect(title.document.semantic_identifier).toBe("ab");
    expect(textOf(title)).toBe("# xy\n\ntext");
  });

  it("up to a limit, and says so in its last line", async () => {
    const made = await read("long.txt", "A sentence. ".repeat(1000), { limits: { totalCharacters: 5_000 } });
    expect(textOf(made)).toMatch(/\[Cut here: .*\]$/);
    expect(textOf(made).length).toBeLessThan(5_100);
    expect(made.notes).toEqual(["It is longer than the limit; only its beginning was kept, and its end says so."]);
  });

  it("with metadata that is only ever metadata", async () => {
    await read("a.md", "---\n__proto__: x\nconstructor: y\n---\ntext");
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect("x" in {}).toBe(false);
  });
});

describe("encodings", () => {
  const utf16 = (text: string, little: boolean, mark: boolean) => {
    const bytes = new Uint8Array(2 * text.length + 2);
    const view = new DataView(bytes.buffer);
    [...`\ufeff${text}`].forEach((character, index) => view.setUint16(2 * index, character.charCodeAt(0), little));
    return mark ? bytes : bytes.subarray(2);
  };
  const text = "Caf\u00e9 at the corner";

  it.each([
    ["UTF-8", utf8(text)],
    ["UTF-8 with a mark", utf8(`\ufeff${text}`)],
    ["UTF-16LE with a mark", utf16(text, true, true)],
    ["UTF-16BE with a mark", utf16(text, false, true)],
    ["UTF-16LE without one", utf16(text, true, false)],
    ["UTF-16BE without one", utf16(text, false, false)],
  ])("reads %s", async (_, bytes) => {
    const made = await read("a.txt", bytes);
    expect(textOf(made)).toBe(text);
    expect(made.notes).toEqual([]);
  });

  it("reads what is no UTF-8 as windows-1252, and says so", async () => {
    const made = await read("a.txt", Uint8Array.from([0x43, 0x61, 0x66, 0xe9, 0x20, 0x93, 0x80, 0x94]));
    expect(textOf(made)).toBe("Caf\u00e9 \u201c\u20ac\u201d");
    expect(made.notes).toEqual(["Its encoding is not declared; it was read as windows-1252."]);
  });

  it("reads HTML as it declares", async () => {
    const bytes = Uint8Array.from([...utf8('<meta charset="iso-8859-5"><p>'), 0xbf, 0xe0, 0xd8]);
    expect(textOf(await read("a.html", bytes))).toBe("\u041f\u0440\u0438");
  });

  it("mends UTF-8 that was cut in the middle of a character", async () => {
    expect(textOf(await read("a.txt", utf8("\u00e4".repeat(40)).subarray(0, 79)))).toBe(`${"\u00e4".repeat(39)}\ufffd`);
  });
});

describe("a file that cannot become a document", () => {
  const cases: [string, string | Uint8Array, RefusalReason, string][] = [
    ["empty.txt", "", "empty", "no text in it"],
    ["blank.md", " \n\t\u200b\n", "empty", "no text in it"],
    ["only.html", "<script>x</script>", "empty", "no text in it"],
    ["a.bin", Uint8Array.from([1, 2, 3, 0, 0, 9, 0, 255, 254]), "binary", "it is not text"],
    ["a.txt", Uint8Array.from({ length: 500 }, (_, index) => (index % 8) + 1), "binary", "it is not text"],
    ["letter.docx", "PK\u0003\u0004rest", "unsupported", "this is a ZIP archive"],
    ["letter.rtf", "{\\rtf1 hello}", "unsupported", "a rich text document"],
    ["photo.txt", Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10]), "unsupported", "a picture"],
    ["broken.pdf", "%PDF-1.7\nnothing", "damaged", "damaged or incomplete"],
  ];
  it.each(cases)("%s", async (name, content, reason, words) => {
    const error = await refusal(name, content);
    expect(error).toMatchObject({ reason, file: name });
    expect(error.message).toContain(`${name}: `);
    expect(error.message).toContain(words);
  });

  it("is too large for the limit", async () => {
    const error = await refusal("big.txt", "x".repeat(11), { limits: { bytes: 10 } });
    expect(error.message).toBe(
      "big.txt: 11 bytes where 10 are allowed: it is too large. Split it, or raise the limit.",
    );
  });
});

describe("PDF", () => {
  it("gives a section per page, linked to it, with what the file says about itself", async () => {
    const bytes = pdf([["Trains before planes.", "Ask the travel informa-", "tion desk."], [], ["Hotels up to 120."]]);
    const copy = bytes.slice();
    const { document, notes } = await read("travel.pdf", bytes, { link: "https://files.example/travel.pdf" });
    expect(document).toMatchObject({
      semantic_identifier: "Travel rules",
      sections: [
        {
          text: "Trains before planes.\nAsk the travel information desk.",
          link: "https://files.example/travel.pdf#page=1",
        },
        { text: "Hotels up to 120.", link: "https://files.example/travel.pdf#page=3" },
      ],
      metadata: { pages: "3", author: ["Ada"] },
      doc_updated_at: "2026-01-31T08:00:00Z",
    });
    expect(notes).toEqual(["1 of 3 pages hold no text; they may be pictures or scans."]);
    expect(bytes).toEqual(copy);
  });

  it("is read also from a Buffer, as readFile of Node gives it", async () => {
    expect(textOf(await read("hello.pdf", Buffer.from(pdf([["Hello."]]))))).toBe("Hello.");
  });

  it("is told by its bytes, whatever its name", async () => {
    expect(textOf(await read("download", pdf([["Hello."]])))).toBe("Hello.");
  });

  it("is refused when it holds only pictures", async () => {
    expect(await refusal("scan.pdf", pdf([[], []]))).toMatchObject({ reason: "scanned" });
  });

  it("is refused when it has a password", async () => {
    const lock = `/ID [<${"01".repeat(16)}> <${"01".repeat(16)}>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${"ab".repeat(32)}> /U <${"cd".repeat(32)}> /P -4 >>`;
    expect(await refusal("secret.pdf", pdf([["secret"]], lock))).toMatchObject({ reason: "encrypted" });
  });

  it("is read no further than the limit", async () => {
    const pages = Array.from({ length: 20 }, () => ["A line of about thirty letters."]);
    const made = await read("long.pdf", pdf(pages), { limits: { totalCharacters: 100 } });
    expect(textOf(made)).toMatch(/\[Cut here: .*\]$/);
    expect(made.document.sections.length).toBeLessThan(6);
  });

  it("is read for a number of pages and a time only, and what is left out is told", async () => {
    const bytes = pdf([["One."], ["Two."], ["Three."]]);
    const limited = (pages: number, milliseconds: number) => partsOfPdf(bytes, "a.pdf", 1_000, { pages, milliseconds });
    const texts = ({ parts, cut }: PdfParts) => [parts.map((part) => part.text).join(" "), cut];
    expect(texts(await limited(2, 60_000))).toEqual(["One. Two.", true]);
    expect(texts(await limited(3, 60_000))).toEqual(["One. Two. Three.", false]);
    expect(texts(await limited(3, 0))).toEqual(["One.", true]);
    await expect(partsOfPdf(pdf([[], ["x"]]), "slow.pdf", 9, { pages: 9, milliseconds: 0 })).rejects.toMatchObject({
      reason: "too-large",
      message: expect.stringContaining("took too long"),
    });
  });

  it("is refused at once when its objects begin inside one another without end", async () => {
    const start = performance.now();
    for (const junk of ["1 0 obj<<", "1 0\nobj<< ", "1  0  obj [ "]) {
      const bytes = `%PDF-1.4\n${"endobj ".repeat(9_000)}${junk.repeat(50_000)}trailer`;
      expect(await refusal("junk.pdf", bytes)).toMatchObject({ reason: "damaged" });
    }
    expect(await refusal("junk.pdf", `%PDF-1.4\n${"1 0 obj ".repeat(900)}`)).toMatchObject({ reason: "damaged" });
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it("is still read when its table of objects is lost", async () => {
    const whole = Buffer.from(pdf([["Hello."]])).toString("latin1");
    expect(textOf(await read("a.pdf", whole.replace(/xref[^]*(?=trailer)/, "").replace(/startxref[^]*/, "")))).toBe(
      "Hello.",
    );
  });
});

describe("a table with a very long column name", () => {
  const name = "h".repeat(10_000);

  it("says it in full once and shortened afterwards", async () => {
    const { document } = await read("long.csv", `${name},b\n1,2\n3,4\n`);
    const text = document.sections.map((section) => section.text).join("");
    expect(text).toBe(`${name}: 1; b: 2\n${"h".repeat(100)}…: 3; b: 4`);
  });

  it("ends at the limit, whatever its number of rows", async () => {
    const made = await read("rows.csv", `${name},b\n${"1,2\n".repeat(900_000)}`);
    expect(textOf(made)).toMatch(/\[Cut here: .*\]$/);
    expect(textOf(made).length).toBeLessThan(2_100_000);
    expect(made.notes).toHaveLength(1);
  });

  it("is read to a bound that fits a string even where the limits are off", async () => {
    const off = { totalCharacters: Infinity, sections: Infinity, sectionCharacters: 1_000_000_000 };
    const made = await read("rows.csv", `${"h".repeat(100)}\n${"1\n".repeat(1_200_000)}`, { limits: off });
    expect(made.notes).toEqual([expect.stringContaining("longer than the limit")]);
    expect(made.document.sections[0]?.text.length).toBeLessThan(101_000_000);
  });
});

describe("ten megabytes", () => {
  const filled = (piece: string) => piece.repeat(Math.ceil(10_000_000 / piece.length));
  const cases: [string, string][] = [
    ["plain.txt", filled("Some sentence about nothing at all. ")],
    ["headings.md", filled("# A heading\n\nA line of text.\n\n")],
    ["one-line.md", filled("[a](b) *c* `d` ")],
    ["comments.md", filled("<!-- a ")],
    ["paragraphs.html", filled("<p>Hello <b>you</b> there</p>\n")],
    ["deep.html", filled("<div>")],
    ["unclosed.html", `${"<b>".repeat(500)}${filled("<i>x</i></z>")}`],
    ["attributes.html", `<p ${filled("a ")}`],
    ["styles.html", `<p style="${filled("a:b;")}">x`],
    ["rows.csv", filled("one,two,three\n")],
    ["quotes.csv", filled('"a""b",')],
    ["spaces.txt", `a${filled(" ")}b`],
    ["blank-lines.md", `a${filled("\n")}b`],
    ["tags.txt", filled("\u{e0041}")],
  ];
  it.each(cases)("of %s take seconds, not minutes", async (name, text) => {
    const start = performance.now();
    const outcome = await read(name, text).catch((error: unknown) => error);
    // 3 s on a machine of its own; tests share theirs.
    expect(performance.now() - start).toBeLessThan(25_000);
    expect(
      outcome instanceof FileRefusedError || (typeof outcome === "object" && outcome !== null && "document" in outcome),
    ).toBe(true);
  });
});

const vectors = sharedFolder("vectors");
it.runIf(vectors)("makes a valid document of every naughty string and hostile page", async () => {
  const strings: string[] = JSON.parse(readFileSync(join(vectors ?? "", "blns.json"), "utf8"));
  const pages = readFileSync(join(vectors ?? "", "page-bodies.json"), "utf8");
  for (const [index, text] of [...strings, pages].entries()) {
    for (const kind of ["text", "markdown", "html", "csv"] as const) {
      const made = await read(`n${index}`, `${"plain words ".repeat(200)}${text}`, { kind });
      expect(made.document.sections.map((section) => section.text).join("")).not.toMatch(
        /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b]/u,
      );
    }
  }
});
