import { join } from "node:path";
import { type Command, Option } from "commander";
import { createDeployment } from "@threadlore/client/deployment";
import { readSettings, type ServerFlags, serverName, type Settings } from "../config.ts";
import { connect, connection } from "../connection.ts";
import { EMBEDDED_NAME } from "../embedded.ts";
import { EXIT_CODES, UsageError } from "../exit-codes.ts";
import { describeFailure, errorDocument } from "../failure.ts";
import { type Refusal, walkFiles } from "../file-walk.ts";
import { stateFolder } from "../folders.ts";
import { type Candidate, ingestAll, type IngestionReport, ingestionSummary } from "../ingestion.ts";
import { type Indexing, waitUntilIndexed } from "../indexing.ts";
import { openJournal } from "../journal.ts";
import { jsonOption, urlOption, wholeNumber } from "../options.ts";
import { note, oneLine, styled, type Terminal, writeJson } from "../output.ts";
import { choosePair } from "../pair-choice.ts";
import type { Exit } from "../exit.ts";
import { type Progress, startProgress } from "../progress.ts";

interface IngestFlags extends ServerFlags {
  json?: boolean;
  pair?: string;
  title?: string;
  linkBase?: string;
  concurrency: number;
  followSymlinks?: boolean;
  allowUrl?: boolean;
  allowPrivate?: boolean;
  dryRun?: boolean;
  again?: boolean;
  wait: boolean;
}

/** `threadlore ingest`. */
export function addIngestCommand(program: Command, terminal: Terminal, exit: Exit): void {
  program
    .command("ingest")
    .summary("add files, folders, or pages to the knowledge")
    .description(
      "Sends documents to be indexed: text, Markdown, HTML and PDF. What was sent before and has not changed is " +
        "skipped; a run that was interrupted goes on where it stopped.",
    )
    .argument("<path...>", "files, folders, - for standard input, or with --allow-url web addresses")
    .option("--pair <number>", "connector/credential pair the documents belong to, or none for the server's default")
    .option("--title <text>", "title of what comes from standard input")
    .option("--link-base <address>", "web address of the folder, so that sources link to each file under it")
    .addOption(
      new Option("--concurrency <n>", "documents sent at the same time").argParser(wholeNumber(1, 64)).default(4),
    )
    .option("--follow-symlinks", "follow links inside folders, as long as they stay inside")
    .option("--allow-url", "fetch web addresses; otherwise they are refused")
    .option("--allow-private", "with --allow-url: fetch also from this machine and private networks")
    .option("--dry-run", "send nothing; list what would be sent")
    .option("--again", "send everything, also what has not changed")
    .option("--no-wait", "end when all is sent, before it can be found")
    .addOption(jsonOption())
    .addOption(urlOption())
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], flags: IngestFlags) => {
      exit.code = await runIngest(terminal, paths, flags);
    });
}

const EXAMPLES = `
Examples:
  threadlore ingest --pair 3 handbook/
  threadlore ingest --pair 3 --dry-run handbook/ notes.md
  pbpaste | threadlore ingest --pair 3 --title "Call with the harbour" -
  threadlore ingest --pair 3 --allow-url https://example.com/guide
`;

async function runIngest(terminal: Terminal, paths: readonly string[], flags: IngestFlags): Promise<number> {
  const settings = await readSettings(terminal, flags);
  const pair = await choosePair(terminal, settings, flags.pair);
  const place = journalPlace(terminal, settings);
  const { candidates, refused } = await gather(terminal, paths, flags);
  const journal = openJournal(place.path);
  const progress = startProgress(terminal.err, candidates.length);
  try {
    const report = await ingestAll({
      candidates,
      client: connect(terminal, settings),
      journal,
      server: place.server,
      pair,
      concurrency: flags.concurrency,
      signal: terminal.interrupted,
      dryRun: flags.dryRun === true,
      again: flags.again === true,
      onFate: (name) => progress.step(name),
    });
    const run = { ...report, refused: [...refused, ...report.refused] };
    const indexing = flags.wait && report.ended === undefined ? await waitFor(terminal, settings, run, progress) : {};
    progress.end();
    return tell(terminal, { ...run, ...indexing }, flags.json === true);
  } finally {
    progress.end();
    journal.close();
  }
}

/** A whole run: what became of every document, and whether they can be found. */
interface Run extends IngestionReport {
  /** Absent: nobody waited. */
  readonly indexing?: Indexing;
}

/** Where nobody watches a line that changes, words are due only when it takes this long, milliseconds. */
const SILENT_MS = 2_000;

