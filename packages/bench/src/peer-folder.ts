import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What ours is measured beside: an install of its own, which a newcomer's does without. */
export const PEERS_FOLDER: string = join(import.meta.dirname, "../peers");

/** Installs the peers where they are missing or of other versions. Throws where they cannot be fetched. */
export function installPeers(): void {
  if (isInstalled()) return;
  // A shell, because npx is a script of one on Windows.
  const command = "npx -y pnpm@12 install --frozen-lockfile --prefer-offline";
  execFileSync(command, { cwd: PEERS_FOLDER, shell: true, stdio: ["ignore", "ignore", "inherit"] });
}

/** pnpm leaves a copy of the lockfile with what it installed. */
function isInstalled(): boolean {
  const copy = join(PEERS_FOLDER, "node_modules/.pnpm/lock.yaml");
  return existsSync(copy) && readFileSync(copy, "utf8") === readFileSync(join(PEERS_FOLDER, "pnpm-lock.yaml"), "utf8");
}

/** One of the modules in the peers' folder; they are installed first. Nothing imports one in another way. */
export async function loadPeers<Module>(file: string): Promise<Module> {
  installPeers();
  return (await import(pathToFileURL(join(PEERS_FOLDER, file)).href)) as Module;
}
