import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { repositoryRoot, sharedFolder } from "./shared-folder.ts";

it("knows the root of the repository", () => {
  expect(existsSync(join(repositoryRoot, "pnpm-workspace.yaml"))).toBe(true);
});

it("says once, in plain words, that a folder is not there", () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(sharedFolder("no/such/folder")).toBeUndefined();
  expect(sharedFolder("no/such/folder")).toBeUndefined();
  expect(print).toHaveBeenCalledTimes(1);
  expect(print.mock.calls[0]?.[0]).toMatch(/^skipped: \.\.\/shared\/no\/such\/folder is not beside this clone;/);
  print.mockRestore();
});
