import { sharedFolder } from "@threadlore/testkit";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonicalUrl, contentHash, fileId, webId } from "./identity.ts";

const ID = /^[A-Za-z0-9_.-]{1,100}$/;

describe("the id of a file", () => {
  it("is made of letters, digits and _.- and can be read", async () => {
    expect(await fileId("policies/Élan vital (v2).md", "handbook")).toMatch(
      /^file_handbook-policies-Elan-vital-v2-.md_[0-9a-f]{24}$/,
    );
    for (const path of ["", "/", "日本.md", "a b", "..", `${"x".repeat(5000)}.md`, "\0\n%2F", "🙂"])
      expect(await fileId(path)).toMatch(ID);
  });

  it("stays the same however the path is spelt", async () => {
    const id = await fileId("docs/caf\u00e9.md");
    for (const path of [
      "docs\\café.md",
      "./docs/cafe\u0301.md",
      "docs//café.md",
      "docs/old/../café.md",
      "/docs/café.md",
    ]) {
      expect(await fileId(path)).toBe(id);
    }
  });

  it("differs for other paths, folders and names that only read alike", async () => {
    const ids = await Promise.all([
      fileId("a.md"),
      fileId("A.md"),
      fileId("b/a.md"),
      fileId("b-a.md"),
      fileId("a.md", "x"),
      fileId("x/a.md"),
      fileId("../a.md"),
      fileId("a?.md"),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  const folder = sharedFolder("vectors/path-traversal-patt.txt");
  it.runIf(folder)("never carries a path out of a folder", async () => {
    const paths = readFileSync(folder ?? "", "utf8")
      .split("\n")
      .slice(0, 2_000);
    const ids = await Promise.all(paths.map((path) => fileId(path)));
    expect(ids.filter((id) => !ID.test(id) || /^\.|\/|\\/.test(id))).toEqual([]);
  });
});

describe("the canonical address", () => {
  it.each([
    ["https://Example.com:443/a/b/?utm_source=x&id=3&fbclid=y#part", "https://example.com/a/b?id=3"],
    ["http://example.com:80", "http://example.com/"],
    ["http://example.com:8080/", "http://example.com:8080/"],
    ["https://name:word@example.com/a", "https://example.com/a"],
    ["https://example.com/a?q=a%20b+c&empty=&q=2", "https://example.com/a?q=a%20b+c&empty=&q=2"],
    ["https://example.com/?amp=1&page=2", "https://example.com/?page=2"],
    ["https://example.com/?amp=5", "https://example.com/?amp=5"],
    ["https://example.com/story/amp/", "https://example.com/story"],
    ["https://example.com/story.amp.html", "https://example.com/story.html"],
    ["https://example.com/lamp", "https://example.com/lamp"],
    ["https://amp.example.com/story", "https://example.com/story"],
    ["https://m.example.com/story", "https://example.com/story"],
    ["https://en.m.example.org/wiki/Tea", "https://en.example.org/wiki/Tea"],
    ["https://m.com/", "https://m.com/"],
    ["https://www.google.com/amp/s/example.com/story", "https://example.com/story"],
    ["https://example-com.cdn.ampproject.org/c/s/example.com/story?x=1", "https://example.com/story?x=1"],
    ["https://app.example.com/#/tickets/4", "https://app.example.com/#/tickets/4"],
    ["https://example.com/a///", "https://example.com/a"],
  ])("of %s is %s", (url, canonical) => {
    expect(canonicalUrl(url)).toBe(canonical);
    expect(canonicalUrl(canonical)).toBe(canonical);
  });

  it.each([
    "https://google.evil.example/amp/s/example.com/story",
    "https://google.evil/amp/s/example.com/story",
    "https://www.google.com.evil.example/amp/s/example.com/story",
    "https://evilcdn.ampproject.org.example/c/s/example.com/story",
  ])("of %s is no other site's, whatever it calls itself", (url) => {
    expect(canonicalUrl(url)).toBe(url);
  });

  it.each(["", "example.com", "ftp://example.com", "javascript:alert(1)", "file:///etc/passwd", "mailto:a@b.c"])(
    "refuses %j",
    (url) => {
      expect(() => canonicalUrl(url)).toThrow("Not a web address");
    },
  );
});

describe("the id of a page", () => {
  it("is one for all addresses under which a page is passed around", async () => {
    const id = await webId("https://example.com/tea?id=3");
    expect(id).toMatch(/^web_example.com-tea_[0-9a-f]{24}$/);
    for (const url of [
      "http://www.example.com/tea/?id=3",
      "https://m.example.com/tea?id=3&utm_medium=mail#top",
      "https://example.com:443/tea?gclid=z&id=3",
    ])
      expect(await webId(url)).toBe(id);
  });

  it("differs for other pages", async () => {
    const urls = [
      "https://example.com/",
      "https://example.com/tea",
      "https://example.com/Tea",
      "https://example.com/tea?id=1",
      "https://example.org/tea",
      "https://example.com/#/tea",
    ];
    expect(new Set(await Promise.all(urls.map(webId))).size).toBe(urls.length);
  });
});

it("hashes equal texts and bytes alike", async () => {
  expect(await contentHash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(await contentHash(new TextEncoder().encode("abc"))).toBe(await contentHash("abc"));
});
