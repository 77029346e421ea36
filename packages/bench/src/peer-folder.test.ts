import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "@threadlore/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { installPeers, loadPeers, PEERS_FOLDER } from "./peer-folder.ts";

const read = (...path: string[]): string => readFileSync(join(...path), "utf8");
const { dependencies } = JSON.parse(read(PEERS_FOLDER, "package.json")) as { dependencies: Record<string, string> };

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("what ours is measured beside", () => {
  it("is not installed with the repository", () => {
    const lock = read(repositoryRoot, "pnpm-lock.yaml");
    const isLocked = (name: string): boolean => lock.includes(`\n  ${name}@`) || lock.includes(`\n  '${name}@`);
    expect(["hono", "@slack/bolt"].filter(isLocked)).toEqual(["hono", "@slack/bolt"]);
    const apart = Object.keys(dependencies).filter((name) => !isLocked(name));
    expect(apart).toEqual(expect.arrayContaining(["@orama/orama", "ai", "flexsearch", "react", "streamdown"]));
  });

  it("comes in under the same rules, in exact versions", () => {
    const rules = read(PEERS_FOLDER, "pnpm-workspace.yaml")
      .split("\n")
      .filter((line) => /^\w+: \S/.test(line) && line !== "packages: []");
    expect(rules.length).toBeGreaterThan(5);
    expect(read(repositoryRoot, "pnpm-workspace.yaml").split("\n")).toEqual(expect.arrayContaining(rules));
    expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it("is installed once, and then only loaded", async () => {
    installPeers();
    vi.stubEnv("PATH", "");
    await expect(loadPeers("engines.ts")).resolves.toHaveProperty("peerEngines");
  });
});
