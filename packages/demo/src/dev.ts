/**
 * `npx -y pnpm@12 dev`: what `start` runs, begun anew whenever a source of it changes, and the extension built into a
 * folder that a browser which has loaded it reloads by itself. Ctrl-C ends all. Arguments are those of `start`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const START = join(import.meta.dirname, "start.ts");
const children = [
  // The service, the chat workspace with its page, and the bot; the built extension is not what is worked on.
  run(["--watch", "--watch-preserve-output", START, "--no-extension", ...process.argv.slice(2)]),
  run([join(import.meta.dirname, "../../../extension/src/building/dev.ts")]),
];
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => end(signal));

/** A program that ends by itself takes the others with it: half of what was asked for would look like all of it. */
function run(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  child.once("exit", (code) => {
    process.exitCode ??= code ?? 0;
    end("SIGTERM");
  });
  return child;
}

function end(signal: NodeJS.Signals): void {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill(signal);
}
