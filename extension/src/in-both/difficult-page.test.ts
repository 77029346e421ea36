import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { type Beside, shows } from "../testing/beside.ts";
import type { TestPages } from "../testing/pages.ts";
import { startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { beginScene, BROWSERS } from "./browsers.harness.ts";

/** What a page may do to its own world: whatever is in there lies, or throws. */
const OVERWRITTEN = `
const tell = fetch.bind(globalThis);
const lie = () => { throw new Error("overwritten"); };
const spoil = (object) => {
  for (const name of Object.getOwnPropertyNames(object)) {
    if (name === "length") continue;
    const { configurable, writable } = Object.getOwnPropertyDescriptor(object, name);
    if (configurable) Object.defineProperty(object, name, { get: lie, set: lie, configurable: true });
    else if (writable) object[name] = lie;
  }
};
const own = [
  Intl, performance, JSON, customElements, crypto, crypto.subtle, console, navigator,
  String.prototype, Number.prototype, RegExp.prototype, Map.prototype, Set.prototype, WeakMap.prototype,
  Promise.prototype, Date.prototype, Performance.prototype, CustomElementRegistry.prototype, MessagePort.prototype,
  EventTarget.prototype, Node.prototype, Element.prototype, HTMLElement.prototype, Document.prototype,
  HTMLDocument.prototype, CSSStyleDeclaration.prototype, DOMParser.prototype, Range.prototype, Text.prototype,
  Array.prototype,
];
for (const name of "Intl JSON performance customElements crypto Map Set WeakMap Promise Date RegExp URL DOMParser MessageChannel TextEncoder TextDecoder fetch getComputedStyle setTimeout queueMicrotask requestAnimationFrame structuredClone Float32Array Uint8Array".split(" ")) {
  try { Object.defineProperty(globalThis, name, { get: lie, configurable: true }); } catch {}
}
for (const one of own) { try { spoil(one); } catch {} }
let broken = 0;
try { [].map(String); } catch { broken++; }
try { "a".trim(); } catch { broken++; }
try { JSON; } catch { broken++; }
try { document.body; } catch { broken++; }
try { performance.now(); } catch { broken++; }
tell("/broken-" + broken);
`;

const page = (title: string, script = ""): string => `<!doctype html><html lang="en"><head><title>${title}</title>
<script type="application/ld+json">{"@type":"Article","datePublished":"2024-03-12"}</script></head>
<body><nav><a href="/">All plots</a></nav><main><article><h1>The shed</h1>
<p>Visitors park their bicycles behind the blue gate, and leave the path clear for the cart.</p>
<h2>Costs</h2><table><tr><th>Plan</th><th>Euros</th></tr><tr><td>Small</td><td>12</td></tr><tr><td>Large</td><td>40</td></tr></table>
<ul><li>Beans want water at the root.</li><li>Leeks want earth around them.</li></ul>
<p style="display:none">Nobody sees this line.</p></article></main>
<footer>All rights reserved</footer><script>${script}</script></body></html>`;

describe.each(BROWSERS)("a page that makes it hard, in $name", { timeout: 240_000 }, ({ isThere, launch }) => {
  let beside: Beside;
  let service: TestService;
  let pages: TestPages;
  /** Paths the pages' server was asked for. */
  const asked: string[] = [];

  beforeAll(async () => {
    if (!isThere) return;
    const scene = await beginScene(launch, {
      service: startService,
      pages: (path) => {
        asked.push(path);
        const script = path === "/shed-overwritten" ? OVERWRITTEN : "";
        return page(path.startsWith("/shed") ? "The shed" : `Plan ${path.slice(1)}`, script);
      },
    });
    ({ beside, service, pages } = scene);
    return () => scene.end();
  }, 240_000);

  const titles = async () => (await service.documents()).map(({ semantic_id }) => semantic_id);

  /** What the service was given of a page, without its address. */
  function givenOf(path: string): string | undefined {
    const database = new DatabaseSync(service.database, { readOnly: true });
    try {
      const found = database.prepare("SELECT title, sections FROM documents WHERE sections LIKE ?").get(`%${path}%`);
      return found && JSON.stringify(found).replaceAll(path, "");
    } finally {
      database.close();
    }
  }

  it.runIf(isThere)("is read as any other where it has overwritten all that scripts work with", async () => {
    for (const path of ["/shed-plain", "/shed-overwritten"]) {
      await beside.open(`${pages.url}${path}`);
      await beside.press("Keep this page");
      await shows(beside, /Keeping in \d+ seconds?/);
      await beside.letTimePass();
      await until(`${path} has arrived`, () => givenOf(path) !== undefined);
    }
    // It did what it was to do: in its own world nothing works.
    expect(asked).toContain("/broken-5");
    expect(givenOf("/shed-plain")).toContain("behind the blue gate");
    expect(givenOf("/shed-plain")).toContain("Large | 40");
    expect(givenOf("/shed-plain")).not.toContain("Nobody sees");
    expect(givenOf("/shed-overwritten")).toBe(givenOf("/shed-plain"));
    await beside.send("Where do visitors park?");
    await shows(beside, "Where do visitors park?");
    expect(await beside.answered()).toContain("behind the blue gate");
  });

  it.runIf(isThere)(
    "is said not to answer when it hangs and is kept by the shortcut, and holds nothing up",
    async () => {
      await beside.open(`${pages.url}/hangs`);
      await beside.press("New conversation");
      await beside.hang(24_000);
      const began = Date.now();
      await beside.pressShortcut("keep-page");
      await shows(beside, "Reading the page…");
      await beside.send("And without it?");
      await beside.press("Ask without the page");
      expect(await beside.answered()).toContain("The page does not answer.");
      expect(Date.now() - began).toBeLessThan(19_000);
      await beside.press("New conversation");
      await shows(beside, "What would you like to know?");
      await shows(beside, "The page does not answer. It may be busy or still loading. Try again, or load it anew.");
      // Once it answers again, it is kept when it is asked for again, and not by what came too late.
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 26_000 - (Date.now() - began))));
      expect(await titles()).not.toContain("Plan hangs");
      expect(await beside.store("outbox")).toEqual([]);
      await beside.pressShortcut("keep-page");
      await beside.letTimePass();
      await until("it has arrived", async () => (await titles()).includes("Plan hangs"));
    },
  );
});
