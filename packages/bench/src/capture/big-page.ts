import { fileURLToPath } from "node:url";
import type { TestBrowser } from "@threadlore/testkit/browser";
import { bundle } from "../bundle.ts";

const READER = fileURLToPath(import.meta.resolve("@threadlore/documents/read-page"));

declare const reader: typeof import("@threadlore/documents/read-page");

/** Longest time, milliseconds, that a page on a screen with a table of so many rows cannot do its own work while it is read. */
export async function longestHold(browser: TestBrowser, rows: number): Promise<number> {
  const tab = await browser.context.newPage();
  try {
    await tab.setContent("<!doctype html><title>Rows</title><body><h1>All rows</h1><table><tbody></table>");
    await tab.evaluate((count) => {
      const row = (at: number) => `<tr><td>${at}<td>Name of ${at}<td>Town ${at % 97}<td>${(at * 7) % 1000}.00`;
      const table = document.querySelector("tbody");
      if (table !== null) table.innerHTML = Array.from({ length: count }, (_, at) => row(at)).join("");
      // Laying it out is the page's own work.
      return document.body.offsetHeight;
    }, rows);
    await tab.evaluate(await bundle(READER, "reader"));
    return await tab.evaluate(async () => {
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
    });
  } finally {
    await tab.close();
  }
}
