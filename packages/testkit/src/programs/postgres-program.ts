import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { debianProgram, isProgram, type Missing } from "./debian-program.ts";

const DEBIAN_PROGRAMS = "/usr/lib/postgresql";

/**
 * The folder with `initdb` and `postgres` of the newest PostgreSQL here; for root on Debian, the package `postgresql` is
 * installed where there is none, and said aloud. Where it cannot be, says so on stderr and answers why.
 */
export async function postgresProgram(
  environment: NodeJS.ProcessEnv = process.env,
  debian: string = DEBIAN_PROGRAMS,
): Promise<string | Missing> {
  const program = {
    name: "PostgreSQL server",
    packages: ["postgresql"],
    without: "tests with PostgreSQL",
    find: (here: NodeJS.ProcessEnv) => findPrograms(here, debian),
  };
  return debianProgram(program, environment);
}

/** Debian's newest, else one on the path. */
function findPrograms({ PATH = "" }: NodeJS.ProcessEnv, debian: string): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((one, other) => Number(other) - Number(one)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...PATH.split(delimiter)];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => isProgram(join(folder, name))));
}
