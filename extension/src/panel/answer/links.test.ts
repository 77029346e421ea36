import type { Answer, Source } from "@threadlore/ask";
import { NO_ANSWER } from "@threadlore/ask";
import { describe, expect, it } from "vitest";
import { createLinkMemory } from "./links.ts";
import type { TurnPage } from "../ask/turn.ts";

const told = "https://wiki.example/plan?view=1";
const url = `${told}&token=abc123def4`;
const passages = [{ text: "The release is planned for March." }];
const source: Source = { documentId: told, title: "Plan", link: told, sourceType: "web", passages: [] };
const answer: Answer = {
  ...NO_ANSWER,
  text: "In March.",
  sources: [source],
  citations: [{ number: 1, marks: [1], source }],
};
const linksTo = (page: TurnPage) => createLinkMemory()(answer, { question: "", pages: [page], localHosts: false });

describe("links to a page that was asked about by an address without its key", () => {
  const links = linksTo({ title: "Plan", url, told, passages });

  it("open the page as the person had it, at the passage", () => {
    expect(links.open(source, "In March")).toBe(`${url}#:~:text=The%20release%20is%20planned%20for%20March.`);
  });

  it("are without the key where they are copied", () => {
    expect(links.href(told)).toBe(told);
    expect(links.cited({ type: "citation", text: "[[1]]", marks: [{ number: 1 }] })).toEqual([
      { number: 1, source, href: told },
    ]);
  });

  it("know a page that an earlier version has kept by its address", () => {
    const kept = { ...source, link: url };
    expect(linksTo({ title: "Plan", url, passages }).open(kept, "In March")).toContain(`${url}#:~:text=`);
  });
});
