/**
 * Citations: which document a mark in the text means, and which addresses an answer may link to. What a mark looks like
 * is in `../markdown/marks.ts`.
 *
 * Links: the model's text is not trusted, so an address in it becomes a link only where its parsed, re-serialised form
 * equals the link of a document the server found, cited or named, or the page that was asked about. Everything else is shown
 * as text that names its host.
 */
import { type Finding, namedDocuments } from "./finding.ts";
import { mixesScripts } from "./host-script.ts";
import type { Found, Source } from "./sources.ts";
import type { Block, CitationMark, Inline, Mark } from "../markdown/tree.ts";

/** A document the answer cites. */
export interface Citation {
  /** What a reader sees: 1 for the document cited first, without gaps. */
  readonly number: number;
  /** The server's own numbers for this document, as they stand in `Answer.text`. */
  readonly marks: readonly number[];
  readonly source: Source;
}

// ── Which document a mark means ─────────────────────────────────────────────────────────────────────────────────

/**
 * The id of the document a mark means: by the number the server tied to it, else by the link in the mark. A number that
 * neither explains stays unknown: documents come in no promised order, and a wrong citation is worse than none.
 */
function documentOf(mark: Mark, found: Found, byLink: ReadonlyMap<string, string>): string | undefined {
  const told = found.cited.get(mark.number);
  if (told !== undefined) return told;
  return mark.link === undefined ? undefined : byLink.get(canonical(mark.link) ?? mark.link);
}

/** What the blocks cite, in order of first appearance; a document cited under several numbers comes once. */
export function readerCitations(blocks: readonly Block[], found: Found): readonly Citation[] {
  const byLink = documentsByLink(found);
  const marks = new Map<string, Set<number>>();
  for (const mark of marksOf(blocks)) {
    const id = documentOf(mark, found, byLink);
    if (id === undefined || !found.byId.has(id)) continue;
    marks.set(id, (marks.get(id) ?? new Set()).add(mark.number));
  }
  return [...marks].flatMap(([id, numbers], index) => {
    const source = found.byId.get(id);
    return source === undefined ? [] : [{ number: index + 1, marks: [...numbers], source }];
  });
}

function documentsByLink(found: Found): ReadonlyMap<string, string> {
  const byLink = new Map<string, string>();
  for (const source of found.sources) {
    const link = source.link === undefined ? undefined : (canonical(source.link) ?? source.link);
    if (link !== undefined && !byLink.has(link)) byLink.set(link, source.documentId);
  }
  return byLink;
}

const knownMarks = new WeakMap<object, readonly Mark[]>();

/** Every mark in the order of the text. What a node holds is remembered, for nodes keep their identity. */
function marksOf(nodes: readonly (Block | Inline)[]): Mark[] {
  return nodes.flatMap((node) => {
    let marks = knownMarks.get(node);
    if (marks === undefined) {
      marks = marksIn(node);
      knownMarks.set(node, marks);
    }
    return marks;
  });
}

function marksIn(node: Block | Inline | { type: "item"; children: readonly Block[] }): readonly Mark[] {
  switch (node.type) {
    case "citation":
      return node.marks;
    case "list":
      return node.children.flatMap((item) => marksOf(item.children));
    case "table":
      return [...node.header, ...node.rows.flat()].flatMap((cell) => marksOf(cell));
    case "text":
    case "code":
    case "codespan":
    case "image":
    case "break":
    case "divider":
      return [];
    default:
      return marksOf(node.children);
  }
}

// ── Which addresses may be opened ───────────────────────────────────────────────────────────────────────────────

/** A citation mark as a reader is to see it. */
export interface ReaderMark {
  readonly number: number;
  readonly source: Source;
  /** Where a click leads; absent when the document has no link that may be opened. */
  readonly href?: string;
}

/** What a surface needs to know to show marks and addresses. */
export interface Links {
  /** The address to open, re-serialised; undefined when this one has to stay text. */
  href(url: string): string | undefined;
  /** The documents a mark cites, each once; empty when its numbers mean nothing here: show `mark.text` then. */
  cited(mark: CitationMark): readonly ReaderMark[];
}

