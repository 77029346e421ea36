import { ClientError, PermissionError } from "@threadlore/client";
import type { Settings } from "../server/config.ts";
import { EXIT_CODES, type ExitCause } from "../exit-codes.ts";
import { describeFailure } from "../failure.ts";
import type { Refusal } from "./file-walk.ts";
import type { Indexing } from "./indexing.ts";
import { type DocumentOutcome, type IngestionReport, ingestionSummary } from "./ingestion.ts";
import type { Collection } from "./journal.ts";
import { NO_DELETION } from "./sync/deletion.ts";
import type { SyncReport } from "./sync/sync.ts";
import { note, oneLine, styled, type Terminal, writeJsonLine } from "../terminal/output.ts";
import { megabytes, perSecond, span } from "../terminal/pace.ts";

/** A whole run: what became of every document, and whether they can be found. */
export interface IngestRun extends IngestionReport {
  readonly settings: Settings;
  readonly pair: number | null;
  readonly collections: readonly Collection[];
  /** Absent: nobody waited. */
  readonly indexing?: Indexing;
  /** What became of what vanished. Absent: nobody asked. */
  readonly sync?: SyncReport | undefined;
  /** Files and folders that were left out. */
  readonly leftOut: number;
  readonly elapsedMs: number;
}

/** How a run is reported. */
export interface ReportOptions {
  readonly json: boolean;
  /** Says only what went wrong. */
  readonly quiet: boolean;
}

/** One line of `--json` for each file: as soon as it is known what became of it, whichever was ready first. */
export function tellOutcome(terminal: Terminal, { name, fate, id, pair, notes, reason, bytes }: DocumentOutcome): void {
  tellFile(terminal, { path: name, id, outcome: fate, reason, bytes, pair, notes });
}

/** The fields of such a line. Those that are not known are null, and none is ever missing. */
function tellFile(
  terminal: Terminal,
  {
    path,
    id,
    outcome,
    reason,
    bytes,
    pair,
    notes = [],
  }: { path: string; outcome: string } & Partial<Pick<DocumentOutcome, "id" | "reason" | "bytes" | "pair" | "notes">>,
): void {
  const [known, why, size, of] = [id ?? null, reason ?? null, bytes ?? null, pair ?? null];
  writeJsonLine(terminal, { type: "file", path, id: known, outcome, reason: why, bytes: size, pair: of, notes });
}

/** Reports the run and answers its exit code. With `--json` its files were told already. */
export function tellRun(terminal: Terminal, run: IngestRun, { json, quiet }: ReportOptions): number {
  const ended = run.ended === undefined ? undefined : describeFailure(run.ended);
  const unconfirmed = run.fates.flatMap(({ fate, name }) => (fate === "unconfirmed" ? [name] : []));
  const exitCode = ended?.exitCode ?? EXIT_CODES[endOf(run, unconfirmed.length)].code;
  if (json) {
    tellSyncLines(terminal, run);
    writeJsonLine(terminal, summaryOf(run, { unconfirmed, error: ended?.document, exitCode }));
    return exitCode;
  }
  if (!quiet) {
    for (const { name, notes = [] } of run.fates) {
      for (const text of notes) note(terminal, `${oneLine(name)}: ${oneLine(text)}`);
    }
  }
  if (!quiet) tellLeftOut(terminal, run);
  tellEach(terminal, "not sent", run.refused);
  tellEach(terminal, "not indexed", run.indexing?.failed ?? []);
  tellEach(
    terminal,
    "not found yet",
    unconfirmed.map((name) => ({ name })),
  );
  tellPlanned(terminal, run);
  tellSync(terminal, run, quiet);
  if (!quiet) {
    const summary = ingestionSummary(run, deletionWords(run));
    if (summary !== "") note(terminal, summary);
    const throughput = throughputOf(run);
    if (throughput !== undefined) note(terminal, throughput);
  }
  for (const line of ended?.lines ?? []) note(terminal, styled(terminal.err, "red", line));
  const next = whatNext(run);
  if (next !== undefined && (!quiet || exitCode !== 0)) note(terminal, next);
  return exitCode;
}

/** How a run ended that came to its end: a refused document is worse than one that may still be found. */
function endOf({ refused, indexing, sync }: IngestRun, unconfirmed: number): ExitCause {
  if (sync?.refusal !== undefined) return "usage";
  const failed = refused.length + (indexing?.failed.length ?? 0) + (sync?.failed.length ?? 0);
  if (failed > 0 || sync?.unsupported === true || sync?.partial !== undefined) return "documentsFailed";
  return unconfirmed > 0 ? "unconfirmed" : "ok";
}

function summaryOf(
  run: IngestRun,
  { unconfirmed, error, exitCode }: { unconfirmed: readonly string[]; error: unknown; exitCode: number },
) {
  const { sync } = run;
  return {
    type: "summary",
    ok: exitCode === 0,
    server: run.settings.url,
    pair: run.pair,
    collections: run.collections.map(({ name, root }) => ({ name, root })),
    counts: {
      ...run.counts,
      left_out: run.counts.left_out + run.leftOut,
      deleted: sync?.deleted.length ?? 0,
      would_delete: sync?.planned.length ?? 0,
      kept: sync?.kept.length ?? 0,
    },
    bytes: bytesOf(run),
    seconds: Math.round(run.elapsedMs) / 1_000,
    indexed: run.indexing?.done ?? "unknown",
    not_indexed: run.indexing?.failed.map(({ name, reason }) => ({ path: name, reason })) ?? [],
    unconfirmed,
    deletion_refused: sync?.refusal ?? sync?.partial ?? null,
    deletion_unsupported: sync?.unsupported ?? false,
    error: error ?? null,
    exit_code: exitCode,
  };
}

