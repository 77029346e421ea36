import { fileURLToPath } from "node:url";
import type { TestBrowser } from "@threadlore/testkit/browser";
import { bundle } from "../bundle.ts";
import { median } from "../measure.ts";

const READER = fileURLToPath(import.meta.resolve("@threadlore/documents/read-page"));

declare const reader: typeof import("@threadlore/documents/read-page");

const many = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join("");

const section = (at: number): string =>
  `<h2>Bed ${at}</h2><p>The committee measured bed ${at} for <a href=x>six weeks</a>, and found that <b>two</b> deep waterings a week gave a third more pods than a daily sprinkle did in ${at * 3}.</p>`;

/** A list of ten entries, each with such a list, so many levels deep. */
const lists = (levels: number): string =>
  levels === 0 ? "" : `<ul>${many(10, (at) => `<li>entry ${levels} ${at}${lists(levels - 1)}</li>`)}</ul>`;

const post = (at: number): string =>
  `<div class=post><a href=u>user ${at}</a><p>I think that bed ${at} was watered too much, <a href=a${at}>see here</a>.</p><div>${many(8, (link) => `<a href=l${at}-${link}>link ${link}</a> `)}</div></div>`;

/** The bodies of large pages of many shapes, by what they are; `share`: how large, of the size that is named. */
export const BIG_PAGES: Readonly<Record<string, (share: number) => string>> = {
  "30,000 rows": (share) =>
    `<table>${many(30_000 * share, (at) => `<tr><td>${at}<td>Name of ${at}<td>Town ${at % 97}<td>${(at * 7) % 1000}.00`)}</table>`,
  "a paragraph of 5 MB": (share) => `<p>${many(200_000 * share, (at) => `bed ${at} was measured, twice. `)}</p>`,
  "a paragraph of 60,000 links": (share) =>
    `<p>${many(60_000 * share, (at) => `bed <a href=y>${at}</a> was measured. `)}</p>`,
  "100,000 boxes": (share) => many(100_000 * share, (at) => `<div>line ${at} of all</div>`),
  "100,000 boxes, 500 in each other": (share) =>
    many(
      200 * share,
      (at) => `${many(500, (deep) => (deep % 50 === 0 ? `<div>line ${at} ${deep}` : "<div>"))}${"</div>".repeat(500)}`,
    ),
  "10,000 entries of lists in lists": (share) => many(share, () => lists(4)),
  "a forum of 20,000 links": (share) => many(2_000 * share, post),
  "40,000 lines of code": (share) =>
    `<pre>${many(40_000 * share, (at) => `<span><i>const</i> a${at} = ${at};</span>\n`)}</pre>`,
  // As much as each extractor is just asked about.
  "1,900 chapters": (share) => `<main>${many(1_900 * share, section)}</main>`,
  "590 chapters": (share) => `<main>${many(590 * share, section)}</main>`,
};

/** How often each is read. */
const ROUNDS = 3;

/**
 * Longest time, milliseconds, that a page on a screen with such a body cannot do its own work while it is read: the
 * median of three readings.
 */
export async function longestHold(browser: TestBrowser, body: string): Promise<number> {
  const holds: number[] = [];
  const script = await bundle(READER, "reader");
  for (let round = 0; round < ROUNDS; round++) {
    const tab = await browser.context.newPage();
    try {
      await tab.setContent("<!doctype html><title>Beds</title><body></body>");
      await tab.evaluate((html) => {
        document.body.innerHTML = `<h1>All beds</h1>${html}`;
        // Laying it out is the page's own work.
        return document.body.offsetHeight;
      }, body);
      await tab.evaluate(script);
      holds.push(await tab.evaluate(holdWhileReading));
    } finally {
      await tab.close();
    }
  }
  return median(holds);
}

/** Runs in the page: messages to itself are its own work. */
async function holdWhileReading(): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let [last, longest] = [performance.now(), 0];
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  port1.addEventListener("message", () => {
    look();
    port2.postMessage(0);
  });
  port1.start();
  port2.postMessage(0);
  await reader.readPage(document);
  look();
  port1.close();
  return longest;
}
