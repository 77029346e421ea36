import { globSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../shared-folder.ts";
import { runProgram } from "./run-program.ts";
import { countTests, type TestReport } from "./tests.ts";

describe("runProgram", () => {
  it("lets others go first where it is told to", async () => {
    const script = "console.log(os.getPriority())";
    const { output } = await runProgram("node", ["-e", script], { gently: true });
    expect(Number(output)).toBe(Math.max(getPriority(), 10));
  });

  it("gives what a program printed, and whether it succeeded", async () => {
    const script = "console.log(1); console.error(2); process.exitCode = 3";
    expect(await runProgram("node", ["-e", script])).toEqual({ ok: false, output: "1\n2\n" });
    expect(await runProgram("node", ["-e", ""])).toEqual({ ok: true, output: "" });
  });

  it("runs the workspace's own Node", async () => {
    const { output } = await runProgram("node", ["-p", "process.version"]);
    expect(Number(output.slice(1).split(".")[0])).toBeGreaterThanOrEqual(24);
  });

  it("says so when a program is not there", async () => {
    const { ok, output } = await runProgram("no-such-program", []);
    expect(ok).toBe(false);
    expect(output).toContain("no-such-program could not be started");
  });
});

describe("countTests", () => {
  const report: TestReport = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 2, testResults: [] };

  it("counts passed, failed and left-out tests", () => {
    expect(countTests(report, true)).toEqual({ passed: 5, failed: 0, skipped: 2 });
  });

  it("counts a file that could not be imported as a failure", () => {
    const testResults = [{ status: "failed", assertionResults: [] }];
    expect(countTests({ ...report, testResults }, false).failed).toBe(1);
  });

  it("counts an error outside any test as a failure", () => {
    expect(countTests(report, false).failed).toBe(1);
  });
});

/** The projects that `tsc -b` comes to from this one, itself included. */
function projectsFrom(project: string, found = new Set<string>()): Set<string> {
  if (found.has(project)) return found;
  found.add(project);
  const { references = [] } = JSON.parse(readFileSync(join(repositoryRoot, project), "utf8")) as {
    references?: { path: string }[];
  };
  for (const { path } of references) {
    const target = join(dirname(project), path);
    projectsFrom(path.endsWith(".json") ? target : join(target, "tsconfig.json"), found);
  }
  return found;
}

describe("the types", () => {
  it("are checked of every project there is", () => {
    const there = globSync("{packages/*/,bot/,extension/,}tsconfig{,.test,.page,.child}.json", { cwd: repositoryRoot });
    expect(there.length).toBeGreaterThan(15);
    expect([...projectsFrom("tsconfig.json")].toSorted()).toEqual(there.map(normalize).toSorted());
  });

  it("of a package are checked anew when those of one it uses have changed", () => {
    for (const project of projectsFrom("tsconfig.json")) {
      const manifest = join(repositoryRoot, dirname(project), "package.json");
      const { dependencies = {} } = JSON.parse(readFileSync(manifest, "utf8")) as { dependencies?: object };
      const used = Object.keys(dependencies).flatMap((name) => /^@threadlore\/(.+)$/.exec(name)?.[1] ?? []);
      const folders = used.map((name) => (["bot", "extension"].includes(name) ? name : join("packages", name)));
      const reached = [...projectsFrom(project)].map((path) => dirname(path));
      expect(reached, project).toEqual(expect.arrayContaining(folders));
    }
  });
});
