import { type Screen, run, type Terminal } from "@threadlore/cli";

/** Runs one command line in this process, as a program of a pipeline; what it wrote to standard output. */
export async function runQuietly(
  args: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const written = { out: "", err: "" };
  const code = await run(args, quietTerminal(folder, env, written));
  return { code, stdout: written.out, stderr: written.err };
}

/** A terminal nobody sits at. */
export function quietTerminal(
  folder: string,
  env: Readonly<Record<string, string>>,
  written = { out: "", err: "" },
): Terminal {
  const screen = (to: keyof typeof written): Screen => ({
    isTerminal: false,
    colours: false,
    columns: 80,
    rows: 24,
    write: (text) => void (written[to] += text),
  });
  return {
    out: screen("out"),
    err: screen("err"),
    env: { HOME: folder, ...env },
    folder,
    stdinIsTerminal: false,
    readStdin: async () => "",
    readStdinBytes: async () => new Uint8Array(),
    prompt: async () => "",
    interrupted: new AbortController().signal,
    hide: () => {},
  };
}
