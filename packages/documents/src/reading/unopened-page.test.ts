import { startBrowser } from "@threadlore/testkit/browser";
import { afterAll, describe, expect, it } from "vitest";
import type { PageSnapshot } from "../index.ts";
import { inPage, readPageScript } from "./read-page-script.harness.ts";

// Awaited here, where no time limit counts: it may install a browser first.
const browser = await startBrowser();

declare const threadlore: typeof import("./read-page.ts");

const sentences = (about: string) =>
  `<p>The committee measured the ${about} for six weeks, and wrote down each morning what it had found.</p>`.repeat(3);

describe.runIf(browser)("a page whose scripts have not run", { timeout: 60_000 }, () => {
  const tab = browser?.context.newPage().then(async (page) => {
    await page.evaluate(inPage(await readPageScript()));
    return page;
  });
  afterAll(() => browser?.close());

  async function read(html: string): Promise<{ snapshot: PageSnapshot; text: string }> {
    const open = await tab;
    if (open === undefined) throw new Error("There is no browser");
    const snapshot: PageSnapshot = await open.evaluate(
      (source) =>
        threadlore.readPage(new DOMParser().parseFromString(source, "text/html"), { url: "https://a.example/" }),
      html,
    );
    return { snapshot, text: snapshot.parts.map(({ text }) => text).join("\n") };
  }

  /** What a page is made of again by its scripts. */
  const data = `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ beans: "water ".repeat(2_000) })}</script>`;
  const style = `<style>${".bed{color:green}".repeat(500)}</style>`;

  it("is read though it hides its text until they run, however much data they bring", async () => {
    const { text } = await read(`<div>Loading</div><div hidden>${sentences("beans")}</div>${data}${style}`);
    expect(text).toContain("measured the beans");
    expect(text).not.toMatch(/water|green/);
  });

  it("is read with what React sent later than the rest", async () => {
    const late = ["beans", "leeks", "peas", "chard", "kale"];
    const parts = late.map((about, at) => `<div hidden id="S:${at}">${sentences(about)}</div>`);
    const { text } = await read(`<main><h1>Beds</h1></main>${parts.join("")}${data}`);
    for (const about of late) expect(text).toContain(`measured the ${about}`);
  });

  it("is read past a hidden form whose fields bear the names of what is asked of it", async () => {
    const fields = `<input name="nodeType"><input name="querySelectorAll"><input name="textContent">`;
    const { text } = await read(`<main>${sentences("beans")}</main><form hidden>canary${fields}</form>`);
    expect(text).toContain("measured the beans");
    expect(text).not.toContain("canary");
  });

  it("keeps out what is hidden beside all that is not, and counts its letters, not its scripts'", async () => {
    const hidden = `<div hidden>canary${data}${style}</div>`;
    const { snapshot, text } = await read(`<main>${sentences("beans")}</main>${hidden}`);
    expect(text).not.toContain("canary");
    expect(snapshot.hiddenCharacters).toBe(6);
  });
});
