/**
 * Whether a page that a service answered for is there. Deployed servers say 200 also where they have indexed nothing;
 * what such an answer leaves open is looked for by the service's own search, and sent again later where it is not found.
 */
import {
  acknowledge,
  type Acknowledgement,
  leavesOpen,
  newerBy,
  newerThan,
  type PassageFound,
} from "@threadlore/client/acknowledgement";
import { browser } from "wxt/browser";
import type { IngestionDocumentInput } from "@threadlore/client/models";
import { withAdditions } from "../keep/additions.ts";
import { findRecord } from "./ledger.ts";
import type { OutboxEntry } from "./outbox-entry.ts";
import { post } from "./post.ts";
import type { Connection } from "../settings/settings.ts";

/** A search is quick: what takes longer is looked for again later. */
const TIMEOUT_MS = 30_000;

/** The document of an entry as it is sent this time, with what its person added, newer wherever the service would skip it. */
export function documentToSend(entry: OutboxEntry, document: string, now: number): IngestionDocumentInput {
  const { additions, unconfirmed, newerThan: before = -Infinity } = entry;
  const made = withAdditions(JSON.parse(document) as IngestionDocumentInput, additions, words());
  return newerThan(newerBy(made, unconfirmed?.times ?? 0, now), before);
}

/** What stands above a note and a highlight, as the worker says it. */
function words() {
  const say = browser.i18n.getMessage as (key: string) => string;
  return { note: say("kept_note"), highlight: say("kept_highlight") };
}

/** What the service's answer to an entry is worth. Asks the service only where that leaves it open. */
export async function confirm(
  entry: OutboxEntry,
  { document, reply }: { readonly document: IngestionDocumentInput; readonly reply: Readonly<Record<string, unknown>> },
  connection: Connection,
  send: typeof fetch,
): Promise<Acknowledgement> {
  const said = { already_existed: reply["already_existed"] === true, indexing: reply["indexing"] };
  if (!leavesOpen(said)) return "kept";
  const before = await findRecord(entry.key);
  const known = before !== undefined && (before.hash !== entry.hash || entry.newerThan !== undefined);
  let canSearch = true;
  const search = async (query: string) => {
    const found = await searchFor(query, connection, send);
    canSearch = found !== undefined;
    return found;
  };
  const became = await acknowledge({ reply: said, document, known, search });
  // It was seen there as it is, and nothing can be looked for.
  return before !== undefined && !canSearch ? "kept" : became;
}

/** Passages of a search; undefined where the service has none, or this key may not. Throws where it cannot be said. */
async function searchFor(
  query: string,
  connection: Connection,
  send: typeof fetch,
): Promise<readonly PassageFound[] | undefined> {
  const url = new URL(`${connection.baseUrl}/search`);
  const body = JSON.stringify({ query, skip_query_expansion: true });
  const { response, text } = await post(url, { key: connection.ingestKey, body, timeoutMs: TIMEOUT_MS, send });
  if ([401, 403, 404, 405, 501].includes(response.status)) return undefined;
  if (!response.ok) throw new Error(`The search failed (${response.status}).`);
  const { results } = JSON.parse(text) as { results?: unknown };
  if (!Array.isArray(results)) throw new TypeError("The search gave no results.");
  return results as PassageFound[];
}
