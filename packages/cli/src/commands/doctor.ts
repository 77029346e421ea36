import { diagnose, type Finding } from "@threadlore/client/diagnose";
import type { Command } from "commander";
import { readSettings, type ServerFlags } from "../config.ts";
import { connection } from "../connection.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { jsonOption, serverDataOption, urlOption } from "../options.ts";
import { parsePair } from "../pair-choice.ts";
import { type Screen, styled, type Terminal, wrapped, writeJson } from "../output.ts";
import type { Exit } from "../exit.ts";

interface DoctorFlags extends ServerFlags {
  json?: boolean;
  pair?: string;
}

/** `threadlore doctor`. */
export function addDoctorCommand(program: Command, terminal: Terminal, exit: Exit): void {
  program
    .command("doctor")
    .summary("find out what is wrong, and how to fix it")
    .description("Checks address, key, permissions, pair and clock, and says how to fix what is wrong.")
    .option("--pair <number>", "look at this connector/credential pair; otherwise at the one kept at login")
    .addOption(jsonOption())
    .addOption(urlOption())
    .addOption(serverDataOption())
    .action(async (flags: DoctorFlags) => {
      const named = flags.pair === undefined ? undefined : parsePair(flags.pair);
      const settings = await readSettings(terminal, flags, { isLenient: true });
      const ccPairId = named === undefined ? settings.pair : named;
      const found = await diagnose({
        ...connection(terminal, settings),
        ...(typeof ccPairId === "number" && { ccPairId }),
        signal: terminal.interrupted,
      });
      const findings = found.map(typable);
      const sick = findings.some((finding) => finding.ok === false);
      exit.code = sick ? EXIT_CODES.checkFailed.code : EXIT_CODES.ok.code;
      if (flags.json === true) writeJson(terminal, { ok: !sick, findings, exit_code: exit.code });
      else terminal.out.write(findings.map((finding) => findingText(terminal.out, finding)).join(""));
    });
}

/** A finding whose fix a person at a terminal can type, where the client's own words name what a program sets. */
export function typable(finding: Finding): Finding {
  const { what, ok, proposal } = finding;
  if (ok === true) return finding;
  if (proposal?.baseUrl !== undefined) {
    return { ...finding, fix: `Run \`threadlore login ${proposal.baseUrl}\`, or set THREADLORE_URL to that.` };
  }
  const path = proposal?.profile?.ingestionPath;
  if (path !== undefined) {
    return {
      ...finding,
      fix: `Run \`threadlore login URL\`, which keeps that path, or set THREADLORE_INGESTION_PATH=${path}`,
    };
  }
  if (what !== "pair" || finding.fix === "") return finding;
  return {
    ...finding,
    fix:
      "Name one with `threadlore ingest --pair NUMBER`, or for good with `threadlore login URL --pair NUMBER`. " +
      "The server's list of connectors shows the numbers.",
  };
}

const MARKS = { true: ["ok", "green"], false: ["fix", "red"], unknown: ["?", "yellow"] } as const;
const INDENT = " ".repeat(5);

/** One finding: a mark, what was looked at, what was seen, and the fix where one is needed. */
export function findingText(screen: Screen, { what, ok, evidence, fix }: Finding): string {
  const [mark, colour] = MARKS[`${ok}`];
  const columns = screen.isTerminal ? screen.columns - INDENT.length : Number.MAX_SAFE_INTEGER;
  const seen = wrapped(`${what}: ${evidence}`, columns).replaceAll("\n", `\n${INDENT}`);
  const advice = ok === true || fix === "" ? "" : `${INDENT}${wrapped(fix, columns).replaceAll("\n", `\n${INDENT}`)}\n`;
  return `${styled(screen, colour, mark.padEnd(INDENT.length))}${seen}\n${advice}`;
}
