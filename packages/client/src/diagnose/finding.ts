import { AbortedError, ClientError } from "../errors/errors.ts";
import type { Profile } from "../profile.ts";

/** What a caller is going to do with a server. */
export type Need = "ask" | "ingest" | "administer";

/** One thing that was looked at. Every doctor and "test connection" shows these as they are. */
export interface ServerFinding {
  /** What was looked at: `base URL`, `clock`, `key`, … */
  what: string;
  /** `unknown`: it could not be found out, or only a person can judge it. */
  ok: boolean | "unknown";
  /** What was seen, in plain words. */
  evidence: string;
  /** What to do. Empty when there is nothing to do. */
  fix: string;
  /** Settings that would be right instead, where they were found. */
  proposal?: { baseUrl?: string; profile?: Partial<Profile> };
  /** What a program can do about it by itself: `switch_memory_off` is `Deployment.setMemory(false)` with this key. */
  remedy?: "switch_memory_off";
}

/** A finding in the order it is read: what, how it stands, what was seen, what to do. */
export function found(
  what: string,
  ok: ServerFinding["ok"],
  evidence: string,
  fix = "",
  more: Partial<ServerFinding> = {},
): ServerFinding {
  return { what, ok, evidence, fix, ...more };
}

/** The words of an error, for evidence. Throws it on when the caller's own signal caused it, or it is none of ours. */
export function evidenceOf(error: unknown): string {
  if (error instanceof AbortedError || !(error instanceof ClientError)) throw error;
  return error.message;
}
