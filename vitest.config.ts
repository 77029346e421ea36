import { defineConfig } from "vitest/config";

const long = process.env["THREADLORE_LONG"] === "1";

export default defineConfig({
  test: {
    include: [long ? "{packages,bot,extension}/**/src/**/*.long.ts" : "{packages,bot,extension}/**/src/**/*.test.ts"],
    testTimeout: long ? 3_600_000 : 30_000,
    hookTimeout: 60_000,
  },
});
