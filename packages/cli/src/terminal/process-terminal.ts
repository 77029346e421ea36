import { buffer } from "node:stream/consumers";
import type { WriteStream } from "node:tty";
import { EXIT_CODES, InterruptedError, UsageError } from "../exit-codes.ts";
import type { Screen, Terminal } from "./output.ts";

/** The real terminal of this process. Installs the handlers of Ctrl-C, SIGTERM and a closed stdout. */
export function processTerminal(): Terminal {
  const secrets: string[] = [];
  const interrupt = new AbortController();
  onInterrupt(interrupt);
  onClosedPipe(interrupt);
  return {
    out: screen(process.stdout, secrets),
    err: screen(process.stderr, secrets),
    env: process.env,
    folder: folderOfPerson(),
    stdinIsTerminal: process.stdin.isTTY === true,
    readStdin: async () => (await buffer(process.stdin)).toString("utf8"),
    readStdinBytes: () => buffer(process.stdin),
    prompt: (question, options) => prompt(question, options?.hidden === true, interrupt.signal),
    interrupted: interrupt.signal,
    hide: (secret) => {
      // Very short texts would blank out ordinary words.
      if (secret.length >= 8) secrets.push(secret);
    },
  };
}

/** The script `threadlore` of a package runs in that package's folder; the person stands where they called it. */
function folderOfPerson(): string {
  const called = process.env["npm_lifecycle_event"] === "threadlore" ? process.env["INIT_CWD"] : undefined;
  return called ?? process.cwd();
}

/** Why a command is asked to end when stdout was closed: `threadlore … | head`. Not a failure. */
class ReaderGone extends Error {}

/** Longest wait for what an interrupted command left under way: the server's stop operation. */
const LAST_WORDS_MS = 1_500;

/** Ends the process when all output is written. */
export function leave(terminal: Terminal, code: number): void {
  process.exitCode = terminal.interrupted.reason instanceof ReaderGone ? EXIT_CODES.ok.code : code;
  if (terminal.interrupted.aborted) {
    setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
  } else {
    process.stdout.write("", () => process.exit());
  }
}

function screen(stream: WriteStream, secrets: readonly string[]): Screen {
  const isTerminal = stream.isTTY === true;
  const colours = isTerminal && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb";
  return {
    isTerminal,
    colours,
    get columns() {
      return isTerminal && stream.columns > 0 ? stream.columns : 80;
    },
    get rows() {
      return isTerminal && stream.rows > 0 ? stream.rows : 24;
    },
    write: (text) => {
      stream.write(secrets.reduce((kept, secret) => kept.replaceAll(secret, "[key]"), text));
    },
  };
}

/** The first signal asks the command to end; the second ends the process. */
function onInterrupt(interrupt: AbortController): void {
  const handle = (): void => {
    if (interrupt.signal.aborted) process.exit(EXIT_CODES.interrupted.code);
    interrupt.abort(new InterruptedError("Stopped."));
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
}

/** The reader has what it wanted, so the command ends quietly and well. */
function onClosedPipe(interrupt: AbortController): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    interrupt.abort(new ReaderGone("the reader of stdout went away"));
  });
  process.stderr.on("error", () => {});
}

async function prompt(question: string, hidden: boolean, signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY !== true)
    throw new UsageError(`Nobody can be asked "${question}" here: stdin is not a terminal.`);
  const { askPerson } = await import("@threadlore/installing");
  return askPerson(question, { hidden, signal });
}
