import { styled, type Terminal, wrapped } from "@threadlore/cli";
import { USUAL_FOLDER } from "./start-options.ts";

/** Writes lines to the terminal. */
export function sayOn(terminal: Terminal): (line: string) => void {
  return (line) => terminal.out.write(`${line}\n`);
}

/** Broken between words where a terminal is narrow; elsewhere one line. */
export function fitted({ out }: Terminal, text: string, indent = 0): string {
  if (!out.isTerminal) return text;
  return wrapped(text, out.columns - indent).replaceAll("\n", `\n${" ".repeat(indent)}`);
}

/** A command as it is typed in another terminal, about the data in this folder. */
export function typed(terminal: Terminal, folder: string, words: string): string {
  // Services in another place than the usual one are not found by themselves.
  const where = folder === USUAL_FOLDER ? "" : `THREADLORE_DATA=${quoted(folder)} `;
  return styled(terminal.out, "cyan", `${where}npx -y pnpm@12 threadlore ${words}`);
}

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
