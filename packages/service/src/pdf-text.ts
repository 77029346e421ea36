import { Worker } from "node:worker_threads";
import { DAMAGED, type PdfLimits, type ReadText } from "./pdf-pages.ts";

const USUAL: PdfLimits = { pages: 1_000, characters: 2_000_000, budgetMs: 10_000 };

/** What a single page may take beyond the budget, and starting the thread, milliseconds. */
const GRACE_MS = 10_000;
/** Memory of the thread; a PDF can unfold to far more than it takes on the disk. */
const MOST_MEGABYTES = 512;
/** Threads at one time; further files wait. */
const MOST_AT_ONCE = 2;

const SLOW =
  "Reading it took too long and was given up. Save it anew in another program, or send its text, then send it again.";

/** In the sources a TypeScript file, in the published package what it was compiled to. */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./pdf-thread.ts" : "./pdf-thread.js", import.meta.url);

let running = 0;
const waiting: (() => void)[] = [];

/**
 * The text of a PDF, read in a thread of its own: a PDF can be made so that pdf.js does not come back, and then the thread
 * is ended `graceMs` after its budget. Nobody else waits for it meanwhile.
 */
export async function textOfPdf(
  bytes: Uint8Array,
  limits: Partial<PdfLimits & { readonly graceMs: number }> = {},
): Promise<ReadText> {
  if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    const { graceMs = GRACE_MS, ...some } = limits;
    return await inThread(bytes, { ...USUAL, ...some }, graceMs);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

async function inThread(bytes: Uint8Array, limits: PdfLimits, graceMs: number): Promise<ReadText> {
  const thread = new Worker(THREAD, {
    workerData: { bytes, limits },
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    // pdf.js warns on the console.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<ReadText>();
  const late = setTimeout(() => resolve({ text: null, gap: SLOW }), limits.budgetMs + graceMs);
  thread.once("message", (text: ReadText) => resolve(text));
  // Out of memory, or an error that pdf.js does not report as one.
  thread.once("error", () => resolve({ text: null, gap: DAMAGED }));
  thread.once("exit", () => resolve({ text: null, gap: DAMAGED }));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
