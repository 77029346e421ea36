import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Readable, Writable } from "node:stream";
import type { KnowledgeSource } from "./knowledge.ts";
import { knowledgeServer } from "./server.ts";
import type { Report } from "./words/telling.ts";

/** What a server over standard input and output needs. */
export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends it from here. */
  readonly signal: AbortSignal;
  readonly report: Report;
}

/**
 * Serves the knowledge over standard input and output until the input ends or the signal says so. What is being
 * answered then is stopped, on the server too.
 */
export async function serveOverStdio(
  source: KnowledgeSource,
  { input, output, signal, report }: StdioOptions,
): Promise<void> {
  const transport = new StdioServerTransport(input, output);
  const ended = Promise.withResolvers<void>();
  const handle = serveStdio(() => knowledgeServer(source, report), {
    transport,
    onerror: report,
  });
  const end = (): void => ended.resolve();
  input.once("end", end);
  input.once("close", end);
  output.once("error", end);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  await ended.promise;
  await handle.close();
}
