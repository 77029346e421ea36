import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { wordForPackages } from "../building/sources.ts";
import { until } from "./until.ts";

const EXTENSION = fileURLToPath(new URL("../..", import.meta.url));

/** Longest a build may take before whoever waits for it makes its own, milliseconds. */
const BUILD_MS = 120_000;

/**
 * The folder of the extension, built from the sources as they are now, exactly as it is shipped. Built once for all
 * test files and runs that see the same sources. Throws where it cannot be built.
 */
export async function builtExtension(browser: "chrome" | "firefox" = "chrome"): Promise<string> {
  return join(await builtPackages(browser), `${browser}-mv3`);
}

/** The folder that this build lies in, with its packages for the store as `threadlore-*.zip` beside it. */
export async function builtPackages(browser: "chrome" | "firefox"): Promise<string> {
  const home = join(tmpdir(), "threadlore-extension-builds");
  const folder = join(home, `${browser}-${wordForPackages()}`);
  mkdirSync(home, { recursive: true });
  if (existsSync(folder)) return folder;
  const lock = `${folder}.lock`;
  if (!takeLock(lock)) {
    await until("another test file has built the extension", () => existsSync(folder) || takeLock(lock), BUILD_MS * 2);
    if (existsSync(folder)) return folder;
  }
  try {
    // Inside of the extension: from elsewhere WXT searches everything in between for sources.
    const made = join(EXTENSION, "dist", `once-${browser}-${process.pid}`);
    const fresh = `${folder}.${process.pid}`;
    // In a process of its own: the build must not learn that it is tested.
    const script = join(EXTENSION, "src/building/build-folder.ts");
    const env = { ...process.env, NODE_ENV: "production" };
    try {
      await promisify(execFile)(process.execPath, [script, browser, made, "packed"], { env });
      cpSync(made, fresh, { recursive: true, preserveTimestamps: true });
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
    renameSync(fresh, folder);
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
  return folder;
}

/** One of them builds; a lock older than a build may take was left by somebody who was killed. */
function takeLock(lock: string): boolean {
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY);
  if (age > BUILD_MS) rmSync(lock, { recursive: true, force: true });
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
