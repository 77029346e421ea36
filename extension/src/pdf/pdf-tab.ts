/** Reads the PDF in a tab: gets its bytes, and has a worker make text of them. */
import { browser } from "wxt/browser";
import { fetchPdf } from "./fetch-pdf.ts";
import type { PdfQuestion, PdfReply } from "./reading.ts";

/** Longest a PDF is read, milliseconds. */
const MAX_MS = 60_000;

/** What is written in the PDF of a tab. Its worker is ended in any case. */
export async function readPdfTab(tabId: number, url: string): Promise<PdfReply> {
  const fetched = await fetchPdf(tabId, url);
  return fetched.bytes === undefined ? { refused: fetched.refused } : inWorker(fetched);
}

function inWorker(question: PdfQuestion): Promise<PdfReply> {
  const worker = new Worker(workerAddress());
  const { port1: here, port2: there } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<PdfReply>();
  const late = setTimeout(() => resolve({ refused: "pdf-too-large" }), MAX_MS);
  here.addEventListener("message", ({ data }: MessageEvent<PdfReply>) => resolve(data));
  here.start();
  worker.addEventListener("error", () => resolve({ refused: "pdf-damaged" }));
  worker.postMessage(question, [question.bytes.buffer, there]);
  return promise.finally(() => {
    clearTimeout(late);
    here.close();
    worker.terminate();
  });
}

/** The part of Trusted Types that is used here; older browsers have none. */
interface TrustedTypesScope {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): URL };
  };
}

let address: URL | string | undefined;

/** The extension's pages take no string as the address of a script: this is the only one, by the only policy. */
function workerAddress(): URL | string {
  const url = browser.runtime.getURL("/pdf-worker.js" as never);
  address ??=
    (globalThis as TrustedTypesScope).trustedTypes
      ?.createPolicy("threadlore-pdf-worker", { createScriptURL: () => url })
      .createScriptURL(url) ?? url;
  return address;
}
