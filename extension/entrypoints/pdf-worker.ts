import { headerSigns, pdfPage } from "@threadlore/documents";
import { FileRefusedError } from "@threadlore/files";
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { pageToKeep } from "../src/capture/page-to-keep.ts";
import type { PdfQuestion, PdfRefusal, PdfReply } from "../src/pdf/reading.ts";

/** A worker of its own: reading a PDF takes seconds, cannot be interrupted, and must not hold up the panel. */
export default defineUnlistedScript(() => {
  addEventListener("message", ({ data, ports: [port] }: MessageEvent<PdfQuestion>) => {
    // pdf.js takes this worker for one of its own and talks in it too; the port is ours alone.
    if (port !== undefined) void read(data).then((reply) => port.postMessage(reply));
  });
});

async function read({ bytes, url, needsSignIn, robots, caching }: PdfQuestion): Promise<PdfReply> {
  try {
    const page = await pdfPage(bytes, { url, readAt: new Date() });
    const headers = new Headers({ "x-robots-tag": robots, "cache-control": caching });
    const privacy = [...page.privacy, ...headerSigns(headers), ...(needsSignIn ? (["needs-sign-in"] as const) : [])];
    return { page, kept: await pageToKeep(page, privacy) };
  } catch (error) {
    return { refused: error instanceof FileRefusedError ? refusals[error.reason] : "pdf-damaged" };
  }
}

const refusals: Readonly<Record<FileRefusedError["reason"], PdfRefusal>> = {
  damaged: "pdf-damaged",
  binary: "pdf-damaged",
  encoding: "pdf-damaged",
  unsupported: "pdf-damaged",
  encrypted: "pdf-encrypted",
  scanned: "pdf-scanned",
  empty: "pdf-scanned",
  "too-large": "pdf-too-large",
};
