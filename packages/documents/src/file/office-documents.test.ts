import { pptxOf, shape, sheetRows, xlsxOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { documentFromFile } from "./file.ts";

const link = "https://files.example/a";

describe("an office file as a document", () => {
  it("has a section for each slide that is shown, linked to it, and says that others are hidden", async () => {
    const bytes = pptxOf([
      { shapes: shape("title", "Ferries"), notes: "Wave." },
      { shapes: shape("title", "Hidden"), hidden: true },
      { shapes: shape("title", "Piers") + shape("", "Two of them.") },
    ]);
    const { document, notes } = await documentFromFile({ name: "deck.pptx", bytes, link });
    expect(document).toMatchObject({
      semantic_identifier: "Ferries",
      sections: [
        { text: "# Ferries\n\nNotes: Wave.", link: `${link}#page=1` },
        { text: "# Piers\n\nTwo of them.", link: `${link}#page=3` },
      ],
    });
    expect(notes).toEqual(["Hidden slides or sheets were left out: 1."]);
  });

  it("has sections of each sheet under its name, whose rows are understood by themselves wherever it is cut", async () => {
    const rows = Array.from({ length: 400 }, (_, at) => [`Boathouse ${at}`, at]);
    const bytes = xlsxOf([
      { name: "Rooms", rows: sheetRows([["Room", "Keys"], ...rows]) },
      {
        name: "Owners",
        rows: sheetRows([
          ["Owner", "Room"],
          ["Ada", "Boathouse 7"],
        ]),
      },
    ]);
    const { document } = await documentFromFile({ name: "rooms.xlsx", bytes, link });
    expect(document.sections.map((section) => section.link)).toEqual([
      `${link}#'Rooms'!A1`,
      `${link}#'Rooms'!A1`,
      `${link}#'Owners'!A1`,
    ]);
    for (const { text = "" } of document.sections.slice(0, 2)) {
      expect(text).toMatch(/^# Rooms\n\nRoom: Boathouse \d+; Keys: \d+\n/);
    }
    expect(document.sections[2]?.text).toBe("# Owners\n\nOwner: Ada; Room: Boathouse 7");
  });
});
