import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { addressNote, allowedLinks, linksOf, readerCitations } from "./citations.ts";
import { createMarkdown } from "../markdown/markdown.ts";
import { type Found, nothingFound, type Source, withCitation, withDocuments } from "./sources.ts";
import type { CitationMark } from "../markdown/tree.ts";

const source = (documentId: string, link?: string): Source => ({
  documentId,
  title: documentId,
  ...(link === undefined ? {} : { link }),
  sourceType: "web",
  passages: [],
});

function found(numbers: Record<number, string>, links: Record<string, string>): Found {
  const documents = Object.entries(links).map(([document_id, link]) => ({
    document_id,
    link: link === "" ? null : link,
  }));
  return Object.entries(numbers).reduce(
    (all, [number, id]) => withCitation(all, Number(number), id),
    withDocuments(nothingFound, documents),
  );
}

function blocks(text: string, size = text.length) {
  const markdown = createMarkdown();
  for (let at = 0; at < text.length; at += size) markdown.push(text.slice(at, at + size));
  return markdown.end();
}

describe("reader numbers", () => {
  const numbered = (text: string, about: Found): [number, readonly number[], string][] =>
    readerCitations(blocks(text), about).map(({ number, marks, source: { documentId } }) => [
      number,
      marks,
      documentId,
    ]);

  it("are dense, in the order of first appearance", () => {
    const about = found({ 4: "d", 2: "b", 9: "z" }, { b: "", d: "", z: "" });
    expect(numbered("A [[4]]() B [2] C [[4]]() D [9, 2]", about)).toEqual([
      [1, [4], "d"],
      [2, [2], "b"],
      [3, [9], "z"],
    ]);
  });

  it("give one number to a document cited under two, known by its link", () => {
    const about = found({ 2: "b" }, { b: "https://wiki.example/b" });
    expect(numbered("A [[2]](https://wiki.example/b) B [[5]](https://WIKI.example/b)", about)).toEqual([
      [1, [2, 5], "b"],
    ]);
  });

  it("leave out numbers nothing explains, and marks in code", () => {
    const about = found({ 1: "a" }, { a: "", b: "https://wiki.example/b" });
    expect(numbered("In [2019] `[1]` and [7] and [[8]](https://evil.test/b)", about)).toEqual([]);
  });

  it("follow the text through lists, quotes and tables", () => {
    const about = found({ 1: "a", 2: "b", 3: "c", 4: "d" }, { a: "", b: "", c: "", d: "" });
    const text = "> quoted [3]\n\n- item [2]\n  1. inner **[4]**\n\n| [1] | x |\n|---|---|\n| y | [2] |\n";
    expect(numbered(text, about).map(([, , id]) => id)).toEqual(["c", "b", "d", "a"]);
  });
});

