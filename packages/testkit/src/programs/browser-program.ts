import { debianProgram, type DebianProgram, isProgram, onPath } from "./debian-program.ts";

/** Without its recommended packages a browser has no font at all. */
const FONT = "fonts-dejavu-core";

const CHROMIUM: DebianProgram<string> = {
  name: "Chromium",
  packages: ["chromium", FONT],
  without: "tests in a real browser",
  otherWay: " or name one in CHROME_PATH",
  find: (environment) =>
    named("CHROME_PATH", environment) ??
    onPath(["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"], environment),
};

const FIREFOX: DebianProgram<string> = {
  name: "Firefox",
  packages: ["firefox-esr", FONT],
  without: "tests in a real Firefox",
  otherWay: " or name one in FIREFOX_PATH",
  find: (environment) => named("FIREFOX_PATH", environment) ?? onPath(["firefox-esr", "firefox"], environment),
};

/**
 * Path of a Chromium to test with: `CHROME_PATH`, else one on the path, else, for root on Debian, the package
 * `chromium`, which is installed now and said aloud. That takes a minute or two, so ask outside of a test's time.
 *
 * Returns undefined where there is none, after saying once what is left out. Throws when `CHROME_PATH` leads nowhere.
 */
export async function browserProgram(environment?: NodeJS.ProcessEnv): Promise<string | undefined> {
  return pathOf(CHROMIUM, environment);
}

/** Path of a Firefox to test with, as {@link browserProgram}: `FIREFOX_PATH`, the path, the package `firefox-esr`. */
export async function firefoxProgram(environment?: NodeJS.ProcessEnv): Promise<string | undefined> {
  return pathOf(FIREFOX, environment);
}

async function pathOf(program: DebianProgram<string>, environment?: NodeJS.ProcessEnv): Promise<string | undefined> {
  const found = await debianProgram(program, environment);
  return typeof found === "string" ? found : undefined;
}

function named(variable: string, environment: NodeJS.ProcessEnv): string | undefined {
  const path = environment[variable] ?? "";
  if (path === "" || isProgram(path)) return path || undefined;
  throw new Error(`${variable} names ${path}, which is no program. Correct it, or unset it to search the path.`);
}
