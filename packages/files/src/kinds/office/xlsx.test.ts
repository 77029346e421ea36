import { packedTimes, sheetRows, xlsxOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { fileText } from "../../file-text.ts";
import { formatOfCode, shownNumber } from "./number-formats.ts";

const read = (bytes: Uint8Array, name = "plan.xlsx", characters = 2_000_000) =>
  fileText({ name, bytes }, { characters });
const textOf = async (bytes: Uint8Array) => (await read(bytes)).parts.map(({ text }) => text).join("\n---\n");
const one = (rows: string, more: { behind?: string; before?: string } = {}) => xlsxOf([{ name: "A", rows, ...more }]);
const merged = (...refs: string[]) =>
  `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join("")}</mergeCells>`;

describe("a workbook", () => {
  it("becomes one part per sheet, named as it is, each row with the names of its columns", async () => {
    const bytes = xlsxOf([
      {
        name: "Budget &amp; plan",
        rows: sheetRows([
          ["Region", "Month", "Amount"],
          ["North", "May", 12.5],
          ["South", undefined, 7],
        ]),
      },
      {
        name: "Rooms",
        rows: sheetRows([
          ["Room", "Key"],
          ["Boathouse", "red"],
        ]),
      },
    ]);
    expect(await read(bytes)).toMatchObject({
      kind: "xlsx",
      parts: [
        {
          level: 1,
          heading: "Budget & plan",
          fragment: "'Budget%20%26%20plan'!A1",
          text: "Region: North; Month: May; Amount: 12.5\nRegion: South; Amount: 7",
        },
        { heading: "Rooms", text: "Room: Boathouse; Key: red" },
      ],
      cut: false,
      macros: false,
    });
  });

  it("is read where a sheet is laid out for the eye: titles, two tables, names in two rows, no names at all", async () => {
    const titled = sheetRows([["Costs 2026"], ["in crowns"], ["Region", 2025, 2026], ["North", 1, 2]]);
    expect(await textOf(one(titled))).toBe("Costs 2026\nin crowns\nRegion: North; 2025: 1; 2026: 2");
    const two =
      sheetRows([
        ["Region", "Sum"],
        ["North", 1],
      ]) + sheetRows([["Owners"], ["Owner", "Key"], ["Ada", "a1"]], 5);
    expect(await textOf(one(two))).toBe("Region: North; Sum: 1\n\nOwners\nOwner: Ada; Key: a1");
    const groups =
      sheetRows([
        ["Name", "Dept"],
        ["Ada", "X"],
      ]) + sheetRows([["Group B"], ["Bo", "Y"], ["Cy", "Z"]], 4);
    expect(await textOf(one(groups))).toBe("Name: Ada; Dept: X\n\nGroup B\nName: Bo; Dept: Y\nName: Cy; Dept: Z");
    const beside =
      sheetRows([
        ["Name", "Dept"],
        ["Ada", "X"],
      ]) + sheetRows([["Costs"], ["Item", "Year", "Price"], ["Rope", 2026, 9]], 4);
    expect(await textOf(one(beside))).toBe("Name: Ada; Dept: X\n\nCosts\nItem: Rope; Year: 2026; Price: 9");
    const apart =
      sheetRows([
        ["Region", "Sum"],
        ["North", 1],
      ]) +
      sheetRows(
        [
          ["Owner", "Key"],
          ["Ada", "a1"],
        ],
        4,
      );
    expect(await textOf(one(apart))).toBe("Region: North; Sum: 1\n\nOwner: Ada; Key: a1");
    const goesOn =
      sheetRows([
        ["Region", "Sum"],
        ["North", 1],
      ]) + sheetRows([["South", 2]], 4);
    expect(await textOf(one(goesOn))).toBe("Region: North; Sum: 1\nRegion: South; Sum: 2");
    const levels = sheetRows([
      ["", "Plan", undefined],
      ["Region", "Ships", "Crew"],
      ["North", 1, 2],
    ]);
    expect(await textOf(one(levels, { behind: merged("B1:C1") }))).toBe("Plan\nRegion: North; Ships: 1; Crew: 2");
    const grouped = sheetRows([
      ["Region", "Plan", undefined, "Done"],
      [undefined, "Ships", "Crew", "Ships"],
      ["North", 1, 2, 3],
    ]);
    expect(await textOf(one(grouped, { behind: merged("A1:A2", "B1:C1") }))).toBe(
      "Region: North; Plan Ships: 1; Plan Crew: 2; Done Ships: 3",
    );
    expect(
      await textOf(
        one(
          sheetRows([
            ["Ada", 1],
            ["Bo", 2],
          ]),
        ),
      ),
    ).toBe("Ada; 1\nBo; 2");
    expect(await textOf(one(sheetRows([["only", "names"]])))).toBe("only; names");
  });

  it("says what cells hold that are shown as one in each of their rows", async () => {
    const rows = sheetRows([
      ["Region", "City"],
      ["North", "Oslo"],
      [undefined, "Bodø"],
      ["South", "Rome"],
    ]);
    expect(await textOf(one(rows, { behind: merged("A2:A3") }))).toBe(
      "Region: North; City: Oslo\nRegion: North; City: Bodø\nRegion: South; City: Rome",
    );
  });

  it("shows values as its program does: shared and rich texts, last results, dates, times, shares, truth, errors", async () => {
    const shared =
      "<sst><si><t>Name</t></si><si><r><rPr><b/></rPr><t xml:space='preserve'>Fe</t></r><r><t>rry</t></r></si>" +
      "<si><t>東京</t><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si><si><t>a_x000D_\nb_x005F_x</t></si></sst>";
    const styles =
      `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="00000"/></numFmts>` +
      `<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${[0, 14, 20, 22, 9, 164, 165, 46].map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`;
    const cell = (column: string, value: string, attributes: string) =>
      `<c r="${column}1" ${attributes}><f>1+1</f><v>${value}</v></c>`;
    const row = `<row r="1">${[
      cell("A", "1", 't="s"'),
      cell("B", "2", 't="s"'),
      cell("C", "3", 't="s"'),
      cell("D", "46053", 's="1"'),
      cell("E", "0.5625", 's="2"'),
      cell("F", "46053.5625", 's="3"'),
      cell("G", "0.075", 's="4"'),
      cell("H", "46053", 's="5"'),
      cell("I", "123", 's="6"'),
      cell("J", "1.5", 's="7"'),
      cell("K", "1", 't="b"'),
      cell("L", "#N/A", 't="e"'),
      cell("M", "made", 't="str"'),
      cell("N", "0.30000000000000004", ""),
      cell("O", "2026-01-31T00:00:00", 't="d"'),
    ].join("")}</row>`;
    const bytes = xlsxOf([{ name: "A", rows: row }], { "xl/sharedStrings.xml": shared, "xl/styles.xml": styles });
    expect(await textOf(bytes)).toBe(
      "Ferry; 東京; a b_x; 2026-01-31; 13:30; 2026-01-31 13:30; 7.5%; 2026-01-31; 00123; 36:00; TRUE; #N/A; made; 0.3; 2026-01-31",
    );
    const early = { "xl/styles.xml": styles };
    const first = '<row r="1"><c r="A1" s="1"><v>1</v></c><c r="B1" s="1"><v>0</v></c></row>';
    expect(await textOf(xlsxOf([{ name: "A", rows: first }], early))).toBe("1900-01-01; 1899-12-31");
    const from1904 = xlsxOf([{ name: "A", rows: first }], early, '<workbookPr date1904="1"/>');
    expect(await textOf(from1904)).toBe("1904-01-02; 1904-01-01");
  });

  it("leaves out what is hidden and counts it, but not what a filter hides", async () => {
    const secret = sheetRows([["salary", "secret"]]);
    const rows =
      sheetRows([
        ["Name", "Key"],
        ["Ada", "a1"],
      ]) + sheetRows([["Bo", "b2"]], 3).replace("<row ", '<row hidden="1" ');
    const bytes = xlsxOf([
      { name: "A", rows },
      { name: "B", rows: secret, state: "hidden" },
      { name: "C", rows: secret, state: "veryHidden" },
    ]);
    const found = await read(bytes);
    expect(found.parts.map(({ text }) => text)).toEqual(["Name: Ada; Key: a1"]);
    expect(found).toMatchObject({ hiddenPages: 2, hiddenCharacters: 4 });
    const filter = '<autoFilter ref="A1:B3"><filterColumn colId="0"/></autoFilter>';
    expect(await textOf(one(rows, { behind: filter }))).toContain("Name: Bo; Key: b2");
    const columns = '<cols><col min="2" max="2" hidden="1"/></cols>';
    expect(
      await textOf(
        one(
          sheetRows([
            ["Name", "Key", "City"],
            ["Ada", "a1", "Oslo"],
          ]),
          { before: columns },
        ),
      ),
    ).toBe("Name: Ada; City: Oslo");
  });

  it("of more hidden columns than there are, named again and again and backwards, is read as quickly", async () => {
    const often = '<col min="2" max="16384" hidden="1"/>'.repeat(16_000);
    const columns = `<cols>${often}<col min="9" max="1" hidden="1"/><col min="x" max="1" hidden="1"/></cols>`;
    const bytes = one(sheetRows(Array.from({ length: 50 }, (_, row) => [`Name ${row}`, "hidden"])), {
      before: columns,
    });
    const found = await read(bytes);
    expect(found.hiddenCharacters).toBe(50 * 6);
    expect(found.parts[0]?.text).toContain("Name 49");
  });

  it("of any make: prefixes of its own, cells that say no place, parts named from the root, macros left out", async () => {
    const bytes = xlsxOf([{ name: "A", rows: "" }], {
      "xl/worksheets/sheet1.xml":
        '<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>Name</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t>Key</x:t></x:is></x:c></x:row>' +
        '<x:row><x:c t="inlineStr"><x:is><x:t>דנה</x:t></x:is></x:c><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      "xl/vbaProject.bin": "Sub Auto",
    });
    const found = await read(bytes, "plan.xlsm");
    expect(found.parts[0]?.text).toBe("Name: דנה; Key: 7");
    expect(found.macros).toBe(true);
  });

  it("whose cells are coloured to the end of the sheet is read up to where it is too large, and says so", async () => {
    const begin = `<worksheet><sheetData>${sheetRows([
      ["Name", "Key"],
      ["Ada", "a1"],
    ])}`;
    const sheet = packedTimes(`<row><c s="1"/>${" ".repeat(1_000)}</row>`, 61_000_000, { begin });
    const found = await read(xlsxOf([{ name: "A", rows: "" }], { "xl/worksheets/sheet1.xml": sheet }));
    expect(found).toMatchObject({ parts: [{ text: "Name: Ada; Key: a1" }], cut: true });
  }, 60_000);

  it("says nothing where it is empty", async () => {
    expect((await read(xlsxOf([{ name: "A", rows: "" }]))).parts).toEqual([]);
  });

  it("of a hundred thousand rows is read as far as there is room, in a moment, and says so", async () => {
    const row = (at: number) =>
      `<row r="${at}"><c r="A${at}" t="s"><v>${at - 1}</v></c><c r="B${at}"><v>${at}</v></c></row>`;
    const rows = Array.from({ length: 100_000 }, (_, at) => row(at + 1)).join("");
    const texts = Array.from({ length: 100_000 }, (_, at) => `<si><t>name ${at}</t></si>`).join("");
    const bytes = xlsxOf([{ name: "A", rows }], { "xl/sharedStrings.xml": `<sst>${texts}</sst>` });
    const found = await read(bytes, "plan.xlsx", 200_000);
    expect(found.cut).toBe(true);
    expect(found.parts[0]?.text.length).toBeGreaterThan(200_000);
    expect(found.parts[0]?.text.length).toBeLessThan(201_000);
    expect(found.parts[0]?.text).toContain("name 0; 1\nname 1; 2\n");
  }, 60_000);
});

describe("a number of a sheet", () => {
  it.each([
    ["General", "plain"],
    ["#,##0.00", "plain"],
    ["0.00E+00", "plain"],
    ['0 "days"', "plain"],
    ["[Red]0.0%", "percent"],
    ["yyyy\\-mm\\-dd", "date"],
    ["mmm", "date"],
    ['d" de "mmmm', "date"],
    ["[$-F400]h:mm:ss AM/PM", "time"],
    ["m/d/yy h:mm", "moment"],
    ["[h]:mm", "span"],
    ["ge.m.d", "date"],
  ])("is shown as %s says: %s", (code, format) => {
    expect(formatOfCode(code)).toBe(format);
  });

  it("that is no date stays what it is, whatever its format", () => {
    expect(shownNumber("-5", "date", false)).toBe("-5");
    expect(shownNumber("1e300", "date", false)).toBe("1e+300");
    expect(shownNumber("soon", "date", false)).toBe("soon");
    expect(shownNumber("4.17912345678E10", "plain", false)).toBe("41791234567.8");
  });
});
