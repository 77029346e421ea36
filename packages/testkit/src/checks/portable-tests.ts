import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A test file that is left out where it cannot run, and why. */
export interface LeftOut {
  readonly file: string;
  readonly reason: string;
}

interface Need {
  readonly reason: string;
  /** Found in the test, or in a file beside it that it imports. */
  readonly pattern: RegExp;
  /** Where the need is not met. */
  readonly platforms: readonly NodeJS.Platform[];
}

const PROGRAMS: Need = {
  reason: "drives a browser or another program that Debian's packages bring",
  pattern: /testkit\/(?:browser|debian)"|(?:browser|debian|desktop)-programs?\.ts"/,
  platforms: ["darwin", "win32"],
};

/** Puts the API of a browser, and what it stores, into the process of the tests. */
const PLAYED_BROWSER = /"(?:wxt\/testing|fake-indexeddb)/;

const NEEDS: readonly Need[] = [
  PROGRAMS,
  {
    reason: "has a shell of POSIX run its commands",
    pattern: /["'`](?:\/bin\/)?(?:bash|sh)["'`]/,
    platforms: ["win32"],
  },
  {
    reason: "sends signals, or looks at permissions that Windows does not have",
    pattern: /["'`]SIG(?:TERM|INT|KILL|STOP|CONT)["'`]|\bchmod|\.mode\b|\b0o[0-7]{3}\b/,
    platforms: ["win32"],
  },
];

/** Sorts test files into those that can run on a platform and those left out. Paths are absolute. */
export function portableTests(
  files: readonly string[],
  platform: NodeJS.Platform,
): { readonly run: readonly string[]; readonly leftOut: readonly LeftOut[] } {
  const needs = NEEDS.filter(({ platforms }) => platforms.includes(platform));
  const run: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const file of files) {
    const texts = textsOf(file, servesTests);
    const need = needs.find(({ pattern }) => texts.some((text) => pattern.test(text)));
    if (need === undefined) run.push(file);
    else leftOut.push({ file, reason: need.reason });
  }
  return { run, leftOut };
}

/** Whether a test file, or anything of its package that it comes to, drives a browser, a screen or a database. */
export function needsPrograms(file: string): boolean {
  // Without the database its tests are few, but not none, so they run everywhere.
  return textsOf(file, () => true).some((text) => PROGRAMS.pattern.test(text) || text.includes('testkit/postgres"'));
}

/** Whether a test file, or anything of its package that it comes to, plays a browser in its own process. */
export function playsBrowser(file: string): boolean {
  return textsOf(file, () => true).some((text) => PLAYED_BROWSER.test(text));
}

/** How often a test's own text counts in its weight: what serves it is long, whatever little the test does with it. */
const OWN_TIMES = 4;

/** How many characters a test file has, most of how long it takes: its own {@link OWN_TIMES} times, and what serves it. */
export function weightOf(file: string): number {
  const [own = "", ...serving] = textsOf(file, servesTests);
  return own.length * OWN_TIMES + serving.reduce((sum, text) => sum + text.length, 0);
}

/** Harnesses and what lies in `testing/`, not the sources that are tested. */
function servesTests(path: string): boolean {
  return /\.harness\.tsx?$|[\\/]testing[\\/]/.test(path);
}

/** The text of a test and of the files it imports by their path, and those in turn, as far as they are to be followed. */
function textsOf(file: string, isFollowed: (path: string) => boolean, seen = new Set<string>()): string[] {
  if (seen.has(file) || !existsSync(file)) return [];
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const imported = [...text.matchAll(/(?:from|import) "(\.[^"]+)"/g)]
    .map(([, path = ""]) => join(dirname(file), path))
    .filter(isFollowed);
  return [text, ...imported.flatMap((path) => textsOf(path, isFollowed, seen))];
}
