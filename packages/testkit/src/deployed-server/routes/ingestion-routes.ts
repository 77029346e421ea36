import { urlSafeId, type IngestedDocument } from "../world/documents.ts";
import { FieldReader, isRecord } from "./field-reader.ts";
import { pythonRepr, type Flaw } from "../python-repr.ts";
import { broken, coded, json, type DoubleReply } from "./replies.ts";
import { route, withBody, type Route } from "./routing.ts";
import { documentSources } from "../world/vocabulary.ts";
import { offsetTime } from "../world/search-document.ts";
import type { Call, World } from "../world/world.ts";

const handler = {
  file: "onyx_api/ingestion.py",
  line: 101,
  name: "upsert_ingestion_doc",
  route: "POST /onyx-api/ingestion",
};
const managing = { permission: "manage:connectors", search: true };

/** Taking documents in, listing and deleting them, and looking for them. */
export function ingestionRoutes(world: World): Route[] {
  const { documents } = world;
  return [
    route("POST", "/onyx-api/ingestion", managing, (call) =>
      withBody(call, handler, (body, fields) => {
        const isThere = fields.require("document");
        const given = body["document"];
        if (isThere && !isRecord(given)) fields.flaw("document", "model_attributes_type", objectWanted);
        const document = isRecord(given) ? readDocument(given, fields.flaws) : undefined;
        const pair = fields.whole("cc_pair_id") || 1;
        if (fields.flaws.length > 0 || document === undefined) return fields.flaws;
        return ingest(world, document, pair);
      }),
    ),
    route("GET", "/onyx-api/ingestion", managing, () => json([...documents.rows.values()].map(rowEntry))),
    route("DELETE", "/onyx-api/ingestion/{}", managing, ({ params: [id = ""] }) => {
      const row = documents.rows.get(id);
      if (row === undefined) return coded(404, "DOCUMENT_NOT_FOUND", "Document not found");
      if (!row.fromApi) return coded(400, "VALIDATION_ERROR", "Document was not ingested through the API");
      documents.remove(id);
      return json(null);
    }),
    route("GET", "/onyx-api/connector-docs/{}", managing, ({ params: [pair] }) =>
      json([...documents.rows.values()].filter(({ pairs }) => pairs.includes(Number(pair))).map(rowEntry)),
    ),
    route("POST", "/search", { scopes: ["read:search"], permission: "read:search", search: true }, (call) =>
      search(world, call),
    ),
  ];
}

const objectWanted = "Input should be a valid dictionary or object to extract fields from";

function rowEntry({
  documentId,
  semanticIdentifier,
  link,
}: {
  documentId: string;
  semanticIdentifier: string;
  link: string;
}) {
  return { document_id: documentId, semantic_id: semanticIdentifier, link };
}

function search(world: World, call: Call) {
  const { file, name } = { file: "query_and_chat/search_backend.py", name: "search_documents" };
  return withBody(call, { file, line: 60, name, route: "POST /search" }, (body) => {
    const fields = new FieldReader(body);
    fields.require("query");
    const query = fields.text("query", { nullable: false }) ?? "";
    const sources = fields.list("sources")?.map(String);
    const sets = fields.list("document_sets")?.map(String) ?? [];
    const cutoff = fields.text("time_cutoff");
    if (fields.has("query") && query.length === 0)
      fields.flaw("query", "string_too_short", "String should have at least 1 character", { min_length: 1 });
    if (query.length > 2048)
      fields.flaw("query", "string_too_long", "String should have at most 2048 characters", { max_length: 2048 });
    if (fields.flaws.length > 0) return fields.flaws;
    if (world.faults.search === "broken") return broken("ConnectionError: the search index cannot be reached");
    const named = world.documentSets.filter((set) => sets.includes(set.name));
    const found = world.documents.search(query, {
      ...(sources ? { sources } : {}),
      ...(sets.length > 0 ? { pairs: new Set(named.flatMap(({ pairs }) => pairs)) } : {}),
      ...(cutoff === undefined ? {} : { since: new Date(cutoff) }),
    });
    const results = found.map((document, index) => ({
      citation_id: index + 1,
      title: document.semanticIdentifier,
      content: document.content,
      link: document.link,
      source_type: document.source,
      updated_at: offsetTime(document.updatedAt ?? document.indexedAt),
    }));
    return json({ results });
  });
}

type Read = Omit<IngestedDocument, "documentId" | "metadata"> & { id: string | undefined; metadata: unknown };

