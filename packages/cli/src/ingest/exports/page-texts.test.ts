import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterThisTest, temporaryFolder } from "@threadlore/testkit";
import { zipOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { readConfluenceExport } from "./confluence/confluence-export.ts";
import type { ExportOptions, ExportReader } from "./export-kinds.ts";
import { closeAll, openExports } from "./files/open-export.ts";
import { readNotionExport } from "./notion/notion-export.ts";

const OPTIONS: ExportOptions = {
  takes: () => true,
  journal: { newest: () => undefined, documentsOf: () => [] },
  shelf: { server: "here", pair: 1 },
  instance: () => undefined,
  linkBase: undefined,
  includePrivate: false,
  ownApp: "Threadlore",
  seen: { add: () => {} },
  signal: new AbortController().signal,
};

/** What becomes of each file: its document, or the reason why there is none. */
async function read(
  reader: ExportReader,
  files: Readonly<Record<string, string>>,
  options: Partial<ExportOptions> = {},
) {
  const home = temporaryFolder();
  writeFileSync(join(home, "export.zip"), zipOf(files));
  const opened = await openExports(home, ["export.zip"], undefined);
  afterThisTest(() => closeAll(opened));
  const reading = await reader(opened, { ...OPTIONS, ...options });
  const found: Record<string, unknown> = {};
  for await (const one of reading.candidates()) {
    if ("reason" in one) found[one.name] = one.reason;
    else {
      const made = await one.read().catch((error: Error) => error.message);
      found[one.name] =
        typeof made !== "string" && "document" in made
          ? [made.document.semantic_identifier, ...made.document.sections.map(({ text }) => text)]
          : made;
    }
  }
  return { found, said: reading.said };
}

const ID = "0123456789abcdef0123456789abcdef";
const OTHER = "fedcba9876543210fedcba9876543210";

describe("the text of a page of Notion", () => {
  it("as HTML has its properties, its rows and its links, and not the list of its headings", async () => {
    const html = `<html><head><title>Night shift</title><style>p{}</style></head><body><article id="01234567-89ab-cdef-0123-456789abcdef" class="page sans"><header><h1 class="page-title">Night shift</h1><p class="page-description"></p><table class="properties"><tbody><tr class="property-row property-row-select"><th><span class="icon property-icon"></span>Status</th><td><span class="selected-value">Open</span></td></tr><tr class="property-row property-row-person"><th>Owner</th><td>李雷</td></tr></tbody></table></header><div class="page-body"><nav class="block-color-gray table_of_contents"><a href="#a">Crew</a></nav><p>Ask <a href="Docks%20${OTHER}.html">the docks</a>.</p><h2 id="a">Crew</h2><ul><li>Bo</li></ul></div></article></body></html>`;
    const { found } = await read(readNotionExport, { [`Shift ${ID}.html`]: html, "index.html": "<p>Contents" });
    expect(Object.keys(found)).toEqual(["Shift.html"]);
    const [title, ...texts] = found["Shift.html"] as string[];
    expect(title).toBe("Night shift");
    const text = texts.join("\n");
    for (const part of ["Status | Open", "Owner | 李雷", `Ask [the docks](https://www.notion.so/${OTHER}).`, "- Bo"])
      expect(text).toContain(part);
    expect(text.match(/Crew/g)).toHaveLength(1);
  });

  it("as Markdown has its properties, and a table all rows of its database, once", async () => {
    const { found, said } = await read(readNotionExport, {
      [`Team/Tasks ${ID}.csv`]: "Name,Who\nRope,Ada\n",
      [`Team/Tasks ${ID}_all.csv`]: "Name,Who\nRope,Ada\nTar,عمر\n",
      [`Team/Tasks/Rope ${OTHER}.md`]: "# Rope\n\nWho: Ada\nDue: May 1, 2026\n\nOf hemp.\n",
      "Team/photo.png": "x",
      [`Team/Copy ${OTHER}.md`]: "# Rope\n",
      "Team/Empty.md": "",
    });
    expect(found).toEqual({
      "Team/Tasks.csv": ["Tasks", "Name: Rope; Who: Ada\nName: Tar; Who: عمر"],
      "Team/Tasks/Rope.md": `it has the id of Team/Copy.md, which was taken`,
      "Team/Copy.md": ["Rope", "# Rope"],
      "Team/Empty.md": expect.anything(),
    });
    expect(said.join("\n")).toContain("left out 1 file without text");
  });
});

describe("the text of a page of Confluence", () => {
  it("begins with where it stands, and has who changed it and when", async () => {
    const page = `<title>D : A</title><ol id="breadcrumbs"><li>D</li><li><a href="T_2.html">Tariffs</a></li></ol><h1 id="title-heading"><span id="title-text">D : A</span></h1><div class="page-metadata">Created by <span class='author'>Ada</span>, last modified by <span class='editor'>Bo</span> on May 03, 2026</div><div id="main-content"><p>See <a href="T_2.html">T</a>.</p><h2 id="A-Night">Night</h2><p>412</p></div><div id="footer">x</div>`;
    const { found } = await read(
      readConfluenceExport,
      {
        "DOC/index.html": "<table><tr><th>Key</th><td>DOC</td></tr></table>",
        "DOC/A_1.html": page,
        "DOC/B_3.html": "",
      },
      { linkBase: "https://wiki.example" },
    );
    expect(found).toEqual({
      "A_1.html": [
        "A",
        "D › Tariffs\n\nSee [T](https://wiki.example/pages/viewpage.action?pageId=2).",
        "## Night\n\n412",
      ],
      "B_3.html": expect.anything(),
    });
  });
});
