import { createHash } from "node:crypto";
import { type Client, ClientError } from "@threadlore/client";
import type { IngestionDocumentInput, IngestionRequestInput } from "@threadlore/client/models";
import type { Refusal } from "./file-walk.ts";
import type { Journal, JournalEntry } from "./journal.ts";

/** Something a person pointed at, not yet read. */
export interface Candidate {
  /** How a person knows it: a file's name, an address. */
  readonly name: string;
  /** Reads it, until `signal` ends that. Throws an Error with a plain reason when it cannot be a document. */
  read(signal?: AbortSignal): Promise<ReadDocument>;
}

/** A document, and what of its source did not come through whole, in plain words. */
export interface ReadDocument {
  readonly document: IngestionDocumentInput;
  readonly notes: readonly string[];
}

/** What became of one candidate. */
export type Fate = "created" | "updated" | "unchanged" | "failed" | "planned";

/** What became of one candidate, and where it is. */
interface Outcome {
  readonly name: string;
  readonly fate: Fate;
  /** Its id on the server. */
  readonly id?: string;
  /** The pair it belongs to, as far as server or journal tell. */
  readonly pair?: number;
  /** What of its source did not come through whole. */
  readonly notes?: readonly string[];
}

/** What became of a run. */
export interface IngestionReport {
  /** One for each candidate that was settled, in the order the candidates came, whichever was ready first. */
  readonly fates: readonly Outcome[];
  /** Why the failed ones failed, in the same order. */
  readonly refused: readonly Refusal[];
  /** A failure that ended the whole run: a wrong key, a server that is gone, Ctrl-C. */
  readonly ended?: unknown;
}

/** What to send, where to, and how. */
export interface IngestionPlan {
  readonly candidates: readonly Candidate[];
  readonly client: Pick<Client, "ingest">;
  readonly journal: Journal;
  /** Name of the server in the journal. */
  readonly server: string;
  readonly pair: number | null;
  /** Documents sent at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Nothing is sent; what would be is `planned`. */
  readonly dryRun?: boolean;
  /** Sends also what the journal knows as unchanged. */
  readonly again?: boolean;
  /** Called after each candidate. */
  readonly onFate?: (name: string, fate: Fate) => void;
}

/** Outcomes that would meet every further document too. */
const ENDING = new Set(["auth", "rate_limited", "unavailable", "protocol", "aborted"]);

/**
 * Sends every candidate that is new or changed. A document counts as sent when the server acknowledged it and the
 * journal is on the disk; after a kill at any point, a second run sends the others and no acknowledged one again.
 */
export async function ingestAll(plan: IngestionPlan): Promise<IngestionReport> {
  // By the candidate's place, since several are read at once and a later one may be ready first.
  const fates: Outcome[] = [];
  const refused: Refusal[] = [];
  let ended: unknown;
  const queue = plan.candidates.entries();
  const work = async (): Promise<void> => {
    for (const [place, candidate] of queue) {
      if (ended !== undefined || plan.signal.aborted) return;
      const settle = (outcome: Outcome): void => {
        fates[place] = outcome;
        plan.onFate?.(outcome.name, outcome.fate);
      };
      try {
        settle(await ingestOne(plan, candidate));
      } catch (error) {
        if (plan.signal.aborted || (error instanceof ClientError && ENDING.has(error.outcome))) {
          ended ??= plan.signal.aborted ? plan.signal.reason : error;
          return;
        }
        refused[place] = { name: candidate.name, reason: error instanceof Error ? error.message : String(error) };
        settle({ name: candidate.name, fate: "failed" });
      }
    }
  };
  await Promise.all(Array.from({ length: plan.concurrency }, work));
  if (plan.signal.aborted) ended ??= plan.signal.reason;
  // flat() closes the places nothing was put in.
  return { fates: fates.flat(), refused: refused.flat(), ...(ended !== undefined && { ended }) };
}

async function ingestOne(plan: IngestionPlan, candidate: Candidate): Promise<Outcome> {
  const { document, notes } = await candidate.read(plan.signal);
  const entry = entryOf(plan, document);
  const known = { name: candidate.name, id: entry.id, ...(plan.pair !== null && { pair: plan.pair }) };
  if (plan.again !== true && plan.journal.has(entry)) return { ...known, fate: "unchanged" };
  if (plan.dryRun === true) return { ...known, fate: "planned" };
  const answer = await plan.client.ingest(requestOf(plan, document), { signal: plan.signal });
  plan.journal.add(entry);
  return {
    ...known,
    fate: answer.already_existed ? "updated" : "created",
    ...(answer.document_id !== undefined && { id: answer.document_id }),
    ...(notes.length > 0 && { notes }),
    // Servers that choose a pair of their own may say which.
    ...(typeof answer["cc_pair_id"] === "number" && { pair: answer["cc_pair_id"] }),
  };
}

/** The time of change is left out: a file that was only touched is unchanged. */
function entryOf(plan: IngestionPlan, document: IngestionDocumentInput): JournalEntry {
  const { doc_updated_at: _changed, ...content } = document;
  const hash = createHash("sha256").update(JSON.stringify(content)).digest("base64url");
  return { server: plan.server, pair: plan.pair, id: document.id ?? hash, hash };
}

/** Without a pair the field is left out: deployed servers refuse an explicit null. */
function requestOf({ pair }: IngestionPlan, document: IngestionDocumentInput): IngestionRequestInput {
  return pair === null ? { document } : { document, cc_pair_id: pair };
}

const FATE_WORDS: Record<Exclude<Fate, "failed">, string> = {
  created: "added",
  updated: "updated",
  unchanged: "unchanged",
  planned: "would be sent",
};

/** Such as `14 added, 2 unchanged, 1 not sent.` */
export function ingestionSummary(report: Pick<IngestionReport, "fates" | "refused">): string {
  const counts = Object.entries(FATE_WORDS).map(([fate, words]) => {
    const count = report.fates.filter((entry) => entry.fate === fate).length;
    return count === 0 ? "" : `${count} ${words}`;
  });
  const failed = report.refused.length === 0 ? "" : `${report.refused.length} not sent`;
  const parts = [...counts, failed].filter((part) => part !== "");
  return parts.length === 0 ? "Nothing to send." : `${parts.join(", ")}.`;
}
