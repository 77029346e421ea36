import { pptxOf, relationships, shape } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { fileText } from "../../file-text.ts";

const read = (bytes: Uint8Array, name = "deck.pptx") => fileText({ name, bytes }, { characters: 2_000_000 });
const cells = (row: readonly string[]) =>
  row.map((cell) => `<a:tc><a:txBody><a:p><a:r><a:t>${cell}</a:t></a:r></a:p></a:txBody></a:tc>`).join("");
const TABLE = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="T"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tr>${cells(["Pier", "Leaves"])}</a:tr><a:tr>${cells(["North", "noon"])}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;

describe("a presentation", () => {
  it("becomes one part per slide in the order shown: its title, its text, what its speaker noted", async () => {
    const bytes = pptxOf([
      {
        shapes:
          shape("ctrTitle", "Ferries of\nthe north") +
          shape("body", "First\n\tdeeper\nSecond") +
          shape("ftr", "Secret"),
        notes: "Say hello.\nWave.",
      },
      { shapes: shape("", "No title here") + TABLE + shape("sldNum", "2") },
      { shapes: "" },
      { shapes: shape("title", "Ende") },
    ]);
    expect((await read(bytes)).parts).toEqual([
      {
        level: 1,
        heading: "Ferries of the north",
        fragment: "page=1",
        text: "- First\n  - deeper\n- Second\n\nNotes: Say hello.\n\nWave.",
      },
      {
        level: 1,
        heading: "Slide 2",
        fragment: "page=2",
        text: "No title here\n\nPier | Leaves\n--- | ---\nNorth | noon",
      },
      { level: 1, heading: "Ende", fragment: "page=4", text: "" },
    ]);
  });

  it("leaves out hidden slides and shapes, and counts them", async () => {
    const bytes = pptxOf([
      { shapes: shape("title", "Hidden"), hidden: true },
      { shapes: shape("title", "Shown") + shape("", "steer", ' hidden="1"') },
    ]);
    expect(await read(bytes)).toMatchObject({
      parts: [{ heading: "Shown", fragment: "page=2", text: "" }],
      hiddenPages: 1,
      hiddenCharacters: 5,
    });
  });

  it("has text in drawings, pictures with descriptions, and what is repeated for other programs once", async () => {
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="3" name="P" descr="Map of the harbour"/></p:nvPicPr></p:pic>';
    const twice = `<mc:AlternateContent><mc:Choice>${shape("", "once")}</mc:Choice><mc:Fallback>${shape("", "once")}</mc:Fallback></mc:AlternateContent>`;
    const bytes = pptxOf([{ shapes: shape("title", "Plan") + picture + twice }], {
      "ppt/slides/_rels/slide1.xml.rels": relationships([["d", "diagramData", "../diagrams/data1.xml"]]),
      "ppt/diagrams/data1.xml":
        "<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Load</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Sail</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>",
    });
    expect((await read(bytes)).parts[0]?.text).toBe("[image: Map of the harbour]\n\nonce\n\nLoad\n\nSail");
  });

  it("has the numbers its charts were drawn from, and nothing of a group that is hidden", async () => {
    const cache = (kind: string, values: readonly string[], code = "") =>
      `<c:${kind}>${code}${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("")}</c:${kind}>`;
    const series = (name: string, values: readonly string[]) =>
      `<c:ser><c:tx><c:strRef>${cache("strCache", [name])}</c:strRef></c:tx><c:cat><c:strRef>${cache("strCache", ["North", "South"])}</c:strRef></c:cat><c:val><c:numRef>${cache("numCache", values, "<c:formatCode>0%</c:formatCode>")}</c:numRef></c:val></c:ser>`;
    const chart = `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Ships</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>${series("2025", ["0.1", "0.2"])}${series("2026", ["0.3"])}</c:plotArea></c:chart></c:chartSpace>`;
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G" hidden="1"/></p:nvGrpSpPr>${shape("", "steer")}</p:grpSp>`;
    const bytes = pptxOf([{ shapes: shape("title", "Plan") + group + shape("", "seen") }], {
      "ppt/slides/_rels/slide1.xml.rels": relationships([["c", "chart", "/ppt/charts/chart1.xml"]]),
      "ppt/charts/chart1.xml": chart,
    });
    const found = await read(bytes);
    expect(found.parts[0]?.text).toBe("seen\n\nShips\nNorth; 2025: 10%; 2026: 30%\nSouth; 2025: 20%");
    expect(found.hiddenCharacters).toBe(5);
  });

  it("is titled by what it says of itself, or by its first slide where that is what the program says", async () => {
    const core = (title: string) => ({
      "docProps/core.xml": `<c xmlns:dc="d"><dc:title>${title}</dc:title><dc:creator>Ada; Bo</dc:creator><dcterms:modified>2026-01-31T10:00:00Z</dcterms:modified></c>`,
    });
    const slides = [{ shapes: shape("title", "Why ferries") }];
    expect(await read(pptxOf(slides, core("Handbook")))).toMatchObject({
      title: "Handbook",
      authors: ["Ada", "Bo"],
      updated: "2026-01-31T10:00:00Z",
    });
    expect(await read(pptxOf(slides, core("PowerPoint Presentation")))).toMatchObject({ title: "Why ferries" });
    const macros = { ...core("Handbook"), "ppt/vbaProject.bin": "Sub" };
    expect(await read(pptxOf(slides, macros), "deck.pptm")).toMatchObject({ kind: "pptx", macros: true });
  });

  it("without any slide, or without text, says nothing", async () => {
    expect((await read(pptxOf([]))).parts).toEqual([]);
    expect((await read(pptxOf([{ shapes: "" }]))).parts).toEqual([]);
  });
});
