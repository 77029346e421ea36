import { ClientError, PermissionError } from "@threadlore/client";
import type { Settings } from "../server/config.ts";
import { EXIT_CODES, type ExitCause } from "../exit-codes.ts";
import { describeFailure } from "../failure.ts";
import type { Refusal } from "./file-walk.ts";
import type { Indexing } from "./indexing.ts";
import { type IngestionReport, ingestionSummary } from "./ingestion.ts";
import type { Collection } from "./journal.ts";
import { note, oneLine, styled, type Terminal, writeJson } from "../terminal/output.ts";

/** A whole run: what became of every document, and whether they can be found. */
export interface IngestRun extends IngestionReport {
  readonly settings: Settings;
  readonly pair: number | null;
  readonly collections: readonly Collection[];
  /** Absent: nobody waited. */
  readonly indexing?: Indexing;
}

/** Reports the run and answers its exit code. */
export function tellRun(terminal: Terminal, run: IngestRun, json: boolean): number {
  const ended = run.ended === undefined ? undefined : describeFailure(run.ended);
  const notIndexed = run.indexing?.failed ?? [];
  const unconfirmed = run.fates.flatMap(({ fate, name }) => (fate === "unconfirmed" ? [name] : []));
  const exitCode =
    ended?.exitCode ?? EXIT_CODES[endOf(run.refused.length + notIndexed.length, unconfirmed.length)].code;
  if (json) {
    writeJson(terminal, {
      ok: exitCode === 0,
      server: run.settings.url,
      pair: run.pair,
      collections: run.collections.map(({ name, root }) => ({ name, root })),
      counts: run.counts,
      documents: run.fates,
      refused: run.refused,
      indexed: run.indexing?.done ?? "unknown",
      not_indexed: notIndexed,
      unconfirmed,
      error: ended?.document,
      exit_code: exitCode,
    });
    return exitCode;
  }
  for (const { name, notes = [] } of run.fates) {
    for (const text of notes) note(terminal, `${oneLine(name)}: ${oneLine(text)}`);
  }
  tellRefusals(terminal, "not sent", run.refused);
  tellRefusals(terminal, "not indexed", notIndexed);
  for (const name of unconfirmed) note(terminal, `${styled(terminal.err, "yellow", "not found yet")} ${oneLine(name)}`);
  for (const { name, fate } of run.fates) if (fate === "planned") terminal.out.write(`${oneLine(name)}\n`);
  const summary = ingestionSummary(run);
  if (summary !== "") note(terminal, summary);
  for (const line of ended?.lines ?? []) note(terminal, styled(terminal.err, "red", line));
  const next = whatNext(run);
  if (next !== undefined) note(terminal, next);
  return exitCode;
}

/** How a run ended that came to its end: a refused document is worse than one that may still be found. */
function endOf(failed: number, unconfirmed: number): ExitCause {
  if (failed > 0) return "documentsFailed";
  return unconfirmed > 0 ? "unconfirmed" : "ok";
}

function tellRefusals(terminal: Terminal, what: string, refusals: readonly Refusal[]): void {
  for (const { name, reason } of refusals) {
    note(terminal, `${styled(terminal.err, "yellow", what)} ${oneLine(name)}: ${oneLine(reason)}`);
  }
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
