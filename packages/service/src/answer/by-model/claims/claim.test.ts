import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sentencesOf } from "@threadlore/language";
import { repositoryRoot } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { doubtOf } from "./claim.ts";
import { factsOf } from "./text-facts.ts";

/** Sentences as a model may write them, and the section they cite. */
interface Entry {
  /** File and heading. */
  readonly passage: string;
  /** Of the sentences, where it is not the passage's. */
  readonly language?: string;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

const packages = join(repositoryRoot, "packages");
const read = (path: string): string => readFileSync(join(packages, path), "utf8");
const SET = JSON.parse(read("bench/sets/cited-sentences.json")) as Entry[];
const LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;
const languageOfFile = (place: string): string => /handbook-(\w\w)/.exec(place)?.[1] ?? "en";

function sectionOf(place: string): string {
  const [file = "", heading = ""] = place.split("#");
  const text = read(file);
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`no such section: ${place}`);
  return `${text.split("\n", 1)[0]?.replace(/^# /, "")}\n\n${section}`;
}

function judged(which: "right" | "wrong", language: string): { sentence: string; isMarked: boolean }[] {
  return SET.filter(({ passage }) => languageOfFile(passage) === language).flatMap((entry) => {
    const passage = factsOf(sectionOf(entry.passage), language);
    const grounds = { passages: [passage], question: undefined, language: entry.language ?? language };
    return entry[which].map((sentence) => ({ sentence, isMarked: doubtOf(sentence, grounds) !== undefined }));
  });
}

const listed = (rows: readonly { readonly sentence: string }[]): string =>
  rows.map(({ sentence }) => sentence).join("\n");

describe("sentences with the section they cite", () => {
  it.each(LANGUAGES)("are marked where they are wrong: four of five in %s", (language) => {
    const all = judged("wrong", language);
    const missed = all.filter(({ isMarked }) => !isMarked);
    expect(1 - missed.length / all.length, listed(missed)).toBeGreaterThanOrEqual(0.8);
  });

  it.each(LANGUAGES)("are left alone where they are right: nineteen of twenty in %s", (language) => {
    const all = judged("right", language);
    const marked = all.filter(({ isMarked }) => isMarked);
    expect(marked.length / all.length, listed(marked)).toBeLessThanOrEqual(0.05);
  });

  it.each(LANGUAGES)("are left alone where they are the section's own, in %s", (language) => {
    const folder = language === "en" ? "demo/handbook" : `bench/sets/handbook-${language}`;
    const marked: string[] = [];
    for (const file of readdirSync(join(packages, folder))) {
      for (const section of read(`${folder}/${file}`).split(/^## /m)) {
        const grounds = { passages: [factsOf(section, language)], question: undefined, language };
        for (const { text } of section.split("\n").flatMap((line) => sentencesOf(line, language)))
          if (doubtOf(text, grounds) !== undefined) marked.push(`${text} ${JSON.stringify(doubtOf(text, grounds))}`);
      }
    }
    expect(marked).toEqual([]);
  });
});

describe("a sentence", () => {
  const doubt = (claim: string, passage: string, language = "en", question?: string) =>
    doubtOf(claim, {
      passages: [factsOf(passage, language)],
      question: question === undefined ? undefined : factsOf(question, language),
      language,
    });

  it.each([
    ["en", "It costs 1500 euros.", "It costs €1,500."],
    ["de", "Es kostet 1500 €.", "Es kostet 1.500 Euro."],
    ["fr", "Cela coûte 1500 €.", "Cela coûte 1 500 euros."],
    ["en", "It takes two weeks.", "It takes 14 days."],
    ["en", "Half of it is paid.", "50 percent of it is paid."],
    ["en", "It closes at 5 pm.", "It closes at 17:00."],
    ["de", "Es dauert eine halbe Stunde.", "Es dauert 30 Minuten."],
    ["en", "Ask Ms Schmidt.", "Anna Schmidt decides."],
    ["en", "Purchases up to 50 euros do not need approval.", "Purchases above 50 euros need approval."],
    ["en", "Do not start without approval.", "Start with approval."],
    ["en", "Private phones may not be used.", "Company phones may be used."],
    [
      "de",
      "Kundenpost gehört in die graue Tonne.",
      "Kundenpost gehört nicht in die blaue, sondern in die graue Tonne.",
    ],
  ])("says the same otherwise (%s): %s", (language, claim, passage) => {
    expect(doubt(claim, passage, language)).toBeUndefined();
  });

  it.each([
    ["en", "It costs 1,500 dollars.", "It costs 1,500 euros.", ["1,500 dollars"]],
    ["de", "Es kostet 1,5 Euro.", "Es kostet 1.500 Euro.", ["1,5 Euro"]],
    ["en", "Together that is 12 days.", "It is 5 days, and then 7 days.", ["12 days"]],
    ["en", "Ask Peter Miller by 3 May.", "Anna Schmidt decides by 5 May.", ["Peter Miller", "3 May"]],
  ])("says what is not there (%s): %s", (language, claim, passage, values) => {
    expect(doubt(claim, passage, language)).toEqual({ values, isOpposite: false });
  });

  it("may take a name from the question", () => {
    expect(doubt("Trips to Japan need approval.", "Trips overseas need approval.", "en", "May I go to Japan?")).toBe(
      undefined,
    );
  });

  it("is not checked where nothing was found of what it cites", () => {
    expect(doubtOf("It is 5.", { passages: [], question: undefined, language: "en" })).toBeUndefined();
  });
});
