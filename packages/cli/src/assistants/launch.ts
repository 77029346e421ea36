import { realpath } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Launch } from "./assistant.ts";

/** Where this program runs, and what it was told of its settings. */
export interface Running {
  /** The Node it runs on. */
  readonly node: string;
  /** The file Node was started with. */
  readonly program: string;
  /** npm's own program, where npm started it. */
  readonly npm?: string | undefined;
  /** Version of threadlore. */
  readonly version: string;
}

/** This process. In the sources the program is a TypeScript file, in the published package what it was compiled to. */
export function running(version: string, env: Readonly<Record<string, string | undefined>>): Running {
  const file = import.meta.url.endsWith(".ts") ? "../main.ts" : "../start.cjs";
  const npm = env["npm_execpath"];
  return {
    node: process.execPath,
    program: fileURLToPath(new URL(file, import.meta.url)),
    npm: npm !== undefined && /npm-cli\.c?js$/.test(npm) ? npm : undefined,
    version,
  };
}

/** Variables that lead to the settings of threadlore; a program an editor starts may not have them. None holds a key. */
const CARRIED = [
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "THREADLORE_ALLOW_HTTP",
  "THREADLORE_INGESTION_PATH",
];

/**
 * The command by which an editor starts `threadlore mcp`: absolute paths, so that neither its PATH nor the folder it
 * starts in matter. Where npx runs us from its cache, which may be emptied, npx is asked again.
 * @param target arguments that say which server is asked, such as `["--data", "/people/ada/.threadlore"]`
 */
export async function launchOf(
  { node, program, npm, version }: Running,
  target: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Launch> {
  const carried = Object.fromEntries(
    CARRIED.flatMap((name) => {
      const value = env[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  if (npm !== undefined && /[\\/]_npx[\\/]/.test(program)) {
    // What npx runs begins with `env node`, which looks for Node on the PATH.
    const path = [dirname(node), ...(process.platform === "win32" ? [] : ["/usr/bin", "/bin"])].join(delimiter);
    const args = [npm, "exec", "--yes", "--", `@threadlore/cli@${version}`, "mcp", ...target];
    return { command: node, args, env: { PATH: path, ...carried } };
  }
  return { command: await lastingPath(node, program), args: [program, "mcp", ...target], env: carried };
}

/**
 * A path of this Node that the next version of it will have too, where there is one: the link in the folders above the
 * program, or Homebrew's. The path a process knows of itself has the version in it.
 */
async function lastingPath(node: string, program: string): Promise<string> {
  const brewed = /^(.*)\/Cellar\/(node[^/]*)\/[^/]+\/bin\/node$/.exec(node);
  const links = [
    ...(brewed === null ? [] : [`${brewed[1]}/opt/${brewed[2]}/bin/node`]),
    ...foldersAbove(program).map((folder) => join(folder, "node_modules", "node", "bin", "node")),
  ];
  for (const link of links) {
    if ((await realpath(link).catch(() => undefined)) === (await realpath(node).catch(() => node))) return link;
  }
  return node;
}

function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}
