import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@threadlore/testkit";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

/** A home of its own: no settings, no state, no data of whoever runs the tests. */
export interface Home {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export function newHome(): Home {
  const folder = temporaryFolder();
  // Compiled code is the same for every home; a real one keeps it, so the tests share it.
  const compiled = join(tmpdir(), `threadlore-test-compiled-${process.getuid?.() ?? 0}`);
  const env = {
    HOME: folder,
    NODE_COMPILE_CACHE: compiled,
    PATH: process.env["PATH"] ?? "",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    TZ: "UTC",
  };
  return { folder, env };
}

export interface SpawnOptions {
  readonly home?: Home;
  readonly env?: Readonly<Record<string, string>>;
  /** Sent to standard input, which then ends. Absent: standard input is empty. */
  readonly input?: string;
  /** Called with the process as soon as it runs, to send it signals. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command line in a process of its own, without a terminal. */
export function runCli(args: readonly string[], options: SpawnOptions = {}): Promise<Finished> {
  const home = options.home ?? newHome();
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: home.folder,
    env: { ...home.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  options.onStart?.(child);
  return finished(child);
}

/** The process's output and end. */
export function finished(child: ChildProcess): Promise<Finished> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Runs a shell line in which `threadlore` is the real command line. */
export function runShell(line: string, options: SpawnOptions = {}): Promise<Finished> {
  const home = options.home ?? newHome();
  const script = `threadlore() { "${process.execPath}" "${MAIN}" "$@"; }\n${line}`;
  const child = spawn("bash", ["-c", script], {
    cwd: home.folder,
    env: { ...home.env, ...options.env },
    stdio: "pipe",
  });
  child.stdin.end(options.input ?? "");
  return finished(child);
}
