import { join } from "node:path";
import { build } from "rolldown";

/** `readPage` and all it needs as one script, which makes it the global `threadlore` of the world it is put into. */
export async function pageScript(): Promise<string> {
  const { output } = await build({
    input: join(import.meta.dirname, "read-page.ts"),
    platform: "browser",
    write: false,
    output: { format: "iife", name: "threadlore", minify: true },
  });
  return output[0].code.replace(/^var threadlore/, "globalThis.threadlore");
}
