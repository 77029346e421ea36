import { startBrowser } from "@threadlore/testkit/browser";
import { afterAll, describe, expect, it } from "vitest";
import type { PageSnapshot } from "../index.ts";
import { pageScript } from "./in-page.harness.ts";

const script = await pageScript();

// Awaited here, where no time limit counts: it may install a browser first.
const browser = await startBrowser();

declare const threadlore: typeof import("./read-page.ts");

/** A table of so many rows. */
const rows = (count: number): string =>
  `<h1>Harvest</h1><table><tr><th>Bed<th>Crop<th>Pods</tr>${Array.from(
    { length: count },
    (_, at) => `<tr><td>Bed ${at}</td><td>Beans of row ${at % 97}</td><td>${(at * 7) % 1000}</td></tr>`,
  ).join("")}</table>`;

/** A clock by which time passes as it is looked at: how a page is read then hangs on no machine. */
const TICKING = "performance.now = ((now) => () => (now += 1))(0)";

/** The same of 30,000, written by the page itself. */
const ROWS = `Array.from({ length: 3e4 }, (_, at) => "<tr><td>Bed " + at + "</td><td>Beans of row " + (at % 97) + "</td><td>" + ((at * 7) % 1000) + "</td></tr>").join("")`;

describe.runIf(browser)("a big page and a hostile one", { timeout: 120_000 }, () => {
  afterAll(() => browser?.close());

  /** Shows a page, runs `before` in it, and reads all of it, or what it is about. `turns`: tasks of the page that ran meanwhile. */
  async function read(
    body: string,
    before = "",
    whole = true,
  ): Promise<{ snapshot: PageSnapshot; turns: number; text: string }> {
    const open = await browser?.context.newPage();
    if (open === undefined) throw new Error("There is no browser");
    await open.setContent(`<!doctype html><title>Harvest</title><body>${body}</body>`);
    await open.evaluate(before);
    await open.evaluate(script);
    const { snapshot, turns } = await open.evaluate(async (asked) => {
      const { port1, port2 } = new MessageChannel();
      let count = 0;
      let isOver = false;
      port1.addEventListener("message", () => {
        count += 1;
        if (!isOver) port2.postMessage(0);
      });
      port1.start();
      port2.postMessage(0);
      const given = await threadlore.readPage(document, { whole: asked });
      isOver = true;
      port1.close();
      return { snapshot: given, turns: count };
    }, whole);
    await open.close();
    return { snapshot, turns, text: snapshot.parts.map(({ heading, text }) => `${heading}\n${text}`).join("\n") };
  }

  it("reads a page in one step, before the page does anything else, where a step is not over by then", async () => {
    const { turns, text } = await read(rows(200), "performance.now = () => 0");
    expect(turns).toBe(0);
    expect(text).toContain("Bed 199 |");
  });

  it("lets the page do its own work while it reads 30,000 rows, without its timers and frames", async () => {
    const stopped = "globalThis.requestAnimationFrame = globalThis.setTimeout = globalThis.scheduler = () => 0";
    const { turns, text } = await read(rows(0), `${stopped}; document.querySelector("tbody").innerHTML += ${ROWS}`);
    expect(turns).toBeGreaterThan(5);
    expect(text).toMatch(/Bed 0 \| Beans of row 0 \| 0\nBed 1 \| Beans of row 1 \| 7\n/);
    const numbers = [...text.matchAll(/^Bed (\d+) \|/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual([...numbers.keys()]);
    expect(numbers.length).toBeGreaterThan(500);
  });

  it("lets the page do its own work while it judges what a long page is about", async () => {
    const sections = Array.from(
      { length: 600 },
      (_, at) => `<h2>Bed ${at}</h2><p>${"It was watered twice a week. ".repeat(3)}</p>`,
    );
    const body = `<main>${sections.join("")}</main>`;
    const [all, judged] = [await read(body, TICKING), await read(body, TICKING, false)];
    expect(judged.text).toContain("Bed 599");
    expect(judged.turns - all.turns).toBeGreaterThan(10);
  });

  it("takes a paragraph longer than a chapter for what it is, as far as there is room for it", async () => {
    const long = `document.querySelector("p").textContent = Array.from({ length: 2e5 }, (_, at) => "bed " + at + " was measured, twice. ").join("")`;
    const { text, snapshot } = await read("<nav><a href=/>Plots to let</a></nav><main><p></p></main>", long, false);
    expect(text).toContain("bed 0 was measured, twice. bed 1 was measured");
    expect(text).not.toContain("Plots to let");
    expect(snapshot.characters).toBe(2_000_000);
    expect(snapshot.cut).toBe(true);
  });

  it("takes out what cannot be seen of a long text without blanks, and no half of a character", async () => {
    const signs = `document.querySelector("p").textContent = "x" + "\u{1F331}".repeat(2e5) + "\u{E0041}" + "\u{1F33F}".repeat(1e5)`;
    const { text, snapshot } = await read("<main><p></p></main>", signs, false);
    expect(text.trim()).toBe(`x${"\u{1F331}".repeat(2e5)}${"\u{1F33F}".repeat(1e5)}`);
    expect(snapshot.invisibleCharacters).toBe(1);
  });

  it("takes two long paragraphs that begin alike for two", async () => {
    const page = (end: string) => `<p>${Array.from({ length: 12_000 }, (_, at) => `bed ${at}`).join(" ")} ${end}</p>`;
    const { text } = await read(`<main>${page("as leeks")}${page("as beans")}</main>`, "", false);
    expect(text).toContain("as leeks");
    expect(text).toContain("as beans");
  });

  it("reads what is there then, when the page shows something else while it is read", async () => {
    const { text, snapshot } = await read(
      `<main>${rows(500)}</main>`,
      `${TICKING}; setTimeout(() => {
  const other = document.createElement("main");
  other.innerHTML = document.querySelector("main").innerHTML.replaceAll("Beans", "Leeks");
  document.querySelector("main").replaceWith(other);
}, 0)`,
    );
    expect(text).toContain("Bed 499 | Leeks");
    expect(text).not.toContain("Beans");
    expect(snapshot.cut).toBe(false);
  });

  it("reads on behind what went away, when the page never stands still, and says that something is missing", async () => {
    const { text, snapshot } = await read(
      `<h1>Harvest</h1><main></main><p>The committee measured every bed for six weeks.</p>`,
      `${TICKING}; let left = 200;
const anew = () => {
  const list = document.createElement("main");
  list.innerHTML = "<p>One of many lines that are never the same for long.</p>".repeat(1500);
  document.querySelector("main").replaceWith(list);
  if (left-- > 0) setTimeout(anew, 0);
};
anew();`,
    );
    expect(snapshot.cut).toBe(true);
    expect(text).toMatch(/Harvest[^]*One of many lines/);
  });

  it("looks for boxes over text at the beginning of a page that takes long, and no more at its end", async () => {
    const covered = (word: string) =>
      `<div style="position:relative"><p>${word} is under a box</p><div style="position:absolute;inset:0;background:#fff"></div></div>`;
    const lines = "<p>One of many lines.</p>".repeat(6_000);
    const short = await read(`${covered("First")}<p>A line.</p>${covered("Last")}`, TICKING);
    expect(short.text).not.toMatch(/under a box/);
    const { text, snapshot } = await read(`${covered("First")}${lines}${covered("Last")}`, TICKING);
    expect(snapshot.hiddenCharacters).toBeGreaterThan(10);
    expect(text).not.toContain("First is under a box");
    expect(text).toContain("Last is under a box");
  });

  it("comes to an end with a page that grows as it is read", async () => {
    const { snapshot } = await read(
      `<main></main>`,
      `${TICKING}; let left = 500;
const grow = () => {
  document.querySelector("main").insertAdjacentHTML("beforeend", "<p>One more line.</p>".repeat(300));
  if (left-- > 0) setTimeout(grow, 0);
};
grow();`,
    );
    expect(snapshot.characters).toBeGreaterThan(5_000);
  });

  it.each([
    [
      "200,000 attributes",
      `document.querySelector("p").outerHTML = "<p " + Array.from({ length: 2e5 }, (_, at) => "a" + at).join(" ") + ">Seen.</p>"`,
    ],
    [
      "a body of 50,000 attributes",
      `document.body.outerHTML = "<body " + Array.from({ length: 5e4 }, (_, at) => "a" + at).join(" ") + "><h1>Harvest</h1><p>Seen.</p>"`,
    ],
    [
      "20,000 shadow trees",
      `const all = document.createDocumentFragment();
for (let at = 0; at < 2e4; at++) { const one = document.createElement("div"); one.attachShadow({ mode: "open" }).innerHTML = "<i>leaf</i>"; all.append(one); }
document.body.append(all)`,
    ],
    [
      "frames in frames",
      `let inner = document;
for (let at = 0; at < 60; at++) { const frame = inner.createElement("iframe"); frame.style = "width:900px;height:900px"; inner.body.append("level " + at, frame); inner = frame.contentDocument; }`,
    ],
    [
      "100 frames",
      `for (let at = 0; at < 100; at++) { const frame = document.createElement("iframe"); document.body.append(frame); frame.contentDocument.body.append("in frame " + at); }`,
    ],
    ["a text of 2 MB", `document.body.append(" <".repeat(1e6))`],
    [
      "white letters, each over thousands of boxes",
      `document.body.insertAdjacentHTML("beforeend", "<div style='position:relative;height:9000px'>" + "<div style='position:absolute;inset:0;background:#fffffe'></div>".repeat(20000) + "<p style='position:relative;color:white'>nothing</p>".repeat(3000) + "</div>")`,
    ],
    [
      "contexts in contexts, with thousands of boxes in the last",
      `document.body.insertAdjacentHTML("beforeend", "<div style='opacity:.999'>".repeat(400) + "<b style='position:relative;background:red;display:block'>box</b>".repeat(20000))`,
    ],
    [
      "thousands of pictures with words in one paragraph",
      `document.body.insertAdjacentHTML("beforeend", "<div>" + "x ".repeat(2e5) + Array.from({ length: 5000 }, (_, at) => "<img width=50 height=50 alt='picture of the bed number " + at + "'>").join("") + "</div>")`,
    ],
    [
      "a hundred scripts of facts, each of a megabyte",
      `for (let at = 0; at < 100; at++) { const facts = document.createElement("script"); facts.type = "application/ld+json"; facts.textContent = JSON.stringify(Array(1e4).fill({ "@type": "Article", name: "x".repeat(80) })); document.head.append(facts); }`,
    ],
  ])("is done with %s, and has read the rest", async (_, before) => {
    const { text, snapshot } = await read("<h1>Harvest</h1><p>Seen.</p>", before);
    expect(text).toContain("Seen.");
    expect(snapshot.characters).toBeLessThanOrEqual(2_000_000);
  });
});
