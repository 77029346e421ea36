import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { UsageError } from "@threadlore/cli";

/** Names on the path, Chromium before Chrome and Edge. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

/** Where macOS has programs that are on no path. */
const APPLICATIONS = ["Chromium", "Google Chrome", "Microsoft Edge"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/**
 * The Chromium to open: what `CHROME_PATH` names, else one on the path. Undefined where there is none; throws
 * UsageError when `CHROME_PATH` leads nowhere.
 */
export function findBrowser({ CHROME_PATH: named = "", PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  if (named !== "") {
    if (isProgram(named)) return named;
    throw new UsageError(
      `CHROME_PATH names ${named}, which is no program. Correct it, or unset it to search the path.`,
    );
  }
  const folders = PATH.split(delimiter).filter((folder) => folder !== "");
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...APPLICATIONS].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
