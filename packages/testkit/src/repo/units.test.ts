import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemdAnalyze } from "../programs/systemd-program.ts";
import { repositoryRoot } from "../shared-folder.ts";
import { temporaryFolder } from "../tidying.ts";
import { describe, expect, it } from "vitest";

const UNITS = join(repositoryRoot, "deploy");
const units = readdirSync(UNITS).filter((name) => name.endsWith(".service"));
// Said aloud where it is not here and cannot be installed.
const analyze = await systemdAnalyze();

/** The unit where this machine has what it names: its program and its folder, which an installation brings. */
function placed(name: string): string {
  const text = readFileSync(join(UNITS, name), "utf8")
    .replaceAll("/usr/bin/node", process.execPath)
    .replaceAll("/opt/threadlore", repositoryRoot);
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

describe("the units of systemd", () => {
  it("are those of the bot and of the service", () => {
    expect(units).toEqual(["threadlore-bot.service", "threadlore.service"]);
  });

  it.skipIf(analyze === undefined).each(units)("%s is one that systemd takes as it is", (name) => {
    const { status, stdout, stderr } = spawnSync(analyze ?? "", ["verify", "--man=no", placed(name)], {
      encoding: "utf8",
    });
    expect({ status, said: (stdout + stderr).trim() }).toEqual({ status: 0, said: "" });
  });

  it.skipIf(analyze === undefined).each(units)("%s is closed as far as a program that calls others can be", (name) => {
    const args = ["security", "--offline=true", "--no-pager", "--json=short", placed(name)];
    const table = JSON.parse(execFileSync(analyze ?? "", args, { encoding: "utf8" })) as Row[];
    const open = table.filter(({ set, exposure }) => set === false && Number(exposure) > 0);
    // Others judge by what they know besides.
    const version = /^systemd (\d+)/.exec(execFileSync(analyze ?? "", ["--version"], { encoding: "utf8" }))?.[1];
    const fields = open.map(({ json_field: field }) => field).toSorted();
    expect(version === "252" ? fields : OPEN).toEqual(OPEN);
    // From 0 to 10, of which systemd calls all up to 2.9 "ok".
    expect(open.reduce((sum, { exposure }) => sum + Number(exposure), 0)).toBeLessThan(2);
  });
});

interface Row {
  readonly set: boolean | null;
  readonly json_field: string;
  readonly exposure: string | null;
}

/**
 * What stays open, and has to: it calls other machines, speaks to PostgreSQL by a socket, makes code as it runs, and
 * measures its memory against the machine's. As Debian 12's systemd calls it.
 */
const OPEN: readonly string[] = [
  "DeviceAllow",
  "IPAddressDeny",
  "MemoryDenyWriteExecute",
  "PrivateMounts",
  "PrivateNetwork",
  "ProcSubset",
  "RestrictAddressFamilies_AF_INET_INET6",
  "RestrictAddressFamilies_AF_UNIX",
  "RootDirectoryOrRootImage",
  "SystemCallFilter_resources",
];
