import { NotFoundError } from "@threadlore/client";
import { createKeptAnswers } from "@threadlore/client/kept";
import { describe, expect, it } from "vitest";
import { addKey, mintKey } from "../index.ts";
import { addConnector, addCredential, addDocumentSet, addPair } from "../store/connectors.ts";
import { keptDocument, type KeptService, startKept, storeOf } from "./kept.harness.ts";

const KEPT = keptDocument(
  "How many people have to be aboard the Gannet?",
  "Two people have to be aboard the Gannet inside the harbour.",
);
/** Which no rule tells: it says otherwise in other words. */
const CREWS = {
  id: "crews",
  semantic_identifier: "Crews of our boats",
  sections: [{ text: "Lifejackets are worn on deck. Nobody takes the Gannet out without three colleagues any more." }],
  doc_updated_at: "2026-05-01T08:00:00Z",
};

/** What whoever brought a document is shown of kept answers, in every database. */
export function nearContract(engine: string, database: () => Promise<string | undefined>): void {
  describe(`kept answers a document may change, in ${engine}`, () => {
    const start = async (): Promise<KeptService> => startKept(await database());
    const near = async ({ kept }: KeptService, id: string): Promise<string[]> =>
      (await kept.near(id)).kept_answers.map(({ document_id }) => document_id);

    it("are told with the sentences of both, and doubted where somebody says so", async () => {
      const service = await start();
      const { add, kept, doubts } = service;
      await add(KEPT, keptDocument("Where is the soup?", "In the kitchen.", { id: "soup" }), CREWS);
      expect(await doubts()).toEqual([]);
      const says = "Nobody takes the Gannet out without three colleagues any more.";
      const kept_says = "Two people have to be aboard the Gannet inside the harbour.";
      expect((await kept.near("crews")).kept_answers).toEqual([
        {
          document_id: "kept",
          question: KEPT.semantic_identifier,
          owner: "Nora Quist",
          owner_ref: "T1:U1",
          link: "https://chat.example.com/archives/C1/p1772442000000100",
          says,
          kept_says,
        },
      ]);
      const doubted = await kept.doubt("kept", "crews");
      expect(doubted).toMatchObject({
        document_id: "kept",
        doubts: [{ reason: "contradicted", document_id: "crews", says, kept_says }],
      });
      expect(await kept.doubt("kept", "crews")).toEqual(doubted);
      expect(await doubts()).toEqual(["kept < crews"]);
      expect(await near(service, "crews")).toEqual([]);
    });

    it("stay dealt with when their owner says that they hold, until the document is written anew", async () => {
      const service = await start();
      const { add, kept, doubts } = service;
      await add(KEPT, CREWS);
      await kept.doubt("kept", "crews");
      await kept.confirm("kept");
      expect((await kept.doubt("kept", "crews")).doubts).toEqual([]);
      expect([await near(service, "crews"), await doubts()]).toEqual([[], []]);
      const later = new Date(Date.now() + 60_000).toISOString();
      const text = "Nobody takes the Gannet out without five colleagues any more.";
      await add({ ...CREWS, sections: [{ text }], doc_updated_at: later });
      expect(await near(service, "crews")).toEqual(["kept"]);
      expect((await kept.doubt("kept", "crews")).doubts).toMatchObject([{ says: text }]);
    });

    it("stay doubted while both sentences stand there, whatever is written below them", async () => {
      const { add, kept, doubts } = await start();
      await add(KEPT, CREWS);
      await kept.doubt("kept", "crews");
      const sections = [...CREWS.sections, { text: "Good to know." }];
      await add({ ...CREWS, sections, doc_updated_at: "2026-05-02T08:00:00Z" });
      expect(await doubts()).toEqual(["kept < crews"]);
      await add({ ...CREWS, sections: sections.slice(1), doc_updated_at: "2026-05-03T08:00:00Z" });
      expect(await doubts()).toEqual([]);
    });

    it("are none of what is older, unknown, itself kept, or of something else", async () => {
      const service = await start();
      const other = keptDocument("Who may take the Gannet out?", "Nobody takes the Gannet out alone.", { id: "other" });
      await service.add(
        KEPT,
        other,
        { ...CREWS, id: "older", doc_updated_at: "2026-03-01T00:00:00Z" },
        { ...CREWS, id: "soup", semantic_identifier: "Menu", sections: [{ text: "There is soup on Mondays." }] },
      );
      for (const id of ["older", "soup", "other", "nothing", ""])
        expect([id, await near(service, id)]).toEqual([id, []]);
      await expect(service.kept.doubt("kept", "nothing")).rejects.toThrow(NotFoundError);
      await expect(service.kept.doubt("nothing", "soup")).rejects.toThrow(NotFoundError);
      await expect(service.kept.doubt("kept", "other")).rejects.toThrow(NotFoundError);
      expect(await service.doubts()).toEqual([]);
    });

    it("are those alone that everybody sees who sees the document, as it is seen by everybody who sees them", async () => {
      const url = await database();
      const service = await startKept(url);
      const { instance, add, kept, doubts } = service;
      const { store, close } = await storeOf(url, instance.copy);
      const crew = mintKey();
      const pairs = await store.write(function* () {
        const connector = yield* addConnector({ name: "test", source: "web" });
        const credential = yield* addCredential({ name: "test", source: "web" });
        const pairNamed = (name: string) =>
          addPair({ name, connectorId: connector, credentialId: credential, access: "private" });
        const [own, hidden] = [yield* pairNamed("crew"), yield* pairNamed("board")];
        yield* addDocumentSet({ name: "crew", pairIds: [own] });
        yield* addDocumentSet({ name: "all", pairIds: [own, hidden] });
        yield* addKey(crew, { name: "crew", role: "editor", documentSets: ["crew"] }, Date.now());
        return { crew: own, board: hidden };
      });
      await close();
      await add({ ...KEPT, pair: pairs.crew }, { ...CREWS, pair: pairs.board });
      // The crew does not see what the board wrote.
      expect(await near(service, "crews")).toEqual([]);
      await expect(kept.doubt("kept", "crews")).rejects.toThrow("everybody sees who sees the kept answer");
      await add({ ...CREWS, id: "for all", pair: pairs.crew });
      expect(await near(service, "for all")).toEqual(["kept"]);
      const ofCrew = createKeptAnswers({ baseUrl: instance.url, apiKey: crew });
      expect((await ofCrew.near("crews")).kept_answers).toEqual([]);
      await expect(ofCrew.doubt("kept", "crews")).rejects.toThrow(NotFoundError);
      expect((await ofCrew.doubt("kept", "for all")).doubts).toHaveLength(1);
      expect(await doubts()).toEqual(["kept < for all"]);
    });
  });
}
