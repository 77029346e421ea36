#!/usr/bin/env node
import { readOutgoing } from "@threadlore/outgoing";
import { run } from "./program.ts";

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // Somebody who asks twice does not want to wait.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
  });
}

const outgoing = readOutgoing(process.env, process.cwd());
outgoing.install();

const surroundings = {
  env: process.env,
  folder: process.cwd(),
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  interrupted: interrupt.signal,
};

process.exitCode = await run(process.argv.slice(2), surroundings, async (config, parts) => {
  // The whole bot, its SDK and its database: a second that the other commands need not wait for.
  const { createBot } = await import("./bot.ts");
  return createBot(config, { ...parts, dispatcher: await outgoing.dispatcher() });
});
