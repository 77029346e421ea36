import { freshBrowser } from "../testing/fake-browser.ts";
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeBrowser } from "wxt/testing/fake-browser";
import { closeNews, hasNews, KNOWN, NOTES_OF, noteUpdate } from "./news.ts";

/** Lets this version of the extension run. */
function run(version: string): void {
  Object.assign(fakeBrowser.runtime, { getManifest: () => ({ version }) });
}

const [major = "", minor = ""] = NOTES_OF.split(".");
const before = `${major}.${Number(minor) - 1}`;

describe("what is new", () => {
  beforeEach(freshBrowser);

  it("has notes for the version that is built, or for the one that comes next", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(NOTES_OF.localeCompare(version.split(".", 2).join("."), "en", { numeric: true })).toBeGreaterThanOrEqual(0);
  });

  it("is nothing to whoever installs the extension", async () => {
    run(`${NOTES_OF}.0`);
    expect(await hasNews()).toBe(false);
  });

  it("is told after an update, from a version too that remembered nothing, until it is closed", async () => {
    run(`${NOTES_OF}.0`);
    await noteUpdate(`${before}.4`);
    expect(await hasNews()).toBe(true);
    // The next small update before anybody has seen it.
    run(`${NOTES_OF}.1`);
    await noteUpdate(`${NOTES_OF}.0`);
    expect(await hasNews()).toBe(true);
    await closeNews();
    expect(await hasNews()).toBe(false);
  });

  it("is not told by a version the notes are not of, nor to whoever goes back", async () => {
    run(`${before}.9`);
    await noteUpdate(`${before}.1`);
    expect(await hasNews()).toBe(false);
    await KNOWN.write("99.0");
    run(`${NOTES_OF}.0`);
    expect(await hasNews()).toBe(false);
  });
});
