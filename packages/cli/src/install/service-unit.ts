import { dirname, join } from "node:path";
import { lastingNode, unitText } from "@threadlore/installing";
import { running } from "../assistants/launch.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { versionOfPackage } from "../version.ts";

/** Where an installation of the embedded service keeps what. */
export interface ServicePlaces {
  /** Account it runs as. */
  readonly account: string;
  /** Folder of its data. */
  readonly data: string;
  /** File of what it is told of models and proxies. */
  readonly settings: string;
  /** Folder units of systemd are found in. */
  readonly units: string;
}

/** Where root keeps what, unless told otherwise. */
export const SYSTEM_PLACES: ServicePlaces = {
  account: "threadlore",
  data: "/var/lib/threadlore",
  settings: "/etc/threadlore/environment",
  units: "/etc/systemd/system",
};

/** The file of the unit. */
export const unitFile = ({ units }: Pick<ServicePlaces, "units">): string => join(units, "threadlore.service");

/**
 * The unit that runs `threadlore serve`.
 * @param more what else `serve` is told, such as `["--port", "8500"]`
 * @param program by which Node, and the file it starts
 */
export function serviceUnit(places: ServicePlaces, more: readonly string[], program = thisProgram()): string {
  return unitText({
    description: "Threadlore",
    account: places.account,
    command: [program.node, program.start, "serve", "--data", places.data, ...more],
    folder: dirname(program.start),
    settings: places.settings,
    state: places.data,
    finalCodes: [EXIT_CODES.usage.code],
    stopSeconds: 60,
  });
}

function thisProgram() {
  return { node: lastingNode(), start: running(versionOfPackage(), {}).program };
}
