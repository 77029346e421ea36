import { build, type InputOptions } from "rolldown";

/** A module with all it needs, as a script for a page that leaves its exports in a global of that name. */
export async function bundle(input: string, name: string, options: InputOptions = {}): Promise<string> {
  const { output } = await build({
    input,
    platform: "browser",
    write: false,
    logLevel: "silent",
    ...options,
    output: { format: "iife", name, minify: true, codeSplitting: false },
  });
  return output[0].code.replace(`var ${name}`, `globalThis.${name}`);
}
