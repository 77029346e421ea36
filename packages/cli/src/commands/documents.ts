import { NotFoundError, UnsupportedError } from "@threadlore/client";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { type Command, Option } from "commander";
import { allDocuments, listedDocuments, type ListedDocument, type ListedWhich } from "../documents/listing.ts";
import { type Exit, EXIT_CODES, UsageError } from "../exit-codes.ts";
import { endsAll } from "../ingest/ingestion.ts";
import { NO_DELETION } from "../ingest/sync/deletion.ts";
import { readSettings, type ServerFlags } from "../server/config.ts";
import { connection } from "../server/connection.ts";
import { note, oneLine, styled, table, type Terminal, writeJsonLine } from "../terminal/output.ts";
import { addGroup, addServerOptions, jsonLinesOption, tell, wholeNumber } from "./options.ts";

interface ListFlags extends ServerFlags {
  pair?: number;
  id?: string;
  status?: string;
  name?: string;
}

interface ShowFlags extends ServerFlags {
  pair?: number;
}

interface DeleteFlags extends ServerFlags {
  pair?: number;
  allPairs?: boolean;
  yes?: boolean;
}

const OF_PAIR = "only of this connector/credential pair";

/** `threadlore documents list|show|delete`. */
export function addDocumentsCommand(program: Command, terminal: Terminal, exit: Exit): void {
  const documents = addGroup(
    program,
    "documents",
    "documents that were added",
    "Documents that were added to a server: by ingestion, from here or elsewhere.",
  );
  const list = documents
    .command("list")
    .description("Lists documents, the newest write first: title, pair, status, why one failed, and its address.")
    .option("--pair <number>", OF_PAIR, wholeNumber(0))
    .option("--id <id>", "only those with this id")
    .addOption(
      new Option("--status <status>", "only those in this state").choices(["indexed", "pending", "failed"] as const),
    )
    .option("--name <prefix>", "only those whose title begins like this");
  addServerOptions(list, jsonLinesOption("document")).action(async (flags: ListFlags) => {
    await listDocuments(terminal, await deploymentOf(terminal, flags), flags);
  });
  const show = documents
    .command("show")
    .description("Shows what the server says of a document, of each pair that has one with this id.")
    .argument("<id>", "id of the document, as `documents list` shows it")
    .option("--pair <number>", OF_PAIR, wholeNumber(0));
  addServerOptions(show).action(async (id: string, flags: ShowFlags) => {
    const found = await allDocuments(
      await deploymentOf(terminal, flags),
      whichOf(flags.pair, id),
      terminal.interrupted,
    );
    if (found.length === 0) throw unknown(id);
    tell(terminal, flags, { json: { ok: true, documents: found }, out: found.map(factsOf).join("\n") });
  });
  const remove = documents
    .command("delete")
    .description("Deletes documents on the server. A file that was sent is sent again only once it changes.")
    .argument("<id...>", "ids of the documents, as `documents list` shows them")
    .option("--pair <number>", "of this connector/credential pair, where several have one with this id", wholeNumber(0))
    .option("--all-pairs", "of every pair that has one with this id")
    .option("--yes", "do not ask");
  addServerOptions(remove, jsonLinesOption("document")).action(async (ids: string[], flags: DeleteFlags) => {
    exit.code = await deleteDocuments(terminal, await deploymentOf(terminal, flags), ids, flags);
  });
}

async function deploymentOf(terminal: Terminal, flags: ServerFlags): Promise<Deployment> {
  return createDeployment(connection(terminal, await readSettings(terminal, flags)));
}

const whichOf = (pair: number | undefined, id: string | undefined): ListedWhich => ({
  ...(pair !== undefined && { pairId: pair }),
  ...(id !== undefined && { documentId: id }),
});

function unknown(id: string): NotFoundError {
  return new NotFoundError(
    `The server has no document with the id ${id}. \`threadlore documents list\` shows the ids.`,
  );
}

// ── list ────────────────────────────────────────────────────────────────────────────────────────────────────────

const HEAD = ["STATUS", "PAIR", "ID", "TITLE", "LINK"];
/** Rows that are laid out together. */
const MAX_ROWS = 200;

async function listDocuments(terminal: Terminal, deployment: Deployment, flags: ListFlags): Promise<void> {
  let count = 0;
  let rows: string[][] = [HEAD];
  const flush = (): void => {
    if (rows.length > 0) terminal.out.write(table(rows));
    rows = [];
  };
  for await (const document of listedDocuments(deployment, whichOf(flags.pair, flags.id), terminal.interrupted)) {
    if (flags.status !== undefined && document.status === null) {
      throw new UsageError("This server does not tell in which state its documents are. Leave out --status.");
    }
    if (!isMeant(document, flags)) continue;
    count += 1;
    if (flags.json === true) writeJsonLine(terminal, { type: "document", ...document });
    else if (rows.push(rowOf(document)) >= MAX_ROWS) flush();
  }
  if (flags.json === true) writeJsonLine(terminal, { type: "summary", ok: true, documents: count, exit_code: 0 });
  else {
    if (count > 0) flush();
    note(terminal, count === 1 ? "1 document." : `${count} documents.`);
  }
}

