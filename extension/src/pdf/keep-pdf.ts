/** Keeping a PDF: read by the panel, then the way of every page. */
import { browser } from "wxt/browser";
import { ingestPage, isPrivateTab, type KeepOutcome } from "../keep/ingest-tab.ts";
import { type Intent, INTENTS, readIntents } from "../keep/intents.ts";
import { readConnection } from "../settings/settings.ts";
import { readPdfTab } from "./pdf-tab.ts";
import type { PdfRefusal } from "./reading.ts";

/** What became of keeping a PDF, whose text perhaps could not be had. */
export type PdfOutcome = KeepOutcome | { readonly kind: "refused"; readonly why: PdfRefusal };

/** Keeps the PDF that is open in a tab. */
export async function keepPdf(tabId: number, url: string): Promise<PdfOutcome> {
  if ((await readConnection()) === undefined) return { kind: "refused", why: "not-set-up" };
  const tab = { tabId, isPrivate: await isPrivateTab(tabId) };
  const reply = await readPdfTab(tabId, url);
  if (reply.page === undefined) return { kind: "refused", why: reply.refused };
  return ingestPage(reply.kept, tab);
}

/** SHA-256 of title and text of the PDF in a tab; undefined where it cannot be read. */
export async function hashOfPdf(tabId: number, url: string): Promise<string | undefined> {
  const reply = await readPdfTab(tabId, url);
  return reply.page === undefined ? undefined : reply.kept.made?.hash;
}

/**
 * Keeps the PDFs that were clicked in menus or by the shortcut, one after the other, each by one panel only. What was
 * begun and not finished is there for the next panel.
 */
export async function keepClickedPdfs(
  reading: (tabId: number, read: () => Promise<PdfOutcome>) => Promise<void>,
): Promise<void> {
  await navigator.locks.request("clicked-pdfs", async () => {
    for (const intent of await readIntents()) {
      if (intent.pdf !== true) continue;
      await reading(intent.tellTabId, () => keepClickedPdf(intent));
      await INTENTS.remove(intent.id);
    }
  });
}

/** The page that was clicked on, and no other that may be in its tab by now. */
async function keepClickedPdf({ tabId, url = "", own }: Intent): Promise<PdfOutcome> {
  try {
    const tab = await browser.tabs.get(tabId).catch(() => undefined);
    const isThere = tab !== undefined && (tab.url === undefined || withoutFragment(tab.url) === withoutFragment(url));
    return isThere ? await keepPdf(tabId, url) : { kind: "refused", why: "gone" };
  } finally {
    if (own) await browser.tabs.remove(tabId).catch(() => {});
  }
}

const withoutFragment = (url: string): string => url.split("#", 1)[0] ?? "";
