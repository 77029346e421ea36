import { gzipSync } from "node:zlib";
import { IngestionDocument } from "@threadlore/client/models";
import { type FaultServer, type Reply, startFaultServer } from "@threadlore/testkit";
import { startBrowser, type TestBrowser } from "@threadlore/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentFromPage, pageContext, type PageSnapshot } from "../index.ts";
import * as pages from "./read-page-pages.harness.ts";
import { inPage, readPageScript } from "./read-page-script.harness.ts";
import type { ReadPageOptions } from "./read-page.ts";

const script = await readPageScript();
/** For the page's own world, where tests call it. */
const PUT_IN = inPage(script);

describe("the script that is put into a page", () => {
  it("is one file, small, and brings no code from elsewhere", () => {
    const size = gzipSync(script).length;
    console.log(`read-page: ${(script.length / 1_000).toFixed(0)} kB, gzip ${(size / 1_000).toFixed(1)} kB`);
    expect(size).toBeLessThan(100_000);
    // Not `toMatch`, which would print all of it.
    expect(/\bimport\(|\beval\(|new Function\b|["'`]node:/.exec(script)?.[0]).toBeUndefined();
  });
});

// Awaited here, where no time limit counts: it may install a browser first.
const browser = await startBrowser();

declare const threadlore: typeof import("./read-page.ts");

describe.runIf(browser)("readPage in a real browser", { timeout: 60_000 }, () => {
  let server: FaultServer;
  let elsewhere: FaultServer;
  /** Shows one page after the other: a new tab takes longer than all the rest. */
  let shown: Awaited<ReturnType<TestBrowser["context"]["newPage"]>> | undefined;
  const served = new Map<string, string>();
  /** Headers some pages come with. */
  const said = new Map<string, Record<string, string>>();

  beforeAll(async () => {
    shown = await browser?.context.newPage();
    const headers = { "content-type": "text/html; charset=utf-8" };
    elsewhere = await startFaultServer(() => ({ headers, body: pages.framed }));
    server = await startFaultServer(({ path, headers: asked }): Reply => {
      const name = path.replace(/[?#].*/, "").slice(1);
      if (name === "framed") return { headers, body: pages.framed };
      if (name === "members" && asked["cookie"] === undefined) return { status: 302, headers: { location: "/login" } };
      if (name === "kept-by-the-browser" && asked["cookie"] === undefined) return { status: 403, headers, body: "" };
      const cached: Record<string, string> = name === "kept-by-the-browser" ? { "cache-control": "max-age=600" } : {};
      return { headers: { ...headers, ...cached, ...said.get(name) }, body: served.get(name) ?? pages.article };
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await elsewhere?.close();
  });

  /** Opens a page, runs `before` in it, reads it, and gives what was read; the page must be as before. */
  async function read(html: string, options: ReadPageOptions & { path?: string; before?: string } = {}) {
    const { path = "page", before = "", ...rest } = options;
    served.set(path.replace(/[?#].*/, ""), html);
    if (shown === undefined) throw new Error("There is no browser");
    // Where only what stands behind the # differs, a browser stays on the page it has.
    if (path.includes("#")) await shown.goto("about:blank");
    await shown.goto(`${server.url}/${path}`);
    if (before !== "") await shown.evaluate(before);
    // Compared in the browser: one of the pages is of 10 MB.
    const was = await shown.evaluateHandle(() => ({ markup: document.documentElement.outerHTML }));
    await shown.evaluate(PUT_IN);
    const snapshot: PageSnapshot = await shown.evaluate((given) => threadlore.readPage(document, given), rest);
    expect(await was.evaluate(({ markup }) => document.documentElement.outerHTML === markup)).toBe(true);
    return snapshot;
  }

  const textOf = (snapshot: PageSnapshot) =>
    snapshot.parts.map(({ heading, text }) => `${heading}\n${text}`).join("\n");

  it("reads an article: its text, its shape, and what it says about itself", async () => {
    const snapshot = await read(pages.article, { path: "watering?utm_medium=mail#top" });
    expect(snapshot).toMatchObject({
      title: "Watering the beans",
      site: "Allotment News",
      authors: ["Ada Green"],
      published: "2026-05-04T06:00:00Z",
      modified: "2026-06-01T00:00:00Z",
      language: "en-GB",
      description: "How often to water beans.",
      extent: "main",
      contentType: "text/html",
      cut: false,
      hiddenCharacters: 0,
    });
    expect(snapshot.canonicalUrl).toBe(`${server.url}/watering?utm_source=feed`);
    const text = textOf(snapshot);
    for (const kept of [
      "Beans want water",
      "twice a week | 412",
      "1. Write your plot",
      'plot = 14\ndays = ["Mon", "Thu"]',
    ]) {
      expect(text).toContain(kept);
    }
    expect(text).not.toMatch(/blue shed|Slugs return|All rights reserved|Privacy policy|Plots\b/);
    expect(snapshot.parts.find(({ heading }) => heading === "What was measured")?.fragment).toBe("measured");
    expect(snapshot.parts.find(({ heading }) => heading === "When you are away")?.fragment).toBe(
      ":~:text=When%20you%20are%20away",
    );
  });

  it("makes a document of it that passes the model, with links to its headings", async () => {
    const snapshot = await read(pages.article, { path: "watering?utm_medium=mail" });
    const { document, notes, hash } = await documentFromPage(snapshot, { metadata: { team: "garden" } });
    expect(IngestionDocument.parse(document)).toEqual(document);
    expect(document).toMatchObject({
      source: "web",
      title: "Watering the beans",
      doc_updated_at: "2026-06-01T00:00:00Z",
    });
    expect(document.id).toMatch(/^web_[\w.-]+$/);
    expect(document.metadata).toMatchObject({
      site: "Allotment News",
      language: "en-GB",
      author: ["Ada Green"],
      team: "garden",
    });
    expect(document.sections.map(({ link }) => link)).toContain(`${server.url}/watering#measured`);
    expect(notes).toEqual([]);
    const again = await documentFromPage(await read(pages.article, { path: "watering?fbclid=1" }));
    expect(again).toMatchObject({ hash, document: { id: document.id } });
    const changed = await documentFromPage(
      await read(pages.article.replace("six weeks", "nine weeks"), { path: "watering" }),
    );
    expect(changed.document.id).toBe(document.id);
    expect(changed.hash).not.toBe(hash);
  });

  it("reads a product without the others that are offered", async () => {
    const text = textOf(await read(pages.product));
    expect(text).toContain("holds nine litres");
    expect(text).toContain("Weight: 1.4 kg");
    expect(text).not.toMatch(/Dibber|Privacy policy/);
  });

  it("reads every entry of a listing and of a collection", async () => {
    const listing = textOf(await read(pages.listing));
    for (let at = 0; at < 12; at++) expect(listing).toContain(`Plot ${at + 1} by the lower gate`);
    expect(listing).toContain("48 square metres");
    const collection = textOf(await read(pages.collection));
    for (const name of ["Beans", "Kale", "Leeks", "Peas", "Squash", "Chard"])
      expect(collection).toContain(`Growing ${name}`);
  });

  it("reads every post of a thread", async () => {
    const text = textOf(await read(pages.forum));
    for (const name of ["Rosa", "Emil", "Juno", "Tariq"]) expect(text).toContain(`${name} says that beer traps`);
    expect(text).not.toMatch(/All rights reserved/);
  });

  it("leaves out and counts what is not shown, and never takes what was typed", async () => {
    const typed = `document.querySelector("textarea").value = "canary now"`;
    for (const whole of [false, true]) {
      const snapshot = await read(pages.hidden, { before: typed, whole });
      expect(JSON.stringify(snapshot)).not.toContain("canary");
      expect(textOf(snapshot)).toContain("Open at nine.");
      expect(snapshot.hiddenCharacters).toBeGreaterThan(100);
      expect(snapshot.invisibleCharacters).toBe(4);
      const { notes } = await documentFromPage(snapshot);
      expect(notes.join(" ")).toMatch(/\d+ characters that the page does not show were left out.*4 invisible/);
    }
  });

  it("T34 leaves out what is there for readers of the text only", async () => {
    const text = textOf(await read(pages.unseen));
    expect(text.match(/canary.*/g) ?? []).toEqual([]);
    expect(text).toMatch(/Beans want water[^]*The committee measured/);
  });

  it("takes no box for hidden whose text is seen", async () => {
    const text = textOf(await read(pages.seenAfterAll, { whole: true, before: "scrolled.scrollTop = 1900" }));
    expect(text).toContain("The second slide is the one");
    expect(text.match(/, and seen\./g)).toHaveLength(6);
  });

  it("shows text again inside an element that hides its own", async () => {
    const html = `<main><div style="visibility:hidden">canary<p style="visibility:visible">Seen after all, in a box that is not.</p></div>
<div style="font-size:0">canary<span style="font-size:16px">Also seen, in a row without gaps.</span></div></main>`;
    const text = textOf(await read(html, { whole: true }));
    expect(text).toMatch(/Seen after all[^]*Also seen/);
    expect(text).not.toContain("canary");
  });

  it("reads open shadow trees, with what is slotted in its place", async () => {
    const text = textOf(await read(pages.shadow));
    expect(text).toMatch(/Slotted title of the guide[^]*Beans want water[^]*Anyone who cannot come/);
    expect(text).not.toContain("canary");
  });

  it("reads frames of the same origin and counts the others", async () => {
    const snapshot = await read(pages.frames(elsewhere.url), { whole: true });
    expect(textOf(snapshot)).toMatch(/Framed report[^]*Inside the frame[^]*The committee measured/);
    expect(snapshot.unreadFrames).toBe(1);
  });

  it("reads only what is marked, and gives it an id of its own", async () => {
    const mark = `const range = document.createRange(); const [first, last] = document.querySelectorAll("article > p:not(.byline)");
range.setStart(first.firstChild, 11); range.setEnd(last.firstChild, 13); getSelection().addRange(range);`;
    const snapshot = await read(pages.article, { path: "watering", selection: true, before: mark });
    expect(snapshot.extent).toBe("selection");
    const text = textOf(snapshot);
    expect(text).toMatch(/^\s*water at the root[^]*What was measured\s+The committee$/);
    const part = await documentFromPage(snapshot);
    const whole = await documentFromPage(await read(pages.article, { path: "watering", selection: true }));
    expect(whole.document.id).not.toBe(part.document.id);
    expect(part.document.id).toMatch(new RegExp(`^${whole.document.id}_`));
  });

  it("reads what a marked part holds in trees of its own, and nothing of such a part that is not marked", async () => {
    const mark = (what: string) => `getSelection().selectAllChildren(document.querySelector("${what}"))`;
    const all = await read(pages.shadow, { selection: true, before: mark("body") });
    expect(all.extent).toBe("selection");
    expect(textOf(all)).toMatch(/Slotted title of the guide[^]*Beans want water/);
    expect(textOf(all)).not.toContain("canary");
    const title = await read(pages.shadow, { selection: true, before: mark("[slot]") });
    expect(textOf(title)).toContain("Slotted title of the guide");
    expect(textOf(title)).not.toContain("Beans want water");
  });

  it("reads scripts without blanks and from right to left", async () => {
    const japanese = await read(pages.japanese);
    expect(japanese).toMatchObject({ title: "豆の水やり", language: "ja" });
    expect(textOf(japanese)).toMatch(/豆は朝早く[^]*委員会は[^]*来られない人は/);
    expect(textOf(japanese)).not.toContain("Privacy");
    expect(textOf(await read(pages.arabic))).toMatch(/تحتاج الفاصوليا[^]*قاست اللجنة/);
  });

  it("reads a page of 10 MB up to its limits and says that it goes on", async () => {
    const snapshot = await read(pages.huge(10_000_000));
    expect(snapshot.cut).toBe(true);
    expect(snapshot.characters).toBeGreaterThan(100_000);
    expect(snapshot.characters).toBeLessThanOrEqual(2_000_000);
    const { document, notes } = await documentFromPage(snapshot);
    expect(document.sections.at(-1)?.text).toMatch(/\[Cut here: .+\]$/);
    expect(notes.join()).toContain("only its beginning was kept");
  });

  it("stops at the number of nodes and the depth that are allowed", async () => {
    const few = await read(pages.huge(200_000), { nodes: 300 });
    expect(few.cut).toBe(true);
    expect(few.characters).toBeLessThan(60_000);
    expect((await read(pages.deep)).parts.length).toBeGreaterThan(0);
  });

  it("is done with many deep nests before anybody would give up on it", async () => {
    // Asked about one of these, extractors are busy for half a minute.
    const snapshot = await read(pages.nests);
    expect(snapshot.characters).toBeGreaterThan(1_000);
  });

  it("is not misled by names in a page that are those of the document's and forms' own properties", async () => {
    const snapshot = await read(pages.named);
    const text = textOf(snapshot);
    expect(snapshot.title).toBe("Watering the beans");
    expect(text).toMatch(/Beans want water[^]*The committee measured[^]*Anyone who cannot/);
    expect(text).not.toContain("canary");
  });

  it("is not reached by a page that redefines what it is built on", async () => {
    const tab = await browser?.context.newPage();
    if (tab === undefined) throw new Error("There is no browser");
    served.set("poisoned", pages.poisoned);
    await tab.goto(`${server.url}/poisoned`);
    // The page's own world is spoilt: otherwise this would show nothing.
    const session = await browser?.context.newCDPSession(tab);
    const spoilt = await session?.send("Runtime.evaluate", { expression: "document.body.textContent" });
    expect(spoilt?.result.value).toBe("canary");
    const { frameTree } = (await session?.send("Page.getFrameTree")) ?? {};
    // The kind of world that an extension's scripts have in a page.
    const world = await session?.send("Page.createIsolatedWorld", { frameId: frameTree?.frame.id ?? "" });
    const found = await session?.send("Runtime.evaluate", {
      contextId: world?.executionContextId ?? 0,
      expression: `${script};threadlore.readPage(document).then(JSON.stringify)`,
      awaitPromise: true,
      returnByValue: true,
    });
    const snapshot = JSON.parse(String(found?.result.value)) as PageSnapshot;
    expect(textOf(snapshot)).toMatch(/Beans want water[^]*The committee measured[^]*Anyone who cannot/);
    expect(snapshot.title).toBe("Watering the beans");
    expect(JSON.stringify(snapshot)).not.toContain("canary");
    await tab.close();
  });

  it("drops what nobody can see in hostile pages, and counts it", async () => {
    const tags = String.fromCodePoint(...[..."canary"].map((sign) => 0xe0000 + (sign.codePointAt(0) ?? 0)));
    const bidi = "\u202Eslaed\u202C \u2066in\u2069";
    const snapshot = await read(pages.article.replace("Beans want", `Beans${tags} ${bidi} want`));
    expect(textOf(snapshot)).toContain("Beans slaed in want water");
    expect(snapshot.invisibleCharacters).toBe(10);
    // oxlint-disable-next-line no-misleading-character-class -- each of them alone
    expect(textOf(snapshot)).not.toMatch(/[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069]/u);
  });

  it("keeps something of every page that shows any text, and makes nothing of one that does not", async () => {
    expect(textOf(await read(pages.furnitureOnly))).toMatch(/News|Allotment/);
    const empty = await read(pages.empty);
    expect(empty).toMatchObject({ parts: [], title: "127.0.0.1" });
    await expect(documentFromPage(empty)).rejects.toMatchObject({ reason: "empty" });
  });

  it("names the signs of a page that is not for everyone", async () => {
    const snapshot = await read(pages.privateLogin, { path: "in?access_token=abc123def456&tab=2" });
    expect(snapshot.privacy).toEqual(["intranet-host", "password-field", "token-in-address", "noindex"]);
    const { document } = await documentFromPage(snapshot);
    expect(JSON.stringify(document)).not.toContain("abc123def456");
    expect(document.sections[0]?.link).toContain("?tab=2");
  });

  it("tells a page that needs a sign-in from one that anybody gets", async () => {
    const tab = await browser?.context.newPage();
    await browser?.context.addCookies([{ name: "session", value: "one", url: server.url }]);
    const ask = async (path: string) => {
      await tab?.goto(`${server.url}/${path}`);
      await tab?.evaluate(PUT_IN);
      return await tab?.evaluate(() => threadlore.readPage(document).then((page) => threadlore.serverSigns(page)));
    };
    served.set("members", pages.article);
    expect(await ask("members")).toEqual(["needs-sign-in"]);
    expect(await ask("page-for-all")).toEqual([]);
    // What the browser has of it already is the person's own copy.
    expect(await ask("kept-by-the-browser")).toEqual(["needs-sign-in"]);
    await tab?.close();
  });

  it.each([
    ["X-Robots-Tag: noindex", { "x-robots-tag": "noindex" }, ["noindex"], 1],
    ["X-Robots-Tag, of one robot", { "x-robots-tag": "otherbot: nofollow, noindex" }, ["noindex"], 1],
    ["Cache-Control: private", { "cache-control": "private, max-age=60" }, ["not-to-be-stored"], 1],
    // Of what is not stored the browser has no headers any more: what a stranger gets tells.
    ["Cache-Control: no-store", { "cache-control": "private, no-store" }, ["not-to-be-stored"], 2],
    ["both", { "cache-control": "no-store", "x-robots-tag": "none" }, ["noindex", "not-to-be-stored"], 2],
    ["neither", { "cache-control": "public, max-age=60", "x-robots-tag": "max-snippet:20" }, [], 2],
  ])("hears what the server says of a page: %s", async (name, headers, signs, requests) => {
    const path = `said-${name.replace(/\W+/g, "-")}`;
    said.set(path, headers as Record<string, string>);
    served.set(path, pages.article);
    await shown?.goto(`${server.url}/${path}`);
    await shown?.evaluate(PUT_IN);
    expect(
      await shown?.evaluate(() => threadlore.readPage(document).then((page) => threadlore.serverSigns(page))),
    ).toEqual(signs);
    expect(server.requests.filter((one) => one.path === `/${path}`)).toHaveLength(requests);
  });

  it.each([
    ["a part of the page", `<div contenteditable><p>canary</p></div>`],
    ["of plain text", `<div contenteditable="plaintext-only">canary</div>`],
    ["with an island in it", `<div contenteditable="true">canary <span contenteditable="false">canary</span></div>`],
    ["by its role", `<div role="textbox" tabindex="0"><p>canary</p></div>`],
    ["in a frame", `<iframe srcdoc="<body contenteditable>canary</body>" width="400" height="300"></iframe>`],
    ["in a frame that is one", `<iframe id="edited" srcdoc="<p>canary</p>" width="400" height="300"></iframe>`],
    ["in a shadow tree", `<x-field></x-field>`],
    ["drawn beside a hidden field", `<p class="monaco-editor vs">canary</p><p class="x CodeMirror">canary</p>`],
    ["filled by a script", `<textarea id="area"></textarea><input id="field">`],
  ])("never takes what is being written: an editor, %s", async (_, editor) => {
    const html = pages.article.replace("</article>", `${editor}</article>`);
    const before = `if (globalThis.area) { area.value = field.value = "canary"; }
if (globalThis.edited) edited.contentDocument.designMode = "on";
const host = document.querySelector("x-field")?.attachShadow({ mode: "open" });
if (host) host.innerHTML = "<input value=canary><textarea>canary</textarea><p contenteditable>canary</p>";`;
    for (const whole of [true, false]) {
      const snapshot = await read(html, { before, whole });
      expect(JSON.stringify(snapshot)).not.toContain("canary");
      expect(textOf(snapshot)).toContain("Beans want water");
      if (editor.includes("area id")) continue;
      expect(snapshot.editedCharacters).toBeGreaterThan(5);
      expect((await documentFromPage(snapshot)).notes.join()).toContain("An editor in the page was left out");
    }
  });

  it("finds nothing to read in a page that is an editor, and says how much was left out", async () => {
    const editor = pages.article.replace("<body>", '<body contenteditable="true">');
    expect(editor).toContain("contenteditable");
    const snapshot = await read(editor);
    expect(snapshot).toMatchObject({ parts: [], editedCharacters: expect.any(Number) });
    expect(snapshot.editedCharacters).toBeGreaterThan(100);
    expect((await read(pages.article.replace("<body>", '<body contenteditable="false">'))).editedCharacters).toBe(0);
  });

  it("gives a question its page within a budget, and says what was left out", async () => {
    const snapshot = await read(pages.article);
    const { text, leftOut } = pageContext([snapshot], "?", { budget: 700 });
    expect(text.length).toBeLessThanOrEqual(700);
    expect(text).toContain(`[Left out here: ${leftOut[0]?.left} of `);
    expect(pageContext([snapshot], "?").leftOut).toEqual([]);
  });
});
