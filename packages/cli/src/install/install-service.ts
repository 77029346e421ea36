import { userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import {
  giveAll,
  InstallError,
  makeFolder,
  ownerOf,
  privateFile,
  publicFile,
  settingsText,
} from "@threadlore/installing";
import { dataFiles, runningIn } from "../embedded/embedded.ts";
import { EXIT_CODES, UsageError } from "../exit-codes.ts";
import { configFolder, dataFolder, readIfPresent } from "../folders.ts";
import { note, type Terminal } from "../terminal/output.ts";
import { argumentsForUnit, type InstallFlags } from "./install-options.ts";
import { serviceUnit, SYSTEM_PLACES, type ServicePlaces, unitFile } from "./service-unit.ts";

/** Settings of the service that do not stand on its command line. */
const CARRIED =
  /^(?:(?:MODEL|EMBEDDING)_(?:BASE_URL|NAME|API_KEY)|THREADLORE_CA_FILE|NODE_EXTRA_CA_CERTS|DATABASE_URL|(?:https?|no)_proxy)$/i;

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
    const key = await firstKey(places);
    if (owner !== undefined) giveAll(places.data, owner);
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

/** Starts it for a moment, on a port nobody asks for: that makes the database and, where there was none, the owner's key. */
async function firstKey({ data }: ServicePlaces): Promise<string | undefined> {
  if ((await runningIn(dataFiles(data))) !== undefined) {
    throw new UsageError(`A service runs on ${data} already. Stop it, then install it.`);
  }
  const { startServing } = await import("../embedded/serving.ts");
  const { firstStart, apiKey, close } = await startServing({ folder: data, port: 0 });
  await close();
  return firstStart ? apiKey : undefined;
}

/** Keeps what the environment says now beside what was kept before. Names of what is set. */
async function writeSettings({ env, folder }: Terminal, { settings }: ServicePlaces): Promise<string[]> {
  const before = parseEnv((await readIfPresent(settings)) ?? "");
  const now = Object.entries(env).filter(([name, value]) => CARRIED.test(name) && value !== undefined && value !== "");
  // The unit starts elsewhere.
  const lasting = now.map(([name, value = ""]) => [
    name,
    /_(?:FILE|CERTS)$/.test(name) ? resolve(folder, value) : value,
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
