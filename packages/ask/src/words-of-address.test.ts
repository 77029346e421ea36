import { describe, expect, it } from "vitest";
import { wordsOfAddress } from "./words-of-address.ts";

describe("the words of an address", () => {
  it.each([
    ["https://wiki.example.com/hr/Leave-and-holidays.html", "Leave and holidays"],
    ["https://wiki.example.com/spaces/HR/pages/3141592/Annual%20leave", "Annual leave"],
    ["https://wiki.example.com/expensePolicy/", "expense Policy"],
    ["https://wiki.example.com/hr/parentalLeave2.docx?version=draft#fathers", "parental Leave2"],
    ["https://docs.example.com/d/1a2b3c4d5e6f7a8b9c0d/edit", "edit"],
    ["https://wiki.example.com/", ""],
    ["https://wiki.example.com/pages/viewpage.action?pageId=31415926", "viewpage action"],
  ])("%s", (address, words) => {
    expect(wordsOfAddress(address)).toBe(words);
  });

  it.each([
    ["https://wiki.example.com/%E4%BC%91%E6%9A%87%E3%81%AE%E8%A6%8F%E7%A8%8B", "休暇の規程"],
    ["https://wiki.example.com/休暇/2026", "休暇"],
    [
      "https://wiki.example.com/%D8%A7%D9%84%D8%A5%D8%AC%D8%A7%D8%B2%D8%A9-%D8%A7%D9%84%D8%B3%D9%86%D9%88%D9%8A%D8%A9",
      "الإجازة السنوية",
    ],
    ["https://wiki.example.com/छुट्टी-नियम", "छुट्टी नियम"],
    ["https://wiki.example.com/%C3%9Cberstunden_%C3%BCbertragen", "Überstunden übertragen"],
  ])("are read in every script: %s", (address, words) => {
    expect(wordsOfAddress(address)).toBe(words);
  });

  it.each([
    ["https://wiki.example.com/%E0%A4%A/urlaub", "urlaub"],
    ["https://wiki.example.com/leave%FFdays", "leave days"],
    ["https://wiki.example.com/the-50%-rule", "the rule"],
    ["https://wiki.example.com/hr%2Fleave", "hr leave"],
  ])("are what can be read where escapes are none: %s", (address, words) => {
    expect(wordsOfAddress(address)).toBe(words);
  });

  it.each([
    ["FILE_CONNECTOR__handbook/Leave policy.md", "Leave policy"],
    ["leave", "leave"],
    ["doc:parental-leave", "parental leave"],
    ["3f9a0c1d-77e2-4b1f-9d3e-5a6b7c8d9e0f", ""],
    ["8412", ""],
    ["", ""],
  ])("are those of an id that is no address: %s", (id, words) => {
    expect(wordsOfAddress(id)).toBe(words);
  });
});
