import { openDocumentOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { fileText } from "../../file-text.ts";

const read = (bytes: Uint8Array, name: string, characters = 2_000_000) => fileText({ name, bytes }, { characters });
const cell = (text: string, attributes = 'office:value-type="string"') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const row = (cells: string, attributes = "") => `<table:table-row ${attributes}>${cells}</table:table-row>`;

describe("a text of OpenDocument", () => {
  it("becomes parts under its headings, with lists, tables, notes and breaks", async () => {
    const styles = `<text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>
      <style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>`;
    const body = `<text:p text:style-name="P1">Handbook</text:p>
      <text:table-of-content><text:p>Boarding 1</text:p></text:table-of-content>
      <text:h text:outline-level="2">Boarding</text:h><text:p>Be<text:s text:c="2"/>early<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Ten minutes.</text:p></text:note-body></text:note>,<text:line-break/>and wait.</text:p>
      <text:list><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:list><text:list-item><text:p>deeper</text:p></text:list-item></text:list></text:list-item></text:list>
      <text:list text:style-name="L2"><text:list-item><text:p>first</text:p></text:list-item><text:list-item><text:p>second</text:p></text:list-item></text:list>
      <table:table>${row(cell("Pier") + cell("Leaves"))}${row(cell("North") + cell("noon"))}</table:table>
      <text:p><draw:frame><draw:image/><svg:desc>A map</svg:desc></draw:frame></text:p>`;
    const found = await read(openDocumentOf("odt", body, { styles }), "a.odt");
    expect(found.title).toBe("Handbook");
    expect(found.parts.slice(1)).toEqual([
      { level: 1, heading: "Handbook", text: "" },
      {
        level: 2,
        heading: "Boarding",
        text: "Be early (Ten minutes.),\nand wait.\n\n- one\n  - deeper\n\n1. first\n2. second\n\nPier | Leaves\n--- | ---\nNorth | noon\n\n[image: A map]",
      },
    ]);
  });

  it("leaves out what was deleted, remarks, and what is hidden, which it counts", async () => {
    const styles =
      '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>';
    const body = `<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>
      <text:p>Seen<office:annotation><text:p>remark</text:p></office:annotation><text:span text:style-name="T1">steer</text:span>.</text:p>
      <text:section text:display="none"><text:p>away</text:p></text:section>`;
    const found = await read(openDocumentOf("odt", body, { styles }), "a.odt");
    expect(found.parts.map(({ text }) => text.trim()).join("")).toBe("Seen.");
    expect(found.hiddenCharacters).toBe(9);
  });

  it("tells what it says of itself", async () => {
    const meta = `<office:document-meta><office:meta><dc:title>Ferries</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:date>2026-01-31T10:00:00</dc:date><meta:keyword>sea</meta:keyword><meta:keyword>north</meta:keyword></office:meta></office:document-meta>`;
    expect(await read(openDocumentOf("odt", "<text:p>x</text:p>", { more: { "meta.xml": meta } }), "a")).toMatchObject({
      kind: "odt",
      title: "Ferries",
      authors: ["Ada"],
      updated: "2026-01-31T10:00:00",
      metadata: { tags: ["sea", "north"] },
    });
  });

  it("behind a password is refused with what to do", async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const older = openDocumentOf("odt", "", {
      more: { "content.xml": new Uint8Array([1, 2, 3]), "META-INF/manifest.xml": manifest },
    });
    await expect(read(older, "a.odt")).rejects.toThrow("it is protected by a password. Save a copy without one");
    const newer = openDocumentOf("odt", "", { more: { "encrypted-package": new Uint8Array([1, 2, 3]) } });
    await expect(read(newer, "a.odt")).rejects.toThrow("it is protected by a password");
  });
});

