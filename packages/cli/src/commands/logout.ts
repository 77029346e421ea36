import { ClientError } from "@threadlore/client";
import { endOwnKey } from "@threadlore/client/sign-in";
import type { Command } from "commander";
import { type Exit, throwProblems, UsageError } from "../exit-codes.ts";
import { checkAddress, configPath, forgetServer, readConfig, serverName } from "../server/config.ts";
import type { Terminal } from "../terminal/output.ts";
import { jsonOption, tell } from "./options.ts";

/** `threadlore logout`. */
export function addLogoutCommand(program: Command, terminal: Terminal, _exit: Exit): void {
  program
    .command("logout")
    .summary("forget a server, and end one's own key to it")
    .description(
      "Forgets the address and the key of a server. A key that was made by signing in is ended at the server, too.",
    )
    .argument("[address]", "address of the server (default: the one you logged in to last)")
    .addOption(jsonOption())
    .action(async (address: string | undefined, flags: { json?: boolean }) => {
      await runLogout(terminal, address, flags);
    });
}

async function runLogout(terminal: Terminal, address: string | undefined, flags: { json?: boolean }): Promise<void> {
  const problems: string[] = [];
  if (address !== undefined) checkAddress(address, "The address", problems);
  const config = await readConfig(terminal, problems);
  throwProblems(problems);
  const url = address ?? config.current;
  if (url === undefined) throw new UsageError("You are logged in to no server.");
  const kept = [url, `${url.replace(/\/+$/, "")}/api`]
    .map(serverName)
    .find((name) => config.servers[name] !== undefined);
  if (kept === undefined) {
    throw new UsageError(
      `No key of ${serverName(url)} is kept. Servers in ${configPath(terminal)}: ${Object.keys(config.servers).join(", ") || "none"}.`,
    );
  }
  const apiKey = config.servers[kept]?.apiKey;
  const became = apiKey === undefined ? "none" : await ended(terminal, kept, apiKey);
  await forgetServer(terminal, kept);
  const json = { ok: true, url: kept, key: became };
  tell(terminal, flags, { json, notes: [`Logged out of ${kept}. ${WORDS[became]}`] });
}

type Became = "ended" | "stays" | "unknown" | "none";

const WORDS: Readonly<Record<Became, string>> = {
  ended: "The key is ended at the server.",
  stays: "The key was not made by signing in, so it stays good: whoever made it can revoke it.",
  unknown: "The server could not be asked, so the key may still be good there: end it on the page of your account.",
  none: "No key was kept.",
};

async function ended(terminal: Terminal, baseUrl: string, apiKey: string): Promise<Became> {
  terminal.hide(apiKey);
  const allowPlainHttp = terminal.env["THREADLORE_ALLOW_HTTP"] === "1";
  const retries = { retries: 0 };
  try {
    const connection = { baseUrl, apiKey, allowPlainHttp, retries };
    return (await endOwnKey(connection, { signal: terminal.interrupted })) ? "ended" : "stays";
  } catch (error) {
    terminal.interrupted.throwIfAborted();
    if (!(error instanceof ClientError)) throw error;
    // A key the server does not accept is worth nothing there.
    return error.outcome === "auth" ? "ended" : "unknown";
  }
}
