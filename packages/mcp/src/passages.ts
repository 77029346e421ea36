import { type Answer, ask } from "@threadlore/ask";
import { UnsupportedError } from "@threadlore/client";
import type { BaseFilters } from "@threadlore/client/models";
import type { Knowledge } from "./knowledge.ts";

/** A piece of a document that a search found. */
export interface FoundPiece {
  /** What the server names the document by; absent where its search does not say. */
  readonly documentId?: string;
  readonly title: string;
  readonly text: string;
  readonly link?: string;
  /** ISO 8601. */
  readonly updatedAt?: string;
  readonly sourceType: string;
}

/** What a search found, the best first, and what searched: the server's own search, or an answer's documents. */
export interface Search {
  readonly pieces: readonly FoundPiece[];
  readonly through: "search" | "answer";
}

/** As deployed servers bound it (docs/wire.md, section 1.9). */
const MAX_QUERY = 2_048;

/**
 * Passages for a text. Where the server has no search of its own, the question is asked and its answer's documents are
 * what was found; the conversation this begins is deleted again. Throws the client's errors, and the answer's failure.
 */
export async function searchPassages(
  { client, deployment }: Pick<Knowledge, "client" | "deployment">,
  text: string,
  filters: BaseFilters | undefined,
  signal: AbortSignal,
): Promise<Search> {
  try {
    const query = {
      query: [...text].slice(0, MAX_QUERY).join("").slice(0, MAX_QUERY).toWellFormed(),
      sources: filters?.source_type ?? undefined,
      document_sets: filters?.document_set ?? undefined,
      time_cutoff: filters?.time_cutoff ?? undefined,
    };
    const found = await deployment.search(query, { signal });
    const pieces = found.map((passage) => ({
      documentId: passage.document_id ?? undefined,
      title: passage.title || passage.link || "Untitled",
      text: passage.content ?? "",
      link: passage.link || undefined,
      updatedAt: passage.updated_at ?? undefined,
      sourceType: passage.source_type ?? "not_applicable",
    }));
    return { pieces, through: "search" };
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
  }
  let answer: Answer | undefined;
  const question = { message: text, origin: "api" as const, internal_search_filters: filters };
  for await (answer of ask(client, question, { signal, recovery: deployment }));
  const session = answer?.conversation.chatSessionId;
  if (session !== undefined) void deployment.deleteSession(session).catch(() => {});
  if (answer === undefined || answer.status === "failed") throw answer?.failure?.error ?? new NoSearch();
  const pieces = answer.sources.flatMap(({ documentId, title, passages, link, updatedAt, sourceType }) =>
    passages.map((passage) => ({ documentId, title, text: passage, link, updatedAt, sourceType })),
  );
  return { pieces, through: "answer" };
}

/** A server without a search failed to answer as well. */
export class NoSearch extends Error {
  override readonly name = "NoSearch";

  constructor() {
    super("The server has no search of its own and could not answer either. Try again later.");
  }
}
