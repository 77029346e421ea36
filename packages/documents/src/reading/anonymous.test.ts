import { type FaultServer, startFaultServer } from "@threadlore/testkit";
import { startBrowser } from "@threadlore/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inPage, readPageScript } from "./read-page-script.harness.ts";

const script = inPage(await readPageScript());
// Awaited here, where no time limit counts: it may install a browser first.
const browser = await startBrowser();

declare const threadlore: typeof import("./read-page.ts");

const BODY = "<!doctype html><title>Beds</title><main><h1>Beds</h1><p>Beans want water at the root, early.</p></main>";

/** A text, and the same in windows-1251. */
const TEXT = "Линзу протирают каждые десять дней мягкой тканью";
const LETTERS = Uint8Array.from(TEXT, (one) => (one === " " ? 32 : (one.codePointAt(0) ?? 0) - 0x350));

describe.runIf(browser)("what a server says of a page to those who are signed in", { timeout: 60_000 }, () => {
  let server: FaultServer;
  beforeAll(async () => {
    server = await startFaultServer(({ path, headers: { cookie } }) => {
      if (path === "/memo.txt")
        return { headers: { "content-type": "text/plain; charset=windows-1251" }, body: LETTERS };
      const isMember = cookie !== undefined;
      const stored = path === "/stored" ? "private, max-age=60" : "no-store";
      const said: Record<string, string> = isMember ? { "cache-control": stored, "x-robots-tag": "noindex" } : {};
      return { headers: { "content-type": "text/html; charset=utf-8", ...said }, body: BODY };
    });
    await browser?.context.addCookies([{ name: "member", value: "yes", url: server.url }]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function signsOf(path: string): Promise<unknown> {
    const tab = await browser?.context.newPage();
    await tab?.goto(`${server.url}${path}`);
    await tab?.evaluate(script);
    const signs = await tab?.evaluate(() => threadlore.readPage(document).then((page) => threadlore.serverSigns(page)));
    await tab?.close();
    return signs;
  }

  it("is heard of a page that the browser has stored", async () => {
    expect(await signsOf("/stored")).toEqual(["noindex", "not-to-be-stored"]);
  });

  it("is not noticed of a page that the browser did not store, as a stranger is told nothing of it", async () => {
    expect(await signsOf("/not-stored")).toEqual([]);
  });

  it("is nothing where anybody gets a text in its own encoding, which is read and called as its file", async () => {
    const tab = await browser?.context.newPage();
    await tab?.goto(`${server.url}/memo.txt`);
    await tab?.evaluate(script);
    const snapshot = await tab?.evaluate(() => threadlore.readPage(document));
    expect(snapshot).toMatchObject({ title: "memo.txt", parts: [{ heading: "", text: TEXT }] });
    await tab?.close();
    expect(await signsOf("/memo.txt")).toEqual([]);
  });
});
