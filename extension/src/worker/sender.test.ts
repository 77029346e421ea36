import { freshBrowser } from "../testing/fake-browser.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeBrowser } from "wxt/testing/fake-browser";
import { isOwnPage } from "./sender.ts";

describe("T9 who is listened to", () => {
  beforeEach(freshBrowser);

  it("is a page of the extension, in a tab or beside one", () => {
    const { id } = fakeBrowser.runtime;
    const own = fakeBrowser.runtime.getURL("/sidepanel.html" as never);
    expect(isOwnPage({ id, url: own })).toBe(true);
    expect(isOwnPage({ id, url: own, origin: new URL(own).href.split("/sidepanel")[0] })).toBe(true);
  });

  it("is no script in a page, no other extension, and nobody who only looks alike", () => {
    const { id } = fakeBrowser.runtime;
    const own = fakeBrowser.runtime.getURL("/sidepanel.html" as never);
    for (const sender of [
      {},
      { id },
      { url: own },
      { id, url: "https://evil.example/" },
      { id, url: `https://evil.example/?${own}` },
      { id, url: own.replace("://", "://x") },
      { id: "other-extension", url: own },
      { id, url: own, origin: "https://evil.example" },
      { id, url: own, origin: "null" },
    ])
      expect(isOwnPage(sender), JSON.stringify(sender)).toBe(false);
  });
});
