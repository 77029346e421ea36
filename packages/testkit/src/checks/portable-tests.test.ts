import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../tidying.ts";
import { needsPrograms, playsBrowser, portableTests, weightOf } from "./portable-tests.ts";
import { programsLate } from "./sequencer.ts";

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

it("know which play a browser in their own process, by the test or by what it comes to", () => {
  file("testing/fake.ts", 'import { fakeBrowser } from "wxt/testing/fake-browser";');
  const played = file("played.test.ts", 'import "./testing/fake.ts";');
  const stored = file("kept.test.ts", 'import "fake-indexeddb/auto";');
  expect([...all, played, stored].filter(playsBrowser)).toEqual([played, stored]);
});

describe("the tests that drive programs of Debian's packages", () => {
  it("are those of a browser, of a desktop and of a database, by the test or by what it comes to", () => {
    const stored = file("stored.test.ts", 'import { testWithPostgres } from "@threadlore/testkit/postgres";');
    expect([plain, shell, signal].filter(needsPrograms)).toEqual([]);
    file("measured.ts", 'import { startBrowser } from "@threadlore/testkit/browser";');
    const measuring = file("measuring.test.ts", 'import { measure } from "./measured.ts";');
    const driving = [browser, database, stored, measuring];
    expect(driving.filter(needsPrograms)).toEqual(driving);
  });

  it("run late, the largest with what serves it first, and those last that have a process of their own", () => {
    const long = file("long.test.ts", `${readFileSync(browser, "utf8")}${" ".repeat(1_000)}`);
    const spec = (moduleId: string, isolate: boolean) => ({ moduleId, project: { config: { isolate } } });
    const given = [spec(browser, true), spec(long, true), spec(shell, false), spec(database, false), spec(plain, true)];
    const sorted = programsLate(given).map(({ moduleId }) => moduleId);
    expect(sorted).toEqual([plain, database, shell, long, browser]);
  });

  it("are spread among those that drive none, of which a third comes before", () => {
    const spec = (moduleId: string) => ({ moduleId, project: { config: { isolate: false } } });
    const others = Array.from({ length: 9 }, (_, at) => spec(file(`other-${at}.test.ts`, "it()")));
    const driving = Array.from({ length: 3 }, (_, at) =>
      spec(file(`driving-${at}.test.ts`, `${readFileSync(browser, "utf8")}${" ".repeat(100 - at)}`)),
    );
    const sorted = programsLate([...driving, ...others]);
    expect(sorted.filter((test) => !driving.includes(test))).toEqual(others);
    expect(driving.map((test) => sorted.indexOf(test))).toEqual([3, 6, 9]);
  });

  it("weigh more for what serves them, and most for their own text", () => {
    const served = readFileSync(database, "utf8");
    const unserved = file("unserved.test.ts", " ".repeat(served.length));
    expect(weightOf(database)).toBeGreaterThan(weightOf(unserved));
    file("testing/large.ts", " ".repeat(1_000));
    const small = file("small.test.ts", 'import { large } from "./testing/large.ts";');
    const own = file("own.test.ts", " ".repeat(900));
    expect(weightOf(own)).toBeGreaterThan(weightOf(small));
  });
});
