import { gzipSync } from "node:zlib";
import { temporaryFolder } from "@threadlore/testkit";
import { pdfOf } from "@threadlore/testkit/files";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedService, startEmbedded } from "../../testing/embedded-service.ts";
import { runIn } from "../../testing/in-process.ts";
import type { Candidate } from "../ingestion.ts";
import { type Answer, page, serveSite, urlset } from "./site.harness.ts";
import { openSite, type SiteOptions } from "./site.ts";

const open = (address: string, more: Partial<SiteOptions> = {}) =>
  openSite({
    address,
    allowPrivate: true,
    signal: new AbortController().signal,
    memory: { folder: temporaryFolder(), keep: true },
    ...more,
  });

/** What became of each page when it was read: its link, how it was settled, or why it failed. */
async function readAll({ candidates }: Awaited<ReturnType<typeof openSite>>): Promise<string[]> {
  const read = async (candidate: Candidate): Promise<string> => {
    const found = await candidate.read();
    if (!("fate" in found)) return found.document.sections[0]?.link ?? "";
    return found.fate === "left_out" ? found.reason : found.fate;
  };
  return await Promise.all(
    candidates.map(async (one) =>
      "reason" in one ? one.reason : await read(one).catch((error: unknown) => (error as Error).message),
    ),
  );
}

