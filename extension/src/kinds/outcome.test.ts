import { describe, expect, it } from "vitest";
import type { KindPage } from "./kind-page.ts";
import { outcomeOf, type SeenPage } from "./outcome.ts";
import { countsIn, listOfFailures, tableOf } from "./outcome-table.ts";
import { PAGES } from "./pages/all.ts";

const page: KindPage = {
  at: "club/rules",
  language: "en",
  what: "rules",
  title: "Rules",
  body: "",
  question: "When does the club open?",
  passage: "The club opens at nine, and on Sundays at ten.",
  answer: "at nine",
  furniture: ["Buy a shirt"],
  unseen: ["typed by me"],
};
const url = "http://club.example:1/rules";
const link = `${url}#:~:text=The%20club%20opens%20at%20nine`;
const text = "# Rules\n\nThe club opens at nine, and on Sundays at ten.\n\nBring shoes.";

function seen({ href = link, sent = text, says = "It opens at nine.", notes = "" } = {}): SeenPage {
  const asked = { text: says, notes, citations: [{ title: "Rules", href }] };
  const kept = { title: "Rules", text };
  return { page, url, sent, asked, keeping: { said: "", wasAsked: false, isKept: true }, kept, found: asked };
}

describe("what became of a page", () => {
  it("is right where everything is", () => {
    expect(new Set(Object.values(outcomeOf(seen())))).toEqual(new Set([""]));
  });

  it.each([
    ["read", { sent: "Bring shoes." }, "missing"],
    ["furniture out", { sent: `${text}\nBuy a shirt` }, "Buy a shirt"],
    ["unseen out", { sent: `${text}\ntyped by me` }, "typed by me"],
    ["cited", { says: "I cannot say." }, "I cannot say"],
    ["cited", { href: `${url}#:~:text=Bring%20shoes.` }, "Bring shoes"],
    ["cited", { href: url }, "top"],
    ["cited", { href: `${url}#:~:text=on%20Sundays%20at%20ten.%20Bring` }, "Bring"],
    ["cited", { href: "http://other.example/" }, "another document"],
    ["said", { notes: "“Rules” has parts from other sites, which were not read." }, "without cause"],
  ] as const)("names what is wrong: %s", (check, change, words) => {
    expect(outcomeOf(seen(change))[check]).toContain(words);
  });

  it.each([
    ["nothing", "application/json", url, text, ""],
    ["words that browsers do not look for in data", "application/json", link, `${text}${"\n[]".repeat(40)}`, "top"],
    ["nothing of what a window does not show whole", "text/plain", url, `${text}${"\nMore.".repeat(40)}`, "top"],
    ["words of a text", "text/plain; charset=utf-8", link, text, ""],
    ["other words of a text", "text/plain", `${url}#:~:text=Bring%20shoes.`, text, "Bring shoes"],
  ])("of a bare text may name %s where that shows the passage", (_what, type, href, read, words) => {
    const bare = { ...seen({ href }), page: { ...page, type }, kept: { title: "Rules", text: read } };
    expect(outcomeOf(bare)["found again"]).toMatch(words === "" ? /^$/ : words);
  });

  it("is no citation where no answer was found, though the passage is shown", () => {
    const found = { text: `I found no answer, but this comes closest: ${page.passage}`, notes: "", citations: [] };
    expect(outcomeOf({ ...seen(), found })["found again"]).toBe("cited nothing, and showed the passage as closest");
  });

  it("can be read again from the table that tells it", () => {
    const judged = [
      { kind: "article", ...page, outcome: outcomeOf(seen()) },
      { kind: "article", ...page, outcome: outcomeOf(seen({ href: url })) },
    ] as const;
    const counts = countsIn(tableOf(judged));
    expect(counts.get("article, asked: cited at the place")).toEqual({ passed: 1, of: 2 });
    expect(counts.get("article, kept whole")).toEqual({ passed: 2, of: 2 });
    expect(listOfFailures(judged)).toContain("opens at the top");
  });
});

describe("the pages", () => {
  it.each(Object.entries(PAGES))("of the kind %s are ten, half of them not English", (_, pages) => {
    expect(pages).toHaveLength(10);
    expect(pages.filter(({ language }) => language !== "en")).toHaveLength(5);
    expect(pages.filter(({ language }) => language === "ar" || language === "he").length).toBeGreaterThan(0);
  });

  it("have addresses of their own, and an answer within each passage", () => {
    const all = Object.values(PAGES).flat();
    expect(new Set(all.map(({ at }) => at)).size).toBe(120);
    const answered = all.filter(({ passage, answer = "" }) => answer !== "" && passage?.includes(answer) === true);
    expect(answered).toHaveLength(all.filter(({ passage }) => passage !== undefined).length);
  });
});
