import { describe, expect, it } from "vitest";
import { isFurniturePhrase, isMoment, topicOf } from "./phrases.ts";

describe("what headings on many sites say of what comes below them", () => {
  it.each([
    ["comments", ["12 Comments", "Leave a reply", "Kommentare (4)", "Laisser un commentaire", "コメント"]],
    ["related", ["You may also like", "Mehr zum Thema", "Lesen Sie auch", "Lire aussi", "関連記事"]],
    ["author", ["About the author", "Über den Autor", "À propos de l’auteur", "著者について"]],
    ["subscribe", ["Sign up for our newsletter", "Jetzt abonnieren"]],
    ["specification", ["Technical specifications", "Produktdetails", "仕様"]],
    ["review", ["Customer reviews", "Kundenbewertungen", "レビュー"]],
  ])("tells %s", (topic, headings) => {
    for (const heading of headings) expect([heading, topicOf(heading)]).toEqual([heading, topic]);
  });

  it("takes a heading of the text's own for what it is", () => {
    for (const heading of ["What was measured", "Bohnen im Mai", "豆の水やり", ""])
      expect(topicOf(heading)).toBeUndefined();
  });
});

describe("a short text", () => {
  it("is known for a button or a note of rights in several languages", () => {
    for (const text of ["Read more", "Weiterlesen", "Partager", "もっと見る", "© 2026"]) {
      expect([text, isFurniturePhrase(text)]).toEqual([text, true]);
    }
    for (const text of ["Beans want water", "Bohnen brauchen Wasser"]) expect(isFurniturePhrase(text)).toBe(false);
  });

  it("is known for a date or a time", () => {
    for (const text of ["24.11.2026", "3. Mai 2026", "May 4, 2026", "2026年5月4日", "5 hours ago", "Von Ada, 4.5.26"]) {
      expect([text, isMoment(text)]).toEqual([text, true]);
    }
    for (const text of ["Row 12 holds 40 plants", "Beans want water at the root", "1.4 kg"]) {
      expect([text, isMoment(text)]).toEqual([text, false]);
    }
  });
});
