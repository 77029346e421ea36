import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/**
 * One line from the person at this terminal, after a question on stderr, without blanks around it; with `hidden`, nothing
 * typed is shown. For where standard input is a terminal. Rejects with the reason of an aborted signal.
 */
export async function askPerson(
  question: string,
  { hidden = false, signal }: { hidden?: boolean; signal: AbortSignal },
): Promise<string> {
  // What readline shows goes nowhere while a secret is typed; the question then stands outside of it.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  // Not before, as until readline is there the terminal itself shows what is typed.
  if (hidden) process.stderr.write(question);
  reader.on("SIGINT", () => process.emit("SIGINT"));
  try {
    return (await reader.question(hidden ? "" : question, { signal })).trim();
  } finally {
    reader.close();
    if (hidden) process.stderr.write("\n");
  }
}
