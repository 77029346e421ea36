import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { checkReport, writeReport } from "./report-file.ts";

function desk() {
  const folder = temporaryFolder();
  let said = "";
  const err = {
    isTerminal: false,
    colours: false,
    columns: 80,
    rows: 24,
    write: (text: string) => void (said += text),
  };
  return { terminal: { folder, err }, at: (name: string) => join(folder, name), said: () => said };
}

it("replaces a report by a new file, so that who reads the one before reads it whole, and leaves nothing beside it", async () => {
  const { terminal, at, said } = desk();
  writeFileSync(at("r.json"), "the run before");
  chmodSync(at("r.json"), 0o640);
  linkSync(at("r.json"), at("as it was opened"));
  await checkReport(terminal, "r.json");
  expect(readFileSync(at("r.json"), "utf8")).toBe("the run before");
  await writeReport(terminal, "r.json", "the run now");
  expect(readFileSync(at("r.json"), "utf8")).toBe("the run now");
  expect(readFileSync(at("as it was opened"), "utf8")).toBe("the run before");
  expect(statSync(at("r.json")).mode & 0o777).toBe(0o640);
  expect(readdirSync(terminal.folder).toSorted()).toEqual(["as it was opened", "r.json"]);
  expect(said()).toBe("Wrote r.json.\n");
});

it("looks whether one can be written without leaving anything, and makes its folder", async () => {
  const { terminal, at } = desk();
  await checkReport(terminal, "reports/r.json");
  expect(readdirSync(at("reports"))).toEqual([]);
  await writeReport(terminal, "reports/r.json", "a run");
  expect(readdirSync(at("reports"))).toEqual(["r.json"]);
  await checkReport(terminal, undefined);
  await writeReport(terminal, undefined, "a run");
  expect(readdirSync(terminal.folder)).toEqual(["reports"]);
});

it("writes through a link, which stays one, and into a pipe", async () => {
  const { terminal, at } = desk();
  mkdirSync(at("kept"));
  writeFileSync(at("kept/r.json"), "before");
  symlinkSync("kept/r.json", at("link.json"));
  await checkReport(terminal, "link.json");
  await writeReport(terminal, "link.json", "now");
  expect([lstatSync(at("link.json")).isSymbolicLink(), readFileSync(at("kept/r.json"), "utf8")]).toEqual([true, "now"]);
  execFileSync("mkfifo", [at("pipe")]);
  await checkReport(terminal, "pipe");
  const [text] = await Promise.all([readFile(at("pipe"), "utf8"), writeReport(terminal, "pipe", "through a pipe")]);
  expect([text, lstatSync(at("pipe")).isFIFO()]).toEqual(["through a pipe", true]);
});

it("says before anything is asked why a path cannot be written", async () => {
  const { terminal, at } = desk();
  mkdirSync(at("folder"));
  writeFileSync(at("file"), "");
  await expect(checkReport(terminal, "folder")).rejects.toThrow("The report folder cannot be written: it is a folder.");
  await expect(checkReport(terminal, "file/r.json")).rejects.toThrow("what should be a folder on its path is a file.");
});
