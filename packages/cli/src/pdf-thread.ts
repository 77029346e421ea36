/** Runs in a thread of its own, so that a PDF made to be slow can be given up. See `pdf-document.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { documentFromFile, FileRefusedError, type SourceFile } from "@threadlore/documents";
import type { PdfReply } from "./pdf-document.ts";

const reply = await documentFromFile(workerData as SourceFile).catch((error: unknown): PdfReply => {
  // Of an error, a thread hands on no more than its message.
  if (error instanceof FileRefusedError) return { refused: error.message };
  throw error;
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(reply satisfies PdfReply);
