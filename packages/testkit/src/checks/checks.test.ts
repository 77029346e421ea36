import { getPriority } from "node:os";
import { describe, expect, it } from "vitest";
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
