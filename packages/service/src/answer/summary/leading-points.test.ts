import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { leadingPoints, type SummaryOptions } from "./leading-points.ts";
import { pointsBack } from "./standing-alone.ts";

const HANDBOOKS = ["demo/handbook", "bench/sets/handbook-de", "bench/sets/handbook-fr", "bench/sets/handbook-ja"];
const PACKAGES = new URL("../../../../", import.meta.url);

const textsOf = (text: string, options?: SummaryOptions) => leadingPoints(text, options).map((point) => point.text);

/** A sentence that shares little with that of another number. */
function tale(number: number): string {
  const word = (which: string) => `${which}${String.fromCharCode(97 + (number % 26), 97 + Math.floor(number / 26))}o`;
  return `Captain ${word("Kel")} took ${word("bar")} and ${word("mos")} to ${word("Tur")} in winter ${number}.`;
}

const numbersIn = (texts: readonly string[]) => texts.map((text) => Number(/\d+/.exec(text)?.[0]));

const TRAVEL = `# Travel

Last updated: 4 March 2025

## Booking

Book trains and flights in Waymark at least 14 days ahead. It has our rates and pays directly.

## Limits

| What | Limit | Who approves above it |
|---|---|---|
| Dinner while travelling | 45 euros | team lead |
| Hotel night | 160 euros | head of department |

## On the way

Is there a daily allowance? Meals are claimed as expenses within the limits. They are paid with the salary.

## Packing

- passport
- power adapter
- the port's life vest

## Licence

This text may be copied by everyone who works here.
`;

