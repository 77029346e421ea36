import type { Terminal } from "../terminal/output.ts";
import { run } from "../program.ts";
import type { Finished, Home, SpawnOptions } from "./spawn-cli.ts";

/** How a command line ended in this process, and what it wrote. */
export type Run = Omit<Finished, "signal">;

/** Where and how a command line runs in this process. */
export interface HereOptions {
  readonly home: string;
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input holds. Default: nothing. */
  readonly input?: string;
  /** Ctrl-C. */
  readonly interrupted?: AbortSignal;
  /** Whether the streams are a terminal with styles. Default false. */
  readonly isTerminal?: boolean;
  /** What a person who sits there answers to every question. Default: nobody sits there. */
  readonly answer?: string;
  /** Called with everything that is written to stdout so far. */
  readonly onOutput?: (written: string) => void;
  /** The same of stderr. */
  readonly onNotes?: (written: string) => void;
}

/** Runs one command line in this process, in a home and a folder of its own. */
export async function runHere(
  args: readonly string[],
  {
    home,
    folder = home,
    env = {},
    input = "",
    interrupted,
    isTerminal = false,
    answer,
    onOutput,
    onNotes,
  }: HereOptions,
): Promise<Run> {
  const written = { out: "", err: "" };
  const screen = (to: keyof typeof written): Terminal["out"] => ({
    isTerminal,
    colours: isTerminal,
    columns: 80,
    rows: 24,
    write: (text) => {
      written[to] += text;
      (to === "out" ? onOutput : onNotes)?.(written[to]);
    },
  });
  const code = await run(args, {
    out: screen("out"),
    err: screen("err"),
    env: { HOME: home, ...env },
    folder,
    stdinIsTerminal: answer !== undefined,
    readStdin: async () => input,
    readStdinBytes: async () => new TextEncoder().encode(input),
    prompt: async (question) => {
      written.err += question;
      return answer ?? "";
    },
    interrupted: interrupted ?? new AbortController().signal,
    hide: () => {},
  });
  return { code, stdout: written.out, stderr: written.err };
}

/** Runs it as `runCli` would, for whatever a process of its own shows nothing more of: those take most of a second each. */
export function runIn(
  home: Home,
  args: readonly string[],
  { env, input }: Pick<SpawnOptions, "env" | "input"> = {},
): Promise<Run> {
  return runHere(args, { home: home.folder, env: { ...home.env, ...env }, ...(input !== undefined && { input }) });
}
