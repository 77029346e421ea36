import { describe, expect, it } from "vitest";
import { fileText } from "../../file-text.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const read = (rtf: string, characters = 2_000_000) => fileText({ name: "letter", bytes: latin1(rtf) }, { characters });
const textOf = async (rtf: string) =>
  (await read(rtf)).parts.map(({ heading, text }) => `${heading}\n${text}`.trim()).join("\n---\n");
const hex = (bytes: string) => bytes.replace(/../g, "\\'$&");

describe("a rich text file", () => {
  it("becomes parts under its headings, with lists, tables, notes and links", async () => {
    const rtf = `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fnil\\fcharset0 Arial;}{\\f2\\fcharset2 Symbol;}}
{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s2 heading 2;}}
{\\info{\\title Ferry handbook}{\\author Ada}{\\revtim\\yr2026\\mo1\\dy31\\hr10\\min5}{\\subject no}}
{\\header Page \\chpgn}\\pard\\s1 Handbook\\par\\pard\\s2 Boarding\\par
\\pard\\plain Be {\\b early}{\\footnote \\pard Ten minutes.\\par}, see {\\field{\\*\\fldinst HYPERLINK "https://x.example"}{\\fldrslt the plan}}.\\line Wait.\\par
{\\pntext\\f2\\'B7\\tab}\\pard one\\par{\\listtext\\pard\\plain\\f2\\'B7\\tab}\\pard\\ilvl1 deeper\\par
{\\listtext 1.\\tab}\\pard first\\par{\\listtext 2.\\tab}second\\par{\\listtext b)\\tab}\\pard lettered\\par{\\listtext\\pard\\plain o\\tab}\\pard dotted{\\f2\\u-3913\\'b7}\\par
{\\listtext 1.2\\tab}\\pard\\s2 Dogs\\par
\\trowd\\cellx1\\cellx2\\pard\\intbl Pier\\cell Leaves\\cell\\row\\trowd\\pard\\intbl North\\par or south\\cell noon\\cell\\row
\\pard{\\pict\\wmetafile8 010009000003}{\\*\\shppict{\\pict 00}}\\bin5 }}}}}After.\\par}`;
    const found = await read(rtf);
    expect(found).toMatchObject({
      kind: "rtf",
      title: "Ferry handbook",
      authors: ["Ada"],
      updated: "2026-01-31 10:05",
      cut: false,
    });
    expect(found.parts.slice(1)).toEqual([
      { level: 1, heading: "Handbook", text: "" },
      {
        level: 2,
        heading: "Boarding",
        text: "Be early (Ten minutes.), see the plan.\nWait.\n\n- one\n  - deeper\n\n1. first\n2. second\n\n- b) lettered\n- dotted",
      },
      {
        level: 2,
        heading: "1.2 Dogs",
        text: "Pier | Leaves\n--- | ---\nNorth or south | noon\n\nAfter.",
      },
    ]);
  });

  it.each([
    ["Cyrillic by the document's page", "\\ansicpg1251", hex("caebfef7"), "Ключ"],
    ["Cyrillic by its font", "\\ansicpg1252{\\fonttbl{\\f1\\fcharset204 Arial;}}", `\\f1 ${hex("caebfef7")}`, "Ключ"],
    ["Greek by its font's page", "{\\fonttbl{\\f1\\cpg1253 Arial;}}", `\\f1 ${hex("cadfeefe")}`, "Κίξώ"],
    [
      "Shift_JIS, whose second bytes look like letters and signs",
      "{\\fonttbl{\\f1\\fcharset128 Mincho;}}",
      "\\f1 \\'8c\\'ae\\'83L\\'81[\\'83\\\\",
      "鍵キーソ",
    ],
    ["GBK", "{\\fonttbl{\\f1\\fcharset134 SimSun;}}", `\\f1 ${hex("d4bfb3d7")}`, "钥匙"],
    ["Big5", "{\\fonttbl{\\f1\\fcharset136 MingLiU;}}", `\\f1 ${hex("c65fb0cd")}`, "鑰匙".replace("鑰", "\u9470")],
    ["Hangul", "{\\fonttbl{\\f1\\fcharset129 Batang;}}", `\\f1 ${hex("bfadbce8")}`, "열쇠"],
    ["Hebrew", "{\\fonttbl{\\f1\\fcharset177 David;}}", `\\f1 ${hex("eef4fae7")}`, "מפתח"],
    [
      "numbers, negative ones and substitutes",
      "",
      "\\u1050\\'ca\\u1083?\\uc2\\u-4979\\'81\\'81\\uc0\\u233 x",
      "Кл\uec8d\u00e9x",
    ],
    ["letters in two halves", "", "\\u-10179?\\u-8704? \\u55357?\\u56833?", "😀 😁"],
    ["substitutes that are skipped in a group of their own only", "", "{\\uc1\\u8364 E}uro\\u8364\\'80", "€uro€"],
    ["bytes as they are", "\\ansicpg1252", "Caf\u00e9 \\emdash\\lquote x\\rquote\\~\\{y\\}", "Café —‘x’ {y}"],
  ])("reads %s", async (_case, head, body, expected) => {
    expect(await textOf(`{\\rtf1\\ansi${head} ${body}\\par}`)).toBe(expected);
  });

  it("leaves out hidden and deleted text, and counts what is hidden", async () => {
    const found = await read("{\\rtf1 Seen{\\v steer}\\v0 .{\\deleted gone}{\\*\\annotation remark}\\par}");
    expect(found.parts.map(({ text }) => text).join("")).toBe("Seen.");
    expect(found.hiddenCharacters).toBe(5);
  });

  it("that ends in the middle is refused, and a long one read as far as there is room", async () => {
    await expect(read("{\\rtf1 {\\b half a letter")).rejects.toThrow(
      "letter: it ends in the middle: it is damaged or incomplete",
    );
    const found = await read(`{\\rtf1 ${"a sentence.\\par ".repeat(10_000)}`, 1_000);
    expect(found.cut).toBe(true);
    expect(found.parts.at(-1)?.text.length).toBeLessThan(1_500);
  });
});
