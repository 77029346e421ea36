import { startBrowser } from "@threadlore/testkit/browser";
import { afterAll, describe, expect, it } from "vitest";
import type { PageSnapshot } from "../index.ts";
import { inPage, readPageScript } from "./read-page-script.harness.ts";
import { aroundThem, seenPages, unseenPages } from "./read-page-unseen.harness.ts";

const script = inPage(await readPageScript());

// Awaited here, where no time limit counts: it may install a browser first.
const browser = await startBrowser();

declare const threadlore: typeof import("./read-page.ts");

describe.runIf(browser)("what is on the page and not to be seen", { timeout: 60_000 }, () => {
  const tab = browser?.context.newPage();
  afterAll(() => browser?.close());

  async function read(html: string): Promise<{ snapshot: PageSnapshot; text: string }> {
    const open = await tab;
    if (open === undefined) throw new Error("There is no browser");
    // What one page said of its colours would go on for the next.
    await open.goto("about:blank");
    await open.setContent(html);
    const before = await open.evaluate("document.documentElement.outerHTML + scrollX + scrollY");
    await open.evaluate(script);
    const snapshot: PageSnapshot = await open.evaluate(() => threadlore.readPage(document, { whole: true }));
    expect(await open.evaluate("document.documentElement.outerHTML + scrollX + scrollY")).toBe(before);
    return { snapshot, text: snapshot.parts.map(({ heading, text }) => `${heading}\n${text}`).join("\n") };
  }

  it.each([...unseenPages])("T34 leaves out and counts: %s", async (_, html) => {
    const { snapshot, text } = await read(html);
    expect(text).not.toContain("canary");
    for (const sentence of aroundThem) expect(text).toContain(sentence);
    // Words about a picture are none of the page's letters.
    expect(snapshot.hiddenCharacters).toBeGreaterThan(html.includes('<img alt="canary') ? -1 : 20);
  });

  it("takes no words that a style alone writes", async () => {
    const style = "<style>main::before,p::after{content:'canary'}</style>";
    const { text } = await read((seenPages.get("opened") ?? "").replace("</head>", `${style}</head>`));
    expect(text).toContain("Unfolded and seen.");
    expect(text).not.toContain("canary");
  });

  it.each([...seenPages])("keeps what is seen: %s", async (_, html) => {
    const { text } = await read(html);
    const wanted = html.match(/[A-Z][\w ,]* seen\./g) ?? [];
    expect(wanted).not.toEqual([]);
    for (const sentence of [...wanted, ...aroundThem]) expect(text).toContain(sentence);
  });
});
