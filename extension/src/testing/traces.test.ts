import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tracesOf } from "./traces.ts";

describe("looking through a browser's folder for words", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "threadlore-traces-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function put(place: string, held: Buffer): string {
    mkdirSync(join(folder, place), { recursive: true });
    const path = join(folder, place, "held");
    writeFileSync(path, held);
    return path;
  }

  it("finds a word however deep it lies, in either spelling of its letters", async () => {
    const paths = [put("a", Buffer.from("x Grobben y")), put("a/b/c", Buffer.from("grobben", "utf16le"))];
    put("d", Buffer.from("nothing"));
    const found = new Set(await tracesOf(folder, ["Grobben", "absent"]));
    expect(found).toEqual(new Set(paths.map((path) => `Grobben in ${path}`)));
  });

  it("goes on where folders are removed meanwhile", async () => {
    const kept = put("kept", Buffer.from("grobben"));
    for (let round = 0; round < 20; round++) {
      for (let index = 0; index < 40; index++) put(`gone-${index}/below`, Buffer.from("other"));
      const looking = tracesOf(folder, ["grobben"]);
      await new Promise((resolve) => setTimeout(resolve, round % 4));
      for (let index = 0; index < 40; index++) rmSync(join(folder, `gone-${index}`), { recursive: true });
      expect(await looking).toEqual([`grobben in ${kept}`]);
    }
  });

  it("says when the folder is not there: nothing found in nothing proves nothing", async () => {
    await expect(tracesOf(join(folder, "absent"), ["grobben"])).rejects.toThrow(/ENOENT/);
  });
});
