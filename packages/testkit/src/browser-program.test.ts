import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { browserProgram } from "./browser-program.ts";

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
  it("is the one CHROME_PATH names, and nothing else when that is wrong", async () => {
    const named = program("my-browser");
    expect(await browserProgram({ CHROME_PATH: named, PATH: "" })).toBe(named);
    const wrong = browserProgram({ CHROME_PATH: join(empty, "chromium"), PATH: filled });
    await expect(wrong).rejects.toThrow(/CHROME_PATH names .+ Correct it/);
  });

  it("is a program on the path, Chromium before Chrome", async () => {
    const PATH = [empty, filled].join(delimiter);
    program("chromium", 0o644);
    const chrome = program("google-chrome");
    expect(await browserProgram({ PATH })).toBe(chrome);
    const chromium = program("chromium-browser");
    expect(await browserProgram({ PATH })).toBe(chromium);
  });

  it("is missed aloud, once, with what to do", async () => {
    const log = vi.spyOn(console, "log").mockReturnValue();
    expect(await browserProgram({ PATH: empty })).toBeUndefined();
    expect(await browserProgram({ PATH: empty })).toBeUndefined();
    expect(log.mock.calls.flat()).toEqual([
      expect.stringMatching(/^skipped: .+ left out, .+ Install one .+ CHROME_PATH/),
    ]);
    log.mockRestore();
  });
});