/** Waits until what was sent can be found, and says so where it takes a while. Ctrl-C ends the wait, not the indexing. */
async function waitFor(
  terminal: Terminal,
  settings: Settings,
  { fates }: IngestionReport,
  progress: Progress,
): Promise<Pick<Run, "indexing" | "ended">> {
  const begun = performance.now();
  let said = terminal.err.isTerminal;
  const onPending = (count: number): void => {
    progress.show(`Indexing, ${count} to go`);
    if (said || performance.now() - begun < SILENT_MS) return;
    said = true;
    note(terminal, `Sent. Waiting until the server has indexed ${count} documents.`);
  };
  const deployment = createDeployment(connection(terminal, settings));
  try {
    return { indexing: await waitUntilIndexed({ deployment, fates, signal: terminal.interrupted, onPending }) };
  } catch (error) {
    if (!terminal.interrupted.aborted) throw error;
    return { indexing: { done: false, failed: [] }, ended: error };
  }
}

/**
 * The journal and the server's name in it. The embedded service's lies beside its database and goes with it: another
 * database may listen at the same address tomorrow. For all other servers there is one.
 */
function journalPlace(terminal: Terminal, { embedded, url }: Settings): { path: string; server: string } {
  if (embedded !== undefined) return { path: embedded.journal, server: EMBEDDED_NAME };
  return { path: join(stateFolder(terminal), "ingested.jsonl"), server: serverName(url) };
}

const isAddress = (path: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(path);

async function gather(
  terminal: Terminal,
  paths: readonly string[],
  flags: IngestFlags,
): Promise<{ candidates: Candidate[]; refused: readonly Refusal[] }> {
  // Readers of PDF and HTML are loaded only for this command.
  const { fileCandidate, stdinCandidate, urlCandidate } = await import("../candidates.ts");
  const addresses = paths.filter(isAddress);
  if (addresses.length > 0 && flags.allowUrl !== true) {
    throw new UsageError("Web addresses are fetched only with --allow-url.");
  }
  const walk = await walkFiles(
    paths.filter((path) => path !== "-" && !isAddress(path)),
    { from: terminal.folder, followSymlinks: flags.followSymlinks === true },
  );
  const fromStdin = paths.includes("-") ? [stdinCandidate(await terminal.readStdin(), flags.title)] : [];
  return {
    candidates: [
      ...walk.files.map((file) => fileCandidate(file, flags.linkBase)),
      ...fromStdin,
      ...addresses.map((address) => urlCandidate(address, flags.allowPrivate === true, terminal.interrupted)),
    ],
    refused: walk.refused,
  };
}

/** Reports the run and answers its exit code. */
function tell(terminal: Terminal, run: Run, json: boolean): number {
  const ended = run.ended === undefined ? undefined : describeFailure(run.ended);
  const notIndexed = run.indexing?.failed ?? [];
  const exitCode =
    ended?.exitCode ?? EXIT_CODES[run.refused.length + notIndexed.length === 0 ? "ok" : "documentsFailed"].code;
  if (json) {
    const failure = ended === undefined ? {} : { error: errorDocument(ended, run.ended) };
    writeJson(terminal, {
      ok: exitCode === 0,
      documents: run.fates,
      refused: run.refused,
      indexed: run.indexing?.done ?? "unknown",
      not_indexed: notIndexed,
      ...failure,
      exit_code: exitCode,
    });
    return exitCode;
  }
  for (const { name, notes = [] } of run.fates) {
    for (const text of notes) note(terminal, `${oneLine(name)}: ${oneLine(text)}`);
  }
  tellRefusals(terminal, "not sent", run.refused);
  tellRefusals(terminal, "not indexed", notIndexed);
  for (const { name, fate } of run.fates) if (fate === "planned") terminal.out.write(`${oneLine(name)}\n`);
  note(terminal, ingestionSummary(run));
  for (const line of ended?.lines ?? []) note(terminal, styled(terminal.err, "red", line));
  const next = whatNext(run);
  if (next !== undefined) note(terminal, next);
  return exitCode;
}

function tellRefusals(terminal: Terminal, what: string, refusals: readonly Refusal[]): void {
  for (const { name, reason } of refusals) {
    note(terminal, `${styled(terminal.err, "yellow", what)} ${oneLine(name)}: ${oneLine(reason)}`);
  }
}

/** What a person must know who is about to ask, or whose run ended early. */
function whatNext({ ended, indexing, fates }: Run): string | undefined {
  if (indexing?.done === false) return "All is sent. The server goes on indexing; what is new can be found in a while.";
  if (ended !== undefined) return "Run the same command again: it goes on with the documents that are left.";
  const isNew = fates.some(({ fate }) => fate === "created" || fate === "updated");
  if (indexing?.done !== "unknown" || !isNew) return undefined;
  return "The server does not say when they can be found; give it a moment before you ask.";
}
