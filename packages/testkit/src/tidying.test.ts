import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { workspacePackages } from "./repo/workspace.ts";
import { repositoryRoot } from "./shared-folder.ts";
import { afterThisTest, temporaryFolder, tidyTest } from "./tidying.ts";

const TIDYING = fileURLToPath(new URL("tidying.ts", import.meta.url));
const SETUP = fileURLToPath(new URL("tidying.setup.ts", import.meta.url));

/** A file of tests that leaves a folder, and notes what of the test before it has ended. */
const FILE = `
import { afterThisTest, temporaryFolder } from ${JSON.stringify(TIDYING)};
let ended = 0;
it("begins", () => {
  temporaryFolder();
  afterThisTest(() => (ended += 1));
});
it("finds what was begun at its end", () => expect(ended).toBe(1));
`;

describe("tidying up after tests", () => {
  it("is done after every test and file, also where files share a process", { timeout: 60_000 }, async () => {
    const folder = temporaryFolder();
    for (const name of ["one", "two", "three"]) writeFileSync(join(folder, `${name}.test.ts`), FILE);
    const config = {
      test: { root: folder, globals: true, isolate: false, maxWorkers: 1, setupFiles: [SETUP], include: ["*.test.ts"] },
    };
    writeFileSync(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify(config)};`);
    const left = join(folder, "left");
    mkdirSync(left);
    const vitest = join(repositoryRoot, "node_modules/vitest/vitest.mjs");
    const report = join(folder, "report.json");
    await promisify(execFile)(
      process.execPath,
      [vitest, "run", "--config", join(folder, "vitest.config.mjs"), "--reporter", "json", "--outputFile", report],
      { cwd: folder, env: { ...process.env, TMPDIR: left, VITEST: "" } },
    );
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ numPassedTests: 6, numFailedTests: 0 });
    expect(readdirSync(left).filter((name) => name.startsWith("threadlore-"))).toEqual([]);
  });

  it("ends all of it, the last first, although one of them fails", async () => {
    const ended: number[] = [];
    afterThisTest(() => ended.push(1));
    afterThisTest(() => Promise.reject(new Error("It is gone already.")));
    afterThisTest(() => ended.push(3));
    await expect(tidyTest()).rejects.toThrow("Not everything could be ended.");
    expect(ended).toEqual([3, 1]);
    await tidyTest();
    expect(ended).toEqual([3, 1]);
  });

  it("is not left to hooks of a helper, which the first file alone would hear", () => {
    const helpers = workspacePackages().flatMap(({ folder, sources }) =>
      sources
        .filter((path) => !/\.(test|long)\.tsx?$/.test(path) && !path.endsWith("tidying.setup.ts"))
        .filter((path) => /^(after|before)(All|Each)\(/m.test(readFileSync(join(folder, path), "utf8")))
        .map((path) => join(folder, path)),
    );
    expect(helpers).toEqual([]);
  });

  it("leaves nobody a folder in the terminal's and the demo's tests that was made elsewhere", () => {
    const makers = workspacePackages()
      .filter(({ name }) => name === "cli" || name === "demo")
      .flatMap(({ folder, sources }) =>
        sources
          .filter((path) => /\.(test|long)\.ts$|^src\/testing\//.test(path))
          .filter((path) => /\bmkdtemp/.test(readFileSync(join(folder, path), "utf8"))),
      );
    expect(makers).toEqual([]);
  });
});
