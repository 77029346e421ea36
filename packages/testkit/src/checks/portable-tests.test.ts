import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../tidying.ts";
import { portableTests } from "./portable-tests.ts";

const folder = temporaryFolder();
mkdirSync(join(folder, "testing"));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const plain = file("plain.test.ts", 'import { it } from "vitest";');
const browser = file("browser.test.ts", 'import { startBrowser } from "@threadlore/testkit/browser";');
file("testing/postgres.ts", 'import { debianProgram } from "@threadlore/testkit/debian";');
const database = file("database.test.ts", 'import { database } from "./testing/postgres.ts";');
const shell = file("shell.test.ts", 'spawn("bash", ["-c", "true"]);');
const signal = file("signal.test.ts", 'child.kill("SIGTERM");');
const all = [plain, browser, database, shell, signal];

describe("the tests that run without Debian's packages", () => {
  it("are all of them on Linux", () => {
    expect(portableTests(all, "linux")).toEqual({ run: all, leftOut: [] });
  });

  it("leave out what needs a program, in the test itself or in what serves it, and say why", () => {
    const { run, leftOut } = portableTests(all, "darwin");
    expect(run).toEqual([plain, shell, signal]);
    expect(leftOut.map((left) => left.file)).toEqual([browser, database]);
    expect(leftOut[0]?.reason).toBe("drives a browser or another program that Debian's packages bring");
  });

  it("leave out on Windows what a shell or signals are needed for", () => {
    expect(portableTests(all, "win32").run).toEqual([plain]);
  });
});
