import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { type KnownPage, openPageMemory } from "./page-memory.ts";

const ORIGIN = "https://docs.example.com";
const pageAt = (path: string, etag = `"1"`): KnownPage => ({
  url: `${ORIGIN}${path}`,
  id: `web_${path}`,
  hash: "h",
  etag,
  at: "2026-01-02T03:04:05Z",
});

/** The one file in a folder. */
function fileIn(folder: string): string {
  const [name, ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  return join(folder, name ?? "");
}

describe("what is known of a site's pages", () => {
  it("is there in the next run, for this site alone, and for its owner's eyes", () => {
    const folder = join(temporaryFolder(), "sites");
    openPageMemory({ folder, keep: true }, ORIGIN).keep(pageAt("/a"));
    expect(openPageMemory({ folder, keep: true }, ORIGIN).of(`${ORIGIN}/a`)).toEqual(pageAt("/a"));
    expect(openPageMemory({ folder, keep: true }, "https://other.example.com").of(`${ORIGIN}/a`)).toBeUndefined();
    expect(statSync(fileIn(folder)).mode & 0o077).toBe(0);
  });

  it("does not grow with every run", () => {
    const folder = temporaryFolder();
    const memory = openPageMemory({ folder, keep: true }, ORIGIN);
    for (let n = 0; n < 200; n += 1) memory.keep(pageAt("/a", `"${n}"`));
    memory.keep(pageAt("/b"));
    const again = openPageMemory({ folder, keep: true }, ORIGIN);
    expect([again.of(`${ORIGIN}/a`)?.etag, again.of(`${ORIGIN}/b`)?.etag]).toEqual(['"199"', '"1"']);
    expect(readFileSync(fileIn(folder), "utf8").trimEnd().split("\n")).toHaveLength(2);
    again.keep(pageAt("/c"));
    expect(openPageMemory({ folder, keep: true }, ORIGIN).of(`${ORIGIN}/c`)).toEqual(pageAt("/c"));
  });

  it("outlives a line that was cut short, and takes what follows it", () => {
    const folder = temporaryFolder();
    openPageMemory({ folder, keep: true }, ORIGIN).keep(pageAt("/a"));
    appendFileSync(fileIn(folder), '{"url":"https://docs.exa');
    openPageMemory({ folder, keep: true }, ORIGIN).keep(pageAt("/b"));
    const again = openPageMemory({ folder, keep: true }, ORIGIN);
    expect(["/a", "/b"].map((path) => again.of(ORIGIN + path))).toEqual(["/a", "/b"].map((path) => pageAt(path)));
  });

  it("is not written where nothing is to be changed", () => {
    const folder = join(temporaryFolder(), "sites");
    const memory = openPageMemory({ folder, keep: false }, ORIGIN);
    memory.keep(pageAt("/a"));
    expect(memory.of(`${ORIGIN}/a`)).toEqual(pageAt("/a"));
    expect(() => readdirSync(folder)).toThrow("ENOENT");
  });
});
