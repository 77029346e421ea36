import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { runnableSections, timedScript, timesOf } from "./page.ts";

/**
 * Runs the commands of a page as they stand there, in the folder it is called from, and says how long each section took:
 * `pnpm page docs/containers.md`. It changes the machine it runs on.
 */
const [, , page = "docs/containers.md"] = process.argv;
const script = timedScript(runnableSections(readFileSync(page, "utf8")));
const shell = spawn("bash", ["-c", script], { stdio: ["ignore", "inherit", "inherit", "pipe"] });
const told = text(shell.stdio[3] as Readable);
const code = await new Promise<number | null>((resolve) => shell.once("exit", resolve));
for (const [heading, ms] of timesOf(await told)) console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${heading}`);
process.exitCode = code ?? 1;
