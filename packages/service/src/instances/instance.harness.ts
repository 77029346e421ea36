import { serve, type RunningService } from "../serve.ts";
import { temporaryFolder } from "../service.harness.ts";
import { join } from "node:path";

/** A key every instance of a test knows. */
const KEY = "tl_TEST_instances";

/** What a reply says, as far as tests look. */
interface Reply extends Record<string, unknown> {
  readonly answer: string;
  readonly results: readonly { readonly document_id: string }[];
  readonly sessions: readonly unknown[];
}

/** A service over a database that others work on too. */
export interface Instance {
  readonly running: RunningService;
  readonly url: string;
  /** Path of its copy. */
  readonly copy: string;
  /** Asks one route; JSON in and out. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<{ status: number; body: Reply }>;
  /** Ids of the documents a search finds, the best first. */
  find(text: string, key?: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Starts one with a folder of its own; without an address on SQLite alone. */
export async function startInstance(
  databaseUrl: string | undefined,
  options: Partial<Parameters<typeof serve>[0]> = {},
): Promise<Instance> {
  const folder = temporaryFolder();
  const copy = join(folder.path, "copy.db");
  const running = await serve({
    database: copy,
    databaseUrl,
    port: 0,
    apiKey: KEY,
    logLevel: "silent",
    ...options,
  });
  const { url } = running;
  const call: Instance["call"] = async (method, path, body, key = KEY) => {
    const reply = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === "" ? ({} as Reply) : (JSON.parse(text) as Reply) };
  };
  return {
    running,
    url,
    copy,
    call,
    find: async (text, key) => {
      const { body } = await call("POST", "/search", { query: text }, key);
      return body.results.map((one) => one.document_id);
    },
    close: async () => {
      await running.close();
      folder.remove();
    },
  };
}

/** A document to ingest. */
export const documentOf = (id: string, text: string, more: object = {}): object => ({
  document: { id, semantic_identifier: `Title ${id}`, sections: [{ text }], source: "web", metadata: {}, ...more },
});