/** What of the deletion there is to tell, as lines of the files. */
function tellSyncLines(terminal: Terminal, { sync, pair }: IngestRun): void {
  if (sync === undefined) return;
  const of = pair ?? undefined;
  for (const { name, id } of sync.deleted)
    tellFile(terminal, { path: name, id, outcome: "deleted", ...(of && { pair: of }) });
  for (const { name, id } of sync.planned) tellFile(terminal, { path: name, id, outcome: "would_delete" });
  for (const { name, id, reason } of sync.kept) tellFile(terminal, { path: name, id, outcome: "kept", reason });
  for (const { name, id, reason } of sync.failed)
    tellFile(terminal, { path: name, id, outcome: "not_deleted", reason });
}

/** Lines that say the same of many documents, at most. */
const MAX_LINES = 50;

function tellEach(
  terminal: Terminal,
  what: string,
  files: readonly (Pick<Refusal, "name"> & Partial<Refusal>)[],
): void {
  for (const { name, reason } of files) {
    const why = reason === undefined ? "" : `: ${oneLine(reason)}`;
    note(terminal, `${styled(terminal.err, "yellow", what)} ${oneLine(name)}${why}`);
  }
}

function tellLeftOut(terminal: Terminal, { fates }: IngestRun): void {
  const leftOut = fates.filter(({ fate }) => fate === "left_out");
  tellEach(terminal, "not taken", leftOut.slice(0, MAX_LINES));
  if (leftOut.length > MAX_LINES) note(terminal, `not taken ${leftOut.length - MAX_LINES} more like these`);
}

/** What a dry run would do, on stdout: what to do, and with which file. */
function tellPlanned(terminal: Terminal, { fates, sync }: IngestRun): void {
  for (const { name, fate } of fates) {
    if (fate === "would_create") terminal.out.write(`add ${oneLine(name)}\n`);
    if (fate === "would_update") terminal.out.write(`update ${oneLine(name)}\n`);
  }
  for (const { name } of sync?.planned ?? []) terminal.out.write(`delete ${oneLine(name)}\n`);
}

function tellSync(terminal: Terminal, { sync }: IngestRun, quiet: boolean): void {
  if (sync === undefined) return;
  tellEach(terminal, "not deleted", sync.failed);
  if (!quiet) {
    tellEach(terminal, "kept", sync.kept.slice(0, MAX_LINES));
    if (sync.kept.length > MAX_LINES) note(terminal, `kept ${sync.kept.length - MAX_LINES} more like these`);
    const { length: unplaced } = sync.unplaced;
    if (unplaced > 0) {
      note(
        terminal,
        `${unplaced} documents were sent by an earlier version, which did not note where their files lie, and none of the files here is theirs. They are kept; \`threadlore documents delete ID\` deletes one. The first is ${oneLine(sync.unplaced[0] ?? "")}.`,
      );
    }
  }
  if (!quiet) for (const line of sync.said) note(terminal, oneLine(line));
  for (const why of [sync.refusal, sync.partial])
    if (why !== undefined) note(terminal, styled(terminal.err, "red", oneLine(why)));
  if (sync.unsupported) note(terminal, styled(terminal.err, "red", NO_DELETION));
}

function deletionWords({ sync, leftOut }: IngestRun): string[] {
  const words = [
    [sync?.deleted.length, "deleted"],
    [sync?.refusal === undefined ? sync?.planned.length : 0, "would be deleted"],
    [sync?.kept.length, "kept though not found"],
    [leftOut, "left out"],
  ] as const;
  return words.flatMap(([count = 0, what]) => (count === 0 ? [] : [`${count} ${what}`]));
}

const bytesOf = ({ fates }: IngestRun): number => fates.reduce((sum, { bytes = 0 }) => sum + bytes, 0);

/** Such as `17 documents, 3.4 MB in 12 s: 1.4/s, 0.3 MB/s.`; undefined where nothing was read. */
function throughputOf(run: IngestRun): string | undefined {
  const { length: count } = run.fates;
  if (count === 0) return undefined;
  const bytes = bytesOf(run);
  const seconds = Math.max(run.elapsedMs, 1) / 1_000;
  const took = seconds < 10 ? `${seconds.toFixed(1)} s` : span(run.elapsedMs);
  const rates = `${perSecond(count / seconds)}, ${megabytes(bytes / seconds)}/s`;
  return `${count} ${count === 1 ? "document" : "documents"}, ${megabytes(bytes)} in ${took}: ${rates}.`;
}

/** What a person must know who is about to ask, or whose run ended early. */
function whatNext({ ended, indexing, fates, counts }: IngestRun): string | undefined {
  if (indexing?.done === false) return "All is sent. The server goes on indexing; what is new can be found in a while.";
  if (ended !== undefined) {
    // Another run of the same command meets the same refusal.
    const isForGood = ended instanceof PermissionError || (ended instanceof ClientError && ended.outcome === "invalid");
    if (isForGood && fates.length === 0) return undefined;
    return "Run the same command again: it goes on with the documents that are left.";
  }
  if (counts.unconfirmed > 0) {
    return "The server accepted these and does not find them: it may not be able to index at the moment. Run the same command again in a while; it sends them once more.";
  }
  const isNew = fates.some(({ fate }) => fate === "created" || fate === "updated");
  if (indexing?.done !== "unknown" || !isNew) return undefined;
  return "The server does not say when they can be found; give it a moment before you ask.";
}
