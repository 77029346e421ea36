import { debianProgram, onPath } from "./debian-program.ts";

/**
 * Path of `systemd-analyze`, which reads units without running anything; Debian's package `systemd` is installed by root
 * where it is missing. Returns undefined where there is none, after saying once what is left out.
 */
export async function systemdAnalyze(environment?: NodeJS.ProcessEnv): Promise<string | undefined> {
  const found = await debianProgram(
    {
      name: "systemd-analyze",
      packages: ["systemd"],
      without: "what systemd itself says of the units",
      find: (here: NodeJS.ProcessEnv) => onPath(["systemd-analyze"], here),
    },
    environment,
  );
  return typeof found === "string" ? found : undefined;
}
