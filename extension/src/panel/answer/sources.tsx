import type { Answer, Source } from "@threadlore/ask";
import { visibleText } from "@threadlore/ask";
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

interface Entry {
  readonly label: string;
  readonly source: Source;
}

/**
 * What an answer names as its sources: the documents it cites, and the pages that were asked about where there is an
 * answer. Not every server cites what came with the question; the person is told all the same what was read.
 */
export function sourcesNamed(answer: Answer, pages: readonly TurnPage[]): readonly Source[] {
  const addresses = new Set(answer.sources.map(({ link }) => link));
  const isAnswer = answer.failure === undefined && answer.text !== "";
  const read = isAnswer ? pages.filter(({ url }) => !addresses.has(url)).map(sourceOf) : [];
  return [...answer.citations.map(({ source }) => source), ...read];
}

/** What the answer rests on: the pages that were asked about and the documents it cites; the rest on request. */
export function Sources({ answer, links, pages }: SourcesProps): VNode | null {
  const numbers = answer.citations.map(({ number }) => String(number));
  const named = sourcesNamed(answer, pages).map((source, at): Entry => ({ label: numbers[at] ?? "", source }));
  const citedIds = new Set(answer.citations.map(({ source }) => source.documentId));
  const rest = answer.sources
    .filter(({ documentId }) => !citedIds.has(documentId))
    .map((source): Entry => ({ label: "", source }));
  if (named.length + rest.length === 0) return null;
  return (
    <div class="sources" role="group" aria-label={i18n.t("panel.sources.title")}>
      {named.length === 0 ? null : (
        <>
          <h3>{i18n.t("panel.sources.title")}</h3>
          <ol>
            {named.map((entry) => (
              <SourceView key={entry.source.documentId} entry={entry} links={links} near={answer.text} />
            ))}
          </ol>
        </>
      )}
      {rest.length === 0 ? null : (
        <details>
          <summary>{i18n.t("panel.sources.more", rest.length)}</summary>
          <ol>
            {rest.map((entry) => (
              <SourceView key={entry.source.documentId} entry={entry} links={links} near={answer.text} />
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

function sourceOf({ title, url }: TurnPage): Source {
  return { documentId: url, title: title.trim() || url, link: url, sourceType: "web", passages: [] };
}

function SourceView({
  entry,
  links,
  near,
}: {
  readonly entry: Entry;
  readonly links: PanelLinks;
  readonly near: string;
}): VNode {
  const { label, source } = entry;
  const href = links.open(source, near);
  return (
    <li class="source">
      <span class={label === "" ? "source-number page" : "source-number"} aria-hidden={label === ""}>
        {label === "" ? "•" : label}
      </span>
      <span class="source-text">
        {href === undefined ? (
          <span dir="auto">{visibleText(source.title)}</span>
        ) : (
          <a dir="auto" href={href} target="_blank" rel="noopener noreferrer">
            {visibleText(source.title)}
          </a>
        )}
        <SourceLine source={source} />
      </span>
    </li>
  );
}
