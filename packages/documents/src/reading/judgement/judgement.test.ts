import { startBrowser } from "@threadlore/testkit/browser";
import { afterAll, describe, expect, it } from "vitest";
import { inPage, readPageScript } from "../read-page-script.harness.ts";

// Awaited here, where no time limit counts: it may install a browser first.
const browser = await startBrowser();

declare const threadlore: typeof import("../read-page.ts");

const beds = ["beans", "leeks", "peas", "chard", "kale", "squash"];
const about = (bed: string) =>
  `The committee measured the ${bed} for six weeks, and wrote down each morning how many of them the slugs had left.`;
const paragraphs = (of: readonly string[]) => of.map((bed) => `<p>${about(bed)}</p>`).join("");
const article = (inside: string, after = "") =>
  `<!doctype html><title>Slugs</title><main><article><h1>Slugs</h1>${inside}</article>${after}</main>`;

describe.runIf(browser)("what is taken of a page", { timeout: 60_000 }, () => {
  const tab = browser?.context.newPage().then(async (page) => {
    await page.evaluate(inPage(await readPageScript()));
    return page;
  });
  afterAll(() => browser?.close());

  async function textOf(html: string): Promise<string> {
    const open = await tab;
    if (open === undefined) throw new Error("There is no browser");
    return open.evaluate((source) => {
      const page = new DOMParser().parseFromString(source, "text/html");
      const { parts } = threadlore.readPageAtOnce(page, { url: "https://allotment.example/slugs" });
      return parts.map(({ heading, text }) => `${heading}\n${text}`).join("\n");
    }, html);
  }
  const times = (text: string, part: string) => text.split(part).length - 1;

  it("stands there once, though the page brings it again for narrow screens", async () => {
    const text = await textOf(
      article(`<div class="wide">${paragraphs(beds)}</div><div class="narrow">${paragraphs(beds)}</div>`),
    );
    for (const bed of beds) expect(times(text, about(bed))).toBe(1);
  });

  it("is each of many texts that differ in a figure only", async () => {
    const rows = Array.from(
      { length: 8 },
      (_, at) =>
        `<p>The bed at row ${at + 2} lost ${at + 30} plants to slugs that came over the wall in one night.</p>`,
    );
    const text = await textOf(article(rows.join("")));
    for (let at = 0; at < 8; at++) expect(text).toContain(`lost ${at + 30} plants`);
  });

  it("is a picture in a line of text by its words, and none that stands beside so much text", async () => {
    const inLine = `<p>Press <img alt="the green button"> when the can is full, and the tap closes by itself.</p>`;
    const beside = `<figure><img alt="Two rows of beans behind the shed"></figure>`;
    const text = await textOf(article(paragraphs(beds) + inLine + beside));
    expect(text).toContain("Press [image: the green button] when");
    expect(text).not.toContain("behind the shed");
  });

  it("is the picture itself where there is little else", async () => {
    const text = await textOf(
      article(`<figure><img alt="Two rows of beans behind the shed"></figure><p>${about("beans")}</p>`),
    );
    expect(text).toContain("[image: Two rows of beans behind the shed]");
  });
});
