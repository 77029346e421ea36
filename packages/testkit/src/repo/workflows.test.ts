import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repositoryRoot } from "../shared-folder.ts";
import { readManifest } from "./workspace.ts";

/** The parts of a workflow that ours use, as the documentation of GitHub Actions names them. */
const KEYS = {
  workflow: ["name", "on", "permissions", "concurrency", "jobs"],
  job: ["name", "runs-on", "container", "timeout-minutes", "strategy", "steps"],
  step: ["name", "uses", "with", "run"],
};

type Tree = Record<string, unknown>;

/** What is wrong with a workflow, one line each; none when GitHub would take it and it asks for no more than it needs. */
function faultsOf(text: string): string[] {
  const workflow = tree(parse(text, { uniqueKeys: true }));
  const jobs = Object.entries(tree(workflow["jobs"]));
  const faults = [...unknownKeys("workflow", workflow)];
  if (workflow["on"] === undefined) faults.push("says not when it runs");
  if (JSON.stringify(workflow["permissions"]) !== '{"contents":"read"}') faults.push("may do more than read");
  if (jobs.length === 0) faults.push("has no job");
  for (const [id, value] of jobs) faults.push(...jobFaults(tree(value)).map((fault) => `${id}: ${fault}`));
  return faults;
}

function jobFaults(job: Tree): string[] {
  const faults = [...unknownKeys("job", job)];
  if (typeof job["runs-on"] !== "string") faults.push("runs nowhere");
  if (typeof job["timeout-minutes"] !== "number") faults.push("has no time limit");
  const matrix = tree(tree(job["strategy"])["matrix"]);
  for (const [, name = ""] of JSON.stringify(job).matchAll(/\$\{\{ *matrix\.(\w+) *\}\}/g)) {
    if (!Array.isArray(matrix[name])) faults.push(`its matrix has no ${name}`);
  }
  const steps = Array.isArray(job["steps"]) ? job["steps"].map(tree) : [];
  if (steps.length === 0) faults.push("does nothing");
  for (const step of steps) faults.push(...stepFaults(step));
  return faults;
}

function stepFaults(step: Tree): string[] {
  const faults = [...unknownKeys("step", step)];
  const { uses, run } = step;
  if ((uses === undefined) === (run === undefined)) faults.push("a step either uses or runs something");
  if (uses !== undefined && !/^actions\/[\w-]+@v\d+$/.test(String(uses))) faults.push(`uses ${String(uses)}`);
  const [, script] = /^npx -y pnpm@12 (\S+)/.exec(String(run ?? "")) ?? [];
  const scripts = readManifest(join(repositoryRoot, "package.json")).scripts ?? {};
  if (script !== undefined && scripts[script] === undefined) faults.push(`runs ${script}, which is no script`);
  return faults;
}

function unknownKeys(kind: keyof typeof KEYS, of: Tree): string[] {
  return Object.keys(of).flatMap((key) => (KEYS[kind].includes(key) ? [] : [`a ${kind} has no ${key}`]));
}

function tree(value: unknown): Tree {
  return typeof value === "object" && value !== null ? (value as Tree) : {};
}

const workflows = globSync(".github/workflows/*.{yml,yaml}", { cwd: repositoryRoot });

describe("the workflows", () => {
  it("are there", () => expect(workflows).toEqual([join(".github", "workflows", "test.yml")]));

  it.each(workflows)("hold together: %s", (path) => {
    expect(faultsOf(readFileSync(join(repositoryRoot, path), "utf8"))).toEqual([]);
  });

  it("run every check on Debian, and a first start and the portable tests elsewhere", () => {
    const { jobs } = parse(readFileSync(join(repositoryRoot, ".github/workflows/test.yml"), "utf8")) as {
      jobs: Record<string, { steps: { run?: string }[] }>;
    };
    const runs = (job: string) => jobs[job]?.steps.flatMap(({ run }) => (run?.startsWith("npx") ? [run] : []));
    expect(runs("debian")).toEqual(["npx -y pnpm@12 test", "npx -y pnpm@12 start --once"]);
    expect(runs("elsewhere")).toEqual(["npx -y pnpm@12 start --once", "npx -y pnpm@12 test:portable"]);
    expect(existsSync(join(repositoryRoot, "packages/testkit/src/portable.ts"))).toBe(true);
  });

  it("would be refused with a fault in them", () => {
    const bad = `
on: push
permissions: { contents: write }
jobs:
  one:
    runs-on: \${{ matrix.os }}
    step: []
    steps:
      - { uses: someone/else@main, run: echo }
      - { run: npx -y pnpm@12 no-such }
`;
    expect(faultsOf(bad)).toEqual([
      "may do more than read",
      "one: a job has no step",
      "one: has no time limit",
      "one: its matrix has no os",
      "one: a step either uses or runs something",
      "one: uses someone/else@main",
      "one: runs no-such, which is no script",
    ]);
    expect(() => faultsOf("jobs:\n  a: 1\n  a: 2\n")).toThrow(/unique/);
  });
});
