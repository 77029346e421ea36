import { dirname, join } from "node:path";
import { type Command, Option } from "commander";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { createClient } from "@threadlore/client";
import { readSettings, type ServerFlags, serverName, type Settings } from "../server/config.ts";
import { askCaller, connection, instanceOf, otherData } from "../server/connection.ts";
import { EMBEDDED_NAME } from "../embedded/embedded.ts";
import { EXPORT_KINDS, type ExportKind } from "../ingest/exports/export-kinds.ts";
import { type Exit, UsageError } from "../exit-codes.ts";
import type { Gathered } from "../ingest/gathering/gathered.ts";
import { gather, isAddress } from "../ingest/gathering/gathering.ts";
import { type IngestRun, tellOutcome, tellRun } from "../ingest/ingest-report.ts";
import { stateFolder } from "../folders.ts";
import { ingestAll, type IngestionReport } from "../ingest/ingestion.ts";
import { idsOnServer, passagesOf } from "../ingest/on-server.ts";
import { waitUntilIndexed } from "../ingest/indexing.ts";
import { type Collection, openJournal } from "../ingest/journal.ts";
import { patient } from "../ingest/patience.ts";
import { IGNORE_FILE, parseGlob, type SelectionRule } from "../ingest/gathering/selection.ts";
import { MAX_PAGES, USUAL_MOST_PAGES } from "../ingest/site/bounds.ts";
import { type SyncPlan, type SyncReport, syncVanished } from "../ingest/sync/sync.ts";
import { addServerOptions, jsonLinesOption, wholeNumber } from "./options.ts";
import { note, oneLine, type Terminal } from "../terminal/output.ts";
import { choosePair } from "../ingest/pair-choice.ts";
import { span } from "../terminal/pace.ts";
import { NO_PROGRESS, type Progress, startProgress } from "../terminal/progress.ts";

interface IngestFlags extends ServerFlags {
  pair?: string;
  title?: string;
  linkBase?: string;
  concurrency: number;
  followSymlinks?: boolean;
  allowUrl?: boolean;
  allowPrivate?: boolean;
  site?: string;
  maxPages?: number;
  export?: ExportKind;
  includePrivate?: boolean;
  botName?: string;
  dryRun?: boolean;
  again?: boolean;
  collection?: string;
  takeOver?: boolean;
  verify?: boolean;
  wait: boolean;
  gitignore?: boolean;
  sync?: boolean;
  maxDelete?: number;
  allowEmpty?: boolean;
  quiet?: boolean;
  patience: number;
}

