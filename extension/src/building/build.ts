/**
 * Builds the extension for Chromium and Firefox: a folder to load and a package for the store of each, checked before
 * anybody gets them. Ends with status 1 and says why where a check fails. With `--if-changed` it does nothing where the
 * last good build was made from the same sources.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zip } from "wxt";
import { BUDGETS, checkBundle } from "./check-bundle.ts";
import { checkLocales } from "./check-locales.ts";
import { QUIET } from "./quiet.ts";
import { wordForSources } from "./sources.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Browsers and what their builds are called. */
const TARGETS = [
  { browser: "chrome", folder: "dist/chrome-mv3", use: "Chrome, Edge and other Chromium browsers" },
  { browser: "firefox", folder: "dist/firefox-mv3", use: "Firefox" },
] as const;

/** Says what the last good build was made from. */
const MADE_FROM = join(ROOT, "dist/made-from.txt");

const sources = wordForSources();
if (process.argv.includes("--if-changed") && isBuilt()) console.log("Built already, from these sources.");
else process.exitCode = await buildAll();

function isBuilt(): boolean {
  const isThere = TARGETS.every(({ folder }) => existsSync(join(ROOT, folder, "manifest.json")));
  return isThere && existsSync(MADE_FROM) && readFileSync(MADE_FROM, "utf8").trim() === sources;
}

/** Returns the exit status. */
async function buildAll(): Promise<number> {
  // Whatever the shell says: this is what is shipped.
  process.env["NODE_ENV"] = "production";
  rmSync(MADE_FROM, { force: true });
  const problems = await checkLocales(join(ROOT, "locales"));
  if (problems.length === 0) {
    for (const target of TARGETS) problems.push(...(await buildOne(target)));
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;
  writeFileSync(MADE_FROM, `${sources}\n`);
  return 0;
}

/** Returns what is wrong with it. */
async function buildOne({ browser, folder, use }: (typeof TARGETS)[number]): Promise<string[]> {
  const packages = await zip({ root: ROOT, browser, logger: QUIET });
  const { sizes, faults } = checkBundle(join(ROOT, folder));
  console.log(`${use}: load extension/${folder}, or give the store ${packages.map(shown).join(" and ")}`);
  for (const [part, bytes] of Object.entries(sizes)) {
    const budget = BUDGETS[part];
    const bound = budget === undefined ? "" : ` of at most ${kilobytes(budget)}`;
    console.log(`  ${part}: ${kilobytes(bytes)}${bound}, compressed`);
  }
  return faults.map((fault) => `${folder}: ${fault}`);
}

function shown(path: string): string {
  return path.slice(path.lastIndexOf("extension/"));
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
