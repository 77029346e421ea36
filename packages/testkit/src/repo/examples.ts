/** A block of a README that is meant to be run. */
export interface Example {
  language: "ts" | "sh";
  code: string;
  /** What it prints, with `…` for anything; absent: only success counts. */
  output?: string;
}

/**
 * The examples of a markdown text: fences whose first line says `ts run` or `sh run`, each with the fence `text output`
 * that may follow it.
 */
export function examplesIn(markdown: string): Example[] {
  const fences = [...markdown.matchAll(/^(`{3,})([^\n`]*)\n([\s\S]*?)^\1[ \t]*$/gm)];
  const examples: Example[] = [];
  for (const [, , info = "", code = ""] of fences) {
    const words = info.trim();
    const last = examples.at(-1);
    if (words === "ts run" || words === "sh run") examples.push({ language: words === "ts run" ? "ts" : "sh", code });
    else if (words === "text output" && last !== undefined && last.output === undefined) last.output = code;
  }
  return examples;
}

/** Whether a program printed what its example promises: line by line, `…` standing for any text or any lines. */
export function printsAsPromised(promised: string, printed: string): boolean {
  const pattern = tidy(promised)
    .split("\n")
    .map((line) => (line.trim() === "…" ? "(?:.*\n)*" : `${line.split("…").map(literally).join(".*")}\n`))
    .join("");
  return new RegExp(`^${pattern}$`).test(`${tidy(printed)}\n`);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function tidy(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}
