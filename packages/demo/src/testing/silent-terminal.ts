import type { Terminal } from "@threadlore/cli";

/** A terminal in memory; `said` is everything written to it so far. */
export function silentTerminal(env: NodeJS.ProcessEnv = {}): { terminal: Terminal; said: () => string } {
  let said = "";
  const screen = {
    isTerminal: false,
    colours: false,
    columns: 80,
    rows: 24,
    write: (text: string) => void (said += text),
  };
  const terminal: Terminal = {
    out: screen,
    err: screen,
    env,
    folder: process.cwd(),
    stdinIsTerminal: false,
    readStdin: async () => "",
    readStdinBytes: async () => new Uint8Array(),
    prompt: async () => "",
    interrupted: new AbortController().signal,
    hide: () => {},
  };
  return { terminal, said: () => said };
}
