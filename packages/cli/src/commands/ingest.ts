import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { ClientError, createClient, PermissionError, UnsupportedError } from "@threadlore/client";
import type { PassageFound } from "@threadlore/client/acknowledgement";
import type { CollectionChoice, Collections } from "../ingest/collections.ts";
import { readSettings, type ServerFlags, serverName, type Settings } from "../server/config.ts";
import { askCaller, connection, instanceOf, otherData } from "../server/connection.ts";
import { EMBEDDED_NAME } from "../embedded/embedded.ts";
import { type Exit, UsageError } from "../exit-codes.ts";
import { type IngestRun, tellRun } from "../ingest/ingest-report.ts";
import { type FoundFile, type Refusal, walkFiles } from "../ingest/file-walk.ts";
import { stateFolder } from "../folders.ts";
import { type Candidate, ingestAll, type IngestionReport, sentHash } from "../ingest/ingestion.ts";
import { waitUntilIndexed } from "../ingest/indexing.ts";
import { type Collection, type Journal, openJournal, type Shelf } from "../ingest/journal.ts";
import { addServerOptions, wholeNumber } from "./options.ts";
import { note, oneLine, type Terminal } from "../terminal/output.ts";
import { choosePair } from "../ingest/pair-choice.ts";
import { type Progress, startProgress } from "../terminal/progress.ts";

interface IngestFlags extends ServerFlags {
  pair?: string;
  title?: string;
  linkBase?: string;
  concurrency: number;
  followSymlinks?: boolean;
  allowUrl?: boolean;
  allowPrivate?: boolean;
  dryRun?: boolean;
  again?: boolean;
  collection?: string;
  takeOver?: boolean;
  verify?: boolean;
  wait: boolean;
}

/** `threadlore ingest`. */
export function addIngestCommand(program: Command, terminal: Terminal, exit: Exit): void {
  const command = program
    .command("ingest")
    .summary("add files, folders, or pages to the knowledge")
    .description(
      "Sends documents to be indexed: text, Markdown, HTML, CSV, PDF and Word (DOCX). What was sent before and has " +
        "not changed is skipped; a run that was interrupted goes on where it stopped.",
    )
    .argument("<path...>", "files, folders, - for standard input, or with --allow-url web addresses")
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
    .option("--verify", "ask the server what it has, and send also what is missing there")
    .option("--no-wait", "end when all is sent, before it can be found");
  addServerOptions(command)
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
  const settings = await readSettings(terminal, flags, { announce: false });
  const pair = await choosePair(terminal, settings, flags.pair);
  const addresses = paths.filter(isAddress);
  if (addresses.length > 0 && flags.allowUrl !== true) {
    throw new UsageError("Web addresses are fetched only with --allow-url.");
  }
  const place = journalPlace(terminal, settings);
  const journal = openJournal(place.path, { keep: flags.dryRun !== true });
  const progress = startProgress(terminal.err, undefined);
  try {
    const shelf = { server: place.server, pair };
    const { candidates, collections, said } = await gather(terminal, paths, flags, { journal, shelf });
    note(terminal, targetLine(settings, pair, collections));
    for (const line of said) note(terminal, line);
    const deployment = createDeployment(connection(terminal, settings));
    const instance = instanceOf(await askCaller(terminal, settings));
    const other = otherData(journal.instances(place.server), instance);
    if (other !== undefined) note(terminal, other);
    const report = await ingestAll({
      candidates,
      client: createClient(connection(terminal, settings)),
      search: (query) => passagesOf(deployment, query, terminal.interrupted),
      journal,
      ...shelf,
      instance,
      // In the order of the names, which a list is read in.
      concurrency: flags.dryRun === true ? 1 : flags.concurrency,
      signal: terminal.interrupted,
      dryRun: flags.dryRun === true,
      again: flags.again === true,
      ...(flags.verify === true && { present: await idsOnServer(deployment, pair, terminal.interrupted) }),
      onFate: ({ name }) => progress.step(name),
    });
    const waits = flags.wait && flags.dryRun !== true && report.ended === undefined;
    const indexing = waits ? await waitFor(terminal, deployment, report, progress) : {};
    progress.end();
    return tellRun(terminal, { ...report, ...indexing, settings, pair, collections }, flags.json === true);
  } finally {
    progress.end();
    journal.close();
  }
}

