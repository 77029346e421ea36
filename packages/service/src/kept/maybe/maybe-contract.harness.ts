import { createKeptAnswers } from "@threadlore/client/kept";
import type { MaybeChanged } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import { keptDocument, type KeptService, type SentDocument, startInSets, startKept } from "../kept.harness.ts";

const KEPT = keptDocument(
  "How many people have to be aboard the Gannet?",
  "Two people have to be aboard the Gannet inside the harbour.",
);
const OIL = keptDocument("Who orders the oil for the Dunlin?", "Nora orders the oil for the Dunlin.", { id: "oil" });
const SOUP = keptDocument("Where is the soup?", "In the kitchen.", { id: "soup" });

/** Which no rule tells: it says otherwise in other words. */
const SAYS = "Nobody takes the Gannet out of the harbour without three colleagues any more.";
const crews = (text: string = SAYS, at = "2026-05-01T08:00:00Z"): SentDocument & { readonly id: string } => ({
  id: "crews",
  semantic_identifier: "Crews of our boats",
  sections: [{ text: `Lifejackets are worn on deck. ${text}`, link: "https://wiki.example.com/crews" }],
  doc_updated_at: at,
});
/** Which says less of it, and one that says less of what is kept of the oil. */
const NOTES = {
  id: "notes",
  semantic_identifier: "Notes",
  sections: [{ text: "The Gannet is blue. What lies aboard has been painted." }],
  doc_updated_at: "2026-05-02T08:00:00Z",
};
const OILING = {
  id: "oiling",
  semantic_identifier: "Purchases",
  sections: [{ text: "The office sees to the oil of the Dunlin these days." }],
  doc_updated_at: "2026-05-02T08:00:00Z",
};
const later = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

