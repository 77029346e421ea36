import { startBrowser } from "@threadlore/testkit/browser";
import { afterAll, describe, expect, it } from "vitest";
import type { PageSnapshot } from "../index.ts";
import { pageScript } from "./in-page.harness.ts";

const script = await pageScript();

// Awaited here, where no time limit counts: it may install a browser first.
const browser = await startBrowser();

declare const threadlore: typeof import("./read-page.ts");

const GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const LONG = Array.from(
  { length: 12 },
  (_, bed) =>
    `<p>The committee measured bed ${bed} for six weeks and found ${bed + 30} more pods than in the year before.</p>`,
).join("");

describe.runIf(browser)("what is seen and has no text", { timeout: 60_000 }, () => {
  const tab = browser?.context.newPage();
  afterAll(() => browser?.close());

  async function unreadOf(body: string): Promise<PageSnapshot["unread"]> {
    const open = await tab;
    if (open === undefined) throw new Error("There is no browser");
    await open.goto("about:blank");
    await open.setContent(`<!doctype html><title>Beds</title><body><h1>Beds</h1><p>Two beds.</p>${body}</body>`);
    await open.evaluate(script);
    return await open.evaluate(async () => (await threadlore.readPage(document)).unread);
  }

  it.each([
    ["a map", `<canvas width="900" height="600"></canvas>`, { drawings: 1 }],
    ["a drawing", `<svg width="900" height="600"><rect width="9" height="9"/></svg>`, { drawings: 1 }],
    ["a film", `<video width="900" height="600"></video>`, { films: 1 }],
    ["scanned pages", `<img src="${GIF}" width="800" height="900">`.repeat(3), { pictures: 3 }],
    [
      "a part that is closed",
      `<x-shut style="display:block;width:300px;height:300px"></x-shut><script>
document.querySelector("x-shut").attachShadow({ mode: "closed" }).innerHTML = "<p>Shut in.</p>"</script>`,
      { closed: 1 },
    ],
    [
      "a table that brings its rows when they are scrolled to",
      `<div role="grid" aria-rowcount="5000"><div role="row">Bed 1</div><div role="row">Bed 2</div></div>`,
      { rows: 4998 },
    ],
  ])("is counted: %s", async (_, body, counts) => {
    expect(await unreadOf(body)).toEqual(counts);
  });

  it.each([
    ["an article with its picture", `<img src="${GIF}" width="800" height="900">${LONG}`],
    ["icons and small drawings", `<canvas width="90" height="60"></canvas><svg width="20" height="20"></svg>`],
    ["a chart with its words", `<svg width="900" height="600"><text y="20">Pods per bed</text></svg>`],
    ["what is not shown", `<canvas width="900" height="600" style="visibility:hidden"></canvas><video hidden></video>`],
    [
      "an open part",
      `<x-open style="display:block;height:300px"></x-open><script>
document.querySelector("x-open").attachShadow({ mode: "open" }).innerHTML = "<p>Open.</p>"</script>`,
    ],
    ["a table with all its rows", `<table aria-rowcount="2"><tr><td>Bed 1<tr><td>Bed 2</table>`],
  ])("is not claimed of: %s", async (_, body) => {
    expect(await unreadOf(body)).toEqual({});
  });
});