describe("a spreadsheet of OpenDocument", () => {
  const sheet = (name: string, rows: string, attributes = "") =>
    `<table:table table:name="${name}" ${attributes}>${rows}</table:table>`;

  it("becomes one part per sheet, cells as they are shown, dates as everybody reads them", async () => {
    const date = 'office:value-type="date" office:date-value="2026-01-31"';
    const rows =
      row(cell("Region") + cell("Month") + cell("Sum")) +
      row(
        cell("North", 'office:value-type="string" table:number-rows-spanned="2"') +
          cell("1/31/26", date) +
          cell("1,200.50 €", 'office:value-type="currency"'),
      ) +
      row(
        "<table:covered-table-cell/>" +
          cell("2/1/26", date.replace("01-31", "02-01T13:30:00")) +
          cell("7 %", 'office:value-type="percentage"'),
      ) +
      row('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="1048572"');
    const found = await read(openDocumentOf("ods", sheet("Plan", rows) + sheet("Leer", "")), "a.ods");
    expect(found.parts).toEqual([
      {
        level: 1,
        heading: "Plan",
        text: "Region: North; Month: 2026-01-31; Sum: 1,200.50 €\nRegion: North; Month: 2026-02-01 13:30; Sum: 7 %",
      },
    ]);
  });

  it("leaves out hidden sheets, rows and columns, and counts them, but not what a filter hides", async () => {
    const styles =
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const columns = '<table:table-column/><table:table-column table:visibility="collapse"/>';
    const rows =
      columns +
      row(cell("Name") + cell("Key")) +
      row(cell("Ada") + cell("a1")) +
      row(cell("Bo"), 'table:visibility="collapse"') +
      row(cell("Cy"), 'table:visibility="filter"');
    const found = await read(
      openDocumentOf("ods", sheet("A", rows) + sheet("B", row(cell("x")), 'table:style-name="ta2"'), { styles }),
      "a.ods",
    );
    expect(found.parts).toEqual([{ level: 1, heading: "A", text: "Name\nAda\nCy" }]);
    expect(found).toMatchObject({ hiddenPages: 1, hiddenCharacters: 7 });
  });

  it("keeps nothing of a hidden sheet, however often its cells say they stand there", async () => {
    const styles =
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const full = row(cell("x", 'office:value-type="string" table:number-columns-repeated="16384"'));
    const columns = '<table:table-column table:visibility="collapse" table:number-columns-repeated="16384"/>';
    const hidden = sheet("B", columns + full.repeat(2_000), 'table:style-name="ta2"');
    const found = await read(openDocumentOf("ods", sheet("A", row(cell("Ada"))) + hidden, { styles }), "a.ods");
    expect(found).toMatchObject({ parts: [{ text: "Ada" }], hiddenPages: 1, hiddenCharacters: 0 });
  });

  it("whose cells say they stand there millions of times is read as far as there is room", async () => {
    const many = 'office:value-type="string" table:number-columns-repeated="16384"';
    const rows = row(cell("x".repeat(100), many), 'table:number-rows-repeated="1048576"').repeat(50);
    const found = await read(openDocumentOf("ods", sheet("A", rows)), "a.ods", 300_000);
    expect(found.cut).toBe(true);
    expect(found.parts[0]?.text.length).toBeLessThan(500_000);
  });
});

describe("a presentation of OpenDocument", () => {
  it("becomes one part per slide: title, text, notes; hidden ones left out and counted", async () => {
    const styles =
      '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const frame = (role: string, text: string) =>
      `<draw:frame presentation:class="${role}"><draw:text-box>${text}</draw:text-box></draw:frame>`;
    const p = (text: string) => `<text:p>${text}</text:p>`;
    const body =
      `<draw:page>${frame("title", p("Why ferries"))}${frame("outline", p("They float."))}${frame("footer", p("Secret"))}<presentation:notes>${frame("notes", p("Wave."))}</presentation:notes></draw:page>` +
      `<draw:page draw:style-name="dp2">${frame("title", p("Hidden"))}</draw:page><draw:page>${frame("", p("Plain"))}</draw:page>`;
    expect(await read(openDocumentOf("odp", body, { styles }), "a.odp")).toMatchObject({
      parts: [
        { heading: "Why ferries", fragment: "page=1", text: "They float.\n\nNotes: Wave." },
        { heading: "Slide 3", fragment: "page=3", text: "Plain" },
      ],
      title: "Why ferries",
      hiddenPages: 1,
    });
  });
});