describe("links of an answer", () => {
  const mark = (...marks: { number: number; link?: string }[]): CitationMark => ({
    type: "citation",
    marks,
    text: "[x]",
  });
  const page = source("a", "https://docs.ok.test/a");
  const file = source("f");
  const answer = {
    citations: [
      { number: 1, marks: [4, 7], source: page },
      { number: 2, marks: [2], source: file },
    ],
    sources: [page, file, source("s", "https://docs.ok.test/found")],
  };
  const links = linksOf(answer, { page: "https://asked.ok.test/page" });

  it("allow what was cited, found or asked about, in its re-serialised form", () => {
    expect(links.href("HTTPS://docs.ok.test/a")).toBe("https://docs.ok.test/a");
    expect(links.href("https://docs.ok.test/found")).toBe("https://docs.ok.test/found");
    expect(links.href("https://asked.ok.test/page")).toBe("https://asked.ok.test/page");
  });

  it("allow nothing that only looks like it", () => {
    for (const url of [
      "https://docs.ok.test/a?leak=1",
      "https://docs.ok.test/a#x",
      "https://docs.ok.test/A",
      "https://docs.ok.test.evil.test/a",
      "https://docs.ok.test:8443/a",
      "http://docs.ok.test/a",
      "//docs.ok.test/a",
      "/a",
      "a",
      "",
    ]) {
      expect(links.href(url), url).toBeUndefined();
    }
  });

  it("tell the documents a mark means, each once, and where a click leads", () => {
    expect(links.cited(mark({ number: 7 }, { number: 4 }, { number: 99 }))).toEqual([
      { number: 1, source: page, href: "https://docs.ok.test/a" },
    ]);
    expect(links.cited(mark({ number: 2 }))).toEqual([{ number: 2, source: file }]);
    expect(links.cited(mark({ number: 3 }))).toEqual([]);
  });

  it("tell two documents apart that share a number, by the link in the mark", () => {
    const [one, two] = [source("one", "https://ok.test/1"), source("two", "https://ok.test/2")];
    const both = linksOf({
      citations: [
        { number: 1, marks: [5], source: one },
        { number: 2, marks: [5], source: two },
      ],
      sources: [one, two],
    });
    expect(both.cited(mark({ number: 5, link: "https://ok.test/2" }))[0]?.number).toBe(2);
  });

  it("lead to this machine and to private networks only when told so", () => {
    for (const link of [
      "http://localhost:3000/a",
      "http://localhost.:3000/a",
      "http://app.localhost/a",
      "http://127.0.0.1:3000/a",
      "http://10.1.2.3/",
      "http://192.168.0.1/",
      "http://169.254.169.254/latest",
      "http://[::1]/a",
      "http://[fe80::1]/",
    ]) {
      const sources = [source("a", link)];
      expect(linksOf({ citations: [], sources }).href(link), link).toBeUndefined();
      expect(linksOf({ citations: [], sources }, { localHosts: true }).href(link), link).toBe(link);
    }
  });

  it("name the host of an address that is not linked, unless the text does so itself", () => {
    expect(addressNote("https://evil.test/x", "handbook")).toBe(" (evil.test)");
    expect(addressNote("https://evil.test/x", "https://docs.ok.test/a")).toBe(" (evil.test)");
    expect(addressNote("https://evil.test/x", "https://evil.test/")).toBe("");
    expect(addressNote("https://еvil.test/", "x")).toBe(" (xn--vil-qdd.test)");
    expect(addressNote("javascript:alert(1)", "x")).toBe("");
  });
});

const own: [string, boolean][] = [
  ["https://docs.example.test/a", true],
  ["http://wiki.example.test/b?c=d#e", true],
  ["https://xn--bcher-kva.test/", true],
  ["https://bücher.test/", true],
  ["https://пример.test/", true],
  ["https://wіki.test/", false],
  ["https://xn--wki-jhd.test/", false],
  ["https://8.8.8.8/", true],
  ["javascript:alert(1)", false],
  ["JAVASCRIPT:alert(1)", false],
  ["data:text/html,x", false],
  ["https:evil.test", false],
  ["https:/evil.test", false],
  ["https://user@evil.test/", false],
  ["https://user:pass@evil.test/", false],
  ["https://good.test\\@evil.test/", false],
  ["https://evil.test%2f@good.test/", false],
  ["https://:@good.test/", false],
  ["https://good%2etest/", false],
  [" https://docs.example.test/a", false],
  ["https://docs.example.test/a\u0000", false],
  ["https://docs.example.test/\u202ea", false],
  ["https://2130706433/", false],
  ["https://0x8.8.8.8/", false],
  ["https://", false],
  ["mailto:a@b.test", false],
  [`https://docs.example.test/${"a".repeat(2100)}`, false],
];
const vectors = sharedFolder("vectors/url-vectors.json");

describe("an address", () => {
  const allowed = (url: string): boolean => allowedLinks([source("a", url)]).size === 1;

  for (const [url, allow] of own) {
    it(`${JSON.stringify(url.slice(0, 50))} is ${allow ? "opened" : "never opened"} even when cited`, () => {
      expect(allowed(url)).toBe(allow);
    });
  }

  it.runIf(vectors)("is judged as every vector says", () => {
    const file = JSON.parse(readFileSync(join(vectors ?? ""), "utf8"));
    for (const { url, allow } of file.vectors) expect(allowed(url), url).toBe(allow);
  });
});
