import { createClient, NotFoundError, PermissionError, UnsupportedError } from "@threadlore/client";
import { createDeployment, permissionsOf } from "@threadlore/client/deployment";
import { diagnose } from "@threadlore/client/diagnose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addKey } from "./http/keys.ts";
import { carriers, type OpenService, temporaryFolder } from "./service.harness.ts";
import { addConnector, addCredential, addDocumentSet, addPair } from "./store/connectors.ts";
import { Database } from "./store/sqlite/database.ts";

// What the client offers beyond the four operations, against the service it ships with: the same code a bot, an
// extension and a doctor run against deployed servers.

const KEYS = { admin: "tl_TESTadmin", editor: "tl_TESTeditor", ordinary: "tl_TESTordinary" };

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe.each(carriers)("$name", ({ open }) => {
  const folder = temporaryFolder();
  let api: OpenService;
  let pair: number;

  beforeAll(async () => {
    const database = `${folder.path}/service.db`;
    const db = new Database(database);
    db.transact(addKey(KEYS.editor, { name: "ed", role: "editor" }, 0));
    db.transact(addKey(KEYS.ordinary, { name: "ord", role: "ordinary" }, 0));
    const connectorId = db.transact(addConnector({ name: "Wiki", source: "web" }));
    const credentialId = db.transact(addCredential({ name: "reader", source: "web" }));
    pair = db.transact(addPair({ name: "Wiki pages", connectorId, credentialId }));
    db.transact(addDocumentSet({ name: "Handbook", pairIds: [pair] }));
    db.close();
    api = await open({ database, apiKey: KEYS.admin });
  });

  afterAll(async () => {
    await api.close();
    folder.remove();
  });

  const connection = (key: keyof typeof KEYS) => ({
    baseUrl: api.url,
    apiKey: KEYS[key],
    fetch: (request: Request) => api.fetch(request),
  });
  const deployment = (key: keyof typeof KEYS) => createDeployment(connection(key));

  describe("the deployment client and the embedded service", () => {
    it("agree about who may do what", async () => {
      const permissions = async (key: keyof typeof KEYS) => permissionsOf(await deployment(key).whoami());
      expect(await permissions("admin")).toMatchObject({ admin: true, ingest: true, swapCredential: true });
      expect(await permissions("editor")).toMatchObject({
        chat: true,
        ingest: true,
        swapCredential: false,
        admin: false,
      });
      expect(await permissions("ordinary")).toMatchObject({ chat: true, ingest: false, admin: false });
    });

    it("agree about health, version, personas, tools and document sets", async () => {
      const ordinary = deployment("ordinary");
      await ordinary.health();
      expect(await ordinary.version()).toMatch(/^threadlore-/);
      expect(await ordinary.personas()).toMatchObject([{ id: 0 }]);
      expect(await ordinary.tools()).toMatchObject([{ id: 1, in_code_tool_id: "SearchTool" }]);
      expect(await ordinary.documentSets()).toMatchObject([{ name: "Handbook" }]);
    });

    it("carry a session from its creation to its end", async () => {
      const ordinary = deployment("ordinary");
      const id = await ordinary.createSession({ description: "Leave" });
      const client = createClient(connection("ordinary"));
      const answer = await client.sendMessage({ message: "How is leave accrued?", chat_session_id: id });
      expect((await ordinary.listSessions()).sessions).toMatchObject([{ id }]);
      expect((await ordinary.getSession(id)).messages.map(({ message_type }) => message_type)).toEqual([
        "user",
        "assistant",
      ]);
      expect(await ordinary.renameSession(id, "Days off")).toBe("Days off");
      await ordinary.giveFeedback({ messageId: Number(answer.message_id), isPositive: false, text: "Too short" });
      await ordinary.stop(id);
      await ordinary.deleteSession(id);
      expect(await failure(ordinary.getSession(id))).toBeInstanceOf(NotFoundError);
      expect((await ordinary.listSessions()).sessions).toEqual([]);
    });

    it("carry a document from its ingestion to its deletion, whatever its id looks like", async () => {
      const editor = deployment("editor");
      const id = "https://wiki.example.com/a b?x=1&y=%C3%BC#top";
      const document = { id, semantic_identifier: "Leave", sections: [{ text: "Leave is accrued monthly." }] };
      const { document_id = "" } = await createClient(connection("editor")).ingest({ document, cc_pair_id: pair });
      await api.service.drain();
      expect(await editor.documents({ pairId: pair })).toMatchObject([{ document_id }]);
      expect(await editor.pair(pair)).toMatchObject({ documents: { indexed: 1, pending: 0, failed: 0 } });
      await editor.deleteDocument(document_id);
      expect(await editor.documents()).toEqual([]);
      expect(await failure(editor.deleteDocument(document_id))).toBeInstanceOf(NotFoundError);
    });

    it("upload a file whose descriptor a question can send", async () => {
      const files = [{ name: "leave.txt", content: new Blob(["Leave is accrued monthly."], { type: "text/plain" }) }];
      const broken = { name: "x.bin", content: new Blob([new Uint8Array([0, 1, 2])]) };
      const upload = await deployment("ordinary").upload([...files, broken]);
      expect(upload.rejected).toMatchObject([{ name: "x.bin" }]);
      expect(upload.files).toMatchObject([
        { name: "leave.txt", descriptor: { type: "plain_text", name: "leave.txt" } },
      ]);
      const file_descriptors = upload.files.map(({ descriptor }) => descriptor);
      const answer = await createClient(connection("ordinary")).sendMessage({
        message: "How is leave accrued?",
        file_descriptors,
      });
      expect(answer.answer).toContain("monthly");
    });

    it("list pairs to those who may use them", async () => {
      expect(await deployment("editor").pairs()).toMatchObject([{ cc_pair_id: pair, connector: { source: "web" } }]);
      expect(await failure(deployment("ordinary").pairs())).toBeInstanceOf(PermissionError);
      expect(await failure(deployment("editor").credentials())).toBeInstanceOf(PermissionError);
      expect(await deployment("admin").credentials()).toHaveLength(2);
      expect(await failure(deployment("editor").pair(99))).toBeInstanceOf(NotFoundError);
    });

    it("agree that an answer cannot be resumed here", async () => {
      const resume = async () => {
        for await (const packet of deployment("ordinary").resume("3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f")) return packet;
        return undefined;
      };
      expect(await failure(resume())).toBeInstanceOf(UnsupportedError);
    });
  });

  describe("diagnose and the embedded service", () => {
    const look = (key: keyof typeof KEYS, ccPairId: number) =>
      diagnose({ ...connection(key), ccPairId, needs: ["ask", "ingest", "administer"] });

    it("finds nothing wrong with an administrator's key", async () => {
      const findings = await look("admin", pair);
      expect(findings.filter(({ ok }) => ok === false)).toEqual([]);
      expect(findings.map(({ what }) => what)).toContain("who sees what is ingested");
    });

    it("says what an ordinary key lacks, and stores nothing to find it out", async () => {
      const findings = await look("ordinary", pair);
      const lacking = findings.filter(({ ok }) => ok === false).map(({ what }) => what);
      expect(lacking).toEqual(["ingestion", "permission to administer"]);
      expect(await deployment("admin").documents()).toEqual([]);
    });

    it("knows a pair that does not exist and a key nobody holds", async () => {
      expect((await look("editor", 99)).find(({ what }) => what === "pair")).toMatchObject({ ok: false });
      const wrong = await diagnose({ ...connection("admin"), apiKey: "tl_TESTwrong" });
      expect(wrong.at(-1)).toMatchObject({ what: "key", ok: false });
    });

    it("takes away the /api that does not belong here", async () => {
      const findings = await diagnose({ ...connection("admin"), baseUrl: `${api.url}/api` });
      expect(findings[0]).toMatchObject({ what: "base URL", ok: false, proposal: { baseUrl: api.url } });
    });
  });
});
