import { describe, expect, it } from "vitest";
import { linkedHtml, linkedMarkdown } from "./notion-links.ts";
import { notionName, notionShownPath, notionTrail } from "./notion-path.ts";

const ID = "0123456789abcdef0123456789abcdef";

describe("names in an export of Notion", () => {
  it.each([
    [`Night shift ${ID}.md`, { title: "Night shift", id: ID, ending: ".md", isWhole: false }],
    [`a/b/值班 🌙 ${ID.toUpperCase()}.HTML`, { title: "值班 🌙", id: ID, ending: ".html", isWhole: false }],
    [`Tasks ${ID}_all.csv`, { title: "Tasks", id: ID, ending: ".csv", isWhole: true }],
    [`Tasks ${ID}.csv`, { title: "Tasks", id: ID, ending: ".csv", isWhole: false }],
    ["Tasks_all.csv", { title: "Tasks", id: undefined, ending: ".csv", isWhole: true }],
    [`${ID}.md`, { title: "", id: ID, ending: ".md", isWhole: false }],
    ["take_all.md", { title: "take_all", id: undefined, ending: ".md", isWhole: false }],
    ["v1.2 plan.pdf", { title: "v1.2 plan", id: undefined, ending: ".pdf", isWhole: false }],
  ])("%j", (path, name) => expect(notionName(path)).toEqual(name));

  it("are shown without ids and without what every export is wrapped in", () => {
    const path = `Private & Shared/Docks ${ID}/2.0 ${ID}/الليل ${ID}.md`;
    expect(notionTrail(path)).toEqual(["Docks", "2.0"]);
    expect(notionShownPath(path)).toBe("Docks/2.0/الليل.md");
    expect(notionShownPath(`Export-01234567-89ab-cdef-0123-456789abcdef/${ID}.md`)).toBe("Untitled.md");
  });
});

describe("links between pages", () => {
  it("lead to the pages in Notion, and all others stay", () => {
    const page = `[Shift](Docks/Shift%20(night)%20${ID}.md) [t](T%20${ID}_all.csv) ![p](Docks/p%20${ID}.png) [x](https://x.example/${ID}.md) [bad](%E0%A4%20${ID}.md)`;
    expect(linkedMarkdown(page)).toBe(
      `[Shift](https://www.notion.so/${ID}) [t](https://www.notion.so/${ID}) ![p](Docks/p%20${ID}.png) [x](https://x.example/${ID}.md) [bad](https://www.notion.so/${ID})`,
    );
  });

  it("are found in linear time", () => {
    const begun = performance.now();
    linkedMarkdown("](".repeat(200_000) + "](((((".repeat(50_000));
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it("of a page in HTML are words, but in headings, and its list of headings is left out", () => {
    const html = `<nav class="block table_of_contents"><div><a href="#a">Night</a></div></nav><h2><a href="A%20${ID}.html">Night</a></h2><p>See <a href="A%20${ID}.html"><i>this</i></a>, <a href="#b">that</a></p>`;
    expect(linkedHtml(html)).toBe(
      `<h2><a href="A%20${ID}.html">Night</a></h2><p>See [<i>this</i>](https://www.notion.so/${ID}), <a href="#b">that</a></p>`,
    );
  });
});
