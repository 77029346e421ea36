import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Terminal } from "@threadlore/cli";

const EXTENSION = fileURLToPath(new URL("../../../extension", import.meta.url));

const BUILD = join(EXTENSION, "src/building/build.ts");

/** Folders of the extension, from the root of the repository on, as a browser is told to load them. */
export const LOADED_FROM = {
  chromium: "extension/dist/chrome-mv3",
  firefox: "extension/dist/firefox-mv3/manifest.json",
} as const;

/** The extension is there to be loaded, or why not, in lines for a person. */
export type BuiltExtension =
  | { readonly built: true; /** For Chromium, as a whole path. */ readonly folder: string }
  | { readonly built: false; readonly lines: readonly string[] };

/** How many of the last lines of a failed build are shown. */
const SHOWN_LINES = 8;

/**
 * Builds the extension, unless the last build was made from the same sources. A program of its own does it, as
 * `pnpm build` does: it fails by itself. Never throws.
 */
export async function buildExtension(
  { env, interrupted }: Pick<Terminal, "env" | "interrupted">,
  program: string = BUILD,
): Promise<BuiltExtension> {
  return new Promise((built) => {
    const options = { env, signal: interrupted, maxBuffer: 16_000_000 };
    execFile(process.execPath, [program, "--if-changed"], options, (error, _output, complaints) => {
      if (error === null) return built({ built: true, folder: join(EXTENSION, "dist/chrome-mv3") });
      const lines = complaints.split("\n").filter((line) => line.trim() !== "");
      built({ built: false, lines: lines.length === 0 ? [error.message] : lines.slice(-SHOWN_LINES) });
    });
  });
}
