import { urlSafeId, type DocumentRow, type IngestedDocument } from "../world/documents.ts";
import { pythonRepr } from "../python-repr.ts";
import { offsetTime } from "../world/search-document.ts";
import { documentSources } from "../world/vocabulary.ts";
import { pairsOf, type World } from "../world/world.ts";
import * as read from "./reading.ts";
import { broken, coded, json, type DoubleReply } from "./replies.ts";
import { reading, route, type Route } from "./routing.ts";

const managing = { permission: "manage:connectors", search: true };

/** Taking documents in, listing and deleting them, and looking for them. */
export function ingestionRoutes(world: World): Route[] {
  const { documents, faults } = world;
  return [
    route(
      "POST /onyx-api/ingestion",
      { ...managing, in: { file: "onyx_api/ingestion.py", line: 101, name: "upsert_ingestion_doc" } },
      reading({ document: read.required(read.record(document)), cc_pair_id: read.nullable(read.whole) }, (given) =>
        ingest(world, given.document, given.cc_pair_id || 1),
      ),
    ),
    route("GET /onyx-api/ingestion", managing, () => json([...documents.rows.values()].map(rowEntry))),
    route("DELETE /onyx-api/ingestion/{document_id}", managing, ({ param: id }) => {
      const row = documents.rows.get(id);
      if (row === undefined) return coded(404, "DOCUMENT_NOT_FOUND", "Document not found");
      if (!row.fromApi) return coded(400, "VALIDATION_ERROR", "Document was not ingested through the API");
      documents.remove(id);
      return json(null);
    }),
    route("GET /onyx-api/connector-docs/{cc_pair_id}", managing, ({ param: pair }) =>
      json([...documents.rows.values()].filter(({ pairs }) => pairs.includes(Number(pair))).map(rowEntry)),
    ),
    route(
      "POST /search",
      {
        scopes: ["read:search"],
        permission: "read:search",
        search: true,
        in: { file: "query_and_chat/search_backend.py", line: 60, name: "search_documents" },
      },
      reading(searching, ({ query, sources, document_sets: sets = [], time_cutoff: cutoff }) => {
        if (faults.search === "broken") return broken("ConnectionError: the search index cannot be reached");
        const found = documents.search(query, {
          sources,
          pairs: sets.length > 0 ? pairsOf(world, sets) : undefined,
          since: cutoff === undefined ? undefined : new Date(cutoff),
        });
        const results = found.map(({ semanticIdentifier: title, content, link, source, ...times }, index) => ({
          citation_id: index + 1,
          title,
          content,
          link,
          source_type: source,
          updated_at: offsetTime(times.updatedAt ?? times.indexedAt),
        }));
        return json({ results });
      }),
    ),
  ];
}

function rowEntry({ documentId, semanticIdentifier, link }: DocumentRow) {
  return { document_id: documentId, semantic_id: semanticIdentifier, link };
}

const words = read.list(({ input }) => String(input));
const searching = {
  query: read.required((place) => {
    const query = read.text(place);
    if (query === "")
      read.flaw(place, "string_too_short", "String should have at least 1 character", { min_length: 1 });
    if (query !== undefined && query.length > 2048)
      read.flaw(place, "string_too_long", "String should have at most 2048 characters", { max_length: 2048 });
    return query;
  }),
  sources: read.nullable(words),
  document_sets: read.nullable(words),
  time_cutoff: read.nullable(read.text),
};

const part = read.nullable(read.text);
/** People, each by what they are called. */
const owners = read.nullable(
  read.list(read.ifRecord({ display_name: part, first_name: part, last_name: part, email: part })),
);

/** A text with its link, or what stands for an image or a table: only those may lack a text. */
const section = read.record({
  link: read.nullable(read.text),
  image_file_id: read.nullable(read.text),
  csv_file_id: read.nullable(read.text),
  text(place) {
    const { image_file_id, csv_file_id } = place.within as Record<string, unknown>;
    const needless = typeof image_file_id === "string" || typeof csv_file_id === "string";
    return (needless ? read.nullable(read.text) : read.required(read.text))(place);
  },
});

const document = {
  id: read.nullable(read.text),
  sections: read.required(read.list(section)),
  source: read.nullable(read.word(documentSources)),
  semantic_identifier: read.required(read.text),
  metadata: read.required(read.anything),
  doc_updated_at: read.nullable(readTime),
  title: read.nullable(read.text),
  primary_owners: owners,
  secondary_owners: owners,
};

function readTime(place: read.Given): { time: Date; naive: boolean } | undefined {
  const { input } = place;
  if (input === undefined) return undefined;
  if (typeof input === "number") return { time: new Date(input > 2e10 ? input : input * 1000), naive: false };
  const text = typeof input === "string" ? input : "";
  const parts = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text);
  const time = parts === null ? undefined : new Date(parts[1] === undefined && text.length > 10 ? `${text}Z` : text);
  if (time !== undefined && !Number.isNaN(time.getTime())) return { time, naive: parts?.[1] === undefined };
  const error = text.length < 10 ? "input is too short" : "invalid character in year";
  const msg = `Input should be a valid datetime or date, ${error}`;
  return read.flaw(place, "datetime_from_date_parsing", msg, { error });
}

function namesOf(given: ReturnType<typeof owners>): string[] | null {
  const people = given?.filter((owner) => owner !== undefined);
  return (
    people?.map(
      ({ display_name, email, first_name, last_name }) =>
        display_name ?? email ?? [first_name, last_name].filter(Boolean).join(" "),
    ) ?? null
  );
}

/** Takes a document in. */
function ingest(world: World, given: read.Fields<typeof document>, pair: number): DoubleReply {
  const { documents, faults, uploads, connectors } = world;
  const { id, metadata, semantic_identifier: semanticIdentifier, doc_updated_at: updated } = given;
  if (!read.isRecord(metadata)) return broken("'NoneType' object has no attribute 'items'");
  if (!connectors.pairs.some((one) => one.id === pair))
    return coded(404, "CONNECTOR_NOT_FOUND", `Connector-credential pair with id ${pair} not found`);
  if (id !== undefined && uploads.has(id))
    return coded(400, "VALIDATION_ERROR", "Document ID is reserved for a user file");
  const documentId = id ? urlSafeId(id) : `ingestion_api_${urlSafeId(semanticIdentifier)}`;
  const coerced = Object.entries(metadata).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(asText) : asText(value),
  ]);
  const taken: IngestedDocument = {
    documentId,
    semanticIdentifier,
    title: given.title ?? null,
    sections: given.sections.map((one) => ({
      text: one?.text ?? "",
      link: one?.link ?? null,
      imageFileId: one?.image_file_id ?? null,
    })),
    source: given.source ?? "ingestion_api",
    metadata: Object.fromEntries(coerced),
    updatedAt: updated?.time,
    naiveTime: updated?.naive ?? false,
    primaryOwners: namesOf(given.primary_owners),
    secondaryOwners: namesOf(given.secondary_owners),
  };
  const { embedder } = faults;
  const lost = typeof embedder === "function" ? embedder(id ?? documentId, documents.ingestions) : embedder === "down";
  const { alreadyExisted } = documents.ingest(taken, pair, lost);
  return json({ document_id: documentId, already_existed: alreadyExisted });
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : pythonRepr(value);
}
