import { resolve } from "node:path";
import { readOutgoing } from "@threadlore/outgoing";
import { ownerOf, publicFile } from "@threadlore/installing";
import { findingText } from "../operations/doctor-command.ts";
import { examine } from "../operations/doctor.ts";
import { readRulesFile } from "../rules/rules-file.ts";
import { type CommandIo, EXIT_CODES, UsageError } from "../settings/command-line.ts";
import { readConfig } from "../settings/config.ts";
import { manifestText } from "../settings/manifest-command.ts";
import { createManifest, type ManifestOptions } from "../settings/manifest.ts";
import { readSettingsFile } from "../settings/settings-file.ts";
import { newSecret } from "../accounts/sealing.ts";
import { believed } from "./believed.ts";
import { Desk } from "./desk.ts";
import { keep } from "./keep.ts";
import { botUnit, type Places, settingsFile, unitFile } from "./places.ts";
import { askForServer, askForTokens } from "./questions.ts";

/** How an installation is to be made. */
export interface SetupOptions {
  readonly places: Places;
  readonly manifest: ManifestOptions;
  /** The unit is written into its folder, not printed. */
  readonly write: boolean;
}

/**
 * Goes all the way from an app to a bot that can be started: manifest, tokens, keys, each tried before it is kept, then
 * the doctor, then the unit. What was set up before is not asked again. Where nobody can be asked, the environment has to
 * say everything, and nothing is kept before all of it is right. Resolves with the exit code. Throws UsageError.
 */
export async function setUp(io: CommandIo, { places, manifest, write }: SetupOptions): Promise<number> {
  const { settings: before, refused } = believed(readSettingsFile(settingsFile(places)) ?? {}, places);
  const isAgain = Object.keys(before).length > 0;
  const desk = new Desk(io, knownFrom(before, io), isAgain);
  for (const file of refused) {
    desk.say(
      `${file} is not read: the settings that name it could be the account's word, or the file is not the account's.\n`,
    );
  }
  // The proxy of an earlier setup.
  if (isAgain) readOutgoing(desk.known, io.folder).install();
  const isHttp = manifest.requestUrl !== undefined || desk.known["RECEIVER"] === "http";
  if (desk.known["SLACK_BOT_TOKEN"] === undefined && desk.known["SLACK_BOT_TOKEN_FILE"] === undefined) {
    showManifest(io, desk, manifest, isHttp);
  }
  if (manifest.requestUrl !== undefined) desk.values.set("RECEIVER", "http");
  await askForTokens(desk, manifest.features, isHttp);
  await askForServer(desk);
  if (desk.problems.length > 0) {
    const list = desk.problems.map((problem) => `- ${problem}`).join("\n");
    throw new UsageError(`Nothing was kept, because nobody can be asked here and not everything is told:\n${list}`);
  }
  // Kept as it is where there is one: with another one nobody's account would open any more.
  if (desk.given("ACCOUNTS_SECRET") === undefined) desk.values.set("ACCOUNTS_SECRET", newSecret());
  const settings = keep(desk, places, ownerOf(places.account, places.state));
  desk.say(`\nKept in ${settingsFile(places)} and beside it, readable by ${places.account} only.\n\n`);
  const isWell = await askDoctor(io, desk, settings);
  placeUnit(io, desk, places, write);
  if (!isWell) desk.say("\nMend first what is marked `fix` above, then: ");
  desk.say(`sudo systemctl daemon-reload && sudo systemctl enable --now threadlore-bot\n`);
  desk.say("Then invite the app to a channel in Slack, and mention it with a question.\n");
  return isWell ? EXIT_CODES.ok : EXIT_CODES.checkFailed;
}

/** What an earlier setup kept, and what the environment says now, which comes first however it names a file. */
function knownFrom(before: Readonly<Record<string, string>>, { env, folder }: CommandIo): CommandIo["env"] {
  const said = Object.entries(env).flatMap(([name, value = ""]) =>
    value.trim() === "" ? [] : [[name, value] as const],
  );
  // The unit starts elsewhere.
  const now = Object.fromEntries(
    said.map(([name, value]) => [name, name.endsWith("_FILE") ? resolve(folder, value) : value]),
  );
  const isSaid = (name: string): boolean =>
    [name, `${name}_FILE`, name.replace(/_FILE$/, "")].some((one) => one in now);
  return { ...Object.fromEntries(Object.entries(before).filter(([name]) => !isSaid(name))), ...now };
}

function showManifest(io: CommandIo, desk: Desk, options: ManifestOptions, isHttp: boolean): void {
  desk.say(
    "Open https://api.slack.com/apps, Create New App, From a manifest, choose your workspace, and paste what follows. " +
      "Then Install to Workspace and copy the Bot User OAuth Token (OAuth & Permissions)" +
      (isHttp
        ? ".\n\n"
        : "; under Basic Information, App-Level Tokens, Generate one with the scope connections:write.\n\n"),
  );
  io.out(`${manifestText(createManifest(options))}\n`);
}

/** Runs the doctor on what was kept, as it stands there. */
async function askDoctor(io: CommandIo, desk: Desk, settings: Readonly<Record<string, string>>): Promise<boolean> {
  const config = await readConfig({ env: settings, folder: io.folder });
  const rules = await readRulesFile(config.rulesFile, { dmKey: config.keys.dm !== undefined });
  const findings = await examine(config, rules, io.interrupted);
  for (const finding of findings) desk.say(findingText(finding));
  return findings.every(({ ok }) => ok !== false);
}

function placeUnit(io: CommandIo, desk: Desk, places: Places, write: boolean): void {
  const unit = botUnit(places);
  const file = unitFile(places);
  if (write) {
    publicFile(file, unit);
    desk.say(`\nThe unit is ${file}. Start it: `);
    return;
  }
  desk.say(`\nSave what follows as ${file}, or run this again with --write. Then: `);
  io.out(unit);
}
