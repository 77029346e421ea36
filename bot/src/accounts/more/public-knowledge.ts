import { findPassages, type FoundPiece, saysAll, type Source, type Statement } from "@threadlore/ask";
import { NotFoundError, UnsupportedError } from "@threadlore/client";
import type { Server } from "../../knowledge-server/servers.ts";
import type { Settings } from "../../rules/settings.ts";
import { plainAddress } from "../../lookups/documents.ts";

/** What a place's key sees, for whoever wants to know whether something is more than that. Costs no run of a model. */
export type PublicKnowledge = ReturnType<typeof publicKnowledge>;

/** What of a document tells which one it is. */
type Named = Pick<Source, "title" | "link"> & { readonly documentId?: string | undefined };

/** Asked with the place's key; `settings`: what the rules narrow that to. */
export function publicKnowledge(
  { client, deployment }: Server,
  settings: Pick<Settings, "document_sets" | "sources" | "persona">,
  signal: AbortSignal,
) {
  const { document_sets: documentSets, sources, persona } = settings;

  const search = (query: string): Promise<readonly FoundPiece[]> =>
    findPassages(
      { client, deployment },
      { query, documentSets, sources, persona, isLiteral: true },
      { signal, isAsked: false },
    ).then(({ pieces }) => pieces);

  /** Undefined: the server does not say. */
  async function readsDocument(documentId: string): Promise<boolean | undefined> {
    try {
      await deployment.documentText(documentId, { most: 1 }, { signal });
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      if (error instanceof UnsupportedError) return undefined;
      throw error;
    }
  }

  return {
    /** Passages for a query. Throws UnsupportedError where the server has no search of its own, and the client's errors. */
    search,

    /** Whether the key sees this document. `words`: some of it, to look for it by where the server has no other way. */
    async sees(document: Named, words: string): Promise<boolean> {
      const { documentId } = document;
      const isRead = documentId === undefined ? undefined : await readsDocument(documentId);
      return isRead ?? (await search(words)).some((piece) => isSame(piece, document));
    },

    /** Whether what a statement says stands in what the key sees. */
    says: async ({ text }: Pick<Statement, "text">): Promise<boolean> =>
      (await search(text)).some((piece) => saysAll(piece.text, text) || saysAll(piece.title, text)),
  };
}

/** By the server's id where both have one, else by address, else by title. */
export function isSame(one: Named, other: Named): boolean {
  if (one.documentId !== undefined && one.documentId === other.documentId) return true;
  const [here, there] = [plainAddress(one.link ?? ""), plainAddress(other.link ?? "")];
  if (here !== undefined || there !== undefined) return here === there;
  return one.title === other.title;
}
