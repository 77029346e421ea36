import { i18n } from "#i18n";
import type { Closed } from "./tabs.ts";

/** Why a page cannot be read, and what to do. */
export function closedText(closed: Closed): string {
  return i18n.t(CLOSED_WORDS[closed]);
}

const CLOSED_WORDS = {
  "not-allowed": "panel.closed.notAllowed",
  "browser-page": "panel.closed.browserPage",
  "extension-page": "panel.closed.browserPage",
  denied: "panel.closed.denied",
  "no-text": "panel.closed.noText",
  gone: "panel.closed.gone",
  slow: "panel.closed.slow",
  "pdf-unread": "panel.closed.pdf",
  "pdf-damaged": "panel.closed.pdfDamaged",
  "pdf-scanned": "panel.closed.pdfScanned",
  "pdf-encrypted": "panel.closed.pdfEncrypted",
  "pdf-too-large": "panel.closed.pdfTooLarge",
  "pdf-site": "panel.closed.pdfSite",
} as const satisfies Record<Closed, string>;
