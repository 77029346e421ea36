import type { KindPage, Said } from "./kind-page.ts";
import type { SeenAnswer, SeenCitation, SeenKeeping } from "./panel-hand.ts";

/** What was seen of a page from question to citation. */
export interface SeenPage {
  readonly page: KindPage;
  /** Its address. */
  readonly url: string;
  /** What of it went along with the question; "" for nothing. */
  readonly sent: string;
  /** Asked with the page alone. */
  readonly asked: SeenAnswer;
  readonly keeping: SeenKeeping;
  /** The document that was kept, with its titles; absent: none was. */
  readonly kept?: { readonly title: string; readonly text: string };
  /** Asked of the company alone, afterwards. */
  readonly found?: SeenAnswer;
}

/** What is looked at, in the order of the table. */
export const CHECKS = ["read", "furniture out", "unseen out", "said", "named", "cited", "kept", "found again"] as const;

/** One of them. */
export type Check = (typeof CHECKS)[number];

/** How a page did: undefined where there is nothing to look at; else what is wrong, "" for nothing. */
export type PageOutcome = Readonly<Record<Check, string | undefined>>;

/** Judges what was seen. Pure. */
export function outcomeOf({ page, url, sent, asked, keeping, kept, found }: SeenPage): PageOutcome {
  const { passage, title } = page;
  const isReadable = passage !== undefined;
  const both = [sent, kept === undefined ? "" : `${kept.title}\n${kept.text}`];
  const out = (unwanted: readonly string[] = []) =>
    unwanted.length === 0
      ? undefined
      : listed(
          "taken",
          unwanted.filter((one) => both.some((text) => holds(text, one))),
        );
  const facts = isReadable ? [passage, ...(page.facts ?? [])] : [];
  return {
    read: isReadable
      ? listed(
          "missing",
          facts.filter((fact) => !holds(sent, fact)),
        )
      : listed("read all the same", sent === "" ? [] : [sent.slice(0, 200)]),
    "furniture out": out(page.furniture),
    "unseen out": out(page.unseen),
    said: saidWrongly(page.says ?? [], `${asked.notes}\n${asked.text}`, keeping),
    named: isReadable ? (holds(kept?.title ?? "", title) ? "" : `called “${kept?.title ?? "nothing"}”`) : undefined,
    cited: isReadable ? citedWrongly(asked, { page, url, read: sent, isOpen: true }) : undefined,
    kept: keptWrongly(keeping, kept, facts),
    "found again": isReadable ? citedWrongly(found, { page, url, read: kept?.text ?? "", isOpen: false }) : undefined,
  };
}

const listed = (what: string, wrong: readonly string[]): string =>
  wrong.length === 0 ? "" : `${what}: ${wrong.map((one) => `“${one}”`).join(", ")}`;

function keptWrongly(keeping: SeenKeeping, kept: SeenPage["kept"], facts: readonly string[]): string {
  if (facts.length === 0) return keeping.isKept ? "kept though there is nothing in it" : "";
  if (kept === undefined) return `not kept: ${keeping.said.trim()}`;
  return listed(
    "missing",
    facts.filter((fact) => !holds(kept.text, fact)),
  );
}

/** What the panel says of each. */
const WORDS: Readonly<Record<Exclude<Said, "consent">, RegExp>> = {
  frames: /parts from other sites/i,
  pictures: /pictures?|images?|drawn/i,
  "closed parts": /folded|closed|not (?:yet )?loaded|not opened/i,
  "no text": /no text on this page/i,
  scan: /pictures of pages and no text/i,
  locked: /protected by a password/i,
};

function saidWrongly(says: readonly Said[], words: string, keeping: SeenKeeping): string {
  const missing = says.filter((one) => (one === "consent" ? !keeping.wasAsked : !WORDS[one].test(words)));
  const wrong = [
    ...(WORDS.frames.test(words) && !says.includes("frames") ? ["frames"] : []),
    ...(keeping.wasAsked && !says.includes("consent") ? [`consent (${keeping.said.split("\n")[1] ?? ""})`] : []),
  ];
  return [listed("not said", missing), listed("said without cause", wrong)].filter(Boolean).join("; ");
}

