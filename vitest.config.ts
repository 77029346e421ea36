import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Written by `wxt prepare`, which the installation runs: the extension's texts, typed. */
const i18n = fileURLToPath(new URL("extension/.wxt/i18n/index.ts", import.meta.url));

const long = process.env["THREADLORE_LONG"] === "1";

export default defineConfig({
  resolve: { alias: { "#i18n": i18n } },
  test: {
    include: [
      long ? "{packages,bot,extension}/**/src/**/*.long.ts" : "{packages,bot,extension}/**/src/**/*.test.{ts,tsx}",
    ],
    // Most tests wait rather than work: so many end sooner, on two cores too.
    maxWorkers: 3,
    testTimeout: long ? 3_600_000 : 30_000,
    hookTimeout: 60_000,
  },
});
