import { Worker } from "node:worker_threads";
import type { FileDocument, SourceFile } from "@threadlore/documents";

/** What the thread answers: the document, or why there is none, with the file's name in front. */
export type PdfReply = FileDocument | { readonly refused: string };

/** Between pages the reader gives up by itself after 20 s; a page that does not come back is given up later. */
const MOST_MS = 40_000;
/** Memory of the thread; a PDF can unfold to far more than it takes on the disk. */
const MOST_MEGABYTES = 1_024;

/** In the sources a TypeScript file, in the published package what it was compiled to. */
const THREAD = new URL(import.meta.url.endsWith(".ts") ? "./pdf-thread.ts" : "./pdf-thread.js", import.meta.url);

const SLOW = "reading it took too long and was given up. Save it anew in another program and give that file.";
const TOO_MUCH = "it could not be read: it may be damaged. Save it anew in another program and give that file.";

/** Whether a file is read as PDF: by what is known of it, its first bytes, or its name. */
export function isPdf({ kind, name, bytes }: Pick<SourceFile, "kind" | "name" | "bytes">): boolean {
  if (kind !== undefined) return kind === "pdf";
  return /\.pdf$/i.test(name) || Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-");
}

/**
 * The document of a PDF, read in a thread of its own: a PDF can be made so that reading it does not come back, and a run
 * over a folder must not end there. Throws with the reason, and what to do, where there is none.
 * @param mostMs time it has, milliseconds
 */
export async function documentFromPdf(file: SourceFile, mostMs: number = MOST_MS): Promise<FileDocument> {
  const thread = new Worker(THREAD, {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    // pdf.js warns on the console.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<PdfReply>();
  const late = setTimeout(() => resolve({ refused: SLOW }), mostMs);
  thread.once("message", (reply: PdfReply) => resolve(reply));
  // Out of memory, or an error nobody foresaw.
  thread.once("error", () => resolve({ refused: TOO_MUCH }));
  thread.once("exit", () => resolve({ refused: TOO_MUCH }));
  try {
    const reply = await promise;
    if ("refused" in reply) throw new Error(reply.refused.replace(`${file.name}: `, ""));
    return reply;
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
