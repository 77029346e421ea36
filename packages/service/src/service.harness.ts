import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { quickDisk } from "@threadlore/testkit";
import { createService, type Service } from "./index.ts";
import { serve, type ServeOptions } from "./serve.ts";
import type { StoredDocument } from "./store/documents.ts";
import type { Database } from "./store/sqlite/database.ts";
import { withJson } from "./store/steps.ts";

/** The owner's key of every service opened here. */
export const OWNER_KEY = "tl_TESTowner";

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON value, or undefined when it is none. */
  readonly body: unknown;
}

/** A service under test, reached in one of two ways. */
export interface OpenService {
  /** Such as `http://127.0.0.1:8411`; pass it with `fetch` to a client. */
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly service: Service;
  /** Sends with the owner's key; `null` as a header leaves it out. A body that is not text is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string | null>): Promise<Reply>;
  close(): Promise<void>;
}

/** A way to a service. */
export interface Carrier {
  readonly name: string;
  open(options?: Partial<ServeOptions>): Promise<OpenService>;
}

/** The service's function is called directly. */
export const inProcess: Carrier = {
  name: "in process",
  async open(options = {}) {
    const service = createService({ database: ":memory:", apiKey: OWNER_KEY, ...options });
    const url = "http://127.0.0.1:8411";
    const send: typeof fetch = (input, init) => service.fetch(new Request(input, init));
    return { url, fetch: send, service, call: caller(url, send), close: () => service.close() };
  },
};

/** The service listens on a free port of this machine. */
export const overSocket: Carrier = {
  name: "over a socket",
  async open(options = {}) {
    const { url, service, close } = await serve({ database: ":memory:", apiKey: OWNER_KEY, port: 0, ...options });
    return { url, fetch, service, call: caller(url, fetch), close };
  },
};

/** Both ways: `describe.each(carriers)("…, $name", ({ open }) => …)`. */
export const carriers: readonly Carrier[] = [inProcess, overSocket];

function caller(url: string, send: typeof fetch): OpenService["call"] {
  return async (method, path, body, extra = {}) => {
    const headers = new Headers({ authorization: `Bearer ${OWNER_KEY}` });
    if (body !== undefined) headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(extra)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    if (body instanceof FormData) headers.delete("content-type");
    const sent = body === undefined || typeof body === "string" || isBytes(body) ? body : JSON.stringify(body);
    const reply = await send(`${url}${path}`, {
      method,
      headers,
      ...(sent !== undefined && { body: sent as BodyInit }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, body: parsed(text) };
  };
}

function isBytes(body: unknown): boolean {
  return (
    body instanceof FormData || body instanceof Uint8Array || body instanceof Blob || body instanceof ReadableStream
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A folder for one test's files, and its removal. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(quickDisk(), "threadlore-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Everything that is kept of a document. */
export interface WholeDocument extends StoredDocument {
  readonly id: string;
  readonly source: string;
  readonly chunkCount: number | null;
  readonly fromIngestionApi: boolean | null;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly status: string;
  readonly failure: string | null;
}

/** A pair's document, by default of the pair that takes what names none; undefined: it has none of this id. */
export function findDocument(db: Database, id: string, pairId: number | null = 1): WholeDocument | undefined {
  const row = db.get(
    `SELECT number, id, sequence, title, source, sections, metadata, primary_owners AS primaryOwners,
            secondary_owners AS secondaryOwners, chunk_count AS chunkCount,
            CASE from_ingestion_api WHEN 1 THEN 'true' WHEN 0 THEN 'false' END AS fromIngestionApi,
            updated_at AS updatedAt, status, failure
     FROM documents WHERE id = ? AND pair_id IS ?`,
    id,
    pairId,
  );
  const json = ["sections", "metadata", "primaryOwners", "secondaryOwners", "fromIngestionApi"] as const;
  return row && withJson<WholeDocument>(row, ...json);
}
