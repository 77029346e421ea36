import { epubOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { fileText } from "../../file-text.ts";

const read = (bytes: Uint8Array, characters = 2_000_000) => fileText({ name: "book.epub", bytes }, { characters });
const bare = async (bytes: Uint8Array) =>
  (await read(bytes)).parts
    .map(({ level, heading, text }) => [level, heading, text.trim()])
    .filter(([level, , text]) => level !== 0 || text !== "");

describe("a book", () => {
  it("becomes its chapters in the order in which they are read, under their headings", async () => {
    const bytes = epubOf(
      {
        zwei: "<h1>Boarding</h1><p>Be <b>early</b>.<br/>Wait.</p><a id='x'/><h2>Dogs</h2><p>On a lead.</p>",
        eins: "<h1>Landing</h1><p>Mind the gap.</p>",
      },
      {
        about:
          "<dc:title>Ferries</dc:title><dc:creator>Ada</dc:creator><dc:creator>Bo</dc:creator><dc:language>en</dc:language><dc:subject>sea</dc:subject><meta property='dcterms:modified'>2026-01-31T10:00:00Z</meta>",
      },
    );
    expect(await bare(bytes)).toEqual([
      [1, "Boarding", "Be early.\nWait."],
      [2, "Dogs", "On a lead."],
      [1, "Landing", "Mind the gap."],
    ]);
    expect(await read(bytes)).toMatchObject({
      kind: "epub",
      title: "Ferries",
      authors: ["Ada", "Bo"],
      updated: "2026-01-31T10:00:00Z",
      metadata: { language: "en", tags: ["sea"] },
    });
  });

  it("whose chapters have no headings has them from its table of contents, of either kind, which is no chapter", async () => {
    const chapters = { one: "<p>First.</p>", two: "<p>Second.</p>" };
    const nav =
      '<html><body><nav><ol><li><a href="text/one.xhtml">The <i>ramp</i></a></li><li><a href="text/two.xhtml#a">The gap</a></li></ol></nav></body></html>';
    const expected = [
      [1, "The ramp", "First."],
      [1, "The gap", "Second."],
    ];
    expect(await bare(epubOf(chapters, { more: { "OEBPS/nav.xhtml": nav } }))).toEqual(expected);
    const point = (label: string, src: string) =>
      `<navPoint><navLabel><text>${label}</text></navLabel><content src="${src}"/></navPoint>`;
    const former = `<ncx><navMap>${point("The ramp", "text/one.xhtml")}${point("The gap", "text/two.xhtml")}</navMap></ncx>`;
    const opf = `<package><manifest><item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="b" href="text/two.xhtml" media-type="application/xhtml+xml"/><item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine toc="n"><itemref idref="a"/><itemref idref="b"/></spine></package>`;
    expect(await bare(epubOf(chapters, { more: { "OEBPS/book.opf": opf, "OEBPS/toc.ncx": former } }))).toEqual(
      expected,
    );
  });

  it("is read as far as there is room, and leaves out and counts what is hidden", async () => {
    const long = epubOf({ one: `<h1>One</h1><p>${"word ".repeat(1_000)}</p>`, two: "<h1>Two</h1><p>never</p>" });
    const found = await read(long, 1_000);
    expect(found.cut).toBe(true);
    expect(found.parts.map(({ heading }) => heading)).not.toContain("Two");
    expect(await read(epubOf({ one: "<p>seen</p><p hidden=''>steer</p>" }))).toMatchObject({ hiddenCharacters: 5 });
  });

  it("that only its seller's program opens is refused; one whose fonts alone are locked is read", async () => {
    const locks = (algorithm: string, part: string) =>
      `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${part}"/></enc:CipherData></enc:EncryptedData></encryption>`;
    const chapters = { one: "<p>First.</p>" };
    const sold = epubOf(chapters, {
      more: { "META-INF/encryption.xml": locks("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/text/one.xhtml") },
    });
    await expect(read(sold)).rejects.toThrow("it is protected by a password");
    const fonts = epubOf(chapters, {
      more: { "META-INF/encryption.xml": locks("http://www.idpf.org/2008/embedding", "OEBPS/font.otf") },
    });
    expect(await bare(fonts)).toEqual([[0, "", "First."]]);
  });
});
