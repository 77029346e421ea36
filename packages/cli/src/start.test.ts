import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const START = join(import.meta.dirname, "start.cts");

/** Starts the command as if by another version of Node. */
function startAs(version: string) {
  const pretend = `Object.defineProperty(process.versions, "node", { value: "${version}" })`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  return spawnSync(process.execPath, ["--import", preload, START, "--version"], { encoding: "utf8" });
}

describe("the start of the installed command", () => {
  it.each(["18.20.8", "20.20.2", "22.15.1", "23.11.1"])("says on Node %s which one is needed", (version) => {
    const { status, stdout, stderr } = startAs(version);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^threadlore needs Node 22\.16 or newer \(not 23\); this is Node \S+\. .*\n$/);
    expect(stderr).toContain(version);
  });

  it.each(["22.16.0", "24.0.0", "26.1.0"])("runs the command on Node %s", (version) => {
    expect(startAs(version)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it("asks for what package.json asks for", () => {
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
      engines: { node: string };
    };
    expect(engines.node).toBe("^22.16.0 || >=24.0.0");
  });
});
