import { parentPort, workerData } from "node:worker_threads";
import { OutOfTime } from "../engine/index-query.ts";
import { Documents, indexDocuments } from "./index-documents.ts";
import { IndexFile } from "./index-file.ts";
import { doWork } from "./index-work.ts";
import type { Reply, Request, ThreadRequest } from "./thread-pool.ts";

// A thread with a connection of its own: answers one request after the other.
const index = new IndexFile(String(workerData));
let documents: Documents | undefined;

parentPort?.on("message", async ({ id, request }: ThreadRequest) => {
  let reply: Reply;
  try {
    // What is answered at once is answered before the next request is looked at.
    reply = { id, result: request.kind === "run" ? await run(request.module, request.given) : resultOf(request) };
  } catch (error) {
    reply = { id, failure: failureOf(error) };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(reply);
  if (request.kind === "end") parentPort?.close();
});

/** Modules of this package, and never one that a request names. */
async function run(module: string, given: unknown): Promise<unknown> {
  const { work } = (await import(module)) as { readonly work: (given: unknown) => unknown };
  return work(given);
}

function resultOf(request: Exclude<Request, { readonly kind: "run" }>): unknown {
  switch (request.kind) {
    case "search":
      return index.search.search(request.query);
    case "count":
      return index.search.count(request.words, request.visible, request.budgetMs);
    case "write":
      return doWork(index.writer, request.work);
    case "index":
      return indexDocuments(index.writer, documentsOf(request.indexing.database), request.indexing);
    case "end":
      documents?.close();
      return index.close();
  }
}

/** Opened for the first that is indexed here. */
function documentsOf(database: string): Documents {
  return (documents ??= new Documents(database));
}

function failureOf(error: unknown): NonNullable<Reply["failure"]> {
  const message = error instanceof Error ? error.message : String(error);
  const errcode = error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
  return { message, isLate: error instanceof OutOfTime, ...(errcode !== undefined && { errcode }) };
}
