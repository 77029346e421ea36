import { ClientError, PermissionError, UnsupportedError } from "@threadlore/client";
import type { PassageFound } from "@threadlore/client/acknowledgement";
import type { Deployment } from "@threadlore/client/deployment";
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
  deployment: Deployment,
  pair: number | null,
  signal: AbortSignal,
): Promise<Set<string>> {
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
