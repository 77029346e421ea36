import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import type { Terminal } from "../terminal/output.ts";
import type { Assistant, ConfigFile, System } from "./assistant.ts";

type World = Pick<Terminal, "env" | "folder">;

/** This system, as the tables of paths call it. Whatever is neither macOS nor Windows keeps its files as Linux does. */
export function thisSystem(platform: NodeJS.Platform = process.platform): System {
  if (platform === "darwin") return "macos";
  return platform === "win32" ? "windows" : "linux";
}

/** A path of the table, as an absolute one of this person on this machine. */
export function expandedPath(path: string, { env, folder }: World): string {
  const home = env["HOME"] ?? homedir();
  const filled = path.replace(/\$\{(\w+):-([^}]+)\}/, (_, variable: string, usual: string) => {
    const named = env[variable];
    return named !== undefined && isAbsolute(named) ? named : usual;
  });
  return resolve(
    folder,
    filled.replace(/^~(?=\/|$)/, () => home),
  );
}

/** Where an assistant's file lies here: of several places the first whose folder is there, else the last. */
export async function fileOf(
  { file }: Pick<Assistant, "file">,
  world: World,
  system: System = thisSystem(),
): Promise<string> {
  const paths = file.paths[system].map((path) => expandedPath(path, world));
  for (const path of paths.slice(0, -1)) if (await isFolder(dirname(path))) return path;
  return paths.at(-1) ?? "";
}

/** Whether an assistant seems to be installed here. A file of a project says nothing of that. */
export async function isInstalled(
  { file }: Pick<Assistant, "file">,
  world: World,
  system: System = thisSystem(),
): Promise<boolean> {
  if (isOfProject(file)) return false;
  if (file.sign !== undefined) return await isThere(expandedPath(file.sign, world));
  return await isFolder(dirname(await fileOf({ file }, world, system)));
}

/** Whether a file lies in the folder one stands in, for whoever works there. */
export function isOfProject({ paths }: ConfigFile): boolean {
  return paths.linux.some((path) => path.startsWith("./"));
}

const isThere = async (path: string): Promise<boolean> =>
  await stat(path).then(
    () => true,
    () => false,
  );

const isFolder = async (path: string): Promise<boolean> =>
  await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
