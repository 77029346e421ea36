import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Timing } from "./cut-body.ts";
import { sharedFolder } from "../shared-folder.ts";

/** One recorded request and the reply a deployed server gave. */
export interface Exchange {
  name: string;
  /** First part of the name: `chat-stream-tool`, `err-422-chat`, … */
  category: string;
  /** What was recorded and why, in a sentence. */
  note: string;
  /** What the body shows: `nan-line`, `no-final-newline`, `error-after-deltas`, … */
  phenomena: readonly string[];
  request: {
    method: string;
    /** Relative to the base URL. */
    path: string;
    headers: Record<string, string>;
    /** The JSON value that was sent, where it was one. */
    body?: unknown;
    /** The raw text that was sent, where it was no JSON value. */
    bodyText?: string;
    /** The parts of a multipart upload. */
    multipart?: readonly { name: string; text?: string; base64?: string; filename?: string; contentType?: string }[];
  };
  response: {
    status: number;
    headers: Record<string, string>;
    /** The reply's body after transfer decoding, byte by byte as it came. */
    body: Uint8Array;
  };
  /** When the parts of the body came, where that was recorded. */
  timing?: Timing;
  /** Written by hand, not recorded. */
  constructed: boolean;
}

interface ExchangeFile extends Omit<Exchange, "response" | "timing" | "constructed"> {
  response: { status: number; headers: Record<string, string> };
  constructed?: boolean;
}

const folder = "wire/dev/exchanges";

/** Names of the recorded exchanges, sorted; empty (said once) when `../shared` is not beside the clone. */
export function listExchanges(): string[] {
  const path = sharedFolder(folder);
  if (path === undefined) return [];
  return readdirSync(path)
    .filter((file) => file.endsWith(".json") && !file.endsWith(".timing.json"))
    .map((file) => file.slice(0, -".json".length))
    .toSorted();
}

/** Reads one recorded exchange. Throws when there is none of that name: guard with {@link listExchanges}. */
export function loadExchange(name: string): Exchange {
  const path = sharedFolder(folder);
  if (path === undefined)
    throw new Error(`Exchange ${name} cannot be read: ../shared/${folder} is not beside this clone`);
  const file = readJson<ExchangeFile>(join(path, `${name}.json`));
  const body = new Uint8Array(readFileSync(join(path, `${name}.body`)));
  const timingPath = join(path, `${name}.timing.json`);
  const exchange: Exchange = { ...file, constructed: file.constructed ?? false, response: { ...file.response, body } };
  if (!existsSync(timingPath)) return exchange;
  const timing = readJson<{ head_ms: number; chunks: [number, number][] }>(timingPath);
  const chunks = timing.chunks.map(([afterMs, bytes]) => ({ afterMs, bytes }));
  return { ...exchange, timing: { headMs: timing.head_ms, chunks } };
}

function readJson<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(path, "utf8"));
}
