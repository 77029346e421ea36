import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

/** Something tests need that Debian has packages for: a browser, a database, a font. */
export interface DebianProgram<Found> {
  /** Such as `Chromium`. */
  readonly name: string;
  /** Debian's packages for it, all of them installed together. */
  readonly packages: readonly string[];
  /** What is left out without it, such as `tests in a real browser`. */
  readonly without: string;
  /** Another way to it than the packages, as the end of a sentence: ` or name one in CHROME_PATH`. Default: none. */
  readonly otherWay?: string;
  /** Looks for it. Undefined: it is not here. */
  find(environment: NodeJS.ProcessEnv): Promise<Found | undefined> | Found | undefined;
}

/** Why something is not here. */
export interface Missing {
  readonly missing: string;
}

/** Held by whoever installs. */
const LOCK = join(tmpdir(), "threadlore-packages.lock");

/** Missing things that were said aloud already. */
const announced = new Set<string>();

/**
 * Finds a program, else installs Debian's packages for it as root, and says so aloud. That takes a minute or two, so
 * ask outside of a test's time. Where it cannot be had, says once on stderr what is left out and what to do, and answers
 * why. Throws what `find` throws.
 */
export async function debianProgram<Found extends string | object>(
  program: DebianProgram<Found>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Found | Missing> {
  await installationsOver(environment);
  const found = await program.find(environment);
  if (found !== undefined) return found;
  const missing = isDebianRoot(environment)
    ? await install(program, environment)
    : "it is installed only by root on Debian";
  const installed = await program.find(environment);
  if (installed !== undefined) return installed;
  const { name, packages, without, otherWay = "" } = program;
  if (!announced.has(name)) {
    announced.add(name);
    process.stderr.write(
      `skipped: ${without} are left out, because no ${name} is here and ${missing}. ` +
        `Install one (Debian: apt-get install ${packages.join(" ")})${otherWay}, and run the tests again.\n`,
    );
  }
  return { missing };
}

/** While packages are being installed a program is found already, and does not work before the last one is in place. */
async function installationsOver(environment: NodeJS.ProcessEnv): Promise<void> {
  if (!existsSync(LOCK) || !isDebianRoot(environment)) return;
  await promisify(execFile)("flock", ["--shared", LOCK, "true"], { env: environment });
}

/** Path of the first of these programs that is on the path; the order of the names counts before that of the folders. */
export function onPath(names: readonly string[], { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Whether this is a file that can be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isDebianRoot(environment: NodeJS.ProcessEnv): boolean {
  if (process.getuid?.() !== 0 || !existsSync("/etc/os-release")) return false;
  const debian = /^ID="?debian"?$/m.test(readFileSync("/etc/os-release", "utf8"));
  return debian && onPath(["apt-get"], environment) !== undefined;
}

/**
 * Several test files ask at once: whoever gets the lock installs, the others find it done. The lock is the kernel's, so
 * that a killed run leaves none behind. After a failure, as without a network, nobody tries again for ten minutes.
 */
const SCRIPT = `
  failed=$1
  shift
  there=$(dpkg-query --show --showformat='\${db:Status-Status}\\n' "$@" 2> /dev/null | grep -cx installed)
  if [ "$there" -eq $# ]; then exit 0; fi
  if [ -n "$(find "$failed" -mmin -10 2> /dev/null)" ]; then echo 'it failed a short while ago' >&2; exit 1; fi
  options='-qq -o Acquire::http::Timeout=20 -o Acquire::Retries=1 -o DPkg::Lock::Timeout=300'
  apt-get $options update > /dev/null &&
    apt-get $options install --yes --no-install-recommends "$@" > /dev/null && exit 0
  touch "$failed"
  exit 1
`;

/** Installs the packages. Returns why it is missing all the same, for when it is. */
async function install(
  { name, packages }: Pick<DebianProgram<unknown>, "name" | "packages">,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const named = `Debian's package${packages.length === 1 ? "" : "s"} ${packages.join(" ")}`;
  process.stderr.write(`No ${name} here: installing ${named} with apt-get, which takes a minute or two.\n`);
  const failed = join(tmpdir(), `threadlore-${packages[0]}.failed`);
  const env = { ...environment, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await promisify(execFile)("flock", [LOCK, "sh", "-c", SCRIPT, "install", failed, ...packages], { env });
    return `${named} did not bring it`;
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    return `apt-get could not install it (${said.split("\n").at(-1) || "it did not say why"})`;
  }
}
