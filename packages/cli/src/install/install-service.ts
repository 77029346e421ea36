import { fork } from "node:child_process";
import { userInfo } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { text as streamText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import {
  InstallError,
  makeFolder,
  type Owner,
  ownerOf,
  privateFile,
  privateFolder,
  publicFile,
  settingsText,
} from "@threadlore/installing";
import { databaseUrl } from "../embedded/database-url.ts";
import { dataFiles } from "../embedded/embedded.ts";
import { EXIT_CODES, UsageError } from "../exit-codes.ts";
import { configFolder, dataFolder, readIfPresent } from "../folders.ts";
import { note, type Terminal } from "../terminal/output.ts";
import type { FirstStart, FirstStarted } from "./first-start.ts";
import { argumentsForUnit, type InstallFlags } from "./install-options.ts";
import { serviceUnit, SYSTEM_PLACES, type ServicePlaces, unitFile } from "./service-unit.ts";

/** Settings of the service that do not stand on its command line. */
const CARRIED =
  /^(?:(?:MODEL|EMBEDDING)_(?:BASE_URL|NAME|API_KEY(?:_FILE)?)|THREADLORE_(?:CA_FILE|OIDC_[A-Z_]+)|NODE_EXTRA_CA_CERTS|DATABASE_URL(?:_FILE)?|(?:https?|no)_proxy)$/i;

/**
 * Makes `threadlore serve` a service of this machine: data folder and first key, the file of its settings, and its unit,
 * printed or written. The first key is told once. What is there already stays. Throws UsageError.
 * @param args the whole command line
 */
export async function installService(
  terminal: Terminal,
  flags: InstallFlags & { readonly data?: string },
  args: readonly string[],
): Promise<number> {
  const places = placesOf(terminal, flags);
  const more = argumentsForUnit(args);
  try {
    const owner = ownerOf(places.account, places.data);
    privateFolder(places.data, owner);
    const key = await firstKey(terminal, places, owner);
    const kept = await writeSettings(terminal, places);
    note(terminal, `Data:     ${places.data}, of the account ${places.account}`);
    if (key !== undefined) {
      note(terminal, "Key:      the owner's, told this once:");
      terminal.out.write(`${key}\n`);
    } else note(terminal, `Key:      in ${dataFiles(places.data).key}, made before`);
    note(terminal, `Settings: ${places.settings} (${kept.length === 0 ? "nothing set" : kept.join(", ")})`);
    place(terminal, places, serviceUnit(places, more), flags.write === true);
  } catch (error) {
    throw error instanceof InstallError ? new UsageError(error.message) : error;
  }
  return EXIT_CODES.ok.code;
}

function placesOf(terminal: Terminal, flags: InstallFlags & { readonly data?: string }): ServicePlaces {
  const isRoot = process.getuid?.() === 0;
  const named = flags.data ?? terminal.env["THREADLORE_DATA"];
  const isNamed = named !== undefined && named !== "";
  const settings = isRoot ? SYSTEM_PLACES.settings : join(configFolder(terminal), "environment");
  return {
    account: flags.account ?? (isRoot ? SYSTEM_PLACES.account : userInfo().username),
    data: isRoot && !isNamed ? SYSTEM_PLACES.data : dataFolder(terminal, flags.data),
    settings: resolve(terminal.folder, flags.settings ?? settings),
    units: resolve(terminal.folder, flags.units ?? SYSTEM_PLACES.units),
  };
}

/** The key that the first start makes, as the account the service will run as; undefined: there is one. Throws UsageError. */
async function firstKey(
  terminal: Terminal,
  { account, data }: ServicePlaces,
  owner: Owner | undefined,
): Promise<string | undefined> {
  const told: FirstStart = { folder: data, databaseUrl: databaseUrl(terminal) };
  // Of the environment only what the account will be told anyway: it can look into its own processes.
  const env = Object.fromEntries(carried(terminal));
  const module = fileURLToPath(import.meta.url);
  const child = fork(join(dirname(module), `first-start${extname(module)}`), {
    ...owner,
    cwd: "/",
    env,
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const complained = child.stderr === null ? Promise.resolve("") : streamText(child.stderr);
  child.on("error", () => undefined).send(told, () => undefined);
  const said = await new Promise<FirstStarted | undefined>((resolved) => {
    child.once("message", (message) => resolved(message as FirstStarted)).once("close", () => resolved(undefined));
    child.once("error", () => resolved(undefined));
  });
  if (said === undefined) {
    const why =
      (await complained)
        .trim()
        .split("\n")
        .findLast((line) => /Error|error/.test(line)) ?? "it said nothing";
    throw new UsageError(
      `The account ${account} cannot run threadlore (${why}): it must be able to read Node and the program. Install both where everybody can, or name another account with --account.`,
    );
  }
  if ("running" in said) throw new UsageError(`A service runs on ${data} already. Stop it, then install it.`);
  if ("key" in said) return said.key ?? undefined;
  const yours =
    owner === undefined
      ? ""
      : ` Everything in ${data} has to belong to ${account}: \`sudo chown -R ${account}: ${data}\` sees to it while nothing runs there.`;
  throw new UsageError(`${said.problem}${yours}`);
}

/** What of the environment the service is told. */
function carried({ env }: Terminal): [string, string][] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    CARRIED.test(name) && value !== "" ? [[name, value]] : [],
  );
}

/** Keeps what the environment says now beside what was kept before. Names of what is set. */
async function writeSettings(terminal: Terminal, { settings }: ServicePlaces): Promise<string[]> {
  const before = parseEnv((await readIfPresent(settings)) ?? "");
  // The unit starts elsewhere.
  const lasting = carried(terminal).map(([name, value]) => [
    name,
    /_(?:FILE|CERTS)$/.test(name) ? resolve(terminal.folder, value) : value,
  ]);
  const all: Record<string, string> = Object.fromEntries([...Object.entries(before), ...lasting]);
  const notes = ["Settings of threadlore.service; `threadlore serve --help` lists them. Only systemd reads this file."];
  makeFolder(dirname(settings));
  privateFile(settings, settingsText(all, notes));
  return Object.keys(all);
}

function place(terminal: Terminal, places: ServicePlaces, unit: string, write: boolean): void {
  const file = unitFile(places);
  const start = "sudo systemctl daemon-reload && sudo systemctl enable --now threadlore";
  if (write) {
    publicFile(file, unit);
    note(terminal, `Unit:     ${file}`);
    note(terminal, `Start it: ${start}`);
    return;
  }
  note(terminal, `Unit:     save what follows as ${file}, or run this again with --write. Then: ${start}\n`);
  terminal.out.write(unit);
}
