import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { browserProgram, firefoxProgram } from "./browser-program.ts";
import { desktopPrograms, japaneseFont } from "./desktop-programs.ts";

const empty = mkdtempSync(join(tmpdir(), "threadlore-path-"));
const filled = mkdtempSync(join(tmpdir(), "threadlore-path-"));
afterAll(() => [empty, filled].forEach((folder) => rmSync(folder, { recursive: true })));

function program(name: string, mode = 0o755): string {
  const path = join(filled, name);
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

describe("the browser to test with", () => {
  it.each([
    ["CHROME_PATH", browserProgram],
    ["FIREFOX_PATH", firefoxProgram],
  ])("is the one %s names, and nothing else when that is wrong", async (variable, find) => {
    const named = program("my-browser");
    expect(await find({ [variable]: named, PATH: "" })).toBe(named);
    const wrong = find({ [variable]: join(empty, "chromium"), PATH: filled });
    await expect(wrong).rejects.toThrow(new RegExp(`^${variable} names .+ Correct it`));
  });

  it("is a program on the path, Chromium before Chrome", async () => {
    const PATH = [empty, filled].join(delimiter);
    program("chromium", 0o644);
    const chrome = program("google-chrome");
    expect(await browserProgram({ PATH })).toBe(chrome);
    const chromium = program("chromium-browser");
    expect(await browserProgram({ PATH })).toBe(chromium);
    const firefox = program("firefox");
    expect(await firefoxProgram({ PATH })).toBe(firefox);
  });
});

describe("what tests need", () => {
  it.each([
    ["Chromium", browserProgram, /tests in a real browser .+ apt-get install chromium .+ CHROME_PATH/],
    ["Firefox", firefoxProgram, /tests in a real Firefox .+ apt-get install firefox-esr .+ FIREFOX_PATH/],
    ["a screen", desktopPrograms, /tests of menus, .+ apt-get install xvfb xdotool\)/],
    ["a Japanese font", japaneseFont, /pictures with Japanese text .+ apt-get install fonts-/],
  ])("is missed aloud, once, with what to do: %s", async (_, find, said) => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const tries = [await find({ PATH: empty }), await find({ PATH: empty })];
    const told = write.mock.calls.map(([text]) => String(text));
    write.mockRestore();
    expect(tries.some(Boolean)).toBe(false);
    expect(told).toEqual([
      expect.stringMatching(/^skipped: .+ left out, because .+ Install one .+ run the tests again/),
    ]);
    expect(told[0]).toMatch(said);
  });

  it("is two programs for a screen, and one of them is none", async () => {
    const screen = program("Xvfb");
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(await desktopPrograms({ PATH: filled })).toBeUndefined();
    write.mockRestore();
    const hand = program("xdotool");
    expect(await desktopPrograms({ PATH: filled })).toEqual({ screen, hand });
  });
});
