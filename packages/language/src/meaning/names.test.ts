import { describe, expect, it } from "vitest";
import { namesOf } from "./names.ts";

describe("namesOf", () => {
  it.each([
    ["en", "The Panthers beat Peyton Manning in New York.", ["panthers", "peyton manning", "new york"]],
    ["en", "Ludwig van Beethoven wrote it.", ["ludwig van beethoven"]],
    ["en", "Employees get lunch.", []],
    ["en", "Use GitLab v2.3 and the iPhone over VPN.", ["gitlab", "v2.3", "iphone", "vpn"]],
    ["en", "See ENG-1234 at docs.example.com or write to a@b.com.", ["eng-1234", "docs.example.com", "a@b.com"]],
    ["en", "Newton fell. We know Newton.", ["newton", "newton"]],
    ["en", "The laptop is there at 9:00. Sign the form.", []],
    ["de", "Anna Schmidt arbeitet bei der VPN GmbH im Haus.", ["anna schmidt", "vpn gmbh"]],
    ["fr", "Le directeur Jean de la Fontaine habite Paris.", ["jean de la fontaine", "paris"]],
    ["ru", "Он работал в Москве с Дмитрием Менделеевым.", ["москве", "дмитрием менделеевым"]],
    ["ja", "アン・ブーリンは奈良市の田中さんと『源氏物語』を読む。", ["アン ブーリン", "奈良市", "田中", "源氏物語"]],
    ["zh", "彼得·曼宁在《周刊》说", ["彼得 曼宁", "周刊"]],
    ["ko", "김민수 씨는 GitLab 담당자입니다.", ["김민수", "gitlab"]],
  ])("%s %s", (language, text, expected) => {
    expect(namesOf(text, language).map((name) => name.text)).toEqual(expected);
  });

  it.each([
    "A".repeat(1_000_000),
    "A ".repeat(300_000),
    "«".repeat(1_000_000),
    "a.".repeat(500_000),
    "ア".repeat(500_000),
    '"'.repeat(1_000_000),
    "a@".repeat(400_000),
    "王".repeat(400_000),
  ])(
    "reads anything, within bounds",
    (text) => {
      expect(namesOf(text, "en")).toBeInstanceOf(Array);
      expect(namesOf(text, "ja")).toBeInstanceOf(Array);
    },
    30_000,
  );
});
