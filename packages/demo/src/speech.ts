import { styled, type Terminal, wrapped } from "@threadlore/cli";
import { USUAL_FOLDER } from "./start-options.ts";

/** How things are said on a terminal. */
export function speech({ out }: Pick<Terminal, "out">) {
  const inStyle = (style: "bold" | "cyan" | "dim") => (text: string) => styled(out, style, text);
  const cyan = inStyle("cyan");
  /** Broken between words where a terminal is narrow; elsewhere one line. */
  const fitted = (text: string, indent = 0): string =>
    out.isTerminal ? wrapped(text, out.columns - indent).replaceAll("\n", `\n${" ".repeat(indent)}`) : text;
  return {
    bold: inStyle("bold"),
    cyan,
    dim: inStyle("dim"),
    fitted,
    /** Says these lines, each as it is. */
    say: (...lines: readonly string[]) => out.write(lines.map((line) => `${line}\n`).join("")),
    /** A command as it is typed in another terminal, about the data in this folder. */
    typed(folder: string, words: string): string {
      // Services in another place than the usual one are not found by themselves.
      const where = folder === USUAL_FOLDER ? "" : `THREADLORE_DATA=${quoted(folder)} `;
      return cyan(`${where}npx -y pnpm@12 threadlore ${words}`);
    },
  };
}

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
