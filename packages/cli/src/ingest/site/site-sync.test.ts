import { realpathSync } from "node:fs";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { runHere } from "../../testing/in-process.ts";
import { onOneService } from "../../testing/one-service.ts";
import { type Answer, page, serveSite, urlset } from "./site.harness.ts";

const here = onOneService();

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(code, headers).end();

/** A site whose pages and sitemap can be changed, and commands that take it. */
async function siteWith(names: readonly string[]) {
  const answers: Record<string, Answer> = {};
  const site = await serveSite(answers);
  const list = (...paths: readonly string[]): void => {
    answers["/sitemap.xml"] = urlset(...paths.map((path) => `${site.url}${path}`));
  };
  for (const path of names) answers[encodeURI(path)] = page(path);
  list(...names);
  const run = (...args: string[]) =>
    runHere(
      ["ingest", "--pair", "1", "--no-wait", "--data", here.data, "--site", `${site.url}/`, "--allow-private", ...args],
      { home: here.home },
    );
  return { ...site, answers, list, run, sync: (...args: string[]) => run("--sync", ...args) };
}

/** Paths of a site's pages that have a document on the server. */
async function onServer({ url }: { url: string }): Promise<string[]> {
  const listed = await here.documents();
  return listed
    .flatMap(({ link }) => (link?.startsWith(`${url}/`) === true ? [decodeURI(link.slice(url.length))] : []))
    .toSorted();
}

