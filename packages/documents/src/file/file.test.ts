import { IngestionDocument } from "@threadlore/client/models";
import { FileRefusedError, type RefusalReason } from "@threadlore/files";
import { sharedFolder } from "@threadlore/testkit";
import { LOCKED, pdfOf } from "@threadlore/testkit/files";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MadeDocument } from "../document/sections.ts";
import { documentFromFile, type SourceFile } from "./file.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

async function read(name: string, content: string | Uint8Array, more: Partial<SourceFile> = {}): Promise<MadeDocument> {
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

const textOf = ({ document }: MadeDocument) => document.sections.map((section) => section.text).join("\n\n");

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

  it.each([
    [
      "shift_jis",
      "944e8e9f974c8b8b8b7889c982cd93fc8ed082a982e794bc944e8ce382c98f5c93fa9574975e82b382ea82dc82b78142905c90bf82cd8e4f93fa914f82dc82c582c98fe38e6982d692f18f6f82b582c482ad82be82b382a28142",
      "年次有給休暇は入社から半年後に十日付与されます。申請は三日前までに上司へ提出してください。",
    ],
    [
      "euc-jp",
      "c7afbca1cdadb5ebb5d9b2cba4cfc6febcd2a4aba4e9c8bec7afb8e5a4cbbdbdc6fcc9d5cdbfa4b5a4eca4dea4b9a1a3bfbdc0c1a4cfbbb0c6fcc1b0a4dea4c7a4cbbee5bbcaa4d8c4f3bdd0a4b7a4c6a4afa4c0a4b5a4a4a1a3",
      "年次有給休暇は入社から半年後に十日付与されます。申請は三日前までに上司へ提出してください。",
    ],
    [
      "iso-2022-jp",
      "1b2442472f3c214d2d356b3559324b244f467e3c52242b2469483e472f3865244b3d3d467c49554d3f2435246c245e243921231b2842",
      "年次有給休暇は入社から半年後に十日付与されます。",
    ],
    [
      "gb18030",
      "d4b1b9a4c3bfc4eacfedd3d0caaecee5ccecb4f8d0bdc4eabcd9a3acc7ebcce1c7b0c8fdcceccff2b2bfc3c5beadc0edcce1b3f6c9eac7eba3acceb4cab9d3c3b5c4bcd9c6dabfc9d2d4b1a3c1f4b5bdb5dab6fec4eaa1a3",
      "员工每年享有十五天带薪年假，请提前三天向部门经理提出申请，未使用的假期可以保留到第二年。",
    ],
    [
      "big5",
      "adfba475a843a67ea8c9a6b3a451a4ada4d1b161c17ea67eb0b2a141bdd0b4a3ab65a454a4d1a656b3a1aaf9b867b27ab4a3a558a5d3bdd0a141a5bca8cfa5ceaabab0b2b4c1a569a548ab4faf64a8ecb2c4a447a67ea143",
      "員工每年享有十五天帶薪年假，請提前三天向部門經理提出申請，未使用的假期可以保留到第二年。",
    ],
    [
      "euc-kr",
      "c1f7bff8c0ba20b8c5b3e220bdcabfc020c0cfc0c720c0afb1de20c8deb0a1b8a620bbe7bfebc7d220bcf620c0d6bdc0b4cfb4d92e20c8deb0a1b4c220bbe7c8ea20c0fcbfa120c6c0c0e5bfa1b0d420bdc5c3bbc7d8bedf20c7d5b4cfb4d92e",
      "직원은 매년 십오 일의 유급 휴가를 사용할 수 있습니다. 휴가는 사흘 전에 팀장에게 신청해야 합니다.",
    ],
    [
      "windows-1251",
      "cae0e6e4fbe920f1eef2f0f3e4ede8ea20e8ece5e5f220eff0e0e2ee20ede020e4e2e0e4f6e0f2fc20e2eef1e5ecfc20e4ede5e920eef2eff3f1eae020e220e3eee4f32e20c7e0ffe2ebe5ede8e520efeee4e0b8f2f1ff20e7e020e4e2e520ede5e4e5ebe82e",
      "Каждый сотрудник имеет право на двадцать восемь дней отпуска в году. Заявление подаётся за две недели.",
    ],
    [
      "koi8-r",
      "ebc1d6c4d9ca20d3cfd4d2d5c4cec9cb20c9cdc5c5d420d0d2c1d7cf20cec120c4d7c1c4c3c1d4d820d7cfd3c5cdd820c4cec5ca20cfd4d0d5d3cbc120d720c7cfc4d52e20fac1d1d7ccc5cec9c520d0cfc4c1a3d4d3d120dac120c4d7c520cec5c4c5ccc92e",
      "Каждый сотрудник имеет право на двадцать восемь дней отпуска в году. Заявление подаётся за две недели.",
    ],
    [
      "windows-1253",
      "cadce8e520e5f1e3e1e6fcece5edeff220e4e9eae1e9effdf4e1e920e5dfeaeff3e920e7ecddf1e5f220dce4e5e9e1f220f4efed20f7f1fcedef2e",
      "Κάθε εργαζόμενος δικαιούται είκοσι ημέρες άδειας τον χρόνο.",
    ],
    [
      "windows-1255",
      "ebec20f2e5e1e320e6ebe0e920ecf2f9f8e9ed20e9eee920e7e5f4f9e420e1f9f0e42e20e9f920ece4e2e9f920e1f7f9e420f9e1e5f220eef8e0f92e",
      "כל עובד זכאי לעשרים ימי חופשה בשנה. יש להגיש בקשה שבוע מראש.",
    ],
    [
      "windows-1256",
      "edcdde20e1dfe120e3e6d9dd20c7e1cdd5e6e120dae1ec20dad4d1ede420ede6e3c720e3e420c7e1c5ccc7d2c920c7e1d3e4e6edc920dfe120dac7e3",
      "يحق لكل موظف الحصول على عشرين يوما من الإجازة السنوية كل عام",
    ],
    [
      "windows-1252",
      "4368617175652073616c617269e920612064726f697420e02076696e67742d63696e71206a6f75727320646520636f6e67e97320706179e9732070617220616e6ee9652e20446965204bfc6e646967756e677366726973742062657472e467742066fc7220416e67657374656c6c7465206772f6df657265205a65697472e4756d652e",
      "Chaque salarié a droit à vingt-cinq jours de congés payés par année. Die Kündigungsfrist beträgt für Angestellte größere Zeiträume.",
    ],
  ])("reads %s that nobody declared", async (label, hex, expected) => {
    const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    const made = await read("a.txt", bytes);
    expect(textOf(made)).toBe(expected);
    expect(made.notes.length).toBe(label === "iso-2022-jp" ? 0 : 1);
    expect(textOf(await read("a.csv", Uint8Array.from([...utf8("id,text\n1,"), ...bytes])))).toBe(
      `id: 1; text: ${expected}`,
    );
  });

  it("refuses text that reads like no language in any encoding, rather than keep nonsense", async () => {
    const bytes = Uint8Array.from({ length: 400 }, (_, index) => 0x80 + ((index * 37) % 0x7f));
    const error = await refusal("a.txt", bytes);
    expect(error).toMatchObject({ reason: "encoding" });
    expect(error.message).toContain("UTF-8");
  });

  it("keeps a text of ASCII with a stray byte", async () => {
    const made = await read("a.txt", Uint8Array.from([...utf8("x".repeat(500)), 0x81, 0x8d, 0x0a]));
    expect(textOf(made)).toContain("xxx");
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
    ["letter.docx", "PK\u0003\u0004rest", "damaged", "damaged or incomplete"],
    ["letter.rtf", "{\\rtf1 hello", "damaged", "it ends in the middle"],
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
    const pages = [["Trains before planes.", "Ask the travel informa-", "tion desk."], [], ["Hotels up to 120."]];
    const about = "/Title (Travel rules) /Author (Ada) /ModDate (D:20260131100000+02'00')";
    const bytes = pdfOf(pages, { about });
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
    expect(textOf(await read("hello.pdf", Buffer.from(pdfOf([["Hello."]]))))).toBe("Hello.");
  });

  it("is told by its bytes, whatever its name", async () => {
    expect(textOf(await read("download", pdfOf([["Hello."]])))).toBe("Hello.");
  });

  it("is refused when it holds only pictures", async () => {
    expect(await refusal("scan.pdf", pdfOf([[], []]))).toMatchObject({ reason: "scanned" });
  });

  it("is refused when it has a password", async () => {
    expect(await refusal("secret.pdf", pdfOf([["secret"]], { trailer: LOCKED }))).toMatchObject({
      reason: "encrypted",
    });
  });

  it("is read no further than the limit", async () => {
    const pages = Array.from({ length: 20 }, () => ["A line of about thirty letters."]);
    const made = await read("long.pdf", pdfOf(pages), { limits: { totalCharacters: 100 } });
    expect(textOf(made)).toMatch(/\[Cut here: .*\]$/);
    expect(made.document.sections.length).toBeLessThan(6);
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
    const whole = Buffer.from(pdfOf([["Hello."]])).toString("latin1");
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
    expect(made.document.sections[0]?.text?.length).toBeLessThan(101_000_000);
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
