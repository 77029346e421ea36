import { join } from "node:path";
import { lentFile, makeFolder, type Owner, privateFile, privateFolder, settingsText } from "@threadlore/installing";
import { type Variable, VARIABLES, type VariableName } from "../settings/variables.ts";
import type { Desk } from "./desk.ts";
import { type Places, secretsFolder, settingsFile } from "./places.ts";

/** The file of each secret. */
const SECRET_FILES: Partial<Record<VariableName, string>> = {
  SLACK_BOT_TOKEN: "slack-bot",
  SLACK_APP_TOKEN: "slack-app",
  SLACK_SIGNING_SECRET: "signing",
  THREADLORE_KEY: "key",
  THREADLORE_DM_KEY: "dm-key",
  THREADLORE_INGEST_KEY: "ingest-key",
  DATABASE_URL: "database",
  ACCOUNTS_SECRET: "accounts",
};

/** Kept as well, though the bot's settings do not name them: the small names of proxies, and Node's own. */
const ALSO = ["https_proxy", "http_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];

/**
 * Keeps all settings where nobody else reads them: secrets in a file each, which is the account's, the rest in the file the
 * unit reads, which the account may read and only whoever sets it up may change.
 * Gives what that file says. Throws InstallError.
 */
export function keep(desk: Desk, places: Places, owner: Owner | undefined): Record<string, string> {
  makeFolder(places.folder);
  privateFolder(secretsFolder(places), owner);
  privateFolder(places.state, owner);
  const settings: Record<string, string> = {};
  for (const [name, { secret }] of Object.entries<Variable>(VARIABLES) as [VariableName, Variable][]) {
    const value = desk.values.get(name) ?? desk.given(name);
    const file = SECRET_FILES[name];
    if (value === undefined) continue;
    if (secret === true && file !== undefined) {
      const path = join(secretsFolder(places), file);
      privateFile(path, `${value}\n`, owner);
      settings[`${name}_FILE`] = path;
    } else settings[name] = value;
  }
  for (const name of ALSO) {
    const value = desk.known[name] ?? "";
    if (value !== "") settings[name] = value;
  }
  settings["STATE_FOLDER"] = places.state;
  const notes = ["Settings of threadlore-bot.service. By hand: threadlore-bot doctor --settings THIS-FILE"];
  // Root's, though the account reads it: what root reads by these names the next time is not for the account to choose.
  lentFile(settingsFile(places), settingsText(settings, notes), owner);
  return settings;
}
