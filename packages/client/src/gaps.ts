import * as z from "zod/mini";
import type { CallOptions } from "./client.ts";
import type { DeploymentOptions } from "./deployment.ts";
import { aboutId, pathSegment } from "./http/path-segment.ts";
import type { Call } from "./http/send.ts";
import { createTransport } from "./http/transport.ts";
import { Gap, GapDetail, GapPage, type GapState, NotedQuestion, QuestionStandings } from "./models/gaps.ts";
import type { GapQuestion } from "./models/gap-questions.ts";

/** Which gaps are listed. */
export interface GapList {
  /** Default: the open ones. */
  readonly state?: GapState | undefined;
  /** At most so many, up to 200. Default 50. */
  readonly most?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/**
 * Gaps: alike questions nobody could answer. The embedded service has them; of a server that has not, every operation
 * throws UnsupportedError. Everything throws the client's own errors; an unknown gap is a NotFoundError.
 */
export interface Gaps {
  /**
   * Notes a question that ended without an answer. Safe to repeat: its `ref` makes it the same question. Throws
   * PermissionError for a key that may not speak for others.
   */
  note(question: GapQuestion, options?: CallOptions): Promise<NotedQuestion>;
  /**
   * What became of questions this caller noted, up to 200: the gaps they are in now. What the server does not know is left out.
   * Throws PermissionError for a key that may not note.
   */
  standings(refs: readonly string[], options?: CallOptions): Promise<QuestionStandings>;
  /**
   * Whoever asked the question of this reference says that it asks the same as another gap: it belongs there from now on. Safe to
   * repeat.
   */
  same(ref: string, gapId: number, options?: CallOptions): Promise<NotedQuestion>;
  /** Forgets a question that was noted with this reference; a gap without questions is gone. Nothing there is no error. */
  forget(ref: string, options?: CallOptions): Promise<void>;
  /** Forgets every question of somebody, as `note` named them. */
  forgetAsker(asker: string, options?: CallOptions): Promise<void>;
  /** For administrators. */
  list(which?: GapList, options?: CallOptions): Promise<GapPage>;
  /** For administrators: a gap with its shared questions. */
  find(gapId: number, options?: CallOptions): Promise<GapDetail>;
  /** Says which document answers it. Needs a key that may ingest. Safe to repeat. */
  close(gapId: number, documentId: string, options?: CallOptions): Promise<Gap>;
  /** It is no question for this knowledge. For administrators. */
  dismiss(gapId: number, options?: CallOptions): Promise<Gap>;
  /** Opens it again: what was said to answer it does not, or is gone. Needs a key that may ingest. */
  reopen(gapId: number, options?: CallOptions): Promise<Gap>;
}

/** Makes the client of gaps. Throws InvalidRequestError for a base URL that can never work. */
export function createGaps(options: DeploymentOptions): Gaps {
  const transport = createTransport(options);
  const ask = <Schema extends z.ZodMiniType>(call: Call, schema: Schema, { signal }: CallOptions = {}) =>
    transport.json({ ...call, signal }, schema);
  /** A gap the server does not know is not the same as a server that knows no gaps. */
  const about = async <Result>(id: string, asked: Promise<Result>): Promise<Result> =>
    asked.catch((error: unknown) => {
      throw aboutId(error, id);
    });
  const gone = async (path: string, given?: CallOptions): Promise<void> => {
    await ask({ method: "DELETE", path, repeatable: true }, z.unknown(), given);
  };
  const tell = <Schema extends z.ZodMiniType>(path: string, schema: Schema, given?: CallOptions, json?: unknown) =>
    ask({ method: "POST", path: `/gaps/${path}`, json, repeatable: true }, schema, given);
  const changed = (gapId: number, verb: string, given?: CallOptions, json?: unknown): Promise<Gap> =>
    about(String(gapId), tell(`${gapId}/${verb}`, Gap, given, json));
  return {
    note: (question, given) => tell("questions", NotedQuestion, given, question),
    standings: (refs, given) => tell("questions/standings", QuestionStandings, given, { refs }),
    same: (ref, gapId, given) => about(String(gapId), tell(`${gapId}/same`, NotedQuestion, given, { ref })),
    forget: (ref, given) => gone(`/gaps/questions/${pathSegment(ref)}`, given),
    forgetAsker: (asker, given) => gone(`/gaps/askers/${pathSegment(asker)}`, given),
    list: ({ state, most, after } = {}, given) =>
      ask({ method: "GET", path: "/gaps", query: { state, most, after }, repeatable: true }, GapPage, given),
    find: (gapId, given) =>
      about(String(gapId), ask({ method: "GET", path: `/gaps/${gapId}`, repeatable: true }, GapDetail, given)),
    close: (gapId, document_id, given) => changed(gapId, "close", given, { document_id }),
    dismiss: (gapId, given) => changed(gapId, "dismiss", given),
    reopen: (gapId, given) => changed(gapId, "reopen", given),
  };
}
