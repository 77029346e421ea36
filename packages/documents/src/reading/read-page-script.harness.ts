import { join } from "node:path";
import { build } from "rolldown";

/** `readPage` and all it needs as one script, as an extension puts it into a page; it leaves `threadlore` in the scope. */
export async function readPageScript(): Promise<string> {
  const { output } = await build({
    input: join(import.meta.dirname, "read-page.ts"),
    platform: "browser",
    write: false,
    output: { format: "iife", name: "threadlore", minify: true, codeSplitting: false },
  });
  return output[0].code;
}

/** The same for a page's own world, where tests call it. */
export const inPage = (script: string): string => script.replace(/^var threadlore/, "globalThis.threadlore");
