import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import type { Bot } from "../bot.ts";
import { type Config, readConfig } from "../settings/config.ts";
import { failureWords } from "../knowledge-server/failure-words.ts";
import { createLog, guardProcess, type Log } from "./log.ts";
import { secretsOf } from "../settings/secrets.ts";
import { platformError } from "../slack/read/people.ts";
import { EXIT_CODES, isExpected, reportFailure, type CommandIo } from "../settings/command-line.ts";

/** A bot, as the command line sees it. */
export type Runnable = Pick<Bot, "start" | "stop" | "ended">;

/** Makes the bot. */
export type MakeBot = (config: Config, parts: { log: Log }) => Promise<Runnable>;

/** `threadlore-bot`, and `threadlore-bot run`. */
export function addRunCommand(
  program: Command,
  surroundings: CommandIo,
  { makeBot, end }: { makeBot: MakeBot; end: (code: number) => void },
): void {
  program
    .command("run", { isDefault: true })
    .summary("run the bot until it is told to stop (Ctrl-C, SIGTERM)")
    .description(
      "Runs the bot until it is told to stop. Settings come from the environment; README.md lists them. Logs go to stderr.",
    )
    .action(async () => {
      const config = await readConfig(surroundings);
      const secrets = secretsOf(config);
      const log = createLog({ level: config.logLevel, secrets, to: { write: (line) => surroundings.err(line) } });
      const unguard = guardProcess(log);
      try {
        end(await running(config, log, surroundings, makeBot));
      } catch (error) {
        log.error("the bot ended", { error });
        if (isExpected(error)) end(reportFailure(surroundings, error));
        else {
          const { what, fix, transient } = failureWords(error);
          surroundings.err(`${secrets.without(`The bot cannot run: ${what}. ${fix}`.trimEnd())}\n`);
          // A token Slack refuses is a setting: starting again and again would only ask Slack again and again.
          end(!transient && platformError(error) !== undefined ? EXIT_CODES.usage : EXIT_CODES.unexpected);
        }
      } finally {
        unguard();
      }
    });
}

async function running(config: Config, log: Log, { interrupted }: CommandIo, makeBot: MakeBot): Promise<number> {
  if (config.database.startsWith("sqlite:")) {
    await mkdir(dirname(config.database.slice("sqlite:".length)), { recursive: true, mode: 0o700 });
  }
  const bot = await makeBot(config, { log }).catch((error: unknown) => {
    if (!interrupted.aborted) throw error;
  });
  if (bot === undefined) return EXIT_CODES.ok;
  let over: unknown;
  try {
    if (!interrupted.aborted) {
      const told = once(interrupted, "abort").then(() => undefined);
      const ended = Promise.race([told, bot.ended]);
      // Slack may keep it waiting before it has started.
      await Promise.race([bot.start().then(() => log.info("started", { kind: config.receiver.kind })), ended]);
      over = await ended;
    }
    log.info("stopping");
  } finally {
    await bot.stop();
  }
  if (over !== undefined) throw over;
  log.info("stopped");
  return EXIT_CODES.ok;
}