/** What whoever looks after kept answers is shown of documents that nobody brought by hand, in every database. */
export function maybeContract(engine: string, database: () => Promise<string | undefined>): void {
  describe(`kept answers a newer document may change, in ${engine}`, () => {
    const start = async (): Promise<KeptService> => startKept(await database());
    const listed = async ({ kept }: KeptService, which?: Parameters<typeof kept.maybeChanged>[0]) =>
      (await kept.maybeChanged(which)).kept_answers.map(pairOf);

    it("are listed once each, with the nearest document and the sentences of both, the nearest first", async () => {
      const service = await start();
      await service.add(KEPT, OIL, SOUP);
      await service.add(OILING, NOTES, crews());
      expect(await service.doubts()).toEqual([]);
      const { kept_answers } = await service.kept.maybeChanged();
      expect(kept_answers.map(pairOf)).toEqual(["kept < crews", "oil < oiling"]);
      expect(kept_answers[0]).toEqual({
        document_id: "kept",
        question: KEPT.semantic_identifier,
        owner: "Nora Quist",
        owner_ref: "T1:U1",
        link: "https://chat.example.com/archives/C1/p1772442000000100",
        says: SAYS,
        kept_says: "Two people have to be aboard the Gannet inside the harbour.",
        since: expect.any(String),
        by: { document_id: "crews", title: "Crews of our boats", link: "https://wiki.example.com/crews" },
      });
      expect(await listed(service, { most: 1 })).toEqual(["kept < crews"]);
    });

    it("are those found since a moment, and what was found stays found while its sentence stands there", async () => {
      const service = await start();
      const before = new Date().toISOString();
      await service.add(KEPT, crews());
      const found = await since(service);
      expect([before <= found, found <= new Date().toISOString()]).toEqual([true, true]);
      expect(await listed(service, { since: found })).toEqual(["kept < crews"]);
      expect(await listed(service, { since: new Date(Date.parse(found) + 1).toISOString() })).toEqual([]);
      await expect(service.kept.maybeChanged({ since: "soon" })).rejects.toThrow("Input should be a moment");
      await service.add(crews(`${SAYS} Good to know.`, "2026-05-03T08:00:00Z"));
      await service.add(KEPT);
      expect(await since(service)).toBe(found);
      await service.add(
        crews("Nobody takes the Gannet out of the harbour without five colleagues any more.", "2026-05-04T08:00:00Z"),
      );
      expect((await since(service)) > found).toBe(true);
    });

    it("are no more when somebody says that the document does change one, and the next document is listed then", async () => {
      const service = await start();
      await service.add(KEPT, NOTES, crews());
      expect(await listed(service)).toEqual(["kept < crews"]);
      await service.kept.doubt("kept", "crews");
      expect(await listed(service)).toEqual(["kept < notes"]);
      await service.add(KEPT);
      expect([await listed(service), await service.doubts()]).toEqual([["kept < notes"], ["kept < crews"]]);
    });

    it("are no more when their owner says that they hold, until a document says something else", async () => {
      const service = await start();
      await service.add(KEPT, NOTES, crews());
      await service.kept.confirm("kept");
      expect(await listed(service)).toEqual([]);
      await service.add(crews(`${SAYS} Good to know.`, later(1)));
      expect(await listed(service)).toEqual([]);
      await service.add(
        crews("Nobody takes the Gannet out of the harbour without five colleagues any more.", later(2)),
      );
      expect(await listed(service)).toEqual(["kept < crews"]);
      await service.kept.doubt("kept", "crews");
      await service.kept.confirm("kept");
      await service.add(
        crews("Mind this. Nobody takes the Gannet out of the harbour without five colleagues any more.", later(3)),
      );
      expect([await listed(service), await service.doubts()]).toEqual([[], []]);
    });

    it("are no more when either is gone, or written anew so that it says nothing of it, or so that a rule tells", async () => {
      const service = await start();
      await service.add(KEPT, crews());
      await service.remove("crews");
      expect(await listed(service)).toEqual([]);
      await service.add(crews());
      expect(await listed(service)).toEqual(["kept < crews"]);
      await service.add(crews("There is soup.", "2026-05-02T08:00:00Z"));
      expect(await listed(service)).toEqual([]);
      await service.add(crews(SAYS, "2026-05-03T08:00:00Z"));
      expect(await listed(service)).toEqual(["kept < crews"]);
      await service.add(crews("At least four people have to be aboard the Gannet.", "2026-05-04T08:00:00Z"));
      expect([await listed(service), await service.doubts()]).toEqual([[], ["kept < crews"]]);
      await service.add(crews(SAYS, "2026-05-05T08:00:00Z"));
      expect([await listed(service), await service.doubts()]).toEqual([["kept < crews"], []]);
      await service.add(
        keptDocument(String(KEPT.semantic_identifier), "Three people.", { at: "2026-05-06T00:00:00Z" }),
      );
      expect(await listed(service)).toEqual([]);
      await service.remove("kept");
      await service.add(KEPT);
      expect(await listed(service)).toEqual(["kept < crews"]);
      await service.add({ ...KEPT, metadata: {} });
      expect(await listed(service)).toEqual([]);
    });

    it("are none by what is older, itself kept, or of something else", async () => {
      const service = await start();
      const other = keptDocument("Who may take the Gannet out?", SAYS, { id: "other", at: "2026-06-01T00:00:00Z" });
      const soup = {
        ...crews(),
        id: "menu",
        semantic_identifier: "Menu",
        sections: [{ text: "There is soup today." }],
      };
      await service.add(KEPT, other, { ...crews(), id: "older", doc_updated_at: "2026-03-01T00:00:00Z" }, soup);
      expect(await listed(service)).toEqual([]);
    });

    it("are listed to whoever sees both, where everybody sees the document who sees the answer", async () => {
      const { service, pairs, crew } = await startInSets(await database());
      const { instance, add, kept } = service;
      const ofCrew = { ...service, kept: createKeptAnswers({ baseUrl: instance.url, apiKey: crew }) };
      // The crew does not see what the board wrote.
      await add({ ...KEPT, pair: pairs.crew }, { ...crews(), pair: pairs.board });
      expect([await listed(service), await listed(ofCrew)]).toEqual([[], []]);
      await add({ ...OIL, pair: pairs.board }, { ...OILING, pair: pairs.crew });
      // What the board keeps is not told to the crew.
      expect([await listed(service), await listed(ofCrew)]).toEqual([["oil < oiling"], []]);
      await add({ ...crews(), pair: pairs.crew }, { ...KEPT, pair: pairs.board });
      const name = `crews (pair ${pairs.crew})`;
      expect(await listed(ofCrew)).toEqual(["kept < crews"]);
      expect(await listed(service)).toContain(`kept (pair ${pairs.crew}) < ${name}`);
      expect((await kept.doubt(`kept (pair ${pairs.crew})`, name)).doubts).toMatchObject([{ says: SAYS }]);
      expect(await listed(ofCrew)).toEqual([]);
    });
  });
}

/** When the only one was found. */
const since = async ({ kept }: KeptService): Promise<string> => {
  const [found, another] = (await kept.maybeChanged()).kept_answers;
  expect(another).toBeUndefined();
  return found?.since ?? "nothing was found";
};

const pairOf = ({ document_id, by }: MaybeChanged): string => `${document_id} < ${by.document_id}`;
