import type { CallOptions } from "../client.ts";
import type { DeploymentOptions } from "../deployment.ts";
import { createTransport } from "../http/transport.ts";
import { KeptAnswer, KeptAnswerPage, MaybeChangedAnswers, NearKeptAnswers } from "../models.ts";

/** Which kept answers are listed. */
export interface KeptAnswerList {
  /** Those something speaks against, or all. Default: `doubted`. */
  readonly state?: "doubted" | "all" | undefined;
  /** Those whose words, and whose owner's last "it still holds", are older than this moment, such as 2026-01-31T00:00:00Z. */
  readonly olderThan?: string | undefined;
  /** At most so many, up to 200. Default 50. */
  readonly most?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** Which kept answers that a newer document may change are listed. */
export interface MaybeChangedList {
  /** Those found at this moment or later, such as 2026-01-31T00:00:00Z. Default: all. */
  readonly since?: string | undefined;
  /** At most so many, up to 200. Default 50. */
  readonly most?: number | undefined;
}

/** What whoever brings a document is asked about kept answers, and can say. Throws as {@link KeptAnswers} does. */
export interface NearAnswers {
  /**
   * Kept answers that a document may change, at most three, for whoever brought it and can tell: those everybody sees who sees
   * the document, older than it, and not known already to be contradicted by it. Of an unknown document there are none.
   */
  near(documentId: string, options?: CallOptions): Promise<NearKeptAnswers>;
  /**
   * Somebody who read both says that the document `by` says otherwise than a kept answer: its owner is to be asked. Safe to
   * repeat. Throws NotFoundError where there is one of the two no more, or not everybody who sees the answer sees the document.
   */
  doubt(documentId: string, by: string, options?: CallOptions): Promise<KeptAnswer>;
}

/**
 * Kept answers, and what speaks against them. The embedded service knows them; of a server that does not, every operation
 * throws UnsupportedError. Everything throws the client's own errors. All of it needs a key that may ingest.
 */
export interface KeptAnswers extends NearAnswers {
  list(which?: KeptAnswerList, options?: CallOptions): Promise<KeptAnswerPage>;
  /** Its owner says that it still holds: doubts there are end, and the same do not come again. Safe to repeat. */
  confirm(documentId: string, options?: CallOptions): Promise<KeptAnswer>;
  /**
   * Kept answers that a newer document may change, the nearest first, for whoever looks after what is kept: of no document here
   * a rule tells that it says otherwise, and nobody said so. Each is listed with one document, which everybody sees who sees it.
   */
  maybeChanged(which?: MaybeChangedList, options?: CallOptions): Promise<MaybeChangedAnswers>;
}

/** Makes the client of what whoever brings a document can say. Throws InvalidRequestError for a base URL that can never work. */
export function createNearAnswers(options: DeploymentOptions): NearAnswers {
  const transport = createTransport(options);
  return {
    near: (document_id, { signal } = {}) => {
      const query = { document_id };
      return transport.json(
        { method: "GET", path: "/kept-answers/near", query, repeatable: true, signal },
        NearKeptAnswers,
      );
    },
    doubt: (document_id, by, given) => say(transport, "doubted", { document_id, by }, given),
  };
}

/** Makes the client of kept answers. Throws InvalidRequestError for a base URL that can never work. */
export function createKeptAnswers(options: DeploymentOptions): KeptAnswers {
  const transport = createTransport(options);
  return {
    ...createNearAnswers(options),
    list: ({ state, olderThan: older_than, most, after } = {}, { signal } = {}) => {
      const query = { state, older_than, most, after };
      return transport.json({ method: "GET", path: "/kept-answers", query, repeatable: true, signal }, KeptAnswerPage);
    },
    confirm: (document_id, given) => say(transport, "confirmed", { document_id }, given),
    maybeChanged: ({ since, most } = {}, { signal } = {}) => {
      const query = { since, most };
      return transport.json(
        { method: "GET", path: "/kept-answers/maybe-changed", query, repeatable: true, signal },
        MaybeChangedAnswers,
      );
    },
  };
}

function say(
  transport: ReturnType<typeof createTransport>,
  what: string,
  json: object,
  { signal }: CallOptions = {},
): Promise<KeptAnswer> {
  return transport.json({ method: "POST", path: `/kept-answers/${what}`, json, repeatable: true, signal }, KeptAnswer);
}
