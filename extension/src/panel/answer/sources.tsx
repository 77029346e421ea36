import type { Answer, Source } from "@threadlore/ask";
import { saysNothingFound, visibleText } from "@threadlore/ask";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { SourceLine } from "./citation-chip.tsx";
import type { PanelLinks } from "./links.ts";
import type { TurnPage } from "../ask/turn.ts";

interface SourcesProps {
  readonly answer: Answer;
  readonly links: PanelLinks;
  readonly pages: readonly TurnPage[];
}

/**
 * What an answer names as its sources: the documents it cites, and the pages that were asked about where there is an
 * answer; one that found nothing rests on none. Not every server cites what came with the question; the person is told all the same what was read.
 */
export function sourcesNamed(answer: Answer, pages: readonly TurnPage[]): readonly Source[] {
  const addresses = new Set(answer.sources.map(({ link }) => link));
  const isAnswer = answer.failure === undefined && answer.text !== "" && !saysNothingFound(answer);
  const read = isAnswer ? pages.filter(({ url, told = url }) => !addresses.has(told)).map(sourceOf) : [];
  return [...answer.citations.map(({ source }) => source), ...read];
}

/** What the answer rests on: the pages that were asked about and the documents it cites; the rest on request. */
export function Sources({ answer, links, pages }: SourcesProps): VNode | null {
  const named = sourcesNamed(answer, pages);
  const cited = answer.citations.map(({ source }) => source.documentId);
  // The closest documents stand in the answer, with what they say.
  const said = new Set([...cited, ...(answer.finding?.closest ?? []).map(({ documentId }) => documentId)]);
  const rest = answer.sources.filter(({ documentId }) => !said.has(documentId));
  if (named.length + rest.length === 0) return null;
  const list = (sources: readonly Source[], citations: Answer["citations"]) => (
    <ol>
      {sources.map((source, at) => (
        <SourceView
          key={source.documentId}
          source={source}
          number={citations[at]?.number}
          href={links.open(source, answer.text)}
        />
      ))}
    </ol>
  );
  return (
    <div class="sources" role="group" aria-label={i18n.t("panel.sources.title")}>
      {named.length === 0 ? null : (
        <>
          <h3>{i18n.t("panel.sources.title")}</h3>
          {list(named, answer.citations)}
        </>
      )}
      {rest.length === 0 ? null : (
        <details>
          <summary>{i18n.t("panel.sources.more", rest.length)}</summary>
          {list(rest, [])}
        </details>
      )}
    </div>
  );
}

function sourceOf({ title, url, told = url }: TurnPage): Source {
  return { documentId: told, title: title.trim() || told, link: told, sourceType: "web", passages: [] };
}

interface SourceViewProps {
  readonly source: Source;
  /** Absent: it is cited nowhere. */
  readonly number: number | undefined;
  readonly href: string | undefined;
}

function SourceView({ source, number, href }: SourceViewProps): VNode {
  const title = visibleText(source.title);
  const isCited = number !== undefined;
  return (
    <li class="source">
      <span class={isCited ? "source-number" : "source-number page"} aria-hidden={!isCited}>
        {isCited ? String(number) : "•"}
      </span>
      <span class="source-text">
        {href === undefined ? (
          <span class="source-title" dir="auto" title={title}>
            {title}
          </span>
        ) : (
          <a class="source-title" dir="auto" title={title} href={href} target="_blank" rel="noopener noreferrer">
            {title}
          </a>
        )}
        <SourceLine source={source} />
      </span>
    </li>
  );
}
