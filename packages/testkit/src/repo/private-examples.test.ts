import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examplesIn, printsAsPromised } from "./examples.ts";
import { workspacePackages } from "./workspace.ts";

// Packages nobody installs: their examples run here, in the package's own folder. Those of the others run packed.
const examples = workspacePackages()
  .filter(({ manifest }) => manifest.private === true)
  .flatMap(({ manifest: { name }, folder }) =>
    examplesIn(readFileSync(join(folder, "README.md"), "utf8"))
      .filter(({ language }) => language === "ts")
      .map((example, index) => ({ ...example, name: `${name}, ${index + 1}`, folder })),
  );

describe("examples in READMEs of private packages", () => {
  it("are among them", () => {
    const of = (name: string) => examples.filter((example) => example.name.startsWith(`${name},`));
    for (const name of ["@threadlore/testkit", "@threadlore/bench"]) expect(of(name), name).not.toHaveLength(0);
  });

  // A bench among them takes its time on a busy machine.
  it.each(examples)("$name runs", { timeout: 120_000 }, ({ code, output, folder }) => {
    const command = ["--input-type=module-typescript", "--eval", code];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const kept = output === undefined || printsAsPromised(output, stdout);
    expect(kept ? output : stdout).toBe(output);
  });
});
