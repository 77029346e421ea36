import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pnpm } from "../bill/pnpm.ts";
import { repositoryRoot } from "../shared-folder.ts";
import type { WorkspacePackage } from "./workspace.ts";

/** How a program ended and what it printed on both streams, in order. */
export interface Ended {
  status: number | null;
  printed: string;
}

const apiKey = "tl_TEST_readme";

/** Builds and packs the packages, installs the tarballs, and lays the folder out. Takes most of a minute. */
export function packWorkspace(packages: readonly WorkspacePackage[]) {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-packed-"));
  const tarballs = join(folder, "tarballs");
  mkdirSync(tarballs);
  for (const { folder: source } of packages) rmSync(join(source, "dist"), { recursive: true, force: true });
  const named = packages.flatMap(({ manifest }) => ["--filter", manifest.name]);
  // One after another: several would build what they have in common at the same time.
  const packing = ["--recursive", "--workspace-concurrency=1", ...named, "pack", "--pack-destination", tarballs];
  must([...pnpm(), ...packing], repositoryRoot);

  const dependencies = Object.fromEntries(
    packages.map(({ manifest }) => {
      const stem = manifest.name.replace("@", "").replace("/", "-");
      const tarball = readdirSync(tarballs).find((file) => file.startsWith(`${stem}-`));
      return [manifest.name, `file:tarballs/${tarball}`];
    }),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  must(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], folder);

  return {
    folder,
    /** Runs a program there. `node` is the workspace's, `threadlore` the installed one. */
    run: (command: readonly string[], options: { cwd?: string; variables?: Record<string, string> } = {}) =>
      runIn(folder, command, options),
    /** Starts the installed embedded service with a fresh database; examples find it through these variables. */
    startService: () => startService(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The packages as somebody who installed them has them: tarballs in an otherwise empty folder. */
export type PackedWorkspace = ReturnType<typeof packWorkspace>;

function environment(folder: string, variables: Record<string, string> = {}): NodeJS.ProcessEnv {
  const bins = [join(folder, "node_modules", ".bin"), join(repositoryRoot, "node_modules", ".bin")];
  const own = join(folder, "home-of-examples");
  return {
    ...process.env,
    // As on somebody's machine, and not on one of a pipeline.
    CI: "",
    KUBERNETES_SERVICE_HOST: "",
    PATH: [...bins, process.env["PATH"]].join(delimiter),
    HOME: own,
    XDG_CONFIG_HOME: join(own, "config"),
    XDG_DATA_HOME: join(own, "data"),
    XDG_STATE_HOME: join(own, "state"),
    NO_COLOR: "1",
    ...variables,
  };
}

function runIn(
  folder: string,
  [program = "", ...args]: readonly string[],
  options: { cwd?: string; variables?: Record<string, string> },
): Ended {
  const env = environment(folder, options.variables);
  // Both streams go into one file, so that they are read in the order in which they were written.
  const path = join(folder, "printed.txt");
  const file = openSync(path, "w");
  const stdio = ["ignore", file, file] as const;
  const ended = spawnSync(program, args, { cwd: options.cwd ?? folder, env, stdio: [...stdio], timeout: 30_000 });
  closeSync(file);
  return { status: ended.status, printed: `${readFileSync(path, "utf8")}${ended.error?.message ?? ""}` };
}

/** Runs a program that has to succeed. Its home stays the caller's, so that package managers find their stores. */
function must([program = "", ...args]: readonly string[], cwd: string): void {
  const bin = join(repositoryRoot, "node_modules", ".bin");
  const env = { ...process.env, PATH: [bin, process.env["PATH"]].join(delimiter) };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8", timeout: 240_000 });
  if (status !== 0) throw new Error(`${[program, ...args].join(" ")} failed in ${cwd}:\n${stdout}${stderr}`);
}

/** Serves the installed service, and says where. */
const serviceProgram = `
import { serve } from "@threadlore/service/serve";

const { url } = await serve({ database: ":memory:", apiKey: ${JSON.stringify(apiKey)}, port: 0 });
console.log(url);
`;

async function startService(folder: string): Promise<{ variables: Record<string, string>; stop(): void }> {
  const program = join(folder, "service.mjs");
  writeFileSync(program, serviceProgram);
  const child = spawn("node", [program], {
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (bytes: Buffer) => resolve(bytes.toString().trim()));
    child.once("exit", (code) => reject(new Error(`The installed service ended at once with status ${code}`)));
  });
  return { variables: { THREADLORE_URL: url, THREADLORE_API_KEY: apiKey }, stop: () => child.kill() };
}
