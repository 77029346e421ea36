import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants, getPriority, setPriority } from "node:os";
import { delimiter, join } from "node:path";
import { repositoryRoot } from "../shared-folder.ts";

/** How a program ended. */
export interface ProgramEnd {
  ok: boolean;
  /** What it printed, both streams in order; empty when it was shown while running. */
  output: string;
}

/** Settings of one run. */
export interface RunOptions {
  /** Show what the program prints at once, instead of returning it. */
  live?: boolean;
  /** Let others of the machine go first. */
  gently?: boolean;
  /** Added to the environment. */
  environment?: Record<string, string>;
}

const running = new Set<ChildProcess>();

/** Runs one of the workspace's programs (`oxlint`, `tsc`, …) at the root, on the workspace's own Node. */
export async function runProgram(name: string, args: readonly string[], options: RunOptions = {}): Promise<ProgramEnd> {
  const path = [join(repositoryRoot, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  const plain = process.stdout.isTTY ? {} : { NO_COLOR: "1", FORCE_COLOR: "0" };
  const child = spawn(name, args, {
    cwd: repositoryRoot,
    env: { ...process.env, ...plain, ...options.environment, PATH: path },
    stdio: options.live === true ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  if (options.gently === true && child.pid !== undefined) {
    // Not above this process's own, which nobody may do.
    setPriority(child.pid, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  }
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (bytes: Buffer) => (output += bytes.toString()));
  try {
    const [code] = await once(child, "close");
    return { ok: code === 0, output };
  } catch (error) {
    return { ok: false, output: `${output}${name} could not be started: ${(error as Error).message}` };
  } finally {
    running.delete(child);
  }
}

/** Hands SIGINT and SIGTERM on to the programs that run, then ends this one the way a shell expects. */
export function passSignalsOn(): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.once(signal, () => {
      for (const child of running) child.kill(signal);
      process.exit(code);
    });
  }
}
