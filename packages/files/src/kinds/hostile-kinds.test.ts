import {
  epubOf,
  openDocumentOf,
  packedTimes,
  pptxOf,
  shape,
  sheetRows,
  xlsxOf,
  zipOf,
} from "@threadlore/testkit/files";
import { afterAll, describe, expect, it } from "vitest";
import { ReaderPool, ReadingError } from "../child.ts";
import type { Outcome } from "./hostile-reader.harness.ts";

/** As the service has them: 208 MB and 20 seconds. */
const pool = new ReaderPool({ reader: new URL("./hostile-reader.harness.ts", import.meta.url), readers: 1 });
afterAll(() => pool.close());

async function read(name: string, bytes: Uint8Array): Promise<Outcome> {
  const place = pool.enter("ann");
  try {
    return (await place.read({ bytes: new Uint8Array(bytes), about: { name } })) as Outcome;
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return { refused: error.failure };
  } finally {
    place.leave();
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const good = xlsxOf([
  {
    name: "Keys",
    rows: sheetRows([
      ["Room", "Key"],
      ["Boathouse", "red"],
    ]),
  },
]);
const GIGABYTES = 4_000_000_000;
const TOO_LARGE = /it unfolds to over 60 MB: it is too large/;
const EMPTY_CELLS = packedTimes(`<row><c/>${" ".repeat(1_000)}</row>`, GIGABYTES, { begin: "<worksheet><sheetData>" });
const LONG_TEXT = packedTimes("ha ", GIGABYTES, { begin: "<p:sld><p:sp><a:p><a:t>" });
const workbook = (parts: Parameters<typeof xlsxOf>[1]) => xlsxOf([{ name: "A", rows: "" }], parts);
const sheet = (content: ReturnType<typeof packedTimes>) => workbook({ "xl/worksheets/sheet1.xml": content });
const slide = (content: ReturnType<typeof packedTimes> | string) =>
  pptxOf([{ shapes: "" }], { "ppt/slides/slide1.xml": content });
const message = (inner: string, at: number) =>
  `Subject: m${at}\r\nContent-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n\r\ntext ${at}\r\n--b${at}\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--b${at}--\r\n`;

const LAUGHS = `<!DOCTYPE p [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;

/** Files of kilobytes or a few megabytes that ask for gigabytes or hours, and what is said of each. */
const FILES: readonly (readonly [string, string, () => Uint8Array, RegExp])[] = [
  ["a sheet of gigabytes without a word", "a.xlsx", () => sheet(EMPTY_CELLS), TOO_LARGE],
  [
    "shared texts of gigabytes",
    "a.xlsx",
    () => workbook({ "xl/sharedStrings.xml": packedTimes("<si/>", GIGABYTES, { begin: "<sst>" }) }),
    /^ok$/,
  ],
  ["one text of gigabytes", "a.pptx", () => slide(LONG_TEXT), TOO_LARGE],
  [
    "one attribute of gigabytes",
    "a.pptx",
    () => slide(packedTimes("ha ", GIGABYTES, { begin: '<p:sld show="' })),
    /it unfolds to over 60 MB|^memory$/,
  ],
  [
    "elements inside each other without end",
    "a.pptx",
    () => slide(packedTimes("<a:p>", 40_000_000, { begin: "<p:sld>" })),
    /damaged or incomplete/,
  ],
  [
    "a text document of gigabytes",
    "a.odt",
    () => openDocumentOf("odt", "", { more: { "content.xml": packedTimes("ha ", GIGABYTES, { begin: "<text:p>" }) } }),
    TOO_LARGE,
  ],
  [
    "a chapter of gigabytes",
    "a.epub",
    () => epubOf({ one: "" }, { more: { "OEBPS/text/one.xhtml": packedTimes("<p>ha</p>", GIGABYTES) } }),
    /a part of it unfolds to over 20 MB: it is too large/,
  ],
  [
    "a directory of ten thousand and one parts",
    "a.xlsx",
    () => zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}`, ""]))),
    /a ZIP archive of over 10,000 files/,
  ],
  [
    "groups inside each other without end",
    "a.rtf",
    () => utf8(`{\\rtf1 ${"{".repeat(10_000_000)}`),
    /damaged or incomplete/,
  ],
  [
    "lists inside each other without end",
    "a.ipynb",
    () => utf8(`{"cells":${"[".repeat(10_000_000)}`),
    /damaged or incomplete|^memory$|^ended$/,
  ],
  [
    "five million lines that could each begin a part",
    "a.eml",
    () => utf8(`Content-Type: multipart/mixed; boundary=x\r\n\r\n${"--\n".repeat(5_000_000)}`),
    /^(?:ok|memory)$/,
  ],
];

describe("T26 a file made to harm", { timeout: 60_000 }, () => {
  it.each(FILES)("%s is read no further than its limits, and why is said", async (_what, name, make, why) => {
    const bytes = make();
    expect(bytes.length).toBeLessThan(16_000_000);
    const { refused = "ok" } = await read(name, bytes);
    expect(refused).toMatch(why);
    expect((await read("good.xlsx", good)).text).toContain("Room: Boathouse; Key: red");
  });

  it("entities that a file declares are never expanded, and nothing they name is opened", async () => {
    const text = `<p:sld><p:sp><a:p><a:r><a:t>one &b; two &f; &lt;three&gt; &#233;</a:t></a:r></a:p></p:sp></p:sld>`;
    expect((await read("a.pptx", slide(LAUGHS + text))).text).toBe("Slide 1 one &b; two &f; <three> é");
    const book = epubOf(
      { one: "" },
      { more: { "OEBPS/text/one.xhtml": `${LAUGHS}<html><body><p>one &b; two</p></body></html>` } },
    );
    expect((await read("a.epub", book)).text).toContain("one &b; two");
  });

  it("messages within messages are read two deep and no further", async () => {
    const nested = Array.from({ length: 30 }, (_, at) => at).reduceRight(
      (inner, at) => message(inner, at),
      "Subject: last\r\n\r\nend",
    );
    const { text = "" } = await read("a.eml", utf8(nested));
    expect([0, 1, 2, 3].map((at) => text.includes(`text ${at}`))).toEqual([true, true, true, false]);
  });

  it("a bomb that is attached to a message harms only itself: the message is read", async () => {
    const bomb = Buffer.from(slide(packedTimes("ha ", 400_000_000, { begin: "<p:sld><p:sp><a:p><a:t>" }))).toString(
      "base64",
    );
    const attached = `Content-Type: application/octet-stream; name=a.pptx\r\nContent-Transfer-Encoding: base64\r\n\r\n${bomb.replace(/.{76}/g, "$&\r\n")}`;
    const mail = `Subject: Plan\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nSee the plan.\r\n--x\r\n${attached}\r\n--x--\r\n`;
    expect((await read("a.eml", utf8(mail))).text).toContain("See the plan.");
  });

  it("an archive within an archive is not opened", async () => {
    const inner = sheet(EMPTY_CELLS);
    const outer = pptxOf([{ shapes: shape("title", "Plan") }], { "ppt/embeddings/sheet1.xlsx": inner });
    expect((await read("a.pptx", outer)).text).toBe("Plan ");
  });
});