describe("the leading points of a document", () => {
  it("come from its parts, in reading order, with the headings they stand below", () => {
    expect(leadingPoints(TRAVEL)).toEqual([
      {
        text: "Book trains and flights in Waymark at least 14 days ahead.",
        heading: "Booking",
        kind: "sentence",
      },
      {
        text: "What (Limit, Who approves above it): Dinner while travelling, Hotel night",
        heading: "Limits",
        kind: "table",
      },
      { text: "Meals are claimed as expenses within the limits.", heading: "On the way", kind: "sentence" },
      { text: "passport; power adapter; the port's life vest", heading: "Packing", kind: "list" },
    ]);
  });

  it("leave out what needs the sentence before it, what asks, and what stands everywhere", () => {
    const all = textsOf(TRAVEL, { most: 50, characters: 10_000 }).join("\n");
    expect(all).not.toMatch(/It has our rates|They are paid|Is there|Last updated/);
  });

  it("begin with what the document says of itself", () => {
    const text =
      "# VPN\n\nThis page is for everyone who works outside the office.\n\n## Errors\n\nError 41 means that the clock is wrong by a minute.";
    expect(textsOf(text)[0]).toBe("This page is for everyone who works outside the office.");
  });

  it("are as many and as long as allowed", () => {
    const text = readFileSync(new URL("demo/handbook/expenses.md", PACKAGES), "utf8");
    expect(leadingPoints(text)).toHaveLength(6);
    expect(leadingPoints(text, { most: 3 })).toHaveLength(3);
    for (const characters of [0, 60, 200, 500]) {
      expect(textsOf(text, { characters }).join("").length).toBeLessThanOrEqual(characters);
    }
    expect(leadingPoints(text, { most: 0 })).toEqual([]);
  });

  it("say nothing twice", () => {
    const twice =
      "Every gauge is checked by two people twice a year.\n\n## Again\n\nEvery gauge is checked by two people, twice each year.";
    expect(textsOf(`# Gauges\n\n${twice}`)).toEqual(["Every gauge is checked by two people twice a year."]);
  });

  it("reach to the end of a long document without headings", () => {
    const numbers = numbersIn(textsOf(Array.from({ length: 60 }, (_, at) => tale(at)).join("\n\n")));
    expect(numbers).toHaveLength(6);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect(numbers[0]).toBe(0);
    expect(numbers.at(-1)).toBeGreaterThanOrEqual(45);
  });

  it("reach to the end of one that is too long to be read whole", () => {
    const parts = Array.from({ length: 120 }, (_, at) => `## Part ${at}\n\n${`${tale(at)} `.repeat(120)}`);
    const text = parts.join("\n\n");
    expect(text.length).toBeGreaterThan(800_000);
    const numbers = numbersIn(textsOf(text));
    expect(numbers).toHaveLength(6);
    expect(Math.max(...numbers)).toBeGreaterThan(90);
  });

  it("name the entries of a list of names, and quote those of a list of sentences", () => {
    const names = "# Kit\n\nBring the following:\n\n- a life vest\n- boots\n- your badge";
    expect(textsOf(names)).toEqual(["Bring the following: a life vest; boots; your badge"]);
    const rules = "# Rules\n\n- Nobody services a gauge alone at night.\n- Wear a life vest on any quay, always.";
    expect(textsOf(rules)).toEqual([
      "Nobody services a gauge alone at night.",
      "Wear a life vest on any quay, always.",
    ]);
  });

  it("join entries that were wrapped", () => {
    const text =
      "# Rules\n\n- Whoever is called at night answers\n  within ten minutes, wherever it is.\n- Whoever was called sleeps in on the next morning.";
    expect(textsOf(text)[0]).toBe("Whoever is called at night answers within ten minutes, wherever it is.");
  });

  it("tell how many rows of a table there are no room for", () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| Harbour of the ${at}th bay | ${at} m |`);
    const [point] = leadingPoints(["| Harbour | Depth |", "|---|---|", ...rows].join("\n"));
    expect(point?.kind).toBe("table");
    expect(point?.text).toMatch(/^Harbour \(Depth\): Harbour of the 0th bay, .*, …$/);
    expect(point?.text.length).toBeLessThanOrEqual(160);
  });

  it("are empty where nothing is said", () => {
    for (const text of ["", "   \n\n", "# Title", "```\nconst a = 1;\n```", "?", "• • •", "Hello!"]) {
      expect([text, leadingPoints(text)]).toEqual([text, []]);
    }
  });

  it("count what the title names", () => {
    const text = "Lunch is served at noon in the big room. \n\nThe anchor winch is greased every second month.";
    const one = { most: 1, language: "en" };
    expect(textsOf(text, { ...one, title: "Anchor winch" })).toEqual([
      "The anchor winch is greased every second month.",
    ]);
    expect(textsOf(text, { ...one, title: "Lunch" })).toEqual(["Lunch is served at noon in the big room."]);
  });
});

describe.each(HANDBOOKS)("the leading points of each page of %s", (folder) => {
  const pages = readdirSync(new URL(`${folder}/`, PACKAGES)).filter((name) => name.endsWith(".md"));

  it.each(pages)("%s", (page) => {
    const text = readFileSync(new URL(`${folder}/${page}`, PACKAGES), "utf8");
    const points = leadingPoints(text);
    expect(points.length).toBeGreaterThanOrEqual(5);
    const language = folder.startsWith("demo") ? "en" : folder.slice(-2);
    const places = points.map((point) => {
      if (point.kind === "list" || point.kind === "table") return text.indexOf(`# ${point.heading}`);
      expect(pointsBack(point.text, language)).toBe(false);
      return text.indexOf(point.text);
    });
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    // From at least four parts, and to the end.
    expect(new Set(points.map(({ heading }) => heading)).size).toBeGreaterThanOrEqual(Math.min(3, points.length));
    expect(Math.max(...places)).toBeGreaterThan(text.length * 0.5);
  });
});

describe("a sentence that cannot be read alone", () => {
  it.each([
    ["en", "It is paid with the salary."],
    ["en", "These are refused."],
    ["en", "However, the limit is 45 euros."],
    ["en", "In the years after these rumours, nobody came."],
    ["en", "and then the gauge stops."],
    ["de", "Dies gilt auch in Graz."],
    ["de", "Sie werden verzinst."],
    ["fr", "Cela vaut aussi à Lyon."],
    ["fr", "Elles sont payées."],
    ["es", "Estos se pagan después."],
    ["ja", "これは有給です。"],
    ["ja", "ただし、三月は除きます。"],
    ["zh", "但是周末不算。"],
    ["ru", "Это действует и в Москве."],
  ])("in %s: %s", (language, sentence) => {
    expect(pointsBack(sentence, language)).toBe(true);
  });

  it.each([
    ["en", "This page is for the field crew."],
    ["en", "There are three offices."],
    ["en", "npm-check lists what is old."],
    ["en", "“Gauge” is the instrument on the quay."],
    ["de", "Es gibt drei Büros."],
    ["de", "Diese Seite gilt für Kassel."],
    ["fr", "Il faut trois offres."],
    ["es", "El plazo es de tres días."],
    ["ja", "このページは横浜本社に共通です。"],
    ["zh", "年假每年二十天。"],
  ])("is not, in %s: %s", (language, sentence) => {
    expect(pointsBack(sentence, language)).toBe(false);
  });
});