/** `threadlore ingest`. */
export function addIngestCommand(program: Command, terminal: Terminal, exit: Exit): void {
  // Of both options in the order they are typed, which the values of each alone do not tell.
  const rules: SelectionRule[] = [];
  const rule = (kind: SelectionRule["kind"], description: string): Option =>
    new Option(`--${kind} <glob>`, description).argParser((glob) => void rules.push({ kind, glob: parseGlob(glob) }));
  const command = program
    .command("ingest")
    .summary("add files, folders, or pages to the knowledge")
    .description(
      "Sends documents to be indexed: text, Markdown, HTML, CSV, PDF, office files (DOCX, XLSX, PPTX, ODT, ODS, ODP), " +
        "EPUB, RTF, mail (EML) and notebooks (IPYNB). What was sent before and has not changed is skipped; a run that was " +
        "interrupted goes on where it stopped.",
    )
    .argument("[path...]", "files, folders, - for standard input, or with --allow-url web addresses")
    .option("--pair <number>", "connector/credential pair the documents belong to, or none for the server's default")
    .option(
      "--collection <name>",
      "what the files belong to: their ids are made of this name and their paths in its folder; otherwise the " +
        "repository's remote, or a name made from the folder, kept from then on",
    )
    .option(
      "--take-over",
      "what this collection sent from another place, or an earlier version sent, is what lies here: go on with it",
    )
    .addOption(rule("include", "take only what matches, or bring back what --exclude left out; repeatable"))
    .addOption(rule("exclude", "leave out what matches, as a line of a .gitignore does; repeatable"))
    .option("--gitignore", `leave out also what .gitignore files do; ${IGNORE_FILE} files always count`)
    .option("--sync", "delete on the server what was sent from this folder, site or export and vanished from it")
    .addOption(
      new Option(
        "--max-delete <n>",
        "with --sync: delete nothing where more vanished (default: 10, or a tenth of the documents)",
      ).argParser(wholeNumber(0)),
    )
    .option("--allow-empty", "with --sync: what is there and shows nothing of what was sent did lose it")
    .option("--title <text>", "title of what comes from standard input")
    .option("--link-base <address>", "web address of the folder, so that sources link to each file under it")
    .addOption(
      new Option("--concurrency <n>", "documents sent at the same time").argParser(wholeNumber(1, 64)).default(4),
    )
    .addOption(
      new Option(
        "--patience <seconds>",
        "how long a server is waited for that is busy (429, 502, 503, 504) and takes nothing meanwhile",
      )
        .argParser(wholeNumber(0))
        .default(120),
    )
    .option("--follow-symlinks", "follow links inside folders, as long as they stay inside")
    .option("--allow-url", "fetch web addresses; otherwise they are refused")
    .option("--site <address>", "take the pages of a site that its sitemap lists beneath this address")
    .addOption(
      new Option("--max-pages <n>", `with --site: take no more pages (default: ${USUAL_MOST_PAGES})`).argParser(
        wholeNumber(1, MAX_PAGES),
      ),
    )
    .addOption(
      new Option(
        "--export <kind>",
        "what is named is an export of Slack, Confluence or Notion: the ZIP file as it was fetched, or its folder",
      ).choices(EXPORT_KINDS),
    )
    .option("--include-private", "with --export slack: send private channels and direct messages too")
    .option("--bot-name <name>", "with --export slack: leave out what this app wrote (default: Threadlore)")
    .option("--allow-private", "with --allow-url or --site: fetch also from this machine and private networks")
    .option("--dry-run", "change nothing; list what would be added, updated, deleted")
    .option("--again", "send everything, also what has not changed")
    .option("--verify", "ask the server what it has, and send also what is missing there")
    .option("--no-wait", "end when all is sent, before it can be found")
    .option("--quiet", "say only what went wrong");
  addServerOptions(command, jsonLinesOption("file"))
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], flags: IngestFlags) => {
      exit.code = await runIngest(terminal, paths, flags, rules);
    });
}

const EXAMPLES = `
Examples:
  threadlore ingest --pair 3 handbook/
  threadlore ingest --pair 3 --dry-run handbook/ notes.md
  threadlore ingest --pair 3 --exclude drafts/ --include '*.md' handbook/
  threadlore ingest --pair 3 --sync --dry-run handbook/
  pbpaste | threadlore ingest --pair 3 --title "Call with the harbour" -
  threadlore ingest --pair 3 --allow-url https://example.com/guide
  threadlore ingest --pair 3 --site https://docs.example.com/
  threadlore ingest --pair 3 --site https://docs.example.com/ --sync --dry-run
  threadlore ingest --pair 3 --export slack slack.zip
`;

