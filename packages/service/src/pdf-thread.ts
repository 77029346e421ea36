/** Runs in a thread of its own, so that a PDF made to be slow can be given up. See `pdf-text.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { type PdfLimits, readPdf } from "./pdf-pages.ts";

const { bytes, limits } = workerData as { readonly bytes: Uint8Array; readonly limits: PdfLimits };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await readPdf(bytes, limits));