function readDocument(given: Record<string, unknown>, flaws: Flaw[]): Read {
  const loc = ["body", "document"];
  const fields = new FieldReader(given, loc, flaws);
  const id = fields.text("id");
  fields.require("sections");
  const sections = (fields.list("sections", { nullable: false }) ?? []).map((section, index) =>
    readSection(section, [...loc, "sections", index], flaws),
  );
  const source = fields.word("source", documentSources, true) ?? "ingestion_api";
  fields.require("semantic_identifier");
  const semanticIdentifier = fields.text("semantic_identifier", { nullable: false }) ?? "";
  fields.require("metadata");
  const updatedAt = readTime(fields, "doc_updated_at");
  const title = fields.text("title") ?? null;
  const owners = (name: string) => readOwners(fields, name, loc, flaws);
  return {
    id,
    semanticIdentifier,
    title,
    sections,
    source,
    metadata: given["metadata"],
    updatedAt: updatedAt?.time,
    naiveTime: updatedAt?.naive ?? false,
    primaryOwners: owners("primary_owners"),
    secondaryOwners: owners("secondary_owners"),
  };
}

function readSection(section: unknown, loc: (string | number)[], flaws: Flaw[]): IngestedDocument["sections"][number] {
  const nothing = { text: "", link: null, imageFileId: null };
  if (!isRecord(section)) {
    flaws.push({ type: "model_attributes_type", loc, msg: objectWanted, input: section });
    return nothing;
  }
  const fields = new FieldReader(section, loc, flaws);
  const link = fields.text("link") ?? null;
  const imageFileId = fields.text("image_file_id") ?? null;
  const table = fields.text("csv_file_id");
  const text = fields.text("text", { nullable: imageFileId !== null || table !== undefined });
  if (text === undefined && imageFileId === null && table === undefined) fields.require("text");
  return { text: text ?? "", link, imageFileId };
}

function readTime(fields: FieldReader, name: string): { time: Date; naive: boolean } | undefined {
  const value = fields.raw(name);
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return { time: new Date(value > 2e10 ? value : value * 1000), naive: false };
  const text = typeof value === "string" ? value : "";
  const parts = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text);
  const time = parts === null ? undefined : new Date(parts[1] === undefined && text.length > 10 ? `${text}Z` : text);
  if (time !== undefined && !Number.isNaN(time.getTime())) return { time, naive: parts?.[1] === undefined };
  const error = text.length < 10 ? "input is too short" : "invalid character in year";
  const msg = `Input should be a valid datetime or date, ${error}`;
  return fields.flaw(name, "datetime_from_date_parsing", msg, { error });
}

function readOwners(fields: FieldReader, name: string, loc: (string | number)[], flaws: Flaw[]): string[] | null {
  const owners = fields.list(name);
  if (owners === undefined) return null;
  return owners.filter(isRecord).map((owner, index) => {
    const reader = new FieldReader(owner, [...loc, name, index], flaws);
    const [shown, first, last, email] = ["display_name", "first_name", "last_name", "email"].map((part) =>
      reader.text(part),
    );
    return shown ?? email ?? [first, last].filter((part) => part !== undefined).join(" ");
  });
}

function ingest(world: World, { id, metadata, ...document }: Read, pair: number): DoubleReply {
  const { documents, faults, uploads, connectors } = world;
  if (!isRecord(metadata)) return broken("'NoneType' object has no attribute 'items'");
  if (!connectors.pairs.some((one) => one.id === pair))
    return coded(404, "CONNECTOR_NOT_FOUND", `Connector-credential pair with id ${pair} not found`);
  if (id !== undefined && uploads.files.has(id))
    return coded(400, "VALIDATION_ERROR", "Document ID is reserved for a user file");
  const documentId =
    id === undefined || id === "" ? `ingestion_api_${urlSafeId(document.semanticIdentifier)}` : urlSafeId(id);
  const coerced = Object.entries(metadata).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(asText) : asText(value),
  ]);
  const { embedder } = faults;
  const lost = typeof embedder === "function" ? embedder(id ?? documentId, documents.ingestions) : embedder === "down";
  const whole = { ...document, documentId, metadata: Object.fromEntries(coerced) };
  const { alreadyExisted } = documents.ingest(whole, pair, lost);
  return json({ document_id: documentId, already_existed: alreadyExisted });
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : pythonRepr(value);
}