async function runIngest(
  terminal: Terminal,
  paths: readonly string[],
  flags: IngestFlags,
  rules: readonly SelectionRule[],
): Promise<number> {
  const settings = await readSettings(terminal, flags, { announce: false });
  const pair = await choosePair(terminal, settings, flags.pair);
  checkFlags(paths, flags);
  const [dryRun, json, quiet] = [flags.dryRun === true, flags.json === true, flags.quiet === true];
  const place = journalPlace(terminal, settings);
  const journal = openJournal(place.path, { keep: !dryRun });
  const say = (line: string): void => (quiet ? undefined : note(terminal, line));
  const progress = quiet ? NO_PROGRESS : progressOf(terminal);
  const counting = new AbortController();
  const begun = performance.now();
  let instance: string | undefined;
  let gathered: Gathered | undefined;
  try {
    const shelf = { server: place.server, pair };
    const sources = sourcesOf(paths, flags, rules, place.path);
    gathered = await gather(terminal, { ...sources, journal, shelf, instance: () => instance });
    say(targetLine(settings, pair, gathered.collections));
    for (const line of gathered.said) say(line);
    const deployment = createDeployment(connection(terminal, settings));
    instance = instanceOf(await askCaller(terminal, settings));
    const other = otherData(journal.instances(place.server), instance);
    if (other !== undefined) say(other);
    if (!quiet) void gathered.count(counting.signal).then(progress.expect, () => {});
    const client = createClient(connection(terminal, settings));
    const patiently = patient({
      patienceMs: flags.patience * 1_000,
      signal: terminal.interrupted,
      onWait: (ms) => progress.show(`The server has no time; it is asked again in ${span(ms)}`),
    });
    const report = await ingestAll({
      candidates: gathered.candidates,
      client: { ingest: (request, given) => patiently(() => client.ingest(request, given)) },
      search: (query) => patiently(() => passagesOf(deployment, query, terminal.interrupted)),
      journal,
      ...shelf,
      instance,
      // In the order of the names, which a list is read in.
      concurrency: dryRun ? 1 : flags.concurrency,
      signal: terminal.interrupted,
      dryRun,
      again: flags.again === true,
      ...(flags.verify === true && { present: await idsOnServer(deployment, pair, terminal.interrupted) }),
      onFate: (outcome) => {
        progress.step(outcome.name, outcome.bytes);
        if (json) tellOutcome(terminal, outcome);
      },
    });
    const elapsedMs = performance.now() - begun;
    // What was not found is known only of a run that came to its end.
    const sync = flags.sync === true && report.ended === undefined;
    const deleting: SyncPlan["deployment"] = {
      deleteDocument: (id, given) => patiently(() => deployment.deleteDocument(id, given)),
    };
    const scope = { journal, shelf, instance, deployment: deleting, signal: terminal.interrupted };
    const synced = sync ? await deleteVanished(scope, gathered, flags, progress) : undefined;
    const ended = report.ended ?? synced?.ended;
    const waits = flags.wait && !dryRun && ended === undefined;
    const indexing = waits ? await waitFor(terminal, deployment, report, progress) : {};
    progress.end();
    const { collections } = gathered;
    const run = { ...report, ended, sync: synced, ...indexing, settings, pair, collections, elapsedMs };
    return tellRun(terminal, { ...run, leftOut: gathered.leftOut() }, { json, quiet });
  } finally {
    counting.abort();
    progress.end();
    await gathered?.close();
    journal.close();
  }
}

function checkFlags(paths: readonly string[], flags: IngestFlags): void {
  if (paths.some(isAddress) && flags.allowUrl !== true) {
    throw new UsageError("Web addresses are fetched only with --allow-url.");
  }
  if (paths.length === 0 && flags.site === undefined) {
    throw new UsageError("Say what is to be sent: files, folders, - for standard input, or a site with --site.");
  }
  if (flags.export !== undefined) checkExport(paths, flags);
  for (const [name, given] of [
    ["--include-private", flags.includePrivate],
    ["--bot-name", flags.botName],
  ] as const) {
    if (given !== undefined && flags.export !== "slack")
      throw new UsageError(`${name} means something only with --export slack.`);
  }
  if (flags.maxPages !== undefined && flags.site === undefined) {
    throw new UsageError("--max-pages means something only with --site.");
  }
  for (const [name, given] of [
    ["--max-delete", flags.maxDelete],
    ["--allow-empty", flags.allowEmpty],
  ] as const) {
    if (given !== undefined && flags.sync !== true) throw new UsageError(`${name} means something only with --sync.`);
  }
}

function checkExport(paths: readonly string[], flags: IngestFlags): void {
  if (flags.site !== undefined || paths.some((path) => path === "-" || isAddress(path))) {
    throw new UsageError("With --export only exports are named: ZIP files or folders. Send the others by themselves.");
  }
  for (const [name, given] of [
    ["--title", flags.title],
    ["--take-over", flags.takeOver],
    ["--gitignore", flags.gitignore],
    ["--follow-symlinks", flags.followSymlinks],
  ] as const) {
    if (given !== undefined) throw new UsageError(`${name} means nothing with --export. Leave it out.`);
  }
  if (paths.length === 0) throw new UsageError("Say which export is to be sent: its ZIP file, or its folder.");
}