describe("ingest --site", () => {
  let service: EmbeddedService;
  beforeAll(async () => {
    service = await startEmbedded();
  });
  afterAll(() => service.stop());
  const cli = (...args: string[]) => runIn(service.home, ["ingest", "--pair", "none", ...args]);

  it("takes the pages a site lists and allows, and asks the next time only what may have changed", async () => {
    let url = "";
    let lamp = "lamp";
    const withTag: Answer = (request, response) => {
      const tag = `"${lamp}"`;
      if (request.headers["if-none-match"] === tag) return void response.writeHead(304).end();
      response.setHeader("etag", tag).setHeader("content-type", "text/html").end(page(lamp));
    };
    const site = await serveSite({
      "/robots.txt": (_request, response) =>
        response.end(`Sitemap: ${url}/index.xml\nUser-agent: *\nDisallow: /docs/secret\nCrawl-delay: 0.01`),
      "/index.xml": (_request, response) =>
        response.end(
          `<sitemapindex><sitemap><loc>${url}/pages.xml.gz</loc></sitemap><sitemap><loc>${url}/gone.xml</loc></sitemap></sitemapindex>`,
        ),
      "/pages.xml.gz": (_request, response) => {
        const listed = urlset(
          ...[
            "lamp",
            "lamp#oil",
            "tide.pdf",
            "secret",
            "hidden",
            "broken",
            "moved",
            "away",
            "ship.png",
            "%e6%96%87",
            "文",
          ].map((name) => `${url}/docs/${name}`),
          `${url}/docsplus`,
          "https://elsewhere.example/docs/",
        );
        const dated = `<url><loc>${url}/docs/dated</loc><lastmod>2026-01-02</lastmod></url></urlset>`;
        response.end(gzipSync(listed.replace("</urlset>", dated)));
      },
      "/docs/lamp": withTag,
      "/docs/tide.pdf": pdfOf([["The tide is highest at noon."]]),
      "/docs/hidden": `<meta name="robots" content="noindex">${page("cellar")}`,
      "/docs/broken": (_request, response) => response.writeHead(500).end(),
      "/docs/moved": (_request, response) => response.writeHead(301, { location: "/docs/here" }).end(),
      "/docs/here": page("buoy"),
      "/docs/away": (_request, response) => response.writeHead(302, { location: "/login" }).end(),
      "/docs/ship.png": (_request, response) => response.setHeader("content-type", "image/png").end("x"),
      "/docs/%e6%96%87": page("文"),
      "/docs/dated": page("almanac"),
    });
    ({ url } = site);
    const args = ["--site", `${url}/docs`, "--allow-private"];

    expect((await cli("--site", `${url}/docs`)).stderr).toContain("--allow-private");
    const first = await cli(...args);
    expect(first.stderr).toContain(`${url}/docs: 9 pages in its sitemap, asked for one by one with 0.01 s between.`);
    expect(first.stderr).toContain(`left out 1 forbidden by its robots.txt, such as ${url}/docs/secret`);
    expect(first.stderr).toContain(`left out 2 outside of ${url}/docs, such as ${url}/docsplus`);
    expect(first.stderr).toContain(`not taken ${url}/docs/hidden: it asks not to be taken (noindex)`);
    expect(first.stderr).toContain(`not taken ${url}/docs/away: it leads to ${url}/login, which is outside of`);
    expect(first.stderr).toContain(`not taken ${url}/docs/ship.png: its type, image/png,`);
    expect(first.stderr).toMatch(/not sent .*gone\.xml: this sitemap was not read: .* answered with status 404/);
    expect(first.stderr).toMatch(/not sent .*\/docs\/broken: .* answered with status 500/);
    expect(first.stderr).toContain("5 added, 3 not taken, 2 not sent, 3 left out.");
    expect(first.code).toBe(9);
    expect(site.most.atOnce).toBe(1);
    expect(site.asked.every(({ headers }) => /^threadlore\/\d/.test(headers["user-agent"] ?? ""))).toBe(true);
    expect(site.paths().filter((path) => /secret|docsplus|login/.test(path))).toEqual([]);

    expect((await cli(...args)).stderr).toContain("5 unchanged, 3 not taken, 2 not sent");
    const [asked, paths] = [[...site.asked], site.paths()];
    expect(asked.find(({ path }) => path === "/docs/lamp")?.headers["if-none-match"]).toBe('"lamp"');
    // What its sitemap dates as older than it was taken is not asked for at all.
    expect(paths).not.toContain("/docs/dated");

    // The same documents as one by one.
    expect((await cli("--allow-url", "--allow-private", `${url}/docs/here`, `${url}/docs/dated`)).stderr).toContain(
      "2 unchanged.",
    );
    lamp = "lantern";
    expect((await cli(...args)).stderr).toContain("1 updated, 4 unchanged");
    // To another pair nothing was sent yet, so nothing is taken for held.
    expect((await runIn(service.home, ["ingest", "--pair", "1", "--dry-run", ...args])).stderr).toContain(
      "5 would be added",
    );
  });

  it("says plainly what it cannot do", async () => {
    const site = await serveSite({ "/sitemap.xml": urlset("https://www.harbour.example/a") });
    const said = async (...args: string[]) => {
      const { code, stderr } = await cli(...args, "--allow-private");
      expect(code).toBe(2);
      return stderr;
    };
    expect(await said("--site", "docs.example.com")).toContain("such as https://docs.example.com/");
    expect(await said("--max-pages", "3", "a.md")).toContain("only with --site");
    expect(await said()).toContain("Say what is to be sent");
    const elsewhere = await said("--site", site.url);
    expect(elsewhere).toContain("no page that can be taken");
    expect(elsewhere).toContain("such as https://www.harbour.example/a");
    const none = await serveSite({});
    expect(await said("--site", none.url)).toContain("status 404");
    const broken = await serveSite({ "/robots.txt": (_request, response) => response.writeHead(500).end() });
    expect(await said("--site", broken.url)).toContain("nobody knows what may be taken");
    expect(broken.paths()).toEqual(["/robots.txt"]);
  });
});