describe("ingest --site --sync", () => {
  it("deletes the pages that the sitemap lists no more and the site says are gone, shown first", async () => {
    const site = await siteWith(["/a", "/b", "/文/灯", "/größe"]);
    expect((await site.run()).stderr).toContain("4 added.");
    delete site.answers["/b"];
    site.answers[encodeURI("/文/灯")] = status(410);
    site.list("/a", "/größe");
    const dry = await site.sync("--dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining("2 unchanged, 2 would be deleted.") });
    expect(decodeURI(dry.stdout).trimEnd().split("\n").toSorted()).toEqual([
      `delete ${site.url}/b`,
      `delete ${site.url}/文/灯`,
    ]);
    expect(await onServer(site)).toHaveLength(4);
    expect(await site.sync()).toMatchObject({ code: 0, stderr: expect.stringContaining("2 unchanged, 2 deleted.") });
    expect(await onServer(site)).toEqual(["/a", "/größe"]);
    // What comes back is new there.
    site.answers["/b"] = page("/b");
    site.list("/a", "/b", "/größe");
    expect((await site.sync()).stderr).toContain("1 added, 2 unchanged.");
  });

  it("keeps what only one of sitemap and site says is gone, and says why", async () => {
    const kept = ["/still", "/broken", "/busy", "/login", "/away", "/maintained"];
    const site = await siteWith(["/a", "/gone", "/listed", ...kept]);
    expect((await site.run()).stderr).toContain("9 added.");
    Object.assign(site.answers, {
      "/listed": status(404),
      "/broken": status(500),
      "/busy": status(503, { "retry-after": "3600" }),
      "/login": status(401),
      "/away": status(301, { location: "https://elsewhere.example/" }),
      "/maintained": status(302, { location: "/a" }),
    });
    delete site.answers["/gone"];
    site.list("/a", "/listed");
    // Asked for last, since a site that has no time is left alone then.
    const { stderr, code } = await site.sync();
    expect(code).toBe(9);
    expect(stderr).toMatch(/not sent \S+\/listed: .*status 404/);
    expect(stderr).toContain(
      `kept ${site.url}/still: its sitemap does not list it any more, and the site still answers`,
    );
    expect(stderr).toContain(`kept ${site.url}/broken: the site answered with status 500`);
    expect(stderr).toContain(`kept ${site.url}/busy: nobody knows whether it is there`);
    expect(stderr).toContain("1 deleted, 6 kept though not found.");
    expect(await onServer(site)).toEqual(["/a", "/listed", ...kept].toSorted());
    site.answers["/busy"] = status(500);
    const again = await site.sync();
    expect(again.stderr).toContain(`kept ${site.url}/login: the site answered with status 401`);
    expect(again.stderr).toContain(`kept ${site.url}/away: nobody knows whether it is there: it leads to`);
    expect(again.stderr).toContain(`kept ${site.url}/maintained: it leads to ${site.url}/a for now`);
  });

  it("deletes nothing where a sitemap was not read, or not all pages were taken", async () => {
    const site = await siteWith(["/a", "/b", "/c"]);
    await site.run();
    const robots = (more: string) => `User-agent: *\nCrawl-delay: 0\nSitemap: ${site.url}/sitemap.xml\n${more}`;
    delete site.answers["/b"];
    site.list("/a", "/c");
    site.answers["/robots.txt"] = robots(`Sitemap: ${site.url}/more.xml`);
    for (const broken of [status(500), status(404), "<html>Be back soon</html>"]) {
      site.answers["/more.xml"] = broken;
      const run = await site.sync();
      expect(run).toMatchObject({ code: 9, stderr: expect.stringContaining("2 unchanged, 1 not sent.") });
      expect(run.stderr).toContain("Nothing was deleted: a sitemap of the site was not read, so nobody knows");
    }
    site.answers["/robots.txt"] = robots("");
    const cut = await site.sync("--max-pages", "1", "--json");
    expect(cut.code).toBe(9);
    expect(JSON.parse(cut.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      ok: false,
      counts: { deleted: 0 },
      deletion_refused: expect.stringContaining("with a larger --max-pages"),
    });
    for (const nothing of [status(500), urlset()]) {
      site.answers["/sitemap.xml"] = nothing;
      expect((await site.sync()).code).toBe(2);
    }
    site.answers["/robots.txt"] = status(503, { "retry-after": "3600" });
    expect((await site.sync()).stderr).toContain("nobody knows what may be taken");
    expect(await onServer(site)).toEqual(["/a", "/b", "/c"]);
    delete site.answers["/robots.txt"];
    site.list("/a", "/c");
    expect((await site.sync()).stderr).toContain("1 deleted.");
  });

  it("keeps what robots.txt forbids for now, and does not ask for it", async () => {
    const site = await siteWith(["/a", "/private/b", "/private/c"]);
    await site.run();
    site.answers["/robots.txt"] = "User-agent: *\nCrawl-delay: 0\nDisallow: /private/";
    delete site.answers["/private/b"];
    site.list("/a", "/private/c");
    site.paths();
    const { stderr } = await site.sync();
    expect(stderr).toContain(`kept ${site.url}/private/b: it is forbidden by its robots.txt now`);
    expect(site.paths().filter((path) => path.startsWith("/private"))).toEqual([]);
    expect(await onServer(site)).toHaveLength(3);
  });

  it("follows a page that moved for good, and takes an address with a slash and without for one", async () => {
    const site = await siteWith(["/old", "/listed-old", "/guide", "/a"]);
    await site.run();
    site.answers["/new"] = page("/new");
    site.answers["/newer"] = page("/newer");
    site.answers["/old"] = status(301, { location: "/new" });
    site.answers["/listed-old"] = status(308, { location: "/newer" });
    site.answers["/guide/"] = page("/guide");
    site.answers["/guide"] = status(301, { location: "/guide/" });
    site.list("/a", "/new", "/newer", "/listed-old", "/guide/");
    expect((await site.sync()).stderr).toMatch(/ 2 deleted\.$/m);
    expect(await onServer(site)).toEqual(["/a", "/guide/", "/new", "/newer"]);
    expect((await site.sync()).stderr).not.toContain("deleted");
  });

  it("compares what lies beneath the address that is named, and never another site or pair", async () => {
    const site = await siteWith(["/one/a", "/one/b", "/two/a", "/two/b"]);
    const other = await siteWith(["/one/b"]);
    await site.run();
    await other.run();
    await site.run("--pair", "none");
    for (const path of ["/one/b", "/two/b"]) delete site.answers[path];
    site.list("/one/a", "/two/a");
    const part = ["ingest", "--pair", "1", "--no-wait", "--data", here.data, "--allow-private", "--sync"];
    const run = await runHere([...part, "--site", `${site.url}/one`], { home: here.home });
    expect(run.stderr).toContain("1 unchanged, 1 deleted, 1 left out.");
    expect(await onServer(site)).toEqual(["/one/a", "/two/a", "/two/b"]);
    expect(await onServer(other)).toEqual(["/one/b"]);
    // A journal that never sent it knows of nothing to delete.
    const elsewhere = realpathSync(temporaryFolder());
    const env = { THREADLORE_URL: here.serving.url, THREADLORE_API_KEY: here.serving.apiKey ?? "" };
    const away = ["ingest", "--pair", "1", "--no-wait", "--allow-private", "--sync", "--site", `${site.url}/`];
    expect((await runHere(away, { home: elsewhere, env })).stderr).not.toContain("deleted");
    expect(await onServer(site)).toContain("/two/b");
  });

  it("deletes nothing where more vanished than a run may delete, and says what allows it", async () => {
    const names = Array.from({ length: 11 }, (_, n) => `/p${n}`);
    const site = await siteWith(["/a", "/b", ...names]);
    await site.run();
    for (const name of names) delete site.answers[name];
    site.list("/a", "/b");
    const refused = await site.sync();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      "Nothing was deleted: 11 of 13 documents are of pages that vanished, and one run deletes at most 10 unless it is told (ten, or a tenth of all). --dry-run lists them, --max-delete 11 allows it.",
    );
    expect(await onServer(site)).toHaveLength(13);
    expect((await site.sync("--max-delete", "11")).stderr).toContain("2 unchanged, 11 deleted.");
  });

  it("knows the pages an earlier version took, once one run of this one saw them", async () => {
    const site = await siteWith(["/a", "/b"]);
    // What is taken by its address alone is noted as it was before.
    const args = ["ingest", "--pair", "1", "--no-wait", "--data", here.data, "--allow-url", "--allow-private"];
    await runHere([...args, `${site.url}/a`, `${site.url}/b`], { home: here.home });
    expect((await site.run()).stderr).toContain("2 unchanged.");
    expect((await site.run()).stderr).toContain("2 unchanged.");
    delete site.answers["/b"];
    site.list("/a");
    expect((await site.sync()).stderr).toContain("1 unchanged, 1 deleted.");
  });
});
