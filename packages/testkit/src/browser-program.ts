import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

let announced = false;

/**
 * Path of a Chromium to test with: `CHROME_PATH`, else one on the path, else, for root on Debian, the package
 * `chromium`, which is installed now and said aloud. That takes a minute or two, so ask outside of a test's time.
 *
 * Returns undefined where there is none, after saying once what is left out. Throws when `CHROME_PATH` leads nowhere.
 */
export async function browserProgram(environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const found = findBrowser(environment);
  if (found !== undefined) return found;
  const reason = isDebianRoot(environment)
    ? await installChromium(environment)
    : "it is installed only by root on Debian";
  const installed = findBrowser(environment);
  if (installed === undefined && !announced) {
    announced = true;
    console.log(
      `skipped: tests in a real browser are left out, because no Chromium is here and ${reason}. ` +
        "Install one (Debian: apt-get install chromium) or name one in CHROME_PATH, and run the tests again.",
    );
  }
  return installed;
}

function findBrowser({ CHROME_PATH: named = "", PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  if (named !== "") {
    if (isProgram(named)) return named;
    throw new Error(`CHROME_PATH names ${named}, which is no program. Correct it, or unset it to search the path.`);
  }
  const folders = PATH.split(delimiter).filter((folder) => folder !== "");
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isDebianRoot({ PATH = "" }: NodeJS.ProcessEnv): boolean {
  if (process.getuid?.() !== 0 || !existsSync("/etc/os-release")) return false;
  const debian = /^ID="?debian"?$/m.test(readFileSync("/etc/os-release", "utf8"));
  return debian && PATH.split(delimiter).some((folder) => isProgram(join(folder, "apt-get")));
}

/**
 * Several test files ask at once: whoever gets the lock installs, the others find it done. The lock is the kernel's, so
 * that a killed run leaves none behind. After a failure, as without a network, nobody tries again for ten minutes.
 */
const SCRIPT = `
  if command -v chromium > /dev/null; then exit 0; fi
  if [ -n "$(find "$1" -mmin -10 2> /dev/null)" ]; then echo 'it failed a short while ago' >&2; exit 1; fi
  options='-qq -o Acquire::http::Timeout=20 -o Acquire::Retries=1 -o DPkg::Lock::Timeout=300'
  apt-get $options update > /dev/null &&
    apt-get $options install --yes --no-install-recommends chromium > /dev/null && exit 0
  touch "$1"
  exit 1
`;

/** Installs Debian's Chromium. Returns why not, where it failed. */
async function installChromium(environment: NodeJS.ProcessEnv): Promise<string> {
  console.log("No Chromium here: installing Debian's package chromium with apt-get, which takes a minute or two.");
  const lock = join(tmpdir(), "threadlore-chromium.lock");
  const failed = join(tmpdir(), "threadlore-chromium.failed");
  const env = { ...environment, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await promisify(execFile)("flock", [lock, "sh", "-c", SCRIPT, "install", failed], { env });
    return "the package chromium holds none";
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    return `apt-get could not install it (${said.split("\n").at(-1) || "it did not say why"})`;
  }
}
