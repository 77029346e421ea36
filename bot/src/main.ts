#!/usr/bin/env node
import { askPerson } from "@threadlore/installing";
import { readOutgoing } from "@threadlore/outgoing";
import { run } from "./program.ts";
import { reportFailure } from "./settings/command-line.ts";
import { withSettingsFile } from "./settings/settings-file.ts";

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // Somebody who asks twice does not want to wait.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
  });
}

const surroundings = {
  env: process.env,
  folder: process.cwd(),
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  ...(process.stdin.isTTY && {
    ask: (question: string, { hidden = false } = {}) => askPerson(question, { hidden, signal: interrupt.signal }),
  }),
  interrupted: interrupt.signal,
};

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { args, env } = withSettingsFile(process.argv.slice(2), surroundings);
    const outgoing = readOutgoing(env, surroundings.folder);
    outgoing.install();
    return await run(args, { ...surroundings, env }, async (config, parts) => {
      // The whole bot, its SDK and its database: a second that the other commands need not wait for.
      const { createBot } = await import("./bot.ts");
      const { openTracing } = await import("@threadlore/tracing");
      const onProblem = (reason: string): void => parts.log.warn("tracing", { reason });
      const tracing = openTracing({ name: "threadlore-bot", env, onProblem });
      return createBot(config, { ...parts, tracing, dispatcher: await outgoing.dispatcher() });
    });
  } catch (error) {
    return reportFailure(surroundings, error);
  }
}