/** @param journal its path: what is known of a site's pages is kept beside it */
function sourcesOf(paths: readonly string[], flags: IngestFlags, rules: readonly SelectionRule[], journal: string) {
  const memory = { folder: join(dirname(journal), "sites"), keep: flags.dryRun !== true };
  return {
    paths,
    selection: { rules, ignoreFiles: flags.gitignore === true ? [".gitignore", IGNORE_FILE] : [IGNORE_FILE] },
    title: flags.title,
    linkBase: flags.linkBase,
    collection: flags.collection,
    takeOver: flags.takeOver === true,
    followSymlinks: flags.followSymlinks === true,
    allowPrivate: flags.allowPrivate === true,
    site: flags.site === undefined ? undefined : { address: flags.site, mostPages: flags.maxPages, memory },
    sync: flags.sync === true,
    allowEmpty: flags.allowEmpty === true,
    export: flags.export && {
      kind: flags.export,
      includePrivate: flags.includePrivate === true,
      ownApp: flags.botName ?? "Threadlore",
    },
  };
}

/** A terminal that takes every sign for a letter shows a line that is drawn over as many. */
function progressOf({ err, env }: Terminal): Progress {
  return startProgress(err, undefined, { draws: err.isTerminal && env["TERM"] !== "dumb" });
}

function deleteVanished(
  scope: Pick<SyncPlan, "journal" | "shelf" | "instance" | "deployment" | "signal">,
  { compare }: Gathered,
  flags: IngestFlags,
  progress: Progress,
): Promise<SyncReport> {
  let count = 0;
  return syncVanished({
    ...scope,
    compare,
    allowEmpty: flags.allowEmpty === true,
    mostDeleted: flags.maxDelete,
    dryRun: flags.dryRun === true,
    concurrency: flags.concurrency,
    onDeleted: (_file, of) => progress.show(`Deleting what vanished, ${(count += 1)} of ${of}`),
  });
}

/** Where everything goes, said before anything is sent. */
function targetLine({ target }: Settings, pair: number | null, collections: readonly Collection[]): string {
  const shown = collections.slice(0, 3).map(({ name, root }) => `${oneLine(name)} (${oneLine(root)})`);
  const more = collections.length > shown.length ? [`${collections.length - shown.length} more`] : [];
  const from = shown.length === 0 ? "" : `; collection ${[...shown, ...more].join(", ")}`;
  return `${target}; ${pair === null ? "its default pair" : `pair ${pair}`}${from}`;
}

/** Where nobody watches a line that changes, words are due only when it takes this long, milliseconds. */
const SILENT_MS = 2_000;

/** Waits until what was sent can be found, and says so where it takes a while. Ctrl-C ends the wait, not the indexing. */
async function waitFor(
  terminal: Terminal,
  deployment: Deployment,
  { fates }: IngestionReport,
  progress: Progress,
): Promise<Pick<IngestRun, "indexing" | "ended">> {
  const begun = performance.now();
  let said = terminal.err.isTerminal;
  const onPending = (count: number): void => {
    progress.show(`Indexing, ${count} to go`);
    if (said || performance.now() - begun < SILENT_MS) return;
    said = true;
    note(terminal, `Sent. Waiting until the server has indexed ${count} documents.`);
  };
  try {
    return { indexing: await waitUntilIndexed({ deployment, fates, signal: terminal.interrupted, onPending }) };
  } catch (error) {
    if (!terminal.interrupted.aborted) throw error;
    return { indexing: { done: false, failed: [] }, ended: error };
  }
}

/**
 * The journal and the server's name in it. The embedded service's lies beside its database: its address may change,
 * its folder does not. For all other servers there is one.
 */
function journalPlace(terminal: Terminal, { embedded, url }: Settings): { path: string; server: string } {
  if (embedded !== undefined) return { path: embedded.journal, server: EMBEDDED_NAME };
  return { path: join(stateFolder(terminal), "ingested.jsonl"), server: serverName(url) };
}