function isMeant({ status, title }: ListedDocument, { status: wanted, name = "" }: ListFlags): boolean {
  if (wanted !== undefined && status !== wanted) return false;
  return title.normalize().toLowerCase().startsWith(name.normalize().toLowerCase());
}

function rowOf({ status, pair, id, title, link, reason }: ListedDocument): string[] {
  const why = reason === null ? "" : `(${reason})`;
  return [status ?? "", String(pair ?? ""), id, title, [link ?? "", why].filter((text) => text !== "").join(" ")];
}

// ── show ────────────────────────────────────────────────────────────────────────────────────────────────────────

function factsOf({ id, title, pair, status, reason, link }: ListedDocument): string {
  const untold = "the server does not tell";
  return table([
    ["Title", title],
    ["Pair", pair === null ? untold : String(pair)],
    ["Status", status ?? untold],
    ...(reason === null ? [] : [["Reason", reason]]),
    ["Link", link ?? "none"],
    ["Id", id],
  ]);
}

// ── delete ──────────────────────────────────────────────────────────────────────────────────────────────────────

async function deleteDocuments(
  terminal: Terminal,
  deployment: Deployment,
  ids: readonly string[],
  flags: DeleteFlags,
): Promise<number> {
  if (flags.pair !== undefined && flags.allPairs === true)
    throw new UsageError("Give --pair or --all-pairs, not both.");
  const known = new Map<string, readonly ListedDocument[]>();
  for (const id of new Set(ids)) {
    const found = await allDocuments(deployment, whichOf(flags.pair, id), terminal.interrupted);
    if (found.length > 1 && flags.allPairs !== true) {
      const pairs = found.map(({ pair }) => pair ?? "none").join(", ");
      throw new UsageError(
        `Nothing was deleted: documents with the id ${id} are in several pairs (${pairs}). Say which with --pair, or --all-pairs.`,
      );
    }
    known.set(id, found);
  }
  await agree(terminal, known, flags.yes === true);
  const [json, signal] = [flags.json === true, terminal.interrupted];
  let failed = 0;
  for (const [id, found] of known) {
    const reason = found.length === 0 ? unknown(id).message : await deleteOne(deployment, id, flags, signal);
    if (reason !== undefined) failed += 1;
    const outcome = reason === undefined ? "deleted" : "failed";
    if (json) writeJsonLine(terminal, { type: "document", id, outcome, reason: reason ?? null });
    else
      note(terminal, reason === undefined ? `Deleted ${oneLine(id)}.` : styled(terminal.err, "red", oneLine(reason)));
  }
  const { code } = failed === 0 ? EXIT_CODES.ok : EXIT_CODES.documentsFailed;
  const deleted = known.size - failed;
  if (json) writeJsonLine(terminal, { type: "summary", ok: failed === 0, deleted, failed, exit_code: code });
  return code;
}

/** Why it could not be deleted; undefined where it was. What every other one would meet too is thrown. */
async function deleteOne(
  deployment: Deployment,
  id: string,
  { pair, allPairs }: DeleteFlags,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const pairId = allPairs === true ? ("all" as const) : pair;
    await deployment.deleteDocument(id, { signal, ...(pairId !== undefined && { pairId }) });
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedError) throw new UnsupportedError(NO_DELETION, error, { cause: error });
    if (signal.aborted || (endsAll(error) && !(error instanceof NotFoundError))) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

/** Asks the person who sits there; throws UsageError where nobody does, or who does says no. */
async function agree(
  terminal: Terminal,
  known: ReadonlyMap<string, readonly ListedDocument[]>,
  isAgreed: boolean,
): Promise<void> {
  const found = [...known.values()].flat();
  if (isAgreed || found.length === 0) return;
  if (!terminal.stdinIsTerminal || !terminal.err.isTerminal) {
    throw new UsageError("Nothing was deleted: nobody can be asked here. Say --yes where it is meant.");
  }
  for (const { id, title, pair } of found) {
    note(terminal, `${oneLine(title) || "(no title)"}  ${pair === null ? "" : `pair ${pair}  `}${oneLine(id)}`);
  }
  const answer = await terminal.prompt(
    `Delete ${found.length === 1 ? "this" : `these ${found.length}`}? (yes or no): `,
  );
  if (!/^y(?:es)?$/i.test(answer)) throw new UsageError("Nothing was deleted.");
}
