import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { authorization, type ChatSubject, openChat, withKey } from "../chat.harness.ts";
import { addConnector, addCredential, addDocumentSet, addPair } from "../store/connectors.ts";

const PUBLIC = "tl_TESTpublic";
const HR = "tl_TESThr";
const BOTH = "tl_TESTboth";

let subject: ChatSubject;

beforeEach(async () => {
  subject = await openChat({}, (db) => {
    const connectorId = addConnector(db, { name: "Files", source: "file" });
    const credentialId = addCredential(db, { name: "none", source: "file" });
    addPair(db, { name: "Public site", connectorId, credentialId });
    addPair(db, { name: "HR", connectorId, credentialId });
    addDocumentSet(db, { name: "Site", pairIds: [2] });
    addDocumentSet(db, { name: "Staff", pairIds: [3] });
    withKey(db, PUBLIC, { role: "editor", documentSets: ["Site"] });
    withKey(db, HR, { role: "editor", documentSets: ["Staff"] });
    withKey(db, BOTH, { role: "editor", documentSets: ["Site", "Staff"] });
  });
});
afterEach(() => subject.close());

async function ingest(pair: number, text: string, as?: string): Promise<Record<string, unknown>> {
  const document = {
    id: "index.md",
    semantic_identifier: "index.md",
    source: "file",
    metadata: {},
    sections: [{ text }],
  };
  const reply = await subject.call("POST", "/service-api/ingestion", { document, cc_pair_id: pair }, authorization(as));
  await subject.service.drain();
  return { status: reply.status, ...(reply.body as object) };
}

async function answerOf(message: string, as?: string): Promise<string> {
  return JSON.stringify(await subject.answer({ message }, as));
}

describe("documents of the same id under two pairs", () => {
  it("are two documents: what is written under one pair changes nothing for the readers of another", async () => {
    await ingest(2, "The shop opens at nine on weekdays.");
    await ingest(3, "The redundancy list opens with Ada Zimmer.");
    expect(await answerOf("When does the shop open?", PUBLIC)).toContain("opens at nine");
    expect(await answerOf("Who is on the redundancy list?", PUBLIC)).not.toContain("Zimmer");
    expect(await answerOf("Who is on the redundancy list?", HR)).toContain("Ada Zimmer");
    expect(await answerOf("When does the shop open?", HR)).not.toContain("nine");
  });
});
