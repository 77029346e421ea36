import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { afterThisTest } from "../tidying.ts";
import { debianProgram } from "./debian-program.ts";

const isDebianRoot =
  process.getuid?.() === 0 &&
  process.platform === "linux" &&
  /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));

it.runIf(isDebianRoot)("is looked for when what is being installed is in place, and not before", async () => {
  const steps: string[] = [];
  const script = "echo held; read line";
  const installing = spawn("flock", [join(tmpdir(), "threadlore-packages.lock"), "sh", "-c", script]);
  afterThisTest(() => installing.stdin.end());
  await once(installing.stdout, "data");
  const found = debianProgram({
    name: "Program",
    packages: [],
    without: "tests",
    find: () => (steps.push("looked for"), "/here"),
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  steps.push("installed");
  installing.stdin.end();
  expect(await found).toBe("/here");
  expect(steps).toEqual(["installed", "looked for"]);
});
