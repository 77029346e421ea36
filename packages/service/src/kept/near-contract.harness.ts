import { NotFoundError } from "@threadlore/client";
import { createKeptAnswers } from "@threadlore/client/kept";
import { describe, expect, it } from "vitest";
import { keptDocument, type KeptService, startInSets, startKept } from "./kept.harness.ts";

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

    it("stay doubted while what was read in a table, or in a sentence without an end, stands there", async () => {
      const { add, kept, doubts, remove } = await start();
      const row = "| Boat | Crew |\n| --- | --- |\n| Gannet | three colleagues aboard |";
      const endless = `Nobody takes the Gannet out without three colleagues${", whatever the wind".repeat(80)}.`;
      await add(KEPT);
      for (const text of [row, endless]) {
        await add({ ...CREWS, sections: [{ text }] });
        await kept.doubt("kept", "crews");
        await add({
          ...CREWS,
          sections: [{ text }, { text: "Good to know." }],
          doc_updated_at: "2026-05-02T08:00:00Z",
        });
        expect(await doubts()).toEqual(["kept < crews"]);
        await add({ ...CREWS, sections: [{ text: "Good to know." }], doc_updated_at: "2026-05-03T08:00:00Z" });
        expect(await doubts()).toEqual([]);
        await remove("crews");
      }
    });

    it("are doubted by nothing that went while it was read, and the answer says so", async () => {
      const { add, kept, remove, doubts } = await start();
      const text = "Nobody takes the Gannet out without three colleagues any more. ".repeat(300);
      for (const [gone, words] of [
        ["kept", "no kept answer of this id"],
        ["crews", "no document of this id"],
      ] as const) {
        await add(KEPT, { ...CREWS, sections: [{ text }] });
        const said = kept.doubt("kept", "crews").then(() => "It was there.", String);
        await remove(gone);
        // Whichever of the two came first.
        expect(await said).toMatch(new RegExp(`^It was there\\.$|${words}`));
        expect(await doubts()).toEqual([]);
      }
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
      const { service, pairs, crew } = await startInSets(await database());
      const { instance, add, kept, doubts } = service;
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

    it("are none of a document of which nobody knows whose it is", async () => {
      const { service, pairs, crew } = await startInSets(await database());
      const { instance, add, kept } = service;
      await add({ ...KEPT, pair: pairs.crew }, { ...CREWS, pair: pairs.crew }, { ...CREWS, pair: pairs.board });
      expect(await near(service, "crews")).toEqual([]);
      await expect(kept.doubt("kept", "crews")).rejects.toThrow("Several pairs have a document of this id");
      expect(await near(service, `crews (pair ${pairs.crew})`)).toEqual(["kept"]);
      expect(await near(service, `crews (pair ${pairs.board})`)).toEqual([]);
      const ofCrew = createKeptAnswers({ baseUrl: instance.url, apiKey: crew });
      expect((await ofCrew.near("crews")).kept_answers).toHaveLength(1);
      expect((await ofCrew.near(`crews (pair ${pairs.board})`)).kept_answers).toEqual([]);
    });

    it("are told as soon as they are found to whoever sees everything, however many searches that takes", async () => {
      // Each search for others than them would wait for a moment of its own.
      const { service, pairs } = await startInSets(await database(), { settings: { evenMs: 3_600_000 } });
      await service.add({ ...KEPT, pair: pairs.crew }, { ...CREWS, pair: pairs.crew });
      expect(await near(service, "crews")).toEqual(["kept"]);
      expect((await service.kept.doubt("kept", "crews")).doubts).toHaveLength(1);
    });
  });
}
