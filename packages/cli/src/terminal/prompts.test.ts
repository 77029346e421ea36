import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newHome, runShell } from "../testing/spawn-cli.ts";
import { startEmbedded } from "../testing/embedded-service.ts";

const MAIN = join(import.meta.dirname, "../main.ts");

/** Runs a command on a terminal of its own, where a person types `typed` after a moment. */
async function onTerminal(
  command: string,
  typed: string,
  env: Record<string, string>,
  home = newHome(),
): Promise<string> {
  const line = `(sleep 1; printf '%s\\r' "$TYPED"; sleep 3) | script -qec 'bash -c "$LINE"' /dev/null`;
  const LINE = `"${process.execPath}" "${MAIN}" ${command}; echo "code $?"`;
  return (await runShell(line, { home, env: { ...env, LINE, TYPED: typed } })).stdout;
}

describe("prompts", () => {
  it("T19: a key that is typed is not shown", async () => {
    const output = await onTerminal("login http://127.0.0.1:9", "tl_TESTtypedsecret", {});
    expect(output).toContain("Key (not shown):");
    expect(output).toContain("code 7");
    // The pseudo-terminal itself echoes what was typed before the prompt took it over; after it, nothing is.
    expect(output.slice(output.indexOf("Key (not shown)"))).not.toContain("tl_TESTtypedsecret");
  });

  it("the pair is asked for where a person can answer", async () => {
    const service = await startEmbedded();
    writeFileSync(join(service.home.folder, "a.md"), "The gate is green.");
    const output = await onTerminal("ingest a.md", "none", {}, service.home);
    await service.stop();
    expect(output).toContain("Pair (a number, or none): ");
    expect(output).toContain("1 added.");
    expect(output).toContain("code 0");
  });
});
