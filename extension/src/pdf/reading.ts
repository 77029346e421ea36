/** What the panel and the worker that reads PDFs say to each other: one question, one reply, and the worker ends. */
import type { PageSnapshot } from "@threadlore/documents";
import type { PageToKeep } from "../capture/capture.ts";

/** Why the text of a PDF could not be had. */
export type PdfRefusal =
  /** What it holds is broken. */
  | "pdf-damaged"
  /** It holds pictures of pages, and no text. */
  | "pdf-scanned"
  /** It needs a password. */
  | "pdf-encrypted"
  /** It is larger than is read, or takes too long. */
  | "pdf-too-large"
  /** The browser lets the extension have it only where its site is allowed. */
  | "pdf-site"
  /** The site did not give it again. */
  | "pdf-unread";

/** A PDF to be read. */
export interface PdfQuestion {
  /** Handed over, not copied. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly url: string;
  /** Somebody without this browser's cookies would not get it. */
  readonly needsSignIn: boolean;
  /** `X-Robots-Tag` and `Cache-Control` it came with; "" where there are none. */
  readonly robots: string;
  readonly caching: string;
}

/** What the worker says. */
export type PdfReply =
  | { readonly page: PageSnapshot; readonly kept: PageToKeep }
  | { readonly page?: undefined; readonly refused: PdfRefusal };
