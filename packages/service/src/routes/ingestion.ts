import { createHash } from "node:crypto";
import { type IngestionDocument, IngestionRequest, IngestionResponse, parseMoment } from "@threadlore/client/models";
import { ingestionAdmission } from "../http/admission.ts";
import { turnOf } from "../http/authorize.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { evenReply } from "../http/in-turn.ts";
import { invalid, type JsonPath, Problem, Problems, refusal } from "../http/problem.ts";
import { type Call, type Route, route, wholeNumber } from "../http/route.ts";
import { noteKept } from "../keepers/keeper-routes.ts";
import { DEFAULT_PAIR, findPair, type Pair } from "../store/connectors.ts";
import {
  deleteDocument,
  type DocumentListing,
  type DocumentToStore,
  type ListedPart,
  listDocuments,
  pairsOfDocument,
  upsertDocuments,
} from "../store/documents.ts";
import { weightOf } from "../store/document-weight.ts";
import { isUsableImage } from "../store/files.ts";
import { seesEvery, visiblePairs } from "../store/visibility.ts";
import { type Steps, together } from "../store/steps.ts";
import type { Weighed, Fate } from "../store/store.ts";

/** Ingestion (specification section 4), and the listing and deletion deployed servers have beside it. */
export function ingestionRoutes(context: ServiceContext): readonly Route[] {
  const { store } = context;
  const admission = ingestionAdmission(context.closing);
  const accept = store.gathering((sent: readonly Sent[]) => ingest(context, sent));
  return [
    route("POST /service-api/ingestion", "editor", "Submit a document for indexing", {
      body: { IngestionRequest },
      reply: { IngestionResponse },
      before: ({ caller, request }) => admission.enter(turnOf(caller), request.signal),
      handle: async ({ caller, request }, { document, cc_pair_id }) => {
        const weight = weightOf(document);
        const accepted = await accept({ caller, document, pairId: cc_pair_id || DEFAULT_PAIR, weight });
        await noteKept(context, { caller, request, id: accepted.document_id, pairId: accepted.cc_pair_id });
        context.wakeIndexer();
        return accepted;
      },
    }),
    route("GET /service-api/ingestion", "editor", "Documents that were ingested", {
      query: ["document_id", "most", "oldest"],
      handle: (call) => evenReply(context, call.caller, () => store.read(listed(call.caller, partOf(call)))),
    }),
    route("GET /service-api/connector-docs/{pair}", "editor", "Documents of one pair", {
      query: ["document_id", "most", "oldest"],
      handle: async (call) => {
        const number = call.paramNumber("pair", "cc_pair_id");
        return evenReply(context, call.caller, async () => {
          const pair = await store.read(writablePair(call.caller, number));
          return store.read(listDocuments([pair.id], partOf(call)));
        });
      },
    }),
    // The id is everything after the prefix: it may hold slashes, encoded or not.
    route("DELETE /service-api/ingestion/{+document_id}", "editor", "Delete a document", {
      query: ["cc_pair_id"],
      handle: async (call) => {
        const id = idOfPath(call.request.url, "/service-api/ingestion/");
        const of = call.query("cc_pair_id");
        await store.makeRoom(function* () {
          for (const pair of yield* pairsToDeleteFrom(call.caller, id, of)) yield* deleteDocument(id, pair);
        });
        context.wakeIndexer();
        return null;
      },
    }),
  ];
}

/** Which of the documents are listed; without a word all, as deployed servers do. */
function partOf({ query, queryNumber }: Pick<Call<"document_id" | "most" | "oldest">, "query" | "queryNumber">) {
  const number = (name: "most" | "oldest") => (query(name) === undefined ? undefined : queryNumber(name));
  return { id: query("document_id"), most: number("most"), oldest: number("oldest") };
}

/** A document that was sent, to be stored in a pair. */
interface Sent extends Weighed {
  readonly caller: Caller;
  readonly document: IngestionDocument;
  readonly pairId: number;
}

/** Stores documents; answers with the two fields of deployed servers, where each went, and what becomes of it. */
function* ingest(context: ServiceContext, all: readonly Sent[]) {
  const ids = [...new Set(all.map(({ pairId }) => pairId))];
  const found = yield* together(...ids.map(findPair));
  const pairs = new Map(ids.map((id, at) => [id, found[at]]));
  const checked = yield* together(...all.map((sent) => judged(checkedFor(context, sent, pairs.get(sent.pairId)))));
  const fit = checked.flatMap((one) => ("result" in one ? [one.result] : []));
  const existed = fit.length === 0 ? [] : yield* upsertDocuments(fit);
  const had = new Map(fit.map((one, at) => [one, existed[at] === true]));
  return checked.map((one) =>
    "refusal" in one
      ? one
      : {
          result: {
            document_id: one.result.document.id,
            already_existed: had.get(one.result) === true,
            // It is on the disk, and indexed from a queue that survives: nobody has to look whether it arrived.
            indexing: "queued",
            cc_pair_id: one.result.pairId,
            access_type: one.result.access,
          },
        },
  );
}

/** What a refusal keeps from being done is the matter of who asked for it, and of nobody else. */
function* judged<Result>(steps: Steps<Result>): Steps<Fate<Result>> {
  try {
    return { result: yield* steps };
  } catch (refused) {
    if (refused instanceof Problem) return { refusal: refused };
    throw refused;
  }
}

