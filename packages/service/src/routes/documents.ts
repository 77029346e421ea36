import * as z from "zod/mini";
import { type BaseFilters, parseMoment, Tag } from "@threadlore/client/models";
import { checkedFilters } from "../answer/chat-request.ts";
import { searchEvidence } from "../answer/retrieve.ts";
import { safeLink } from "../answer/source.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { evenlyInTurn } from "../http/in-turn.ts";
import { invalid, Problems, refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { documentsAt, documentsNamed, type ReadableDocument } from "../store/document-text.ts";
import { findPersona } from "../store/personas.ts";
import { pairsInSets, visiblePairs } from "../store/visibility.ts";
import { pagesOf, stretchOf } from "./document-pieces.ts";
import type { Steps } from "../store/steps.ts";

/** As deployed servers bound it (docs/wire.md, section 1.9). */
const MAX_QUERY = 2_048;

const optionalList = z.optional(z.nullable(z.array(z.string())));

/** What is searched for without an answer, in deployed servers' names. */
const SearchRequest = z.object({
  query: z
    .string()
    .check(
      z.minLength(1, "Say what to search for"),
      z.maxLength(MAX_QUERY, `Search for at most ${MAX_QUERY} characters`),
    ),
  sources: optionalList,
  document_sets: optionalList,
  tags: z.optional(z.nullable(z.array(Tag))),
  time_cutoff: z.optional(z.nullable(z.string())),
  persona_id: z.optional(z.nullable(z.number())),
  skip_query_expansion: z.optional(z.nullable(z.boolean())),
});

/** Characters of a document that are given at once: unless told otherwise, and at most. */
const USUAL_STRETCH = 20_000;
const MAX_STRETCH = 100_000;

/** Finding passages without an answer, and reading the documents they are from: what the caller may see of them. */
export function documentRoutes(context: ServiceContext): readonly Route[] {
  const { store } = context;
  return [
    route("POST /search", "caller", "Passages for a text, the best first, without an answer", {
      body: { SearchRequest },
      handle: async ({ caller, request: { signal } }, sent) => {
        const problems = new Problems();
        const persona = await store.read(findPersona(caller, sent.persona_id ?? 0));
        if (persona === undefined) throw invalid(["body", "persona_id"], `There is no persona ${sent.persona_id}`);
        const asked: BaseFilters = {
          // A source that does not exist is one no document has.
          source_type: sent.sources as BaseFilters["source_type"],
          document_set: sent.document_sets,
          tags: sent.tags,
          time_cutoff: momentOf(sent.time_cutoff),
        };
        const filters = await store.read(
          checkedFilters({ caller, problems }, asked, persona, (name) => ["body", PLACES[name]]),
        );
        problems.check();
        if (isAddress(sent.query) && !sent.tags?.length && sent.time_cutoff == null) {
          return { results: await store.read(resultsAt(caller, sent.query, filters)) };
        }
        const found = await evenlyInTurn(context, caller, signal, () =>
          searchEvidence(context, sent.query, filters, caller),
        );
        return {
          results: found.map(({ source, heading, text }, index) => ({
            citation_id: index + 1,
            document_id: source.documentId,
            title: source.title,
            heading,
            content: text,
            link: source.link ?? "",
            source_type: source.document.source_type,
            updated_at: source.document.updated_at ?? null,
          })),
        };
      },
    }),
    route("GET /document/text", "caller", "A document's text, or a stretch or some pages of it", {
      query: ["document_id", "from", "most", "pages"],
      handle: async ({ caller, query, queryNumber }) => {
        const name = query("document_id") ?? "";
        if (name === "") throw invalid(["query", "document_id"], "Say which document", "missing");
        const document = oneOf(await store.read(readable(name, caller)));
        const from = queryNumber("from", { usual: 0 });
        const most = Math.max(1, queryNumber("most", { usual: USUAL_STRETCH, most: MAX_STRETCH }));
        const { pieces, length, next } = stretchOf(sectionsOf(document, query("pages")), from, most);
        return {
          document_id: name,
          title: document.title,
          link: safeLink(document.sections.find(({ link }) => link != null && link !== "")?.link),
          source_type: document.source,
          updated_at: new Date(document.updatedAt).toISOString(),
          metadata: document.metadata,
          length,
          next,
          pieces: pieces.map(({ text, link }) => ({ text, link: safeLink(link) })),
        };
      },
    }),
  ];
}

/** Characters of a document that is named by its address. */
const MAX_BEGINNING = 1_000;

/** An address is no question: nobody looks for the words in it who can name what lies there. */
const isAddress = (query: string): boolean => /^https?:\/\/\S+$/.test(query) && URL.canParse(query);

/** The documents of a name that a caller may see. */
function* readable(name: string, caller: Caller): Steps<ReadableDocument[]> {
  return yield* documentsNamed(name, yield* visiblePairs(caller));
}

/** The documents at an address, each by how it begins. */
function* resultsAt(caller: Caller, address: string, filters: BaseFilters | null) {
  const visible = yield* visiblePairs(caller);
  // An empty list is no restriction, as everywhere.
  const sets = filters?.document_set ?? [];
  const sources = filters?.source_type ?? [];
  const chosen = sets.length === 0 ? null : yield* pairsInSets(sets);
  const pairs = chosen === null ? visible : chosen.filter((pair) => visible === null || visible.includes(pair));
  const found = yield* documentsAt(address, pairs, sources.length === 0 ? undefined : sources);
  return found.map((document, index) => ({
    citation_id: index + 1,
    document_id: document.id,
    title: document.title,
    heading: null,
    content: stretchOf(document.sections, 0, MAX_BEGINNING)
      .pieces.map(({ text }) => text)
      .join("\n\n"),
    link: safeLink(document.sections.find(({ link }) => link != null && link !== "")?.link) ?? "",
    source_type: document.source,
    updated_at: new Date(document.updatedAt).toISOString(),
  }));
}

/** What a filter is called here. */
const PLACES = { source_type: "sources", document_set: "document_sets", tags: "tags" } as const;

function momentOf(text: string | null | undefined): string | null {
  if (text == null || parseMoment(text) !== undefined) return text ?? null;
  throw invalid(["body", "time_cutoff"], "Input should be a moment such as 2026-01-31T00:00:00Z", "datetime_parsing");
}

/** The one document that is meant. Throws a Problem: 404 where there is none, 409 with their names where there are several. */
export function oneOf(documents: readonly ReadableDocument[]): ReadableDocument {
  const [first, second] = documents;
  if (second !== undefined) {
    const names = documents.map(({ id, pairId }) => `"${id} (${pairId === null ? "held back" : `pair ${pairId}`})"`);
    throw refusal(409, "SEVERAL_DOCUMENTS", `Several pairs have a document of this id. Name one: ${names.join(", ")}.`);
  }
  if (first === undefined) throw refusal(404, "DOCUMENT_NOT_FOUND", "There is no such document that this key may see.");
  return first;
}

function sectionsOf(document: ReadableDocument, pages: string | undefined): ReadableDocument["sections"] {
  if (pages === undefined) return document.sections;
  const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(pages) ?? [];
  if (first === undefined) throw invalid(["query", "pages"], "Input should be a page or a range such as 3-5");
  const found = pagesOf(document.sections, Number(first), Number(last));
  if (found === undefined) throw invalid(["query", "pages"], "This document has no pages: read it without");
  if (found.length === 0) throw invalid(["query", "pages"], "This document has no such page with text");
  return found;
}
