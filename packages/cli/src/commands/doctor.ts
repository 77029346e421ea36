import { existsSync } from "node:fs";
import { accountOf, createDeployment } from "@threadlore/client/deployment";
import { diagnose, type ServerFinding, type Need } from "@threadlore/client/diagnose";
import { type Destination, lookAtWays } from "@threadlore/outgoing";
import { type Command, Option } from "commander";
import { companyFindings } from "../embedded/company-settings.ts";
import { databaseUrl } from "../embedded/database-url.ts";
import { type DataFiles, noDatabase, ownedFiles, runningIn } from "../embedded/embedded.ts";
import { readSettings, type ServerFlags, type Settings } from "../server/config.ts";
import { askCaller, connection } from "../server/connection.ts";
import { outgoingOf } from "../server/going-out.ts";
import { type Exit, EXIT_CODES } from "../exit-codes.ts";
import { addServerOptions, tell } from "./options.ts";
import { parsePair } from "../ingest/pair-choice.ts";
import { note, type Screen, styled, type Terminal, wrapped } from "../terminal/output.ts";

interface DoctorFlags extends ServerFlags {
  pair?: string;
  needs?: Need[];
  fixMemory?: boolean;
}

const NEEDS: readonly Need[] = ["ask", "ingest", "administer"];

/** `threadlore doctor`. */
export function addDoctorCommand(program: Command, terminal: Terminal, exit: Exit): void {
  const command = program
    .command("doctor")
    .summary("find out what is wrong, and how to fix it")
    .description(
      "Checks address, key, permissions, pair and clock, and says how to fix what is wrong. With --data also every page of that folder's database and search index, whether a service runs on it or not.",
    )
    .option("--pair <number>", "look at this connector/credential pair; otherwise at the one kept at login")
    .addOption(
      new Option(
        "--needs <what...>",
        "what the key is for; it fails only for these (default: ask, and ingest where a pair is named or kept)",
      ).choices(NEEDS),
    )
    .option("--fix-memory", "switch off what the server remembers for the key's account, then check");
  addServerOptions(command).action(async (flags: DoctorFlags) => {
    const files = flags.data === undefined ? undefined : await ownedFiles(terminal, flags.data);
    const isRunning = files === undefined || (await runningIn(files)) !== undefined;
    const { found, memory } = isRunning ? await serverFindings(terminal, flags) : { found: [notRunning(files)] };
    const ofData = files === undefined ? [] : await dataFindings(terminal, files);
    const findings = [...found, ...(await companyFindings(terminal)), ...ofData];
    const sick = findings.some((finding) => finding.ok === false);
    exit.code = sick ? EXIT_CODES.checkFailed.code : EXIT_CODES.ok.code;
    if (memory !== undefined && flags.json !== true) note(terminal, MEMORY_WORDS[memory]);
    tell(terminal, flags, {
      json: { ok: !sick, findings, memory, exit_code: exit.code },
      out: findings.map((finding) => findingText(terminal.out, finding)).join(""),
    });
  });
}

/** What is found where a server answers, and what became of its memory where that was to be switched off. */
async function serverFindings(terminal: Terminal, flags: DoctorFlags) {
  const named = flags.pair === undefined ? undefined : parsePair(flags.pair);
  const settings = await readSettings(terminal, flags, { isLenient: true });
  const ccPairId = named === undefined ? settings.pair : named;
  const memory = flags.fixMemory === true ? await switchMemoryOff(terminal, settings) : undefined;
  const ways = await lookAtWays(destinationsOf(terminal, settings), outgoingOf(terminal), {
    signal: terminal.interrupted,
  });
  const found = await diagnose({
    ...connection(terminal, settings),
    needs: flags.needs ?? (ccPairId === undefined ? ["ask"] : ["ask", "ingest"]),
    // That a key for asking may do no more is worth a line, and no failure.
    wishes: flags.needs === undefined ? ["ingest"] : [],
    ccPairId: ccPairId ?? undefined,
    signal: terminal.interrupted,
  });
  return { found: [...ways, ...found.map(typable)], memory };
}

