/** A page of one of the kinds people have open, and what has to become of it when it is asked about and kept. */

/** The kinds, in the order of the table. */
export const KINDS = [
  "article",
  "documentation",
  "product",
  "forum",
  "search results",
  "dashboard",
  "PDF",
  "text",
  "JSON",
  "image",
  "frames",
  "sign-in",
] as const;

/** One of them. */
export type Kind = (typeof KINDS)[number];

/** Languages of the pages, as BCP 47 tags. */
export type PageLanguage = "en" | "de" | "es" | "fr" | "ja" | "zh" | "ko" | "th" | "ru" | "hi" | "ar" | "he";

/** What has to be said to the person because it was not read, or before it is kept. */
export type Said =
  /** Parts from other sites. */
  | "frames"
  /** Pictures and drawings that hold what the page is about. */
  | "pictures"
  /** Parts that are folded, or not loaded yet, and so were not seen. */
  | "closed parts"
  /** There is no text at all. */
  | "no text"
  /** A PDF that is a scan. */
  | "scan"
  /** A PDF that wants a password. */
  | "locked"
  /** It asks whether the page should be kept, because it looks private. */
  | "consent";

/** One page. What it holds is written as on the page; only letters and digits are compared. */
export interface KindPage {
  /** Its address: host without `.example`, and path, such as `harbour-times/2026/ferry`. */
  readonly at: string;
  readonly language: PageLanguage;
  /** What it is, in a few words. */
  readonly what: string;
  /** What a person would call it; its name as a source has to contain this. */
  readonly title: string;
  readonly body: string | Uint8Array;
  /** Content type. Default: HTML in UTF-8. */
  readonly type?: string;
  readonly question: string;
  /** The sentence that answers, which has to be cited. Absent: nothing on the page can be read. */
  readonly passage?: string;
  /** What of that sentence is the answer. */
  readonly answer?: string;
  /** Number of the PDF page with the passage. Default: the place is the passage itself. */
  readonly sheet?: number;
  /** What else has to be read. */
  readonly facts?: readonly string[];
  /** Teasers, notices, remarks of others: what the page is not about, and what has to stay out. */
  readonly furniture?: readonly string[];
  /** What nobody sees, and what somebody typed: never to be taken. */
  readonly unseen?: readonly string[];
  /** What has to be said. Default: nothing. */
  readonly says?: readonly Said[];
  /** Documents that belong to it, by their paths: what it frames, loads later, or shows without the person's cookie. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Only who is signed in sees it; others get this page. */
  readonly strangersSee?: string;
}

/** Begins and ends an HTML document; `elsewhere` in it stands for the origin of another site. */
export function html(language: PageLanguage, title: string, body: string, head = ""): string {
  const direction = language === "ar" || language === "he" ? ' dir="rtl"' : "";
  return `<!doctype html><html lang="${language}"${direction}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title>${head}</head><body>${body}</body></html>`;
}
