import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { debianProgram, type Missing, onPath } from "../programs/debian-program.ts";

const PROGRAMS = ["podman", "docker-compose", "mmdebstrap", "runc", "catatonit", "aardvark-dns", "nft"] as const;

/**
 * What it takes to make and run containers here; for root on Debian its packages are installed where one is missing, and said
 * aloud. Where they cannot be, says so on stderr and answers why.
 */
export async function containerPrograms(environment: NodeJS.ProcessEnv = process.env): Promise<string | Missing> {
  const places = { ...environment, PATH: `${environment["PATH"]}:/usr/libexec/podman:/usr/lib/podman:/usr/sbin` };
  return debianProgram(
    {
      name: "container runtime",
      packages: [
        "podman",
        "docker-compose",
        "mmdebstrap",
        "runc",
        "catatonit",
        "netavark",
        "aardvark-dns",
        "nftables",
        "iptables",
      ],
      without: "containers that are really started",
      find: () => (PROGRAMS.every((name) => onPath([name], places)) ? onPath(["podman"], places) : undefined),
    },
    environment,
  );
}

/**
 * The environment in which podman keeps all it has in one folder, apart from what this machine has of it, and asks nothing of it
 * that a container or a small virtual machine does not give: no systemd, no limits above its own.
 */
export async function runtimeApart(folder: string): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await promisify(execFile)("bash", ["-c", "ulimit -Hn"]);
  const files = Number(stdout) || 65_536;
  chmodSync(folder, 0o755);
  for (const name of ["graph", "run", "networks", "tmp"]) mkdirSync(join(folder, name));
  const settings = join(folder, "containers.conf");
  writeFileSync(
    settings,
    `[containers]
default_ulimits = ["nofile=${files}:${files}", "nproc=4096:4096"]
[engine]
runtime = "runc"
events_logger = "file"
tmp_dir = "${folder}/tmp"
[network]
network_config_dir = "${folder}/networks"
`,
  );
  const storage = join(folder, "storage.conf");
  writeFileSync(storage, `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/graph"\nrunroot = "${folder}/run"\n`);
  return {
    ...process.env,
    CONTAINERS_CONF: settings,
    CONTAINERS_STORAGE_CONF: storage,
    DOCKER_HOST: `unix://${folder}/podman.sock`,
  };
}
