import { globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { playsBrowser } from "./packages/testkit/src/checks/portable-tests.ts";
import { ProgramsLate } from "./packages/testkit/src/checks/sequencer.ts";

/** Written by `wxt prepare`, which the installation runs: the extension's texts, typed. */
const i18n = fileURLToPath(new URL("extension/.wxt/i18n/index.ts", import.meta.url));

const long = process.env["THREADLORE_LONG"] === "1";
const files = long ? "*.long.ts" : "*.test.{ts,tsx}";

const root = fileURLToPath(new URL(".", import.meta.url));
/** Most tests of the extension leave nothing in their process: they drive a real browser, or none. */
const extension = long
  ? []
  : globSync("extension/src/**/*.test.{ts,tsx}", { cwd: root }).filter((file) => !playsBrowser(join(root, file)));

export default defineConfig({
  resolve: { alias: { "#i18n": i18n } },
  test: {
    // Most tests wait rather than work: so many end sooner, on two cores too. The long ones work.
    maxWorkers: long ? 2 : 4,
    sequence: { sequencer: ProgramsLate },
    setupFiles: [fileURLToPath(new URL("packages/testkit/src/tidying.setup.ts", import.meta.url))],
    // Bounds of time only end what would never end: what comes late on a busy machine is no less right.
    testTimeout: long ? 3_600_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    projects: [
      // A process of its own for every file takes some 2 s of work each, with all that it imports anew. The extension's
      // fake browser needs one, and benches: one of them sets the timers of its process, and whatever an earlier file
      // left in there would meet them.
      {
        extends: true,
        test: {
          name: "alone",
          include: [`{extension,packages/bench}/**/src/**/${files}`],
          exclude: ["**/node_modules/**", ...extension],
        },
      },
      {
        extends: true,
        test: {
          name: "together",
          include: [`{packages,bot}/**/src/**/${files}`, ...extension],
          exclude: ["**/node_modules/**", "packages/bench/**"],
          // Long tests count what their process holds.
          isolate: long,
        },
      },
    ],
  },
});
