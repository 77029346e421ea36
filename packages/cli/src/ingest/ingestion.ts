import { createHash } from "node:crypto";
import { type Client, ClientError, NotFoundError, UnsupportedError } from "@threadlore/client";
import { acknowledge, newerThan, type PassageFound } from "@threadlore/client/acknowledgement";
import type { IngestionDocumentInput } from "@threadlore/client/models";
import type { Refusal } from "./file-walk.ts";
import type { Journal, JournalEntry, NewestEntry } from "./journal.ts";

/** Something a person pointed at, not yet read. */
export interface Candidate<Read extends ReadDocument | NotSent = ReadDocument | NotSent> {
  /** How a person knows it: a file's name, an address. */
  readonly name: string;
  /**
   * Reads it, until `signal` ends that. Throws an Error with a plain reason when it cannot be a document.
   * @param isKept whether the server has what was sent last under an id, and that had this hash
   */
  read(signal?: AbortSignal, isKept?: (id: string, hash: string) => boolean): Promise<Read>;
}

/** What is known not to be sent without a document having been made of it. */
export type NotSent =
  | { readonly fate: "unchanged"; readonly id: string; readonly noted?: ReadDocument["noted"] }
  | { readonly fate: "left_out"; readonly reason: string };

/** A document, and what of its source did not come through whole, in plain words. */
export interface ReadDocument {
  readonly document: IngestionDocumentInput;
  readonly notes: readonly string[];
  /** What the journal notes beside it: the collection it belongs to, and where in it. */
  readonly noted?: Pick<JournalEntry, "collection" | "path" | "file">;
  /** Bytes it was made of. */
  readonly bytes?: number;
}

/**
 * What became of one candidate. `unconfirmed`: the server accepted it, and it cannot be found there; the next run sends
 * it again. `left_out`: it asks not to be taken, or is of no kind that can be. `would_…`: nothing was to be sent.
 */
export type Fate =
  | "created"
  | "updated"
  | "unchanged"
  | "unconfirmed"
  | "left_out"
  | "failed"
  | "would_create"
  | "would_update";

/** What became of one candidate, and where it is. */
export interface DocumentOutcome {
  readonly name: string;
  readonly fate: Fate;
  /** Its id on the server. */
  readonly id?: string;
  /** The pair it belongs to, as far as server or journal tell. */
  readonly pair?: number;
  /** What of its source did not come through whole. */
  readonly notes?: readonly string[];
  /** Why it failed or was left out. */
  readonly reason?: string;
  /** Bytes it was made of; absent where it was not read. */
  readonly bytes?: number;
}

/** What became of a run. */
export interface IngestionReport {
  /** How many candidates met each fate. */
  readonly counts: Readonly<Record<Fate, number>>;
  /** One for each candidate that was settled, in the order the candidates came, whichever was ready first. */
  readonly fates: readonly DocumentOutcome[];
  /** Why the failed ones failed, in the same order. */
  readonly refused: readonly Refusal[];
  /** A failure that ended the whole run: a wrong key, a server that is gone, Ctrl-C. */
  readonly ended?: unknown;
}

/** What to send, where to, and how. */
export interface IngestionPlan {
  /** Taken one by one as there is room to send; what could not even be pointed at comes as a refusal. */
  readonly candidates: Iterable<Candidate | Refusal> | AsyncIterable<Candidate | Refusal>;
  readonly client: Pick<Client, "ingest">;
  /**
   * Looks for a document whose acceptance may mean nothing; undefined: the server has no search, or not for this key.
   * Absent: nothing is looked for, and what is accepted like that is `unconfirmed`.
   */
  readonly search?: (query: string) => Promise<readonly PassageFound[] | undefined>;
  readonly journal: Pick<Journal, "has" | "add" | "newest"> & Partial<Pick<Journal, "note">>;
  /** Name of the server in the journal. */
  readonly server: string;
  /** Which data the server has, where it tells: what the journal knows of other data counts as never sent. */
  readonly instance?: string | undefined;
  readonly pair: number | null;
  /** Documents sent at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Nothing is sent; what would be is told. */
  readonly dryRun?: boolean;
  /** Sends also what the journal knows as unchanged. */
  readonly again?: boolean;
  /** Ids the server says it has: what the journal knows and is not among them is sent. Absent: nobody asked it. */
  readonly present?: ReadonlySet<string> | undefined;
  /** Called after each candidate. */
  readonly onFate?: (outcome: DocumentOutcome) => void;
}

/** Outcomes that would meet every further document too. */
const ENDING = new Set(["auth", "rate_limited", "unavailable", "protocol", "aborted"]);

/** Whether the next document would meet the same: a server that takes none, or has no such pair, has it for none. */
export function endsAll(error: unknown): boolean {
  if (error instanceof UnsupportedError || error instanceof NotFoundError) return true;
  return error instanceof ClientError && ENDING.has(error.outcome);
}

/**
 * Sends every candidate that is new or changed. A document counts as sent when the server acknowledged it and the
 * journal is on the disk; after a kill at any point, a second run sends the others and no acknowledged one again. One
 * that cannot be read or is refused ends nothing.
 */
