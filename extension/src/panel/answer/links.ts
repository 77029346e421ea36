import type { Answer, Links, Source } from "@threadlore/ask";
import { linksOf } from "@threadlore/ask";
import { type Passage, passageLink } from "./passage-link.ts";
import type { TurnPage } from "../ask/turn.ts";

/** The links of an answer, down to the passage. */
export interface PanelLinks extends Links {
  /** What is known of a source's text: what was found in it, or what of the page went along. */
  passages(source: Source): readonly Passage[];
  /** The address that opens a source where it says what is said `near`; undefined when there is none to open. */
  open(source: Source, near: string): string | undefined;
}

/** Where an answer's links may lead. */
export interface LinkRules {
  /** What was asked: of what is cited, it names the sentence that answers. */
  readonly question: string;
  /** The pages that were asked about. */
  readonly pages: readonly TurnPage[];
  /** The service runs on this machine, so its documents may lie there too. */
  readonly localHosts: boolean;
}

/**
 * The links of an answer, the same object for as long as they mean the same: what shows a closed block is not asked to
 * show it again for every packet.
 */
export function createLinkMemory(): (answer: Answer, rules: LinkRules) => PanelLinks {
  let last: (Pick<Answer, "sources" | "citations" | "finding"> & { rules: LinkRules; links: PanelLinks }) | undefined;
  return (answer, rules) => {
    const { sources, citations, finding } = answer;
    if (
      last?.sources !== sources ||
      last.finding !== finding ||
      last.rules.pages !== rules.pages ||
      last.rules.localHosts !== rules.localHosts ||
      !sameCitations(last.citations, citations)
    )
      last = { sources, citations, finding, rules, links: linksWithPages(answer, rules) };
    return last.links;
  };
}

/**
 * The provenance rule, and one address more: the very page that was asked about, wherever it lies, since the person
 * had it open.
 */
function linksWithPages(answer: Answer, { question, pages, localHosts }: LinkRules): PanelLinks {
  const links = linksOf(answer, { localHosts });
  const asked = new Map(pages.map((page) => [webAddress(page.told ?? page.url), page] as const));
  const pageAt = (url: string | undefined) => {
    const address = asked.size === 0 || url === undefined ? undefined : webAddress(url);
    return address === undefined ? undefined : asked.get(address);
  };
  const href = (url: string): string | undefined =>
    links.href(url) ?? (pageAt(url) === undefined ? undefined : webAddress(url));
  const passages = ({ link, passages: found }: Source): readonly Passage[] => {
    const read = found.length > 0 ? [] : (pageAt(link)?.passages ?? []);
    return read.length > 0 ? read : found.map((text) => ({ text }));
  };
  return {
    href,
    passages,
    open(source, near) {
      // Without its key the page may not open; what is copied goes without it.
      const own = webAddress(pageAt(source.link)?.url ?? "");
      const address = source.link === undefined ? undefined : (own ?? href(source.link));
      return address === undefined ? undefined : passageLink(address, passages(source), near, question);
    },
    cited: (mark) =>
      links.cited(mark).map((cited) => {
        const address = cited.href ?? (cited.source.link === undefined ? undefined : href(cited.source.link));
        return address === undefined ? cited : { ...cited, href: address };
      }),
  };
}

/** The re-serialised form of a web address without a user name; undefined for every other. */
function webAddress(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) return undefined;
  return parsed.username === "" && parsed.password === "" ? parsed.href : undefined;
}

function sameCitations(some: Answer["citations"], others: Answer["citations"]): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index];
      return other !== undefined && one.source === other.source && one.marks.length === other.marks.length;
    })
  );
}
