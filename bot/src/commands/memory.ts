import { ClientError, UnsupportedError } from "@threadlore/client";
import { accountOf, createDeployment, type Deployment } from "@threadlore/client/deployment";
import type { Command } from "commander";
import { type Config, readConfig } from "../config.ts";
import { failureWords } from "../failure-words.ts";
import { secretsOf } from "../secrets.ts";
import { type NamedKey, namedKeys } from "../server-findings.ts";
import { createAddress } from "../servers.ts";
import { EXIT_CODES, type Surroundings } from "./surroundings.ts";

/** `threadlore-bot memory off`; resolves with the exit code through `end`. */
export function addMemoryCommand(program: Command, surroundings: Surroundings, end: (code: number) => void): void {
  const memory = program.command("memory").summary("what the knowledge server remembers of the bot's keys");
  memory
    .command("off")
    .summary("switch off the memory of every account the bot asks with")
    .description(
      "One key answers many people: what its account remembers of one stands in the answers to the others. Switches " +
        "that off for each key in the settings, on the knowledge server. What is remembered already stays there, unused.",
    )
    .action(async () => {
      const config = await readConfig(surroundings);
      const secrets = secretsOf(config);
      const address = createAddress({ server: config.server });
      await address.find();
      let failed = false;
      for (const named of namedKeys(config.keys)) {
        const { ok, words } = await switchedOff(deploymentOf(config, address.baseUrl, named), surroundings.interrupted);
        failed ||= !ok;
        surroundings.out(`${ok ? "ok  " : "fix "} ${secrets.without(`${named.name}: ${words}`)}\n`);
      }
      end(failed ? EXIT_CODES.checkFailed : EXIT_CODES.ok);
    });
}

function deploymentOf({ server }: Config, baseUrl: string, { key }: NamedKey): Deployment {
  const { allowPlainHttp, profile } = server;
  return createDeployment({ baseUrl, allowPlainHttp, profile, apiKey: key });
}

/** Switches it off, and looks whether it is. */
async function switchedOff(deployment: Deployment, signal: AbortSignal): Promise<{ ok: boolean; words: string }> {
  try {
    const before = accountOf(await deployment.whoami({ signal }));
    if (before.anonymous) return { ok: false, words: "The server does not know it. Nothing was changed." };
    if (before.memory === "unknown") return { ok: true, words: "The server says nothing of a memory." };
    if (before.memory === "off") return { ok: true, words: "Its memory was off already." };
    await deployment.setMemory(false, { signal });
    const isOff = accountOf(await deployment.whoami({ signal })).memory === "off";
    return isOff
      ? { ok: true, words: "Its memory is off now." }
      : { ok: false, words: "The server took it and says that its memory is still on. Switch it off there." };
  } catch (error) {
    if (error instanceof UnsupportedError) {
      return { ok: false, words: "The server does not let its memory be switched off this way. Switch it off there." };
    }
    if (!(error instanceof ClientError)) throw error;
    return { ok: false, words: failureWords(error).what };
  }
}
