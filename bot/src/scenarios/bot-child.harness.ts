import { once } from "node:events";
import { flushCompileCache, enableCompileCache } from "node:module";

// Run by kill.harness.ts in a process of its own: the bot as the command line runs it, loaded beforehand, and begun at
// a word, so that a loop of kills does not spend its time on loading modules.

// The machine's clock as an administrator can set it: `clock 120000` on standard input puts it forward by two minutes, `go
// 120000` begins so.
const real = Date.now;
let ahead = 0;
Date.now = () => real() + ahead;
const lease = Number(process.env["HARNESS_LEASE_MS"] ?? 0);
const looks = Number(process.env["HARNESS_DIGEST_EVERY_MS"] ?? 0);
const watch = Number(process.env["HARNESS_WATCH_MS"] ?? 0);
const stillTrue = Number(process.env["HARNESS_STILL_TRUE_MS"] ?? 0);
/** After minutes, as the bot itself looks for calls that come late, a loop would wait for it and for nothing else. */
const LATE_CALLS_MS = [500, 1_500];
enableCompileCache();
const { run } = await import("../program.ts");
const { createBot } = await import("../bot.ts");
flushCompileCache();
process.stdout.write("loaded\n");
const [begun] = (await once(process.stdin, "data")) as [Buffer];
ahead = Number(/go (-?\d+)/.exec(begun.toString())?.[1] ?? 0);
process.stdin.on("data", (line: Buffer) => {
  const [, ms] = /clock (-?\d+)/.exec(line.toString()) ?? [];
  if (ms !== undefined) ahead += Number(ms);
});
const interrupt = new AbortController();
process.on("SIGTERM", () => interrupt.abort());
process.exitCode = await run(
  [],
  {
    env: process.env,
    folder: process.cwd(),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    interrupted: interrupt.signal,
  },
  async (config, parts) => {
    const bot = await createBot(config, {
      ...parts,
      patience: {
        ...(looks === 0 ? {} : { digestEveryMs: looks, lateCallsMs: LATE_CALLS_MS }),
        ...(stillTrue === 0 ? {} : { stillTrueEveryMs: stillTrue, lateCallsMs: LATE_CALLS_MS }),
      },
      ...(watch === 0 ? {} : { pinTimes: { watchAfterMs: watch } }),
      // A lease of a fifteenth is lost so much more often where the machine is busy; that says nothing against a task.
      times: { pollMs: 50, backoffMs: () => 200, ...(lease === 0 ? {} : { leaseMs: lease, maxAttempts: 75 }) },
    });
    return {
      async start() {
        await bot.start();
        process.stdout.write("started\n");
      },
      ended: bot.ended,
      stop: () => bot.stop(),
    };
  },
);
process.stdin.destroy();
