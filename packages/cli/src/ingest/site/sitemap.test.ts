import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readSitemap } from "./sitemap.ts";

const read = (text: string) => readSitemap(new TextEncoder().encode(text));

describe("a sitemap", () => {
  it("lists pages with their dates, and none of the pictures on them", async () => {
    const { isIndex, entries } = await read(
      `<?xml version="1.0"?><urlset xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">
      <url><loc> https://a.test/?x=1&amp;y=2 </loc><i:image><i:loc>https://a.test/p.png</i:loc></i:image><lastmod>2026-01-02</lastmod></url>
      <url><i:loc>https://a.test/no.png</i:loc><loc><![CDATA[https://a.test/b]]></loc></url><url/></urlset>`,
    );
    expect(isIndex).toBe(false);
    expect(entries).toEqual([
      { loc: "https://a.test/?x=1&y=2", lastmod: "2026-01-02" },
      { loc: "https://a.test/b", lastmod: undefined },
    ]);
  });

  it("lists sitemaps, or is a text with an address a line", async () => {
    expect(await read("<s:sitemapindex><s:sitemap><s:loc>/1.xml</s:loc></s:sitemap></s:sitemapindex>")).toEqual({
      isIndex: true,
      entries: [{ loc: "/1.xml", lastmod: undefined }],
    });
    expect((await read("https://a.test/1\r\nhttps://a.test/2\n")).entries).toHaveLength(2);
  });

  it("expands no entity it declares itself, and opens no file", async () => {
    const { entries } = await read(
      `<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
      <urlset><url><loc>https://a.test/&b;</loc></url><url><loc>https://a.test/&f;</loc></url></urlset>`,
    );
    expect(entries.map(({ loc }) => loc)).toEqual(["https://a.test/&b;", "https://a.test/&f;"]);
  });

  it("is refused where it unpacks to too much, is damaged, or is something else", async () => {
    const bomb = gzipSync(Buffer.alloc(60_000_000, 32));
    await expect(readSitemap(bomb)).rejects.toThrow("more than 50 MB");
    await expect(readSitemap(bomb.subarray(0, 50))).rejects.toThrow("damaged");
    await expect(read("<html><body>Not found</body></html>")).rejects.toThrow("it is no sitemap");
    await expect(read(`<urlset>${"<a>".repeat(500_000)}`)).rejects.toThrow("too deep");
    await expect(read("Not found")).rejects.toThrow("it is no sitemap");
  });
});
