/** Documents listed among an assistant's resources: all that a key may see, a page at a time. */
import type { Client } from "@modelcontextprotocol/client";
import { afterThisFile } from "@threadlore/testkit";
import { beforeAll, expect, it } from "vitest";
import { type ChatSubject, openChat, withKey } from "../chat.harness.ts";
import { OWNER_KEY } from "../service.harness.ts";
import { addConnector, addCredential, addDocumentSet, addPair } from "../store/connectors.ts";
import { upsertDocument } from "../store/documents.ts";
import { assistantOf } from "./assistant.harness.ts";

const ALL = 2_700;
const HARBOUR_KEY = "tl_TESTharbour";
const idOf = (at: number): string => `page/${at}`;
const addressOf = (id: string): string => `threadlore://document/${encodeURIComponent(id)}`;

let service: ChatSubject;

beforeAll(async () => {
  service = await openChat({}, (db) => {
    const connectorId = db.transact(addConnector({ name: "Wiki", source: "web" }));
    const credentialId = db.transact(addCredential({ name: "none", source: "web" }));
    const harbour = db.transact(addPair({ name: "harbour", connectorId, credentialId, access: "public" }));
    db.transact(addDocumentSet({ name: "harbour", pairIds: [harbour] }));
    withKey(db, HARBOUR_KEY, { role: "editor", documentSets: ["harbour"] });
    db.transaction(() => {
      for (let at = 0; at < ALL; at += 1) {
        const sections = [{ text: "x" }];
        const document = {
          id: idOf(at),
          semantic_identifier: `Page ${at}`,
          source: "web",
          sections,
          metadata: {},
        } as const;
        // Every third is the harbour's.
        db.transact(upsertDocument(document, at % 3 === 0 ? harbour : 1, 0));
      }
    });
  });
  afterThisFile(() => service.close());
});

/** Every page, as a client turns them itself. */
async function pagesOf(client: Client, meanwhile: () => Promise<void> = async () => {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined;) {
    const page: Awaited<ReturnType<Client["listResources"]>> = await client.request({
      method: "resources/list",
      params: cursor === undefined ? {} : { cursor },
    });
    pages.push(page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
    await meanwhile();
  }
  return pages;
}

it("is of all documents, each once, the newest first, behind what can be asked", async () => {
  const pages = await pagesOf(await assistantOf(service, OWNER_KEY));
  expect(pages.map(({ length }) => length)).toEqual([501, 2_000, 200]);
  const newestFirst = Array.from({ length: ALL }, (_, at) => addressOf(idOf(ALL - 1 - at)));
  expect(pages.flat()).toEqual(["threadlore://sources", ...newestFirst]);
});

it("is of those the key may see, on every page", async () => {
  const pages = await pagesOf(await assistantOf(service, HARBOUR_KEY));
  const own = Array.from({ length: ALL / 3 }, (_, at) => addressOf(idOf(ALL - 3 - 3 * at)));
  expect(pages.flat()).toEqual(["threadlore://sources", ...own]);
});

it("leaves nothing out where documents come and go while pages are turned", async () => {
  let turned = 0;
  const seen = await pagesOf(await assistantOf(service, OWNER_KEY), async () => {
    turned += 1;
    const document = { id: `new/${turned}`, semantic_identifier: "New", sections: [{ text: "x" }] };
    await service.call("POST", "/service-api/ingestion", { document });
    // One that was listed, and one that was not yet.
    for (const at of turned === 1 ? [ALL - 400, 100] : []) {
      await service.call("DELETE", `/service-api/ingestion/${encodeURIComponent(idOf(at))}`);
    }
  });
  const whole = Array.from({ length: ALL }, (_, at) => addressOf(idOf(ALL - 1 - at)));
  const listed = seen.flat().slice(1);
  expect([...new Set(listed)]).toEqual(whole.filter((address) => address !== addressOf(idOf(100))));
  // In place of the one that went, the last of the page before.
  expect(listed.length - new Set(listed).size).toBe(1);
});

it("refuses a cursor it never gave, and says what to do", async () => {
  const client = await assistantOf(service, OWNER_KEY);
  for (const cursor of ["", "2", "the oldest -1", "the oldest 1e3", "the oldest 99999999999999999"]) {
    await expect(client.request({ method: "resources/list", params: { cursor } })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining("from its beginning") as string,
    });
  }
});
