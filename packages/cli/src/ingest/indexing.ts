import { ClientError } from "@threadlore/client";
import { delay } from "@threadlore/client/delay";
import type { Deployment } from "@threadlore/client/deployment";
import type { Refusal } from "./file-walk.ts";
import type { IngestionReport } from "./ingestion.ts";

/** Whether what was sent can be found by now. */
export interface Indexing {
  /** False: the server got no further for a while. `unknown`: it does not tell how far it is. */
  readonly done: boolean | "unknown";
  /** Documents that were accepted and cannot be found all the same, and why. */
  readonly failed: readonly Refusal[];
}

/** What to wait for. */
export interface IndexingWait {
  readonly deployment: Pick<Deployment, "pair">;
  readonly fates: IngestionReport["fates"];
  readonly signal: AbortSignal;
  /** Called with the number of documents that still wait, whenever the server was asked. */
  readonly onPending?: (count: number) => void;
  /** How long the count may stay the same before the wait ends, milliseconds. Default 60,000. */
  readonly stalledAfterMs?: number;
}

/** Delays between two looks, milliseconds: most documents are indexed at once, and a long queue needs no haste. */
const DELAY_MS = { first: 25, max: 1_000 };

/**
 * Waits until the server has indexed what was sent: it acknowledges a document before it can be found, so whoever asks
 * at once would be told that there is nothing. Only servers that count the documents of a pair as pending tell; with
 * others nothing is waited for. Throws the signal's reason when aborted.
 */
export async function waitUntilIndexed(wait: IndexingWait): Promise<Indexing> {
  const pairs = [...new Set(wait.fates.flatMap(({ pair }) => pair ?? []))];
  const sent = new Map(wait.fates.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name] as const])));
  let least = Number.POSITIVE_INFINITY;
  let fellAt = performance.now();
  for (let delayMs = DELAY_MS.first; ; delayMs = Math.min(delayMs * 2, DELAY_MS.max)) {
    const states = await Promise.all(pairs.map((pair) => stateOf(wait, pair)));
    const known = states.filter((state) => state !== undefined);
    if (known.length === 0 || known.length < pairs.length) return { done: "unknown", failed: [] };
    const pending = known.reduce((sum, state) => sum + state.pending, 0);
    if (pending === 0)
      return {
        done: true,
        failed: failedOf(
          known.flatMap((state) => state.documents),
          sent,
        ),
      };
    wait.onPending?.(pending);
    if (pending < least) [least, fellAt] = [pending, performance.now()];
    if (performance.now() - fellAt > (wait.stalledAfterMs ?? 60_000)) return { done: false, failed: [] };
    await delay(delayMs, wait.signal);
    wait.signal.throwIfAborted();
  }
}

/**
 * How far the server is with a pair. Undefined where it does not tell: it has no such operation, no such count, or does
 * not let this key see.
 */
async function stateOf({ deployment, signal }: IndexingWait, pairId: number) {
  try {
    const { documents, document_list } = await deployment.pair(pairId, { signal });
    const pending = isRecord(documents) ? documents["pending"] : undefined;
    if (typeof pending !== "number") return undefined;
    const list: readonly unknown[] = Array.isArray(document_list) ? document_list : [];
    return { pending, documents: list.filter(isRecord) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}

/** Only what this run sent; the pair may hold failures of long ago. */
function failedOf(documents: readonly Record<string, unknown>[], sent: ReadonlyMap<string, string>): Refusal[] {
  return documents.flatMap(({ document_id, status, failure }) => {
    const name = sent.get(String(document_id));
    if (name === undefined || status !== "failed") return [];
    return [{ name, reason: typeof failure === "string" ? failure : "the server could not index it" }];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