/** What a citation has to lead to. */
interface Aim {
  readonly page: KindPage;
  readonly url: string;
  /** Its text, as it was read: with the question, or when it was kept. */
  readonly read: string;
  /** It is open in a tab, in which the panel itself goes to the passage. */
  readonly isOpen: boolean;
}

/**
 * An answer is right where it says what was asked, and one of its first two citations leads to the passage. One that
 * says it found nothing has cited nothing, even where it shows the passage as what comes closest.
 */
function citedWrongly(answer: SeenAnswer | undefined, aim: Aim): string {
  if (answer === undefined) return "not asked";
  const { passage = "", answer: wanted = "" } = aim.page;
  if (!holds(answer.text, wanted)) return `answered: “${shortened(answer.text)}”`;
  const wrong = answer.citations.map((citation) => placeWrongly(citation, aim));
  if (wrong.length === 0)
    return `cited nothing${holds(answer.text, passage) ? ", and showed the passage as closest" : ""}`;
  return wrong.includes("") ? "" : (wrong[0] ?? "");
}

/** The most that a window shows of a bare text without being scrolled. */
const ONE_SIGHT = { lines: 20, characters: 1_000 };

/**
 * Whether a citation leads to the passage; what is wrong with it. A person has to see the passage there: its page of a
 * PDF; else words of it, or of the very line it stands in, which a browser finds where each end of them lies within
 * one block. Of a text or list of data that a window shows whole, its top shows the passage.
 */
function placeWrongly({ title, href }: SeenCitation, { page, url, read, isOpen }: Aim): string {
  const { passage = "", sheet, type = "text/html" } = page;
  const [address = "", fragment = ""] = href.split("#", 2);
  if (address !== url.split("#", 1)[0]) return `cited another document: “${shortened(title)}” ${href}`;
  if (sheet !== undefined) return fragment === `page=${sheet}` ? "" : `opens at “${fragment}”, not page ${sheet}`;
  // Browsers look for words in pages and plain texts only.
  const isLookedFor = isOpen || /^text\/(?:html|plain)/.test(type);
  const directive = isLookedFor ? /:~:text=([^&]*)/.exec(fragment)?.[1] : undefined;
  if (directive === undefined) {
    const isSeen = !type.startsWith("text/html") && isOneSight(read);
    return isSeen ? "" : `opens at the top: no place in the link (#${fragment})`;
  }
  // A directive is words it begins and ends with, each percent-encoded.
  const ends = directive.split(",").map((one) => decodeURIComponent(one));
  const lines = read.split("\n").filter((line) => line.trim() !== "");
  const isBeside = lines.some(
    (line) => (holds(line, passage) || holds(passage, line)) && ends.every((one) => holds(line, one)),
  );
  const isThere = isBeside || ends.every((one) => holds(passage, one)) || holds(ends.join(" "), passage);
  if (!isThere) return `opens at “${ends.join(" … ")}”`;
  // Browsers find each end within one block of the page only.
  const torn = ends.find((one) => !lines.some((line) => holds(line, one)));
  return torn === undefined ? "" : `cannot be found, as it runs over two blocks: “${torn}”`;
}

const isOneSight = (text: string): boolean =>
  text.length <= ONE_SIGHT.characters && text.split("\n").length <= ONE_SIGHT.lines;

const shortened = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, 160);

/** Whether a text has what is looked for, by letters and digits alone. */
function holds(text: string, wanted: string): boolean {
  return bare(text).includes(bare(wanted));
}

const bare = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, "");

/** The two groups of the table. */
export type LanguageGroup = "English" | "others";

/** Group of a language. */
export const groupOf = (language: string): LanguageGroup => (language === "en" ? "English" : "others");
