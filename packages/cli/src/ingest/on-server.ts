import { ClientError, PermissionError, UnsupportedError } from "@threadlore/client";
import type { PassageFound } from "@threadlore/client/acknowledgement";
import type { Deployment } from "@threadlore/client/deployment";
import { listedDocuments } from "../documents/listing.ts";
import { UsageError } from "../exit-codes.ts";

/** What a search finds; undefined where the server has none, or not for this key. */
export async function passagesOf(
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

/** Ids the server lists for a pair; without one, all it lists. Throws UsageError where it does not list any. */
export async function idsOnServer(
  deployment: Pick<Deployment, "documents">,
  pair: number | null,
  signal: AbortSignal,
): Promise<Set<string>> {
  try {
    const ids = new Set<string>();
    // A page at a time: a server that reads a hundred thousand at once has no time for anybody else.
    for await (const { id } of listedDocuments(deployment, pair === null ? {} : { pairId: pair }, signal)) ids.add(id);
    return ids;
  } catch (error) {
    signal.throwIfAborted();
    const cannot = error instanceof UnsupportedError || (error instanceof ClientError && error.outcome === "auth");
    if (!cannot) throw error;
    throw new UsageError(
      "Nothing was sent: this server does not tell this key which documents it has, so --verify cannot compare. --again sends everything.",
    );
  }
}
