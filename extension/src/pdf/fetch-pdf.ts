/** The bytes of a PDF that is open in a tab, from the page itself: it has the person's cookies and their access. */
import { browser } from "wxt/browser";
import { patternOf } from "../permissions.ts";
import type { PdfQuestion, PdfRefusal } from "./reading.ts";

/** Largest that is read, in bytes. */
const MOST_BYTES = 50_000_000;
/** Browsers carry results out of a page as JSON, and not too much of it at once. Divisible by three: base64. */
const SLICE = 3_000_000;

/** Gets the PDF of a tab, as it is open there. */
export async function fetchPdf(
  tabId: number,
  url: string,
): Promise<PdfQuestion | { readonly bytes?: undefined; readonly refused: PdfRefusal }> {
  const opened = await inPage(tabId, openThere, []);
  if (opened === undefined) return fromHere(url);
  if (opened.size > MOST_BYTES) return { refused: "pdf-too-large" };
  const bytes = new Uint8Array(opened.size);
  for (let at = 0; at < opened.size; at += SLICE) {
    const slice = await inPage(tabId, sliceThere, [at, at + SLICE]);
    if (slice === undefined) return { refused: "pdf-unread" };
    bytes.set(bytesOf(slice), at);
  }
  void inPage(tabId, forgetThere, []);
  return { bytes, url: opened.url, needsSignIn: opened.needsSignIn };
}

/** Some browsers let no extension into their PDF viewer; where its site was allowed, it can be asked for from here. */
async function fromHere(url: string): Promise<PdfQuestion | { readonly refused: PdfRefusal }> {
  const pattern = patternOf(url);
  if (pattern === undefined) return { refused: "pdf-unread" };
  if (!(await browser.permissions.contains({ origins: [pattern] }))) return { refused: "pdf-site" };
  const own = await bytesAt(url, { credentials: "include", cache: "force-cache" });
  if (own === undefined) return { refused: "pdf-unread" };
  if (own.length > MOST_BYTES) return { refused: "pdf-too-large" };
  const signal = AbortSignal.timeout(5_000);
  const strangers = await bytesAt(url, { credentials: "omit", cache: "no-store", redirect: "manual", signal });
  return { bytes: own, url, needsSignIn: !isPdf(strangers) || strangers.length < 0.6 * own.length };
}

/** A page that asks to sign in comes under the same address, and may be the larger of the two. */
function isPdf(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes !== undefined && new TextDecoder().decode(bytes.subarray(0, 1_024)).includes("%PDF-");
}

async function bytesAt(url: string, init: RequestInit): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const response = await fetch(url.split("#", 1)[0] ?? "", { ...init, referrerPolicy: "no-referrer" });
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
  } catch {
    return undefined;
  }
}

async function inPage<Parameters extends unknown[], Result>(
  tabId: number,
  func: (...parameters: Parameters) => Promise<Result> | Result,
  args: Parameters,
): Promise<Result | undefined> {
  try {
    const [found] = await browser.scripting.executeScript({ target: { tabId }, func, args });
    return (found?.result as Result | null | undefined) ?? undefined;
  } catch {
    return undefined;
  }
}

type PdfScope = typeof globalThis & { threadlorePdf?: Blob };

/** Runs inside the page: gets the PDF once more, out of the browser's cache where it is there, and once as a stranger. */
async function openThere(): Promise<{ url: string; size: number; needsSignIn: boolean } | undefined> {
  const address = location.href.split("#", 1)[0] ?? "";
  const get = async (init: RequestInit): Promise<Blob | undefined> => {
    try {
      const response = await fetch(address, init);
      return response.ok ? await response.blob() : undefined;
    } catch {
      return undefined;
    }
  };
  const own = await get({ cache: "force-cache" });
  if (own === undefined) return undefined;
  const signal = AbortSignal.timeout(5_000);
  const strangers = await get({ credentials: "omit", cache: "no-store", redirect: "manual", signal });
  (globalThis as PdfScope).threadlorePdf = own;
  const isLikeIt = (await strangers?.slice(0, 1_024).text())?.includes("%PDF-") === true;
  const needsSignIn = strangers === undefined || !isLikeIt || strangers.size < 0.6 * own.size;
  return { url: location.href, size: own.size, needsSignIn };
}

/** Runs inside the page: a part of the PDF as base64. */
function sliceThere(from: number, to: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).split(",", 2)[1] ?? ""));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("unread")));
    reader.readAsDataURL((globalThis as PdfScope).threadlorePdf?.slice(from, to) ?? new Blob());
  });
}

/** Runs inside the page. */
function forgetThere(): void {
  delete (globalThis as PdfScope).threadlorePdf;
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