describe("a site", () => {
  it("that is not answered is left when the person stops the run", async () => {
    const stop = new AbortController();
    const site = await serveSite({ "/sitemap.xml": () => stop.abort(new Error("Stopped.")) });
    await expect(open(site.url, { signal: stop.signal })).rejects.toThrow("Stopped.");
  });

  it("of a host in another script is one, however it is written", async () => {
    let port = 0;
    const site = await serveSite({
      "/sitemap.xml": (_request, response) => {
        const [host, ascii] = [`http://bücher.test:${port}`, `http://xn--bcher-kva.test:${port}`];
        response.end(urlset(`${ascii}/größe/a`, `${host}/gr%C3%B6%c3%9fe/b`, `${host}/groesse`));
      },
      "/gr%C3%B6%C3%9Fe/a": page("a"),
      "/gr%C3%B6%c3%9fe/b": page("b"),
    });
    ({ port } = site);
    const opened = await open(`http://BÜCHER.test:${port}/größe/`, { network: { resolve: async () => ["127.0.0.1"] } });
    expect(opened.leftOut).toBe(1);
    const at = `http://xn--bcher-kva.test:${port}`;
    expect(await readAll(opened)).toEqual([`${at}/gr%C3%B6%C3%9Fe/a`, `${at}/gr%C3%B6%c3%9fe/b`]);
  });

  it("whose sitemap has no end is told, and its other pages are taken", async () => {
    const site = await serveSite({
      "/robots.txt": "User-agent: *\nCrawl-delay: 0\nSitemap: /endless.xml\nSitemap: /pages.xml",
      "/endless.xml": (_request, response) => {
        const more = "<url><loc>/a</loc></url>".repeat(50_000);
        response.write("<urlset>");
        const write = (): void => {
          while (!response.destroyed && response.write(more));
        };
        response.on("drain", write);
        write();
      },
      "/pages.xml": urlset("/a", "/b", "/c"),
      "/a": page("a"),
      "/b": page("b"),
    });
    const opened = await open(site.url, { mostPages: 2 });
    expect(opened.said.at(-1)).toBe("It has more pages. --max-pages takes more than 2.");
    expect(await readAll(opened)).toEqual([
      expect.stringContaining("larger than 50 MB"),
      `${site.url}/a`,
      `${site.url}/b`,
    ]);
  });

  it("with sitemaps inside of each other is read three deep", async () => {
    const nested = (n: number): [string, string] => [
      `/${n}.xml`,
      `<sitemapindex><sitemap><loc>/${n + 1}.xml</loc></sitemap></sitemapindex>`,
    ];
    const site = await serveSite({
      "/robots.txt": "User-agent: *\nCrawl-delay: 0\nSitemap: /1.xml\nSitemap: /pages.xml",
      ...Object.fromEntries([1, 2, 3, 4, 5].map(nested)),
      "/pages.xml": urlset("/a"),
    });
    const { candidates } = await open(site.url);
    expect(candidates[0]).toMatchObject({ reason: expect.stringContaining("more than 3 deep") });
    expect(site.paths()).not.toContain("/4.xml");
  });

  it("that has no time is given it, and left alone where it asks for too much", async () => {
    const replies = ["7", new Date(Date.now() + 60_000).toUTCString(), undefined];
    const site = await serveSite({
      "/sitemap.xml": urlset("/a", "/b", "/c"),
      "/a": (_request, response) => {
        if (replies.length === 0) return void response.setHeader("content-type", "text/html").end(page("a"));
        const after = replies.shift();
        response.writeHead(after === "7" ? 429 : 503, after === undefined ? {} : { "retry-after": after }).end();
      },
      "/b": (_request, response) => response.writeHead(503, { "retry-after": "3600" }).end(),
      "/c": page("c"),
    });
    const waits: number[] = [];
    const opened = await open(site.url, { wait: async (ms) => void waits.push(Math.round(ms / 1_000)) });
    const [a, b, c] = await readAll(opened);
    expect(a).toBe(`${site.url}/a`);
    expect(b).toContain("asks to come back in 3600 seconds");
    expect(c).toBe(b);
    const [first, second = 0, third] = waits.filter((seconds) => seconds > 0);
    expect([first, third]).toEqual([7, 20]);
    expect(second).toBeGreaterThan(50);
    expect(site.paths()).not.toContain("/c");
  });

  it("is asked twice a second, or as seldom as it says", async () => {
    for (const [robots, pause] of [
      ["", 500],
      ["User-agent: *\nCrawl-delay: 3", 3_000],
    ] as const) {
      const site = await serveSite({ "/robots.txt": robots, "/sitemap.xml": urlset("/a"), "/a": page("a") });
      const waits: number[] = [];
      await readAll(await open(site.url, { wait: async (ms) => void waits.push(ms) }));
      expect(waits).toHaveLength(2);
      expect(Math.max(...waits)).toBeLessThanOrEqual(pause);
      expect(Math.min(...waits)).toBeGreaterThan(pause - 400);
    }
    const site = await serveSite({ "/robots.txt": "User-agent: *\nCrawl-delay: 86400" });
    await expect(open(site.url)).rejects.toThrow("86400 seconds between two pages");
  });

  it("loses one page that is slow, and no other", async () => {
    const site = await serveSite({
      "/sitemap.xml": urlset("/slow", "/a"),
      "/slow": (_request, response) => void response.write("<p>"),
      "/a": page("a"),
    });
    const opened = await open(site.url, { network: { mostMs: 400 } });
    expect(await readAll(opened)).toEqual(["the page took longer than 0.4 seconds", `${site.url}/a`]);
  });
});
