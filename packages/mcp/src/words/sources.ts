import type { ResourceLink } from "@modelcontextprotocol/server";
import { type Citation, linksOf } from "@threadlore/ask";
import * as z from "zod";
import { documentUri } from "../documents-uri.ts";
import { openableLink, quotedLine } from "./quoted-text.ts";

/** A document an answer or a search names, as results hold it. */
export const NamedSource = z.object({
  number: z.number().int().describe("What the text cites it by, as in [1]."),
  document: z.string().describe("Its address among the resources; `read` takes it."),
  title: z.string(),
  link: z.string().nullable().describe("Where people open it; null: nowhere that may be linked."),
  updated_at: z.string().nullable().describe("ISO 8601; when it last changed, as the server says."),
  source_type: z.string().describe("The system it is from, such as web or file."),
});
export type NamedSource = z.infer<typeof NamedSource>;

/** The documents an answer cites. */
export function citedSources(citations: readonly Citation[]): NamedSource[] {
  const links = linksOf({ citations, sources: citations.map(({ source }) => source) });
  return citations.map(({ number, source }) => ({
    number,
    document: documentUri(source.documentId),
    title: quotedLine(source.title),
    link: openableLink(source.link, (link) => links.href(link) !== undefined),
    updated_at: source.updatedAt ?? null,
    source_type: quotedLine(source.sourceType),
  }));
}

/** A list of sources, one on a line; "" where there are none. */
export function sourceLines(sources: readonly NamedSource[]): string {
  if (sources.length === 0) return "";
  const lines = sources.map(({ number, title, link, updated_at: at }) => {
    const facts = [at === null ? undefined : at.slice(0, 10), link ?? undefined].filter((fact) => fact !== undefined);
    return `[${number}] ${[title, ...facts].join(" · ")}`;
  });
  return `Sources:\n${lines.join("\n")}`;
}

/** The sources as links to resources, each of which can be read. */
export function sourceLinks(sources: readonly NamedSource[]): ResourceLink[] {
  return sources.map(({ document, title }) => resourceLink(document, title));
}

/** A document as a link to it among the resources. */
export function resourceLink(uri: string, title: string): ResourceLink {
  return { type: "resource_link", uri, name: title, title, mimeType: "text/plain" };
}
