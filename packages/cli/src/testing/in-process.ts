import type { Terminal } from "../output.ts";
import { run } from "../program.ts";
import type { Finished } from "./spawn-cli.ts";

/** Runs one command line in this process, in a home and a folder of its own. */
export async function runHere(
  args: readonly string[],
  { home, folder = home, env = {} }: { home: string; folder?: string; env?: Readonly<Record<string, string>> },
): Promise<Omit<Finished, "signal">> {
  const written = { out: "", err: "" };
  const screen = (to: keyof typeof written): Terminal["out"] => ({
    isTerminal: false,
    colours: false,
    columns: 80,
    rows: 24,
    write: (text) => void (written[to] += text),
  });
  const code = await run(args, {
    out: screen("out"),
    err: screen("err"),
    env: { HOME: home, ...env },
    folder,
    stdinIsTerminal: false,
    readStdin: async () => "",
    readStdinBytes: async () => new Uint8Array(),
    prompt: async () => "",
    interrupted: new AbortController().signal,
    hide: () => {},
  });
  return { code, stdout: written.out, stderr: written.err };
}
