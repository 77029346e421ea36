/** Starts a workspace with two people and two channels, and says where it is and what an app needs to connect. */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { startWorkspace } from "./index.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The port asked for, 0 when none was. */
function portIn(values: { readonly port?: string }): number {
  const port = Number(values.port ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`--port takes a number from 0 to 65535, not "${values.port}".`);
}

try {
  const { values } = parseArgs({ options: { port: { type: "string" } } });
  // Whoever knows the seed knows the tokens.
  const workspace = await startWorkspace({ port: portIn(values), seed: randomInt(2 ** 31) });
  workspace.addUser({ name: "ada", realName: "Ada Park", kind: "admin", email: "ada@harbour.example" });
  workspace.addUser({ name: "ben", realName: "Ben Ortiz", email: "ben@harbour.example" });
  workspace.addChannel({ name: "general" });
  workspace.addChannel({ name: "handbook" });
  const { botToken, appToken, signingSecret } = workspace.credentials;
  say(`${workspace.team.name} is open at ${workspace.url}`);
  say("");
  say("An app connects with:");
  say(`  slackApiUrl     ${workspace.slackApiUrl}`);
  say(`  bot token       ${botToken}`);
  say(`  app token       ${appToken}`);
  say(`  signing secret  ${signingSecret}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void workspace.close());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
