import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../context.ts";
import { addConnector, addCredential, addPair } from "../store/connectors.ts";
import { addKey } from "../http/keys.ts";
import { Database } from "../store/sqlite/database.ts";
import { addFile } from "../store/files.ts";
import { pairsOfDocument } from "../store/documents.ts";
import { type Passage, search } from "../search/query.ts";
import {
  findDocument,
  inProcess,
  type OpenService,
  OWNER_KEY,
  type Reply,
  temporaryFolder,
  type WholeDocument,
} from "../service.harness.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";

const reader: Caller = { user: "reader", role: "ordinary", groups: [], documentSets: null };
const cleanups: (() => unknown)[] = [];
let api: OpenService;
let db: Database;

beforeEach(async () => {
  const folder = temporaryFolder();
  api = await inProcess.open({ database: `${folder.path}/a.db`, now: () => Date.parse("2026-03-01T00:00:00Z") });
  db = new Database(`${folder.path}/a.db`);
  cleanups.push(
    folder.remove,
    () => db.close(),
    () => api.close(),
  );
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const least = {
  id: "x",
  semantic_identifier: "Desk rules",
  sections: [{ text: "Clear the desk at night." }],
  metadata: {},
};

function send(fields: Record<string, unknown>, pair?: unknown): Promise<Reply> {
  return api.call("POST", "/service-api/ingestion", { document: { ...least, ...fields }, cc_pair_id: pair });
}

async function stored(fields: Record<string, unknown>): Promise<WholeDocument | undefined> {
  const reply = await send(fields);
  expect(reply.text).toContain("document_id");
  return findDocument(db, (reply.body as { document_id: string }).document_id);
}

async function found(text: string): Promise<readonly Passage[]> {
  await api.service.drain();
  return (await search({ db, store: new SqliteStore(db) }, { text, caller: reader, limit: 10 })).passages;
}

/** Places and kinds of the 422's entries. */
async function faults(fields: Record<string, unknown>): Promise<[place: string, type: string][]> {
  const reply = await send(fields);
  expect(reply.status).toBe(422);
  const { detail } = reply.body as { detail: { loc: unknown[]; msg: string; type: string }[] };
  for (const { msg } of detail) expect(msg).toMatch(/^[A-Z].{5,}/);
  return detail.map(({ loc, type }) => [loc.slice(1).join("."), type]);
}

describe("fields of an ingested document", () => {
  it("field id: kept as sent; a list or number is a 422", async () => {
    expect(await stored({ id: "https://x.test/a b?c=%20#d" })).toMatchObject({ id: "https://x.test/a b?c=%20#d" });
    expect(await faults({ id: 5 })).toEqual([["document.id", "string_type"]]);
    expect(await stored({ id: "half \ud800 a character" })).toMatchObject({ id: "half \ufffd a character" });
  });

  it("field semantic_identifier: required, shown, and searched where there is no title", async () => {
    expect(await faults({ semantic_identifier: undefined })).toEqual([["document.semantic_identifier", "missing"]]);
    await send({});
    expect(await found("rules")).toEqual([expect.objectContaining({ semanticIdentifier: "Desk rules" })]);
  });

  it("field title: searched instead of the semantic identifier; null means none was sent, an empty one no title", async () => {
    await send({ title: "Tidiness" });
    expect(await found("tidiness")).toEqual([expect.objectContaining({ semanticIdentifier: "Desk rules" })]);
    expect(await found("rules")).toEqual([]);
    expect(await stored({ title: null })).toMatchObject({ title: "Desk rules" });
    expect(await stored({ title: "" })).toMatchObject({ title: "" });
  });

  it("field sections: required; each with its text, its own link, null links allowed", async () => {
    expect(await faults({ sections: undefined })).toEqual([["document.sections", "missing"]]);
    expect(await faults({ sections: [{ text: "a" }, { link: "https://x.test" }] })).toEqual([
      ["document.sections.1.text", "missing"],
    ]);
    await send({
      sections: [
        { text: "lamp", link: "https://x.test/1" },
        { text: "chair", link: null },
      ],
    });
    expect(await found("lamp")).toEqual([expect.objectContaining({ link: "https://x.test/1" })]);
    expect(await found("chair")).toEqual([expect.objectContaining({ link: null })]);
  });

  it("field sections: without any text or title the document is listed as failed, with the reason", async () => {
    await send({ semantic_identifier: " ", sections: [{ text: " \n" }] });
    await api.service.drain();
    expect(findDocument(db, "x")).toMatchObject({
      status: "failed",
      failure: expect.stringContaining("nothing to find it by"),
    });
  });

  it("field source: ingestion_api when absent, any lower-case identifier, others a 422", async () => {
    expect(await stored({})).toMatchObject({ source: "ingestion_api" });
    expect(await stored({ source: "some_new_wiki" })).toMatchObject({ source: "some_new_wiki" });
    expect(await faults({ source: "Some Wiki" })).toEqual([["document.source", "value_error"]]);
  });

  it("field metadata: kept, found and filtered by; empty when absent", async () => {
    expect(await stored({ metadata: undefined })).toMatchObject({ metadata: {} });
    await send({ metadata: { team: "Facilities", floor: ["three", "four"] } });
    expect(await found("facilities four")).toEqual([
      expect.objectContaining({ metadata: { team: "Facilities", floor: ["three", "four"] } }),
    ]);
    expect(await faults({ metadata: null })).toEqual([["document.metadata", "dict_type"]]);
    expect(await faults({ metadata: ["a"] })).toEqual([["document.metadata", "dict_type"]]);
  });

  it("field doc_updated_at: UTC where no offset is given, a date alone allowed, the time of arrival when absent", async () => {
    const at = async (doc_updated_at: unknown): Promise<string> =>
      new Date((await stored({ doc_updated_at }))?.updatedAt ?? 0).toISOString();
    expect(await at("2026-01-31T10:00:00")).toBe("2026-01-31T10:00:00.000Z");
    expect(await at("2026-01-31T10:00:00+02:00")).toBe("2026-01-31T08:00:00.000Z");
    expect(await at("2026-01-31")).toBe("2026-01-31T00:00:00.000Z");
    expect(await at(undefined)).toBe("2026-03-01T00:00:00.000Z");
    expect(await at(null)).toBe("2026-03-01T00:00:00.000Z");
    expect(await faults({ doc_updated_at: "yesterday" })).toEqual([["document.doc_updated_at", "value_error"]]);
  });

  it("field chunk_count: kept as sent; how a document is cut is the service's own matter", async () => {
    expect(await stored({ chunk_count: 7 })).toMatchObject({ chunkCount: 7 });
    expect(await stored({})).toMatchObject({ chunkCount: null });
    expect(await faults({ chunk_count: 1.5 })).toEqual([["document.chunk_count", "int_type"]]);
  });

  it("fields primary_owners and secondary_owners: kept, found by name and address, shown by name", async () => {
    const ada = { display_name: "", first_name: "Ada", middle_initial: "K", last_name: "Byron", email: "ada@x.test" };
    const anonymous = { email: "desk@x.test" };
    expect(await stored({ primary_owners: [ada], secondary_owners: [anonymous] })).toMatchObject({
      primaryOwners: [ada],
      secondaryOwners: [anonymous],
    });
    for (const words of ["byron", "ada@x.test", "desk@x.test"]) {
      expect(await found(words)).toEqual([
        expect.objectContaining({ primaryOwners: ["Ada K Byron"], secondaryOwners: ["desk@x.test"] }),
      ]);
    }
    expect(await faults({ primary_owners: [{ email: 1 }] })).toEqual([
      ["document.primary_owners.0.email", "string_type"],
    ]);
  });

  it("field from_ingestion_api: kept as sent", async () => {
    expect(await stored({ from_ingestion_api: true })).toMatchObject({ fromIngestionApi: true });
    expect(await stored({ from_ingestion_api: false })).toMatchObject({ fromIngestionApi: false });
    expect(await faults({ from_ingestion_api: "yes" })).toEqual([["document.from_ingestion_api", "bool_type"]]);
  });

  it("unknown fields are left out without a complaint", async () => {
    expect(await stored({ something: { new: true } })).toBeDefined();
  });
});

describe("rules of ingestion", () => {
  it("rule 1: the document appears under the pair that was given; another pair has one of its own", async () => {
    const connectorId = db.transact(addConnector({ name: "Wiki", source: "web" }));
    const credentialId = db.transact(addCredential({ name: "none", source: "web" }));
    const pair = db.transact(addPair({ name: "Wiki", connectorId, credentialId, access: "public" }));
    expect((await send({}, pair)).body).toMatchObject({
      cc_pair_id: pair,
      access_type: "public",
      already_existed: false,
      indexing: "queued",
    });
    expect(db.perform(pairsOfDocument("x"))).toEqual([pair]);
    expect((await send({ semantic_identifier: "Other" }, 1)).body).toMatchObject({ already_existed: false });
    expect(db.perform(pairsOfDocument("x"))).toEqual([1, pair]);
    expect((await send({}, pair)).body).toMatchObject({ already_existed: true });
    const listed = (await api.call("GET", `/service-api/connector-docs/${pair}`)).body;
    expect(listed).toEqual([
      expect.objectContaining({ document_id: "x", semantic_id: "Desk rules", cc_pair_id: pair }),
    ]);
  });

  it("rule 1: cc_pair_id must be a whole number of a pair that exists", async () => {
    expect((await send({}, "1")).status).toBe(422);
    expect((await send({}, 1.5)).status).toBe(422);
    expect((await send({}, -1)).status).toBe(404);
  });

  it("rule 2: the reply comes before the document is indexed; its status tells when it is", async () => {
    await send({ sections: [{ text: "slow ".repeat(100_000) }] });
    expect(findDocument(db, "x")?.status).toBe("pending");
    await api.service.drain();
    expect(findDocument(db, "x")?.status).toBe("indexed");
  });

  it("rule 4: the same id again replaces everything the document said, and says that it existed", async () => {
    await send({ metadata: { team: "A" }, primary_owners: [{ display_name: "Ada" }] });
    await api.service.drain();
    const again = await send({ sections: [{ text: "A lamp is on the desk." }] });
    expect(again.body).toMatchObject({ document_id: "x", already_existed: true });
    expect(await found("clear night")).toEqual([]);
    expect(await found("lamp")).toHaveLength(1);
    expect(findDocument(db, "x")).toMatchObject({ metadata: {}, primaryOwners: null });
    expect(db.all("SELECT * FROM tags")).toEqual([]);
  });

  it("rule 4: an older date does not keep newer text out", async () => {
    await send({ doc_updated_at: "2026-02-01T00:00:00Z" });
    await send({ doc_updated_at: "2025-02-01T00:00:00Z", sections: [{ text: "lamp" }] });
    expect(await found("lamp")).toHaveLength(1);
  });
});

describe("sections without a text", () => {
  it.each([
    ["a table", { csv_file_id: "c", link: "https://x.test/" }],
    ["an image without an id", { type: "image" }],
    ["a link alone", { link: "https://x.test/" }],
  ])("are refused, as nothing of them would be found: %s", async (_case, section) => {
    const document = { ...least, sections: [{ text: "A lamp." }, section] };
    const { status, body } = await api.call("POST", "/service-api/ingestion", { document });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      detail: [{ loc: ["body", "document", "sections", 1, "text"], msg: "Field required", type: "missing" }],
    });
  });
});

