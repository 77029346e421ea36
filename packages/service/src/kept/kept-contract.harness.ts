import { PermissionError, NotFoundError } from "@threadlore/client";
import { createKeptAnswers } from "@threadlore/client/kept";
import { addKey, mintKey } from "../index.ts";
import { addConnector, addCredential, addDocumentSet, addPair } from "../store/connectors.ts";
import { values } from "../store/steps.ts";
import { describe, expect, it } from "vitest";
import { keptDocument, type KeptService, startKept, storeOf } from "./kept.harness.ts";
import { noteCompared } from "./kept-store.ts";

const QUESTION = "How many people have to be aboard the Gannet?";
const KEPT = keptDocument(QUESTION, "Two people have to be aboard the Gannet inside the harbour.");
const NEWER = {
  id: "manning",
  semantic_identifier: "Manning of our boats",
  sections: [
    {
      text: "Lifejackets are worn on deck. At least four people have to be aboard the Gannet.",
      link: "https://wiki.example.com/manning",
    },
  ],
  doc_updated_at: "2026-05-01T08:00:00Z",
};
const withText = (text: string, more: object = {}) => ({ ...NEWER, sections: [{ text }], ...more });

/** What kept answers do in every database. */
export function keptContract(engine: string, database: () => Promise<string | undefined>): void {
  describe(`kept answers in ${engine}`, () => {
    const start = async (): Promise<KeptService> => startKept(await database());

    it("are listed with whose they are, by their ids, page by page", async () => {
      const { add, kept } = await start();
      await add(...["b", "a", "c"].map((id) => keptDocument(`Who looks after boat ${id}?`, "Nora does.", { id })), {
        id: "other",
        sections: [{ text: "Nora looks after boat a." }],
      });
      const first = await kept.list({ state: "all", most: 2 });
      expect(first.kept_answers).toMatchObject([
        {
          document_id: "a",
          question: "Who looks after boat a?",
          owner: "Nora Quist",
          owner_ref: "T1:U1",
          channel: "#boats",
          link: "https://chat.example.com/archives/C1/p1772442000000100",
          updated_at: "2026-03-02T09:00:00.000Z",
          confirmed_at: null,
          doubts: [],
        },
        { document_id: "b" },
      ]);
      const rest = await kept.list({ state: "all", most: 2, after: first.next ?? "" });
      expect([rest.kept_answers.map(({ document_id }) => document_id), rest.next]).toEqual([["c"], null]);
      expect(await kept.list()).toMatchObject({ kept_answers: [], next: null });
    });

    it("that are older than a moment are those neither written nor confirmed since", async () => {
      const { add, kept } = await start();
      await add(KEPT, keptDocument("Who signs?", "Nora signs.", { id: "young", at: "2026-10-01T00:00:00Z" }));
      const old = async () =>
        (await kept.list({ state: "all", olderThan: "2026-06-01" })).kept_answers.map(({ document_id }) => document_id);
      expect(await old()).toEqual(["kept"]);
      expect(await kept.confirm("kept")).toMatchObject({ document_id: "kept", confirmed_at: expect.any(String) });
      expect(await old()).toEqual([]);
    });

    it("are doubted when a newer document says otherwise, in the words of both, until that is gone", async () => {
      const { add, remove, kept, doubts } = await start();
      await add(KEPT, { id: "menu", sections: [{ text: "Today there is soup for four people." }] });
      expect(await doubts()).toEqual([]);
      await add(NEWER);
      expect((await kept.list()).kept_answers).toMatchObject([
        {
          document_id: "kept",
          doubts: [
            {
              reason: "contradicted",
              document_id: "manning",
              title: "Manning of our boats",
              link: "https://wiki.example.com/manning",
              says: "At least four people have to be aboard the Gannet.",
              kept_says: "Two people have to be aboard the Gannet inside the harbour.",
            },
          ],
        },
      ]);
      await remove("manning");
      expect(await doubts()).toEqual([]);
    });

    it("are not contradicted by what is older, by what agrees, or by what speaks of something else", async () => {
      const { add, doubts } = await start();
      await add(
        KEPT,
        { ...NEWER, id: "older", doc_updated_at: "2026-03-01T00:00:00Z" },
        withText("At least two people have to be aboard the Gannet.", { id: "agrees" }),
        withText("At least four people have to be aboard the Dunlin.", { id: "dunlin", semantic_identifier: "Dunlin" }),
      );
      expect(await doubts()).toEqual([]);
    });

    it("that come after what says otherwise are compared with it, by the moments of both", async () => {
      const { add, doubts } = await start();
      await add(NEWER);
      await add(KEPT);
      expect(await doubts()).toEqual(["kept < manning"]);
      await add(keptDocument(QUESTION, "Two people have to be aboard the Gannet.", { at: "2026-06-01T00:00:00Z" }));
      expect(await doubts()).toEqual([]);
    });

    it("that are confirmed are not doubted by the same again, and are by a document that says something new", async () => {
      const { add, kept, doubts } = await start();
      await add(KEPT, NEWER);
      expect((await kept.confirm("kept")).doubts).toEqual([]);
      expect(await doubts()).toEqual([]);
      await add(NEWER);
      await add({ ...NEWER, doc_updated_at: new Date(Date.now() + 60_000).toISOString() });
      expect(await doubts()).toEqual([]);
      const at = new Date(Date.now() + 120_000).toISOString();
      await add(withText("At least five people have to be aboard the Gannet.", { doc_updated_at: at }));
      expect(await doubts()).toEqual(["kept < manning"]);
    });

    it("are not doubted because a document without a date, that said so before, arrives once more", async () => {
      const { add, doubts } = await start();
      const { doc_updated_at: _, ...undated } = NEWER;
      await add(undated);
      const now = new Date().toISOString();
      await add(keptDocument(QUESTION, "Two people have to be aboard the Gannet.", { at: now }));
      await add(undated);
      expect(await doubts()).toEqual([]);
      await add({ ...undated, sections: [{ text: "At least six people have to be aboard the Gannet." }] });
      expect(await doubts()).toEqual(["kept < manning"]);
    });

    it("are doubted once, however often the same documents arrive, and no more when either is put right", async () => {
      const { add, kept, doubts } = await start();
      await add(KEPT, NEWER);
      const { since } = (await kept.list()).kept_answers[0]?.doubts[0] ?? {};
      await add(NEWER, KEPT);
      expect((await kept.list()).kept_answers[0]?.doubts.map((doubt) => doubt.since)).toEqual([since]);
      await add(withText("At least two people have to be aboard the Gannet."));
      expect(await doubts()).toEqual([]);
      await add(NEWER);
      expect(await doubts()).toEqual(["kept < manning"]);
      await add(keptDocument(QUESTION, "Four people have to be aboard the Gannet."));
      expect(await doubts()).toEqual([]);
    });

    it("are doubted by the sentence that was told, as long as neither is written anew, whichever comes first at another look", async () => {
      const url = await database();
      const { add, instance, kept } = await startKept(url);
      await add(KEPT, NEWER);
      const told = async () => (await kept.list()).kept_answers.flatMap(({ doubts }) => doubts);
      const before = await told();
      expect(before).toHaveLength(1);
      const { store, close } = await storeOf(url, instance.copy);
      await store.write(function* () {
        const [document, by] = yield* values<number>("SELECT number FROM documents ORDER BY id");
        const other = { by: by ?? 0, says: "Lifejackets are worn on deck.", keptSays: "Two people.", isOlder: false };
        yield* noteCompared(document ?? 0, [other], [], Date.now());
      });
      await close();
      expect(await told()).toEqual(before);
    });

    it("are gone with their document, and are none any more when its metadata say so no longer", async () => {
      const { add, remove, kept, doubts } = await start();
      await add(KEPT, { ...KEPT, id: "plain" }, NEWER);
      expect(await doubts()).toEqual(["kept < manning", "plain < manning"]);
      await add({ ...KEPT, id: "plain", metadata: {} });
      await remove("kept");
      expect(await doubts()).toEqual([]);
      expect((await kept.list({ state: "all" })).kept_answers).toEqual([]);
      await expect(kept.confirm("kept")).rejects.toThrow(NotFoundError);
      await expect(kept.confirm("plain")).rejects.toThrow(NotFoundError);
    });

    it("are doubted when an answer that cites them is marked as bad, until the mark is taken back", async () => {
      const { add, kept, doubts, instance } = await start();
      await add(KEPT);
      const ask = async () => {
        const { body } = await instance.call("POST", "/chat/send-chat-message", { message: QUESTION, stream: false });
        expect(body.answer).toContain("Two people");
        return Number(body["message_id"]);
      };
      const mark = (chat_message_id: number, is_positive: boolean) =>
        instance.call("POST", "/chat/create-chat-message-feedback", {
          chat_message_id,
          is_positive,
          feedback_text: "CANARY",
        });
      const message = await ask();
      await mark(message, false);
      await mark(message, false);
      expect(await doubts()).toEqual(["kept < bad_mark"]);
      expect(JSON.stringify(await kept.list())).not.toContain("CANARY");
      await mark(message, true);
      expect(await doubts()).toEqual([]);
      await mark(message, false);
      await instance.call("DELETE", `/chat/remove-chat-message-feedback?chat_message_id=${message}`);
      expect(await doubts()).toEqual([]);
      await mark(message, false);
      await kept.confirm("kept");
      await mark(message, false);
      expect(await doubts()).toEqual([]);
      await mark(await ask(), false);
      expect(await doubts()).toEqual(["kept < bad_mark"]);
    });

    it("are told of what their readers may see as well, and of nothing else, whatever the program's key sees", async () => {
      const url = await database();
      const service = await startKept(url);
      const { add, doubts, instance, kept } = service;
      const { store, close } = await storeOf(url, instance.copy);
      const [boats, board, key] = await store.write(function* () {
        const connector = yield* addConnector({ name: "test", source: "web" });
        const credential = yield* addCredential({ name: "test", source: "web" });
        const pairNamed = (name: string) =>
          addPair({ name, connectorId: connector, credentialId: credential, access: "private" });
        const [own, hidden] = [yield* pairNamed("boats"), yield* pairNamed("board")];
        yield* addDocumentSet({ name: "boats", pairIds: [own] });
        yield* addDocumentSet({ name: "all", pairIds: [own, hidden] });
        const minted = mintKey();
        yield* addKey(minted, { name: "bot", role: "editor", documentSets: ["boats"] }, Date.now());
        return [own, hidden, minted] as const;
      });
      await close();
      await add({ ...KEPT, pair: boats }, { ...NEWER, pair: board });
      expect([await doubts(), await doubts(key)]).toEqual([[], []]);
      await add({ ...NEWER, id: "open", pair: boats });
      expect([await doubts(), await doubts(key)]).toEqual([["kept < open"], ["kept < open"]]);
      expect((await kept.list({ state: "all" })).kept_answers.length).toBe(1);
    });

    it("are for programs that may ingest, each for those it sees", async () => {
      const url = await database();
      const { add, instance } = await startKept(url);
      await add(KEPT);
      const { store, close } = await storeOf(url, instance.copy);
      const keys = { ordinary: mintKey(), blind: mintKey() };
      await store.write(function* () {
        yield* addDocumentSet({ name: "none", pairIds: [] });
        yield* addKey(keys.ordinary, { name: "one", role: "ordinary" }, Date.now());
        yield* addKey(keys.blind, { name: "two", role: "editor", documentSets: ["none"] }, Date.now());
      });
      await close();
      const as = (apiKey: string) => createKeptAnswers({ baseUrl: instance.url, apiKey });
      await expect(as(keys.ordinary).list({ state: "all" })).rejects.toThrow(PermissionError);
      await expect(as(keys.ordinary).confirm("kept")).rejects.toThrow(PermissionError);
      expect((await as(keys.blind).list({ state: "all" })).kept_answers).toEqual([]);
      await expect(as(keys.blind).confirm("kept")).rejects.toThrow(NotFoundError);
    });
  });
}
