import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { startBrowser } from "./browser.ts";

const browser = await startBrowser();
afterAll(() => browser?.close());

// How a program was started is read where Linux tells it.
describe.runIf(browser !== undefined && process.platform === "linux")("the Chromium of tests", () => {
  const connect = async () => {
    const session = await browser?.context.browser()?.newBrowserCDPSession();
    if (session === undefined) throw new Error("There is no browser to speak with.");
    return session;
  };

  it("has switched off whatever Playwright switches off, and more", async () => {
    const { processInfo } = await (await connect()).send("SystemInfo.getProcessInfo");
    const main = processInfo.find(({ type }) => type === "browser");
    const words = readFileSync(`/proc/${main?.id}/cmdline`, "utf8").split("\0");
    const lists = words
      .filter((word) => word.startsWith("--disable-features="))
      .map((word) => word.slice(word.indexOf("=") + 1).split(","));
    // The last one counts.
    const [theirs = [], ours = []] = lists;
    expect(lists).toHaveLength(2);
    expect(ours).toEqual(expect.arrayContaining(theirs));
    expect(ours.length).toBeGreaterThan(theirs.length);
  });

  it("loads no pages of its own that nobody sees", async () => {
    const { targetInfos } = await (await connect()).send("Target.getTargets", { filter: [{}] });
    expect(targetInfos.filter(({ type }) => type === "browser_ui")).toEqual([]);
  });
});
