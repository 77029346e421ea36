import { describe, expect, it } from "vitest";
import { parseRobots } from "./robots.ts";

const allowed = (text: string, ...paths: string[]): string[] => paths.filter(parseRobots(text, "threadlore").allows);

describe("robots.txt", () => {
  it("allows everything where it says nothing, or is no robots.txt", () => {
    expect(allowed("", "/a")).toEqual(["/a"]);
    expect(allowed("<!doctype html><title>Not found</title>", "/a")).toEqual(["/a"]);
    expect(allowed("User-agent: *\nDisallow:", "/a")).toEqual(["/a"]);
  });

  it("decides by the longest rule, and for taking where two are of one length", () => {
    const text = "User-agent: *\nDisallow: /\nAllow: /docs\nDisallow: /docs/draft\nAllow: /docs/draft\n";
    expect(allowed(text, "/", "/a", "/docs", "/docs/draft/1")).toEqual(["/docs", "/docs/draft/1"]);
  });

  it("goes by the group that names the program, wherever it stands, and by no other one then", () => {
    const text =
      "User-Agent: other\nUser-agent: Threadlore/1.0\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nuser-agent: threadlore\ndisallow: /b";
    expect(allowed(text, "/a", "/b", "/c")).toEqual(["/c"]);
    expect(parseRobots(text, "stranger").allows("/c")).toBe(false);
  });

  it("knows * and $", () => {
    const text = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /*/private/*/x\nDisallow: /end$\nDisallow: /a*b*b$";
    expect(
      allowed(text, "/a.pdf", "/a.pdf?x", "/q/private/r/x1", "/private/x", "/end", "/ended", "/ab", "/abb"),
    ).toEqual(["/a.pdf?x", "/private/x", "/ended", "/ab"]);
  });

  it("compares paths however they are spelled", () => {
    const text = "User-agent: *\nDisallow: /文書/\nDisallow: /%7Eme\nDisallow: /caf%c3%a9";
    expect(allowed(text, "/%e6%96%87%E6%9B%B8/a", "/~me", "/café", "/%E6%96%87")).toEqual(["/%E6%96%87"]);
  });

  it("tells pause and sitemaps, which belong to no group", () => {
    const text =
      "\uFEFFSitemap: https://a.test/1.xml # the first\r\nUser-agent: *\r\nCrawl-delay: 1.5\r\nSITEMAP: /2.xml\r\nDisallow: /x # no\r\n";
    const robots = parseRobots(text, "threadlore");
    expect(robots).toMatchObject({ pauseMs: 1_500, sitemaps: ["https://a.test/1.xml", "/2.xml"] });
    expect(robots.allows("/x")).toBe(false);
    expect(parseRobots("User-agent: *\nCrawl-delay: soon", "threadlore").pauseMs).toBeUndefined();
  });

  it("is read in a moment, whatever patterns it holds", () => {
    const robots = parseRobots(`User-agent: *\nDisallow: /${"*a".repeat(100_000)}$`, "threadlore");
    const begun = performance.now();
    expect(robots.allows(`/${"a".repeat(50_000)}b`)).toBe(true);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
