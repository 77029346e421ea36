import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Serving, startServing } from "@threadlore/cli";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser } from "./find-browser.ts";
import { openHandbookSite } from "./handbook-site.ts";
import { offerExtension } from "./in-the-browser.ts";
import { silentTerminal } from "./testing/silent-terminal.ts";
import { temporaryFolder } from "@threadlore/testkit";

let serving: Serving;
beforeAll(async () => {
  serving = await startServing({ folder: temporaryFolder(), port: 0, log: () => {} });
});
afterAll(() => serving.close());

/** The service, under the address it would usually have. */
const usual = () => ({ files: serving.files, apiKey: serving.apiKey ?? "", url: "http://127.0.0.1:8411" });

/** A program in the place of the build. */
function build(text: string): string {
  const path = join(temporaryFolder(), "build.mjs");
  writeFileSync(path, text);
  return path;
}

describe("the extension that start offers", () => {
  it("is said how to load, with a code that pairs it", async () => {
    const { terminal, said } = silentTerminal();
    await offerExtension(terminal, { service: usual(), folder: serving.files.folder, open: false, build: build("") });
    expect(said()).toContain("chrome://extensions");
    expect(said()).toContain("extension/dist/chrome-mv3");
    expect(said()).toContain("about:debugging#/runtime/this-firefox");
    expect(said()).toContain("extension/dist/firefox-mv3/manifest.json");
    const [, code = ""] = /asks for a code: (\S+), good for ten minutes/.exec(said()) ?? [];
    const reply = await fetch(`${serving.url}/pairing`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: `chrome-extension://${"a".repeat(32)}` },
      body: JSON.stringify({ code }),
    });
    expect(reply.status).toBe(200);
  });

  it("that cannot be built stops nothing, and says what the build says", async () => {
    const { terminal, said } = silentTerminal();
    const failing = build('console.error("locales/de.yml: panel.stop is missing.");process.exitCode=1;');
    const offered = await offerExtension(terminal, {
      service: usual(),
      folder: serving.files.folder,
      open: true,
      build: failing,
    });
    expect(offered.closed).toBeUndefined();
    expect(said()).toContain("could not be built; everything else works");
    expect(said()).toContain("  locales/de.yml: panel.stop is missing.\n");
    expect(said()).not.toContain("chrome://extensions");
  });

  it.each([
    ["no browser is here", { PATH: "" }, "name it in CHROME_PATH"],
    ["the browser is named wrongly", { CHROME_PATH: "/nowhere/chromium" }, "CHROME_PATH names /nowhere/chromium"],
    ["the browser does not start", { CHROME_PATH: "/bin/false" }, "could not be opened; everything else works"],
  ])("is said how to load where %s", async (_, env, words) => {
    const { terminal, said } = silentTerminal(env);
    const offered = await offerExtension(terminal, {
      service: usual(),
      folder: serving.files.folder,
      open: true,
      build: build(""),
    });
    expect(offered.closed).toBeUndefined();
    expect(said()).toContain(words);
    expect(said()).toContain("chrome://extensions");
  });
});

describe("the browser to open", () => {
  it("is the one CHROME_PATH names, else one on the path, Chromium before Chrome", () => {
    const folder = temporaryFolder();
    const program = (name: string) => {
      const path = join(folder, name);
      writeFileSync(path, "");
      chmodSync(path, 0o755);
      return path;
    };
    const chrome = program("google-chrome");
    mkdirSync(join(folder, "empty"));
    const PATH = [join(folder, "empty"), folder].join(delimiter);
    expect(findBrowser({ PATH })).toBe(chrome);
    const chromium = program("chromium");
    expect(findBrowser({ PATH })).toBe(chromium);
    expect(findBrowser({ PATH, CHROME_PATH: chrome })).toBe(chrome);
  });
});

describe("the handbook's pages", () => {
  it("show the handbook and a notice, each under an address of its own, and nothing else", async () => {
    const site = await openHandbookSite(0);
    const second = await openHandbookSite(Number(new URL(site.url).port));
    try {
      const front = await (await fetch(second.url)).text();
      expect(front).toContain("<h1>Open Harbour Day in Peniche</h1>");
      const [leave = ""] = /\/handbook\/leave[\w-]+/.exec(front) ?? [];
      const page = await (await fetch(`${site.url}${leave}`)).text();
      expect(page).toContain("<title>Leave and holidays · Tidewell</title>");
      expect(page).toContain("28 working days");
      expect((await fetch(`${site.url}/../package.json`)).status).toBe(404);
    } finally {
      await Promise.all([site.close(), second.close()]);
    }
  });
});
