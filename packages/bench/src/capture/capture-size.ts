import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "rolldown";

const SCRIPT = fileURLToPath(new URL("../../../../extension/entrypoints/read-page.ts", import.meta.url));

/** Bytes, compressed, of the extension's capture script with all it needs, in one file. */
export async function scriptSize(): Promise<number> {
  const { output } = await build({
    input: SCRIPT,
    platform: "browser",
    write: false,
    // The extension's own is made by its build; nothing here hangs on it.
    tsconfig: false,
    output: { format: "iife", name: "capture", minify: true },
  });
  return gzipSync(output[0].code, { level: 9 }).length;
}
