/** What a server has to say about some words, without an answer: for front ends that show or read what is found. */
import type { FoundPassage, SearchQuery } from "@threadlore/client/deployment";
import type { SendMessageInput } from "@threadlore/client/models";
import type { Answer } from "./answer/answer.ts";
import { ask, type AskingClient } from "./ask.ts";

/** What finding passages needs of a server; `createClient` and `createDeployment` of @threadlore/client give it. */
export interface PassageServer {
  readonly client: AskingClient;
  readonly deployment: {
    search(query: SearchQuery, options: { signal?: AbortSignal }): Promise<readonly FoundPassage[]>;
    deleteSession(sessionId: string, options?: { signal?: AbortSignal }): Promise<void>;
  };
}

/** What is looked for. What is absent or empty restricts nothing. */
export interface PassageWish {
  /** A question or keywords; servers read 2,048 characters of it. */
  readonly query: string;
  /** Names of document sets. */
  readonly documentSets?: readonly string[] | undefined;
  /** Systems the documents are from, such as `web`. */
  readonly sources?: readonly string[] | undefined;
  /** ISO 8601: only what changed since. */
  readonly since?: string | undefined;
  readonly persona?: number | undefined;
  /** As whose a question counts, where one has to be asked. Default `api`. */
  readonly origin?: string | undefined;
  /** The words as they are, without a model that thinks of others. Default false. */
  readonly isLiteral?: boolean | undefined;
}

/** A piece of a document that was found. */
export interface FoundPiece {
  /** What the server names the document by; absent where its search does not say. */
  readonly documentId?: string | undefined;
  /** Never empty. */
  readonly title: string;
  readonly text: string;
  /** Where the document lies, as the server says. */
  readonly link?: string | undefined;
  /** ISO 8601. */
  readonly updatedAt?: string | undefined;
  /** `not_applicable` where it was not told. */
  readonly sourceType: string;
}

/** How passages are looked for. */
export interface PassageOptions {
  readonly signal?: AbortSignal;
  /** Whether the query is asked where the server has no search of its own, which costs a run of its model. Default true. */
  readonly isAsked?: boolean | undefined;
}

/** What was found, the best first; `through`: by the server's own search, or from an answer's documents. */
export interface FoundPieces {
  readonly pieces: readonly FoundPiece[];
  readonly through: "search" | "answer";
}

/** A server without a search of its own did not answer either. */
export class NothingSearchedError extends Error {
  override readonly name = "NothingSearchedError";

  constructor(why?: string) {
    super(why ?? "The server has no search of its own, and could not answer either. Try again later.");
  }
}

/** As deployed servers bound it (docs/wire.md, section 1.9). */
const MAX_QUERY = 2_048;

/**
 * Finds passages. Where the server has no search of its own the query is asked, and the documents its answer is made from
 * are what was found: the answer is not waited for, and the conversation that began is deleted again. Throws the client's
 * errors, and NothingSearchedError; where `isAsked` is false and the server has no search, UnsupportedError.
 */
export async function findPassages(
  server: PassageServer,
  wish: PassageWish,
  { signal, isAsked = true }: PassageOptions = {},
): Promise<FoundPieces> {
  const query = wish.query.slice(0, MAX_QUERY).toWellFormed();
  try {
    const found = await server.deployment.search(searchOf(wish, query), { signal });
    return { pieces: found.map(pieceOf), through: "search" };
  } catch (error) {
    if (!isAsked || !(error instanceof Error && error.name === "UnsupportedError")) throw error;
  }
  return findByAnswer(server, wish, { signal });
}

/** The same by an answer's documents alone: those are named by their ids on every server, which a search's are not. */
export async function findByAnswer(
  server: PassageServer,
  wish: PassageWish,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<FoundPieces> {
  const query = wish.query.slice(0, MAX_QUERY).toWellFormed();
  return { pieces: await ofAnswer(server, questionOf(wish, query), signal), through: "answer" };
}

function searchOf({ documentSets, sources, since, persona, isLiteral }: PassageWish, query: string): SearchQuery {
  return {
    query,
    ...(documentSets?.length && { document_sets: documentSets }),
    ...(sources?.length && { sources }),
    ...(since !== undefined && { time_cutoff: since }),
    ...(persona !== undefined && { persona_id: persona }),
    ...(isLiteral === true && { skip_query_expansion: true }),
  };
}

function questionOf({ documentSets, sources, since, persona, origin = "api" }: PassageWish, query: string) {
  const filters = {
    ...(documentSets?.length && { document_set: [...documentSets] }),
    ...(sources?.length && { source_type: [...sources] }),
    ...(since !== undefined && { time_cutoff: since }),
  };
  return {
    message: query,
    origin,
    ...(Object.keys(filters).length > 0 && { internal_search_filters: filters }),
    ...(persona !== undefined && { chat_session_info: { persona_id: persona } }),
  };
}

function pieceOf(passage: FoundPassage): FoundPiece {
  return {
    documentId: passage.document_id ?? undefined,
    title: passage.title || passage.link || "Untitled",
    text: passage.content ?? "",
    link: passage.link || undefined,
    updatedAt: passage.updated_at ?? undefined,
    sourceType: passage.source_type ?? "not_applicable",
  };
}

async function ofAnswer(
  { client, deployment }: PassageServer,
  question: SendMessageInput,
  signal: AbortSignal | undefined,
): Promise<FoundPiece[]> {
  let last: Answer | undefined;
  for await (last of ask(client, question, { signal, isNamed: false })) {
    // Documents come before the words made from them.
    if (last.text !== "" && last.sources.length > 0) break;
  }
  // Nobody asked anything: nothing of it is kept.
  const session = last?.conversation.chatSessionId;
  if (session !== undefined) await deployment.deleteSession(session).catch(() => undefined);
  const { sources = [], status, failure } = last ?? {};
  signal?.throwIfAborted();
  if (sources.length === 0 && status !== "done" && status !== "answering") {
    throw failure?.error ?? new NothingSearchedError(failure?.message);
  }
  return sources.flatMap(({ documentId, title, passages, link, updatedAt, sourceType }) =>
    // One without an excerpt is found all the same.
    (passages.length === 0 ? [""] : passages).map((text) => ({ documentId, title, text, link, updatedAt, sourceType })),
  );
}
