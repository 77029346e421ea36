import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "./run-program.ts";

/** How the tests went. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The parts of vitest's JSON report that are counted. */
export interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/** Runs every `*.test.ts`, or every `*.long.ts` when `long`, shown while they run, and counts them. */
export async function runTests(long: boolean): Promise<TestCounts> {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-check-"));
  const reportPath = join(folder, "report.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  try {
    // Hundreds of programs are started from the same sources.
    const environment = { NODE_COMPILE_CACHE: join(folder, "compiled"), ...(long && { THREADLORE_LONG: "1" }) };
    const { ok } = await runProgram("vitest", args, { live: true, environment });
    return countTests(JSON.parse(readFileSync(reportPath, "utf8")), ok);
  } catch (error) {
    console.log(`The tests left no report: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Counts a report. `ok` is whether vitest itself ended well. */
export function countTests(report: TestReport, ok: boolean): TestCounts {
  // A file that cannot even be imported has failed without a single failed test in it.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    // An error outside any test fails the run as well.
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: report.numPendingTests,
  };
}
