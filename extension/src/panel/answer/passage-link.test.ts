import { describe, expect, it } from "vitest";
import { nearest, passageLink } from "./passage-link.ts";

const texts = (...passages: readonly string[]) => passages.map((text) => ({ text }));
const open = (passages: readonly string[], near: string, href = "https://wiki.example.com/travel", question = "") =>
  passageLink(href, texts(...passages), near, question);

describe("a link to a passage", () => {
  it("names the sentence that is spoken of where it is cited", () => {
    const passage = "Receipts go to finance. Travel costs are paid back fast. A hotel may cost 120 euros.";
    expect(open([passage], "A hotel may cost up to 120 euros")).toBe(
      "https://wiki.example.com/travel#:~:text=A%20hotel%20may%20cost%20120%20euros.",
    );
  });

  it("names a long sentence by its beginning and its end", () => {
    const passage = "Whoever travels for the company sends the receipts to finance before the end of the month";
    expect(open([passage], "")).toBe(
      "https://wiki.example.com/travel#:~:text=Whoever%20travels%20for%20the%20company,the%20end%20of%20the%20month",
    );
  });

  it("keeps the place on the page that the address names", () => {
    expect(open(["One two three."], "", "https://a.example/b#costs")).toBe(
      "https://a.example/b#costs:~:text=One%20two%20three.",
    );
  });

  it("names the passage before the heading that the address names by its words", () => {
    expect(open(["One two three."], "", "https://a.example/b#:~:text=Costs")).toBe(
      "https://a.example/b#:~:text=One%20two%20three.&text=Costs",
    );
    expect(open(["One two three."], "", "https://a.example/b#costs:~:text=Costs")).toBe(
      "https://a.example/b#costs:~:text=One%20two%20three.&text=Costs",
    );
  });

  it("escapes what means something in a text fragment", () => {
    expect(open(["Up-to-date, clear & short rules"], "")).toContain("Up%2Dto%2Ddate%2C%20clear%20%26%20short%20rules");
  });

  it("opens a PDF at the page that says it", () => {
    const pages = [
      { text: "Trains come before planes.", fragment: "page=1" },
      { text: "The hotel limit is 120.", fragment: "page=2" },
    ];
    const link = (href: string) => passageLink(href, pages, "A hotel may cost 120.");
    expect(link("https://a.example/rules.pdf")).toBe("https://a.example/rules.pdf#page=2");
    expect(link("https://a.example/download?id=7#page=1")).toBe("https://a.example/download?id=7#page=2");
  });

  it.each([
    ["no passage", [], "https://a.example/"],
    ["a word or two", ["Two words"], "https://a.example/"],
    ["only markup", ["| a | b | c |"], "https://a.example/"],
    ["a file that knows no passages", ["One two three four."], "https://a.example/plan.pdf"],
  ])("is the address itself for %s", (_what, passages, href) => {
    expect(open(passages, "", href)).toBe(href);
  });

  it("works without spaces between words", () => {
    expect(open(["食堂は十二時に開きます。庭は広い。"], "食堂")).toContain(
      encodeURIComponent("食堂は十二時に開きます。"),
    );
  });

  it.each([
    ["Thai", "เรือออกจากท่าเรือหมายเลขสี่ตั้งแต่วันที่สามพฤษภาคม", " ตั๋วราคาเท่าเดิมและสุนัขเดินทางฟรี"],
    ["Hindi", "दीये का वजन 350 ग्राम है।", " इसमें दो घंटे का तेल आता है।"],
    ["Arabic", "متى يفتح المتحف أبوابه؟", " يفتح المتحف في التاسعة صباحا."],
  ])("names one sentence of %s, which browsers find within one block only", (_language, sentence, next) => {
    expect(open([sentence + next], sentence)).toBe(
      `https://wiki.example.com/travel#:~:text=${encodeURIComponent(sentence)}`,
    );
  });

  it("names, of several sentences that are said there, the one that answers the question", () => {
    const passage =
      "The service PIN is 7730.\n\nToner is in the cabinet beside the stairs.\n\nTurn the blue lever twice.";
    const link = open([passage], passage, undefined, "What is the PIN of the printer?");
    expect(link).toBe("https://wiki.example.com/travel#:~:text=The%20service%20PIN%20is%207730.");
  });

  it("names a row of a table by its first and its last cell", () => {
    const passage = "Field | Type | Default\n--- | --- | ---\nkeep_days | integer | 90\nkeep_versions | integer | 12";
    expect(open([passage], passage, undefined, "What is the default of keep_versions?")).toBe(
      "https://wiki.example.com/travel#:~:text=keep_versions,12",
    );
  });

  it("names a row whose cells are code, and never the header above it", () => {
    const passage = "Field | Default\n--- | ---\n`keep_days` | `90`\n`keep_versions` | `12`";
    expect(open([passage], "Field: keep_days, Default: 90", undefined, "What is the default of keep_days?")).toBe(
      "https://wiki.example.com/travel#:~:text=keep_days,90",
    );
  });

  it("names what stands before and behind a mark of markdown, which the page does not show", () => {
    expect(open(["The server listens on port 9410 unless `QUILL_PORT` says otherwise."], "")).toBe(
      "https://wiki.example.com/travel#:~:text=The%20server%20listens%20on%20port,says%20otherwise.",
    );
    expect(open(["Set `x` to begin it anew today."], "")).toContain("text=to%20begin%20it%20anew%20today.");
    expect(open(["Set `x` now."], "")).toBe("https://wiki.example.com/travel");
  });

  it("names a value of data by the word that asks for it, not by one that names the file", () => {
    const data = '{\n  "station": "Brest",\n  "coefficient": 95,\n  "pleine_mer": "17 h 42"\n}';
    expect(open([data], data, "https://data.example/brest.json", "Quel est le coefficient à Brest ?")).toBe(
      "https://data.example/brest.json#:~:text=%22coefficient%22%3A%2095",
    );
    const line = '{"parts":[{"name":"database","state":"up"},{"name":"printer","state":"degraded"}]}';
    expect(open([line], line, "https://data.example/health", "Which part is degraded?")).toContain(
      encodeURIComponent('"name":"printer","state":"degraded"'),
    );
  });

  it("weighs the words of a question: one that many sentences have says little, and its ending nothing", () => {
    const passage = "The tape deck winds the tape.\n\n-e, --eject Eject it once it is wound.\n\nThe tape is long.";
    expect(open([passage], passage, undefined, "Which option of the tape ejects it?")).toContain(
      "text=%2De%2C%20%2D%2Deject",
    );
  });

  it("names no word that was cut off at the end of a passage", () => {
    const link = open(
      ["Short.\nWhoever travels for the company sends receipts to finance before the end of the mon…"],
      "",
    );
    expect(link).toBe(
      "https://wiki.example.com/travel#:~:text=Whoever%20travels%20for%20the%20company,before%20the%20end%20of%20the",
    );
  });

  it("shows the passage that is nearest to what was said", () => {
    expect(nearest(texts("about gardens", "about hotel prices"), "The hotel prices rose")?.text).toBe(
      "about hotel prices",
    );
    expect(nearest([], "x")).toBeUndefined();
  });
});