describe("fields the service does not know", () => {
  it("are no reason to refuse a document, wherever they stand", async () => {
    const later = { a: null };
    const document = {
      ...least,
      later,
      sections: [{ text: "A zeppelin.", type: "text", heading: "Hangar", later }],
      primary_owners: [{ display_name: "A", later }],
      doc_metadata: { any: 1 },
    };
    const { status } = await api.call("POST", "/service-api/ingestion", { document, later });
    expect(status).toBe(200);
    expect(await found("zeppelin")).toHaveLength(1);
  });
});

describe("images of sections", () => {
  it("are those the caller uploaded; an admin may use anyone's", async () => {
    db.transact(addKey("tl_TESTone", { name: "one", role: "editor" }, 0));
    db.transact(addKey("tl_TESTother", { name: "other", role: "editor" }, 0));
    const image = { name: "plan.png", mediaType: "image/png", chatFileType: "image", size: 1, text: null, gap: null };
    db.transact(addFile("one", { id: "image", ...image, createdAt: 0 }, new Uint8Array(1)));
    const statusFor = async (key: string, text = {}) => {
      const document = { ...least, sections: [{ ...text, image_file_id: "image" }] };
      return (await api.call("POST", "/service-api/ingestion", { document }, { authorization: `Bearer ${key}` }))
        .status;
    };
    expect(await statusFor("tl_TESTone")).toBe(200);
    expect(await statusFor("tl_TESTone", { text: "" })).toBe(200);
    expect(await statusFor("tl_TESTother")).toBe(422);
    expect(await statusFor(OWNER_KEY)).toBe(200);
  });
});
