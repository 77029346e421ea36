/**
 * A kept page to its service, and whether it is there then. Written apart from the client, which brings streams and models that the
 * worker would have to start with every time it wakes; what repeats, and when, is the outbox's business.
 */
import { confirm, documentToSend } from "./confirm.ts";
import type { Accepted } from "./outbox.ts";
import type { OutboxEntry, Problem, ProblemKind } from "./outbox-entry.ts";
import { post } from "./post.ts";
import type { Connection } from "../settings/settings.ts";

/** What became of one attempt. */
export type Delivery =
  | ({ readonly outcome: "accepted" } & Accepted)
  /** It was answered for, and is not found there. */
  | { readonly outcome: "unconfirmed" }
  /** Later it may work: `retryAfterMs` where the server said when. */
  | { readonly outcome: "later"; readonly problem: Problem; readonly retryAfterMs?: number }
  /** Nothing can be sent until there is another key. */
  | { readonly outcome: "key-refused"; readonly problem: Problem }
  /** This document will not be taken as it is. */
  | { readonly outcome: "stopped"; readonly problem: Problem };

/** Servers index before they answer, so that a large page takes its time. */
const TIMEOUT_MS = 120_000;

/**
 * Sends the document of an entry with the key of its own service, or removes it there. Throws TypeError for a connection
 * to another one.
 */
export async function deliver(
  entry: OutboxEntry,
  document: string,
  connection: Connection,
  send: typeof fetch = fetch,
): Promise<Delivery> {
  const url = new URL(`${connection.baseUrl}${connection.ingestionPath}`);
  if (url.origin !== entry.origin || connection.origin !== entry.origin) throw new TypeError("Another service.");
  const request = { key: connection.ingestKey, timeoutMs: TIMEOUT_MS, send };
  if (entry.removal !== undefined) return remove(entry.removal.serverDocumentId, entry.pairId, url, request);
  const sent = documentToSend(entry, document, Date.now());
  const body = JSON.stringify({ document: sent, ...(entry.pairId !== null && { cc_pair_id: entry.pairId }) });
  const answer = await post(url, { ...request, body }).catch(() => undefined);
  if (answer === undefined) return UNREACHABLE;
  const reply = parsed(answer.text);
  if (answer.response.status === 200 && reply !== undefined) {
    const became = await confirm(entry, { document: sent, reply }, connection, send);
    const updatedAt = Date.parse(sent.doc_updated_at ?? "") || undefined;
    return became === "kept"
      ? { outcome: "accepted", documentId: textOf(reply["document_id"]), updatedAt }
      : { outcome: "unconfirmed" };
  }
  return verdict(answer.response, reply);
}

const UNREACHABLE: Delivery = { outcome: "later", problem: { kind: "unreachable" } };

/** Removes a document; one that is gone already is removed as well. */
async function remove(
  documentId: string,
  pairId: number | null,
  ingestion: URL,
  request: Omit<Parameters<typeof post>[1], "body">,
): Promise<Delivery> {
  // The id as the server keeps it, which may be encoded already, in one segment of the path.
  const url = new URL(`${ingestion.href.replace(/\/$/, "")}/${encodeURIComponent(documentId)}`);
  if (pairId !== null) url.searchParams.set("cc_pair_id", String(pairId));
  const answer = await post(url, { ...request, method: "DELETE" }).catch(() => undefined);
  if (answer === undefined) return UNREACHABLE;
  const reply = parsed(answer.text);
  const isGone = textOf(reply?.["error_code"]) === "DOCUMENT_NOT_FOUND";
  return answer.response.ok || isGone ? { outcome: "accepted", documentId } : verdict(answer.response, reply);
}

function verdict({ status, headers }: Response, body: Record<string, unknown> | undefined): Delivery {
  if (status === 200) return { outcome: "stopped", problem: { kind: "not-a-service", status } };
  const problem = (kind: ProblemKind): Problem => ({ kind, status, detail: detailOf(body) || undefined });
  if (status === 401 || (status === 403 && !saysPermission(body))) {
    return { outcome: "key-refused", problem: problem("key-refused") };
  }
  if (status === 429 || status === 503) {
    const kind = status === 429 ? "rate-limited" : "failed";
    return { outcome: "later", problem: problem(kind), retryAfterMs: waitOf(headers) };
  }
  if (status === 501 || status === 405 || (status === 404 && /^(?:404: )?not found$/i.test(detailOf(body)))) {
    return { outcome: "stopped", problem: { kind: "takes-none", status } };
  }
  if (status === 408 || status === 425 || status >= 500) return { outcome: "later", problem: problem("failed") };
  const kind = STOPPED[status] ?? (body === undefined ? "not-a-service" : "refused");
  return { outcome: "stopped", problem: problem(kind) };
}

const STOPPED: Readonly<Record<number, ProblemKind>> = { 403: "not-permitted", 404: "no-such-pair", 413: "too-large" };

/** Deployed servers answer 403 to a missing key as well; only where they say so is it a matter of rights. */
function saysPermission(body: Record<string, unknown> | undefined): boolean {
  return /permission|role|allowed/i.test(`${textOf(body?.["error_code"])} ${detailOf(body)}`);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function detailOf(body: Record<string, unknown> | undefined): string {
  const detail = body?.["detail"];
  const words = Array.isArray(detail)
    ? detail.map((issue: { msg?: unknown } | null) => textOf(issue?.msg ?? issue)).join(", ")
    : textOf(detail);
  return words.slice(0, 300);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function waitOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}
