import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { builtExtension } from "../testing/build-once.ts";
import { BUDGETS, checkBundle } from "./check-bundle.ts";

describe("the built extension", () => {
  let folder: Record<"chrome" | "firefox", string>;
  beforeAll(async () => {
    folder = { chrome: await builtExtension("chrome"), firefox: await builtExtension("firefox") };
  }, 300_000);

  it.each(["chrome", "firefox"] as const)("for %s holds nothing it must not, within its budgets", (browser) => {
    const { sizes, faults } = checkBundle(folder[browser]);
    expect(faults).toEqual([]);
    expect(sizes["panel"]).toBeGreaterThan(1_000);
    expect(sizes["background"]).toBeGreaterThan(1_000);
  });

  it.each(["chrome", "firefox"] as const)("G15 for %s asks for no more than this", (browser) => {
    const manifest: unknown = JSON.parse(readFileSync(join(folder[browser], "manifest.json"), "utf8"));
    expect(manifest).toMatchSnapshot();
    for (const never of ["content_scripts", "web_accessible_resources", "externally_connectable", "host_permissions"]) {
      expect(manifest).not.toHaveProperty(never);
    }
  });
});

describe("the check of a bundle", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "threadlore-bundle-"));
    mkdirSync(join(folder, "chunks"));
    write("manifest.json", '{"minimum_chrome_version":"126"}');
    write("sidepanel.html", '<script type="module" src="/chunks/panel.js"></script>');
    write("chunks/panel.js", 'import{a}from"./preact.js";import("./pdf-reader.js");');
    write("chunks/preact.js", "export const a=1;");
    write("chunks/pdf-reader.js", "export const b=2;");
    write("background.js", "chrome.runtime.onMessage.addListener(()=>{});");
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

  it("finds nothing wrong with what is right", () => {
    expect(checkBundle(folder).faults).toEqual([]);
  });

  it("weighs what the panel starts with, and what comes later apart", () => {
    write("chunks/preact.js", randomBytes(BUDGETS["panel"] ?? 0).toString("hex"));
    expect(checkBundle(folder).faults).toEqual([expect.stringMatching(/^panel is \d+ bytes compressed/)]);
    write("chunks/preact.js", "");
    write("chunks/pdf-reader.js", randomBytes(100_000).toString("hex"));
    expect(checkBundle(folder)).toMatchObject({ faults: [], sizes: { pdf: expect.any(Number) } });
    write("chunks/history.js", randomBytes(BUDGETS["on demand"] ?? 0).toString("hex"));
    expect(checkBundle(folder).faults).toEqual([expect.stringMatching(/^on demand is \d+ bytes compressed/)]);
    write("chunks/once-drawn-x1.js", 'import"./history.js";');
    expect(checkBundle(folder).faults).toEqual([]);
    write("chunks/history.js", randomBytes(BUDGETS["once drawn"] ?? 0).toString("hex"));
    expect(checkBundle(folder).faults).toEqual([expect.stringMatching(/^once drawn is \d+ bytes compressed/)]);
  });

  it("weighs what comes with a question apart, without what was loaded once the panel was drawn", () => {
    write("chunks/once-drawn-x1.js", 'import"./client.js";import("./to-ask-x1.js");');
    write("chunks/to-ask-x1.js", 'import"./client.js";import"./markdown.js";');
    write("chunks/client.js", randomBytes(20_000).toString("hex"));
    write("chunks/markdown.js", randomBytes(20_000).toString("hex"));
    const { sizes, faults } = checkBundle(folder);
    expect(faults).toEqual([]);
    for (const part of ["once drawn", "to ask"]) expect(sizes[part]).toBeLessThan(30_000);
    write("chunks/markdown.js", randomBytes(BUDGETS["to ask"] ?? 0).toString("hex"));
    expect(checkBundle(folder).faults).toEqual([expect.stringMatching(/^to ask is \d+ bytes compressed/)]);
  });

  it("weighs what only the settings load apart from what the panel loads later", () => {
    write("options.html", '<script type="module" src="/chunks/options.js"></script>');
    write("chunks/options.js", 'import{b}from"./pdf-reader.js";import{c}from"./form.js";import{d}from"./shared.js";');
    write("chunks/panel.js", 'import{a}from"./preact.js";import(`./shared.js`);');
    write("chunks/form.js", randomBytes(BUDGETS["settings"] ?? 0).toString("hex"));
    expect(checkBundle(folder).faults).toEqual([expect.stringMatching(/^settings is \d+ bytes compressed/)]);
    write("chunks/form.js", "");
    write("chunks/shared.js", randomBytes(BUDGETS["on demand"] ?? 0).toString("hex"));
    expect(checkBundle(folder).faults).toEqual([expect.stringMatching(/^on demand is/)]);
  });

  it("weighs the worker", () => {
    write("background.js", randomBytes(BUDGETS["background"] ?? 0).toString("hex"));
    expect(checkBundle(folder).faults).toEqual([expect.stringMatching(/^background is/)]);
  });

  it.each([
    ["innerHTML beyond Preact's own", "a.innerHTML=b;".repeat(9)],
    ["an admin operation", 'fetch("/manage/admin/credential/swap")'],
    ["another admin operation", 'fetch("/admin/tool/custom/validate")'],
    ["a listener for other extensions", "chrome.runtime.onMessageExternal.addListener(a)"],
    ["code from elsewhere", 'import("https://cdn.example/x.js")'],
    ["text that becomes code", 'eval("1")'],
    ["text that becomes markup", "a.insertAdjacentHTML('x',b)"],
  ])("finds %s", (_, text) => {
    write("chunks/preact.js", text);
    expect(checkBundle(folder).faults).toHaveLength(1);
  });

  it("finds what the oldest browser of the manifest does not have, in Chrome and in Firefox", () => {
    write("chunks/pdf-reader.js", "URL.parse(a);");
    expect(checkBundle(folder).faults).toEqual([]);
    write("manifest.json", '{"minimum_chrome_version":"125"}');
    expect(checkBundle(folder).faults).toEqual([expect.stringContaining("pdf-reader.js uses URL.parse")]);
    write("manifest.json", '{"browser_specific_settings":{"gecko":{"strict_min_version":"125.0"}}}');
    expect(checkBundle(folder).faults).toEqual([expect.stringContaining("needs firefox 126")]);
    write("manifest.json", "{}");
    expect(checkBundle(folder).faults).toEqual([expect.stringContaining("names no oldest browser")]);
  });

  it.each(["<script>a()</script>", '<b onclick="a()">', '<link rel="stylesheet" href="https://fonts.example/x.css">'])(
    "finds %s in a page",
    (text) => {
      write("options.html", text);
      expect(checkBundle(folder).faults).toHaveLength(1);
    },
  );
});
