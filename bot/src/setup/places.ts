import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { lastingNode, unitText } from "@threadlore/installing";
import { EXIT_CODES } from "../settings/command-line.ts";

/** Where an installation of the bot keeps what. */
export interface Places {
  /** Account it runs as. */
  readonly account: string;
  /** Folder of its settings. */
  readonly folder: string;
  /** Folder of what it remembers. */
  readonly state: string;
  /** Folder units of systemd are found in. */
  readonly units: string;
}

/** Where it keeps what unless told otherwise. */
export const USUAL_PLACES: Places = {
  account: "threadlore-bot",
  folder: "/etc/threadlore-bot",
  state: "/var/lib/threadlore-bot",
  units: "/etc/systemd/system",
};

/** The file of all settings, which the unit and every command by hand read. */
export const settingsFile = ({ folder }: Pick<Places, "folder">): string => join(folder, "environment");

/** The folder of secrets, a file each. */
export const secretsFolder = ({ folder }: Pick<Places, "folder">): string => join(folder, "secrets");

/** The file of the unit. */
export const unitFile = ({ units }: Pick<Places, "units">): string => join(units, "threadlore-bot.service");

/**
 * The unit that runs the bot.
 * @param program by which Node, and the file it starts
 */
export function botUnit(places: Places, program = thisProgram()): string {
  return unitText({
    description: "Threadlore bot",
    account: places.account,
    command: [program.node, program.start],
    folder: dirname(dirname(program.start)),
    settings: settingsFile(places),
    state: places.state,
    // Without these Node keeps much more memory for garbage than the bot ever needs.
    nodeOptions: "--max-old-space-size=256 --max-semi-space-size=4",
    // An app that was uninstalled ends with this one as well.
    finalCodes: [EXIT_CODES.usage],
    stopSeconds: 60,
  });
}

/** What runs here, by paths that stay. */
function thisProgram() {
  return { node: lastingNode(), start: fileURLToPath(new URL("../../start.cjs", import.meta.url)) };
}