export async function ingestAll(plan: IngestionPlan): Promise<IngestionReport> {
  const counts: Record<Fate, number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    unconfirmed: 0,
    left_out: 0,
    failed: 0,
    would_create: 0,
    would_update: 0,
  };
  const fates: DocumentOutcome[] = [];
  const refused: Refusal[] = [];
  const source = each(plan.candidates);
  let begun = 0;
  let ended: unknown;
  const settle = (place: number, outcome: DocumentOutcome): void => {
    counts[outcome.fate] += 1;
    fates[place] = outcome;
    plan.onFate?.(outcome);
  };
  const fail = (place: number, refusal: Refusal): void => {
    refused[place] = refusal;
    settle(place, { ...refusal, fate: "failed" });
  };
  const work = async (): Promise<void> => {
    while (ended === undefined && !plan.signal.aborted) {
      const next = await source.next();
      if (next.done === true) return;
      const candidate = next.value;
      const place = begun++;
      if ("reason" in candidate) {
        fail(place, candidate);
        continue;
      }
      try {
        settle(place, await ingestOne(plan, candidate));
      } catch (error) {
        if (plan.signal.aborted || endsAll(error)) {
          ended ??= plan.signal.aborted ? plan.signal.reason : error;
          return;
        }
        fail(place, { name: candidate.name, reason: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: plan.concurrency }, work));
  await source.return(undefined);
  if (plan.signal.aborted) ended ??= plan.signal.reason;
  // flat() closes the places nothing was put in.
  return { counts, fates: fates.flat(), refused: refused.flat(), ended };
}

/** One by one, to whoever asks next. */
async function* each<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

async function ingestOne(plan: IngestionPlan, candidate: Candidate): Promise<DocumentOutcome> {
  const { server, pair, instance } = plan;
  const isKept = (id: string, hash: string): boolean =>
    plan.again !== true && plan.present?.has(id) !== false && plan.journal.has({ server, pair, id, hash, instance });
  const found = await candidate.read(plan.signal, isKept);
  if ("fate" in found) {
    if (found.fate === "unchanged") noteUnchanged(plan, found.id, found.noted);
    const { noted: _noted, ...fate } = { noted: undefined, ...found };
    return { name: candidate.name, ...fate, ...(pair !== null && { pair }) };
  }
  const { document: read, notes, noted, bytes } = found;
  const hash = sentHash(read);
  const entry: JournalEntry = { server, pair, id: read.id ?? hash, hash, instance, ...noted };
  const target = { name: candidate.name, id: entry.id, ...(pair !== null && { pair }), bytes };
  const isThere = plan.present?.has(entry.id) !== false;
  const newest = plan.journal.newest(plan, entry.id);
  if (plan.again !== true && isThere && plan.journal.has(entry)) {
    noteUnchanged(plan, entry.id, noted);
    return { ...target, fate: "unchanged" };
  }
  if (plan.dryRun === true) {
    const isKnown = isThere && newest?.instance === (instance ?? "") && newest.unconfirmed !== "added";
    return { ...target, fate: isKnown ? "would_update" : "would_create" };
  }
  const before = newest?.instance === (instance ?? "") ? newest : undefined;
  const document = before?.changedAt === undefined ? read : newerThan(read, before.changedAt);
  // Without a pair the field is left out: deployed servers refuse an explicit null.
  const request = pair === null ? { document } : { document, cc_pair_id: pair };
  const reply = await plan.client.ingest(request, { signal: plan.signal });
  const known = before !== undefined && before.unconfirmed !== "added";
  const search = plan.search ?? (async () => undefined);
  const isThereNow = (await acknowledge({ reply, document, known, search })) === "kept";
  plan.journal.add({
    ...entry,
    changed: document.doc_updated_at ?? undefined,
    unconfirmed: isThereNow ? undefined : known ? "changed" : "added",
  });
  const isNew = !reply.already_existed || before?.unconfirmed === "added";
  return {
    ...target,
    fate: isThereNow ? (isNew ? "created" : "updated") : "unconfirmed",
    ...(reply.document_id !== undefined && { id: reply.document_id }),
    ...(notes.length > 0 && { notes }),
    // Servers that choose a pair of their own may say which.
    ...(typeof reply["cc_pair_id"] === "number" && { pair: reply["cc_pair_id"] }),
  };
}

/**
 * Notes where what was sent before lies now: it may have been moved, or an earlier version did not note it, and it has to be
 * known once it is gone.
 */
function noteUnchanged(plan: IngestionPlan, id: string, noted: ReadDocument["noted"]): void {
  const { server, pair, instance } = plan;
  const newest = plan.journal.newest(plan, id);
  if (noted?.file === undefined || newest === undefined) return;
  if (newest.file === noted.file && newest.collection === noted.collection) return;
  plan.journal.note?.({ server, pair, id, hash: newest.hash, instance, ...noted, changed: timeOf(newest) });
}

/** When a document says it was changed, as it was sent last. */
function timeOf(newest: NewestEntry | undefined): string | undefined {
  return newest?.changedAt === undefined ? undefined : new Date(newest.changedAt).toISOString();
}

/** Hash of what of a document is sent. The time of change is left out: a file that was only touched is unchanged. */
export function sentHash(document: IngestionDocumentInput): string {
  const { doc_updated_at: _changed, ...content } = document;
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}

const FATE_WORDS: Record<Fate, string> = {
  created: "added",
  updated: "updated",
  unchanged: "unchanged",
  unconfirmed: "accepted, but not found yet",
  would_create: "would be added",
  would_update: "would be updated",
  left_out: "not taken",
  failed: "not sent",
};

/**
 * Such as `14 added, 2 unchanged, 1 not sent.`; empty where the run ended before any was settled.
 * @param more what else became of something, such as `3 deleted`
 */
export function ingestionSummary(
  { counts, ended }: Pick<IngestionReport, "counts" | "ended">,
  more: readonly string[] = [],
): string {
  const parts = Object.entries(FATE_WORDS).map(([fate, words]) => {
    const count = counts[fate as Fate];
    return count === 0 ? "" : `${count} ${words}`;
  });
  const said = [...parts, ...more].filter((part) => part !== "");
  if (said.length === 0) return ended === undefined ? "Nothing to send." : "";
  return `${said.join(", ")}.`;
}
