import * as z from "zod/mini";
import type { CallOptions } from "../client.ts";
import type { DeploymentOptions } from "../deployment.ts";
import { pathSegment } from "../http/path-segment.ts";
import { createTransport } from "../http/transport.ts";
import { type GoodAnswer, GoodAnswerPage } from "../models.ts";

/**
 * Good answers: shared questions whose answers people marked as good. The embedded service keeps them; of a server that does
 * not, every operation throws UnsupportedError. Everything throws the client's own errors.
 */
export interface GoodAnswers {
  /**
   * Tells of one. Safe to repeat: its `ref` makes it the same. Throws PermissionError for a key that may not speak for others.
   */
  note(answer: GoodAnswer, options?: CallOptions): Promise<void>;
  /** Takes one back. Nothing there is no error. */
  forget(ref: string, options?: CallOptions): Promise<void>;
  /** Takes everything back that was told with this key. */
  forgetAll(options?: CallOptions): Promise<void>;
  /** For administrators. At most 200 at once, 50 unless said; `after` is the `next` of the page before. */
  list(page?: { readonly most?: number; readonly after?: string }, options?: CallOptions): Promise<GoodAnswerPage>;
}

/** Makes the client of good answers. Throws InvalidRequestError for a base URL that can never work. */
export function createGoodAnswers(options: DeploymentOptions): GoodAnswers {
  const transport = createTransport(options);
  const path = "/good-answers";
  const done = async (call: { method: "POST" | "DELETE"; path: string; json?: unknown }, given: CallOptions = {}) => {
    await transport.json({ ...call, repeatable: true, signal: given.signal }, z.unknown());
  };
  return {
    note: (json, given) => done({ method: "POST", path, json }, given),
    forget: (ref, given) => done({ method: "DELETE", path: `${path}/${pathSegment(ref)}` }, given),
    forgetAll: (given) => done({ method: "DELETE", path }, given),
    list: (query = {}, { signal } = {}) =>
      transport.json({ method: "GET", path, query: { ...query }, repeatable: true, signal }, GoodAnswerPage),
  };
}