/** Settings of `linksOf`. */
export interface LinkOptions {
  /** Address of the page the question was about; an answer may link to it. */
  page?: string;
  /** Allow links to this machine and to private networks. Default false: such links are a way into them. */
  localHosts?: boolean;
}

/** What of an answer decides its links. */
export interface LinkedAnswer {
  readonly citations: readonly Citation[];
  readonly sources: readonly Source[];
  readonly finding?: Finding | undefined;
}

/** The links and citations of an answer. */
export function linksOf(answer: LinkedAnswer, options: LinkOptions = {}): Links {
  let allowed: ReadonlySet<string> | undefined;
  const entryOf = (mark: Mark): Citation | undefined => {
    const entries = answer.citations.filter((entry) => entry.marks.includes(mark.number));
    // Told by its link alone, one number can mean several documents.
    const address = entries.length > 1 && mark.link !== undefined ? canonical(mark.link) : undefined;
    return (
      entries.find((entry) => address !== undefined && canonical(entry.source.link ?? "") === address) ?? entries[0]
    );
  };
  const href = (url: string): string | undefined => {
    const address = openable(url, options.localHosts ?? false);
    allowed ??= allowedLinks([...answer.sources, ...namedDocuments(answer.finding)], options);
    return address !== undefined && allowed.has(address) ? address : undefined;
  };
  const cited = (mark: CitationMark): ReaderMark[] => {
    const entries = mark.marks.map(entryOf).filter((entry) => entry !== undefined);
    return [...new Set(entries)].map(({ number, source }) => ({ number, source, href: href(source.link ?? "") }));
  };
  return { href, cited };
}

/** Links for blocks that belong to no answer: nothing is a link, no number means anything. */
export const noLinks: Links = { href: () => undefined, cited: () => [] };

/** The addresses an answer may link to, in their re-serialised form. */
export function allowedLinks(sources: readonly Pick<Source, "link">[], options: LinkOptions = {}): ReadonlySet<string> {
  const told = [...sources.map((source) => source.link), options.page];
  const open = told.map((url) => (url === undefined ? undefined : openable(url, options.localHosts ?? false)));
  return new Set(open.filter((url) => url !== undefined));
}

const MAX_LINK = 2048;

/**
 * The re-serialised form of an address that may be opened at all: http or https, no user name, no control characters
 * or backslashes, a host that reads as what it is, at most 2,048 characters. Undefined for every other.
 */
function openable(url: string, localHosts = false): string | undefined {
  if (url.length > MAX_LINK || !/^https?:\/\/[^/?#\s\\@%]/i.test(url) || hasForbidden(url)) return undefined;
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== "" || parsed.password !== "" || parsed.hostname === "") return undefined;
  const host = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "";
  // 0x7f000001, 2130706433 and 0177.1 are addresses in disguise.
  if (isIpv4(parsed.hostname) && !host.startsWith(parsed.hostname)) return undefined;
  if (host.includes("@") || host.includes("%") || mixesScripts(parsed.hostname)) return undefined;
  return !localHosts && isLocal(parsed.hostname) ? undefined : parsed.href;
}

/** The host of an address, in punycode, for showing beside a text that is not linked; empty where there is none. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}

/**
 * What stands behind a text whose address is not linked: ` (host)`, so that a reader sees where it would have led; empty
 * where there is no host, or the text names the same one itself.
 */
export function addressNote(url: string, label: string): string {
  const host = hostOf(url);
  return host === "" || hostOf(label.trim()) === host ? "" : ` (${host})`;
}

function canonical(url: string): string | undefined {
  return URL.parse(url)?.href;
}

/** Controls, backslashes, bidirectional overrides: characters that make an address read as another one. */
function hasForbidden(url: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u001f\u007f-\u009f\\\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/.test(url);
}

const isIpv4 = (host: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(host);

function isLocal(host: string): boolean {
  // A dot at the end names the same host.
  if (/(^|\.)localhost\.?$/.test(host)) return true;
  if (host.startsWith("[")) return /^\[(::1?\]|f[cd]|fe[89ab]|::ffff:)/i.test(host);
  return isIpv4(host) && PRIVATE.test(host);
}

/** Networks of IPv4 that are no part of the open one: this machine's, homes' and companies', and carriers' own. */
const PRIVATE = /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
