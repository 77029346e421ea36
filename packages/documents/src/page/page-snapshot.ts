import type { Part } from "@threadlore/files";

/** Why a page may be meant for few eyes (docs/threats.md, T12). Each asks for a person's consent before it is sent. */
export type PrivacySign =
  /** Its address is not http(s): a file, an extension's page. */
  | "not-web"
  /** Its host is one of a home or company network: no dot, `.local`, `.internal`, a private address. */
  | "intranet-host"
  /** A password can be typed into it. */
  | "password-field"
  /** Its address carries what looks like a key or session. */
  | "token-in-address"
  /** It asks search engines not to list it. */
  | "noindex"
  /** Its server wants no copy of it kept, or one for a single person only. Only from `serverSigns`. */
  | "not-to-be-stored"
  /** Somebody without this browser's cookies gets another page, or none. Only from `serverSigns`. */
  | "needs-sign-in";

/** What a person sees on a page and no text could be had of. */
export type UnreadPart =
  /** Large pictures, where there is little text beside them: a scan. */
  | "pictures"
  /** Large areas that are drawn: maps, charts, applications on a canvas. */
  | "drawings"
  /** Large films. */
  | "films"
  /** Parts whose inside the page has closed to others. */
  | "closed"
  /** Rows of a table that it says it has, and brings only when they are scrolled to. */
  | "rows";

/** What was read of a page. Plain JSON, so that it can be sent from the page to the extension. */
export interface PageSnapshot {
  /** Address of the page as it was open, without credentials. May carry tokens: `documentFromPage` takes them out. */
  readonly url: string;
  /** Address the page itself asks to be known by; only when it is on the same site. */
  readonly canonicalUrl?: string;
  /** MIME type the browser opened it as. Anything but HTML and XHTML has nothing that `readPage` can read well. */
  readonly contentType: string;
  /** Never empty: at worst the host. */
  readonly title: string;
  /** Name of the site, as it calls itself. */
  readonly site?: string;
  readonly authors: readonly string[];
  /** ISO 8601 with an offset. */
  readonly published?: string;
  /** ISO 8601 with an offset. */
  readonly modified?: string;
  /** BCP 47 tag, as the page declares it. */
  readonly language?: string;
  readonly description?: string;
  /** The text under each heading; without form values and whatever is not shown. */
  readonly parts: readonly Part[];
  /** How the text was found: what a person marked; what the page is about; or, as neither was there, all of it. */
  readonly extent: "selection" | "main" | "whole";
  /** Characters of all headings and texts. */
  readonly characters: number;
  /** Letters and signs in elements that are not shown; they were left out. */
  readonly hiddenCharacters: number;
  /** Letters and signs in editors of the page, where somebody is writing; they were left out. */
  readonly editedCharacters: number;
  /** Characters nobody can see, such as zero-width ones; they were left out. */
  readonly invisibleCharacters: number;
  /** Frames that could not be read, as they belong to another origin. */
  readonly unreadFrames: number;
  /** How much was seen of what could not be read; what there is none of is left out. */
  readonly unread?: Readonly<Partial<Record<UnreadPart, number>>>;
  /** A limit was reached: the page goes on. */
  readonly cut: boolean;
  readonly privacy: readonly PrivacySign[];
  /** Moment of reading, ISO 8601 in UTC. */
  readonly readAt: string;
}
