import { once } from "node:events";
import { flushCompileCache, enableCompileCache } from "node:module";

// Run by kill.harness.ts in a process of its own: the bot as the command line runs it, loaded beforehand, and begun at
// a word, so that a loop of kills does not spend its time on loading modules.
enableCompileCache();
const { run } = await import("./program.ts");
const { createBot } = await import("./bot.ts");
flushCompileCache();
process.stdout.write("loaded\n");
await once(process.stdin, "data");
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
    const bot = await createBot(config, { ...parts, times: { pollMs: 50, backoffMs: () => 200 } });
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
