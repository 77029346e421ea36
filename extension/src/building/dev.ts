/**
 * Serves the extension for work on it: built once for Chromium, unminified, and again on every change; a browser that
 * loaded the folder reloads what changed. Ends with SIGINT or SIGTERM.
 */
import { join } from "node:path";
import { createServer } from "wxt";

const server = await createServer({ root: join(import.meta.dirname, "../.."), webExt: { disabled: true } });
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void server.stop().finally(() => process.exit()));
}
await server.start();