/** A document as it is stored, once it is known that it may be. */
function* checkedFor(
  { now }: ServiceContext,
  { caller, document: sent, pairId }: Sent,
  found: Pair | undefined,
): Steps<DocumentToStore & Pick<Pair, "access">> {
  const pair = yield* writable(caller, pairId, found);
  const document = { ...wellFormed(sent), id: "" };
  document.id = sent.id ? sent.id.toWellFormed() : derivedId(document);
  checkCounts(document);
  yield* checkSections(caller, document);
  const updatedAt = parseMoment(document.doc_updated_at ?? "") ?? now();
  return { document, pairId: pair.id, updatedAt, access: pair.access };
}

/** Documents the caller may see. */
function* listed(caller: Caller, part: ListedPart): Steps<DocumentListing[]> {
  return yield* listDocuments(yield* visiblePairs(caller), part);
}

/** The pair, if there is one the caller may write to. */
function* writablePair(caller: Caller, id: number): Steps<Pair> {
  return yield* writable(caller, id, yield* findPair(id));
}

/** @param pair what is known by this number */
function* writable(caller: Caller, id: number, pair: Pair | undefined): Steps<Pair> {
  if (pair !== undefined && seesEvery(yield* visiblePairs(caller), [pair.id])) return pair;
  throw refusal(
    404,
    "CONNECTOR_NOT_FOUND",
    `There is no pair ${id} that your key may use. Give the id of one that \`threadlore pair list\` shows, or leave cc_pair_id out.`,
  );
}

/**
 * The pairs whose document of this id is to be deleted, of those the caller sees; null: the one held back from every
 * pair. Where several pairs have one, the caller says which: they may be different documents.
 * @param of a pair's number, or "all"
 */
function* pairsToDeleteFrom(caller: Caller, id: string, of: string | undefined) {
  const visible = yield* visiblePairs(caller);
  const wanted = of === undefined || of === "all" ? undefined : wholeNumber(of, ["query", "cc_pair_id"]);
  const pairs = (yield* pairsOfDocument(id)).filter(
    (pair) =>
      (visible === null || (pair !== null && visible.includes(pair))) && (wanted === undefined || pair === wanted),
  );
  if (pairs.length === 0) throw refusal(404, "DOCUMENT_NOT_FOUND", "There is no document with this id.");
  if (pairs.length > 1 && of === undefined) {
    const named = pairs.map((pair) => (pair === null ? "held back" : `pair ${pair}`)).join(", ");
    throw refusal(
      409,
      "DOCUMENT_IN_SEVERAL_PAIRS",
      `There are ${pairs.length} documents with this id (${named}). Nothing was deleted. Say which one with ` +
        "?cc_pair_id=NUMBER, or ?cc_pair_id=all for all of them.",
    );
  }
  return pairs;
}

/** Keys and values of one document's metadata, each of which becomes a tag, and people answerable for it, of each kind. */
const MAX_METADATA = 1_000;
const MAX_OWNERS = 1_000;

function checkCounts(document: IngestionDocument): void {
  const { metadata } = document;
  const entries = Math.max(Object.values(metadata).flat().length, Object.keys(metadata).length);
  if (entries > MAX_METADATA) {
    const msg = `Send at most ${MAX_METADATA} entries of metadata with one document`;
    throw invalid(["body", "document", "metadata"], msg, "too_long");
  }
  for (const field of ["primary_owners", "secondary_owners"] as const) {
    if ((document[field]?.length ?? 0) <= MAX_OWNERS) continue;
    const msg = `Name at most ${MAX_OWNERS} owners of one document here`;
    throw invalid(["body", "document", field], msg, "too_long");
  }
}

/**
 * Only an image may stand for a text here: there are no uploaded tables, and an image without an id is none. An image must
 * have been uploaded first (specification section 4, ingestion rule 3).
 */
function* checkSections(caller: Caller, { sections }: IngestionDocument): Steps<void> {
  const texts = new Problems();
  const images = new Problems();
  for (const [index, { text, image_file_id: image }] of sections.entries()) {
    const at = (field: string): JsonPath => ["body", "document", "sections", index, field];
    if (text == null && !image) texts.add(at("text"), "Field required", "missing");
    if (image == null || images.full || (yield* isUsableImage(caller, image))) continue;
    const msg = "There is no uploaded image with this id; send it to POST /user/file/upload first";
    images.add(at("image_file_id"), msg, "image_not_found");
  }
  texts.check();
  images.check();
}

/**
 * The id of a document that was sent without one. It is taken from what the document says, not from its title alone:
 * equal titles are common, and one page must not replace another. The same content again is the same document.
 */
function derivedId({ semantic_identifier, title, source, sections }: IngestionDocument): string {
  const content = JSON.stringify([semantic_identifier, title ?? null, source, sections]);
  return `ingestion_api_${createHash("sha256").update(content).digest("hex").slice(0, 40)}`;
}

/** Half a character (a lone surrogate) cannot be stored: it becomes U+FFFD here, so that answers and index agree. */
function wellFormed(document: IngestionDocument): IngestionDocument {
  if (isWellFormed(document)) return document;
  const repair = (_key: string, value: unknown): unknown => (typeof value === "string" ? value.toWellFormed() : value);
  return JSON.parse(JSON.stringify(document), repair) as IngestionDocument;
}

/** Whether all strings of a value are whole characters. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isWellFormed);
}

function idOfPath(url: string, prefix: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname.slice(prefix.length));
  } catch {
    throw invalid(["path", "document_id"], "The id is not percent-encoded UTF-8", "value_error");
  }
}