/** What a search finds; undefined where the server has none, or not for this key. */
async function passagesOf(
  deployment: Pick<Deployment, "search">,
  query: string,
  signal: AbortSignal,
): Promise<readonly PassageFound[] | undefined> {
  try {
    return await deployment.search({ query, skip_query_expansion: true }, { signal });
  } catch (error) {
    if (error instanceof UnsupportedError || error instanceof PermissionError) return undefined;
    throw error;
  }
}

/** Where everything goes, said before anything is sent. */
function targetLine({ target }: Settings, pair: number | null, collections: readonly Collection[]): string {
  const shown = collections.slice(0, 3).map(({ name, root }) => `${oneLine(name)} (${oneLine(root)})`);
  const more = collections.length > shown.length ? [`${collections.length - shown.length} more`] : [];
  const from = shown.length === 0 ? "" : `; collection ${[...shown, ...more].join(", ")}`;
  return `${target}; ${pair === null ? "its default pair" : `pair ${pair}`}${from}`;
}

/** Ids the server lists for a pair; without one, all it lists. Throws UsageError where it does not list any. */
async function idsOnServer(deployment: Deployment, pair: number | null, signal: AbortSignal): Promise<Set<string>> {
  try {
    const documents = await deployment.documents(pair === null ? {} : { pairId: pair }, { signal });
    return new Set(documents.map(({ document_id }) => document_id));
  } catch (error) {
    signal.throwIfAborted();
    const cannot = error instanceof UnsupportedError || (error instanceof ClientError && error.outcome === "auth");
    if (!cannot) throw error;
    throw new UsageError(
      "Nothing was sent: this server does not tell this key which documents it has, so --verify cannot compare. --again sends everything.",
    );
  }
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

const isAddress = (path: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(path);

/** Everything that is to be sent, each read when its turn comes, and the collections the files belong to. */
async function gather(
  terminal: Terminal,
  paths: readonly string[],
  flags: IngestFlags,
  { journal, shelf }: { readonly journal: Journal; readonly shelf: Shelf },
): Promise<{
  candidates: AsyncIterable<Candidate | Refusal>;
  collections: readonly Collection[];
  /** What there is to say of them. */
  said: readonly string[];
}> {
  // Readers of PDF and HTML are loaded only for this command.
  const { fileCandidate, stdinCandidate, urlCandidate } = await import("../ingest/candidates.ts");
  const { chooseCollections, parseCollection } = await import("../ingest/collections.ts");
  const files = paths.filter((path) => path !== "-" && !isAddress(path));
  const said: string[] = [];
  const choice: CollectionChoice = {
    journal,
    shelf,
    name: flags.collection === undefined ? undefined : parseCollection(flags.collection),
    takeOver: flags.takeOver === true,
    isPassing: isPassing(terminal.env),
    say: (line) => void said.push(oneLine(line)),
  };
  const places = files.map((path) => resolve(terminal.folder, path));
  const collections = await chooseCollections(choice, places);
  const walk = () => walkFiles(files, { from: terminal.folder, followSymlinks: flags.followSymlinks === true });
  await decideFormer(choice, collections, walk(), flags.linkBase);
  const typed = paths.includes("-") ? [stdinCandidate(await terminal.readStdinBytes(), flags.title)] : [];
  const addresses = paths.filter(isAddress);
  const candidates = async function* (): AsyncGenerator<Candidate | Refusal> {
    for await (const found of walk()) {
      yield "reason" in found
        ? found
        : fileCandidate(found, { linkBase: flags.linkBase, identify: (file) => collections.identify(file) });
    }
    yield* typed;
    for (const address of addresses) yield urlCandidate(address, flags.allowPrivate === true, terminal.interrupted);
  };
  return { candidates: candidates(), collections: collections.all, said };
}

/** On a machine of a pipeline or of a cluster. A container alone may be somebody's desk. */
function isPassing({ CI, KUBERNETES_SERVICE_HOST }: Terminal["env"]): boolean {
  return [CI, KUBERNETES_SERVICE_HOST].some((set) => set !== undefined && !/^(?:|0|no|false)$/i.test(set));
}

async function decideFormer(
  choice: CollectionChoice,
  collections: Collections,
  files: AsyncIterable<FoundFile | Refusal>,
  linkBase: string | undefined,
): Promise<void> {
  if (!choice.journal.hasUnnamed(choice.shelf)) return;
  const { fileCandidate } = await import("../ingest/candidates.ts");
  const { decideFormerIds } = await import("../ingest/former-ids.ts");
  await decideFormerIds(choice, collections, files, async (file) => {
    const read = await fileCandidate(file, { linkBase })
      .read()
      .catch(() => undefined);
    return read && sentHash(read.document);
  });
}