/** The server; and what the embedded service calls, where the environment says so here as well. */
function destinationsOf({ env }: Terminal, { url, embedded }: Settings): Destination[] {
  const models = [
    { name: "the model server", url: env["MODEL_BASE_URL"] ?? "" },
    { name: "the embedding server", url: env["EMBEDDING_BASE_URL"] ?? "" },
    { name: "the identity provider", url: env["THREADLORE_OIDC_ISSUER"] ?? "" },
  ];
  return [{ name: "the server", url }, ...(embedded === undefined ? [] : models)];
}

function notRunning({ folder }: DataFiles): ServerFinding {
  const fix = `\`threadlore serve --data ${folder}\` starts one.`;
  return { what: "service", ok: "unknown", evidence: `None runs on the data in ${folder}.`, fix };
}

/** What is found of the data itself, also where no service runs on it. */
async function dataFindings(terminal: Terminal, { database, copy }: DataFiles): Promise<readonly ServerFinding[]> {
  const url = databaseUrl(terminal);
  if (url !== undefined) return [await serverOfData(url), ...(existsSync(copy) ? await copyFindings(copy) : [])];
  if (!existsSync(database)) return [{ what: "database", ok: false, evidence: noDatabase(database), fix: "" }];
  const { inspectData } = await import("@threadlore/service");
  return inspectData(database);
}

/** What is found of data in PostgreSQL. */
async function serverOfData(url: string): Promise<ServerFinding> {
  const { countDocuments, openStore, placeOfTruth } = await import("@threadlore/service");
  const what = "database";
  try {
    const store = await openStore(url);
    try {
      const counts = [...(await store.read(countDocuments())).values()];
      const sum = (status: "indexed" | "pending" | "failed") => counts.reduce((all, one) => all + one[status], 0);
      const waiting = sum("pending") === 0 ? "" : `, ${sum("pending")} more wait to be indexed`;
      return {
        what,
        ok: true,
        evidence: `${placeOfTruth(url)} answers, with ${sum("indexed")} documents${waiting}.`,
        fix: "",
      };
    } finally {
      await store.close();
    }
  } catch (error) {
    return {
      what,
      ok: false,
      evidence: error instanceof Error ? error.message : "unknown",
      fix: "Correct DATABASE_URL, or start the server it names.",
    };
  }
}

/** What is found of this machine's copy: its documents say nothing, the index made from it does. */
async function copyFindings(copy: string): Promise<readonly ServerFinding[]> {
  const { inspectData } = await import("@threadlore/service");
  const [documents, ...index] = await inspectData(copy);
  return [...(documents?.ok === false ? [{ ...documents, what: "copy" as const }] : []), ...index];
}

const MEMORY_WORDS = {
  switched_off: "The memory of this key's account is off now. What is remembered already stays there, unused.",
  was_off: "The memory of this key's account was off already.",
  unknown: "The server says nothing of a memory.",
};

/** Switches the memory of the key's account off. Throws the client's errors where the server does not let it. */
async function switchMemoryOff(terminal: Terminal, settings: Settings): Promise<keyof typeof MEMORY_WORDS> {
  const me = await askCaller(terminal, settings);
  const memory = me === undefined ? "unknown" : accountOf(me).memory;
  if (memory !== "on") return memory === "off" ? "was_off" : "unknown";
  await createDeployment(connection(terminal, settings)).setMemory(false, { signal: terminal.interrupted });
  return "switched_off";
}

/** A finding whose fix a person at a terminal can type, where the client's own words name what a program sets. */
export function typable(finding: ServerFinding): ServerFinding {
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
export function findingText(screen: Screen, { what, ok, evidence, fix }: ServerFinding): string {
  const [mark, colour] = MARKS[`${ok}`];
  const columns = screen.isTerminal ? screen.columns - INDENT.length : Number.MAX_SAFE_INTEGER;
  const seen = wrapped(`${what}: ${evidence}`, columns).replaceAll("\n", `\n${INDENT}`);
  const advice = ok === true || fix === "" ? "" : `${INDENT}${wrapped(fix, columns).replaceAll("\n", `\n${INDENT}`)}\n`;
  return `${styled(screen, colour, mark.padEnd(INDENT.length))}${seen}\n${advice}`;
}
