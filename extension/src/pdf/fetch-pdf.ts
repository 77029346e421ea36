/** The bytes of a PDF that is open in a tab, from the page itself: it has the person's cookies and their access. */
import { browser } from "wxt/browser";
import { patternOf } from "../settings/permissions.ts";
import type { PdfQuestion, PdfRefusal } from "./reading.ts";

/** Largest that is read, in bytes. */
const MAX_BYTES = 50_000_000;
/** Browsers carry results out of a page as JSON, and not too much of it at once. Divisible by three: base64. */
const SLICE = 3_000_000;

/** Gets the PDF of a tab, as it is open there. */
export async function fetchPdf(
  tabId: number,
  url: string,
): Promise<PdfQuestion | { readonly bytes?: undefined; readonly refused: PdfRefusal }> {
  const opened = await inPage(tabId, openThere, []);
  if (opened === undefined) return fromHere(url);
  if (opened.size > MAX_BYTES) return { refused: "pdf-too-large" };
  const bytes = new Uint8Array(opened.size);
  for (let at = 0; at < opened.size; at += SLICE) {
    const slice = await inPage(tabId, sliceThere, [at, at + SLICE]);
    if (slice === undefined) return { refused: "pdf-unread" };
    bytes.set(bytesOf(slice), at);
  }
  void inPage(tabId, forgetThere, []);
  const { url: address, needsSignIn, robots, caching } = opened;
  return { bytes, url: address, needsSignIn, robots, caching };
}

/** Some browsers let no extension into their PDF viewer; where its site was allowed, it can be asked for from here. */
async function fromHere(url: string): Promise<PdfQuestion | { readonly refused: PdfRefusal }> {
  const pattern = patternOf(url);
  if (pattern === undefined) return { refused: "pdf-unread" };
  if (!(await browser.permissions.contains({ origins: [pattern] }))) return { refused: "pdf-site" };
  const answer = await answerAt(url, { credentials: "include", cache: "force-cache" });
  if (answer === undefined) return { refused: "pdf-unread" };
  const { bytes: own, robots, caching } = answer;
  if (own.length > MAX_BYTES) return { refused: "pdf-too-large" };
  const signal = AbortSignal.timeout(5_000);
  const strangers = (await answerAt(url, { credentials: "omit", cache: "no-store", redirect: "manual", signal }))
    ?.bytes;
  const needsSignIn = !isPdf(strangers) || strangers.length < 0.6 * own.length;
  return { bytes: own, url, needsSignIn, robots, caching };
}

/** A page that asks to sign in comes under the same address, and may be the larger of the two. */
function isPdf(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes !== undefined && new TextDecoder().decode(bytes.subarray(0, 1_024)).includes("%PDF-");
}

interface Answer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly robots: string;
  readonly caching: string;
}

async function answerAt(url: string, init: RequestInit): Promise<Answer | undefined> {
  try {
    const response = await fetch(url.split("#", 1)[0] ?? "", { ...init, referrerPolicy: "no-referrer" });
    if (!response.ok) return undefined;
    return {
      bytes: new Uint8Array(await response.arrayBuffer()),
      robots: response.headers.get("x-robots-tag") ?? "",
      caching: response.headers.get("cache-control") ?? "",
    };
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
async function openThere(): Promise<(Omit<PdfQuestion, "bytes"> & { readonly size: number }) | undefined> {
  const address = location.href.split("#", 1)[0] ?? "";
  const get = async (init: RequestInit) => {
    try {
      const response = await fetch(address, init);
      return response.ok ? { blob: await response.blob(), headers: response.headers } : undefined;
    } catch {
      return undefined;
    }
  };
  const answer = await get({ cache: "force-cache" });
  if (answer === undefined) return undefined;
  const { blob: own, headers } = answer;
  const signal = AbortSignal.timeout(5_000);
  const strangers = (await get({ credentials: "omit", cache: "no-store", redirect: "manual", signal }))?.blob;
  (globalThis as PdfScope).threadlorePdf = own;
  const isLikeIt = (await strangers?.slice(0, 1_024).text())?.includes("%PDF-") === true;
  const needsSignIn = strangers === undefined || !isLikeIt || strangers.size < 0.6 * own.size;
  const [robots, caching] = [headers.get("x-robots-tag") ?? "", headers.get("cache-control") ?? ""];
  return { url: location.href, size: own.size, needsSignIn, robots, caching };
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
