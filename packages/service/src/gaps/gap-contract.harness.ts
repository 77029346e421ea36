import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Databases } from "../store/contract.harness.ts";
import { deleteDocument, failDocument, upsertDocument } from "../store/documents.ts";
import { all, values } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import { addAsk, askRef } from "./asks.ts";
import { closeGap, countQuestionsOf, findGap, forgetQuestion, listGaps, OWN, sharedQuestionsOf } from "./book.ts";
import { floatsOf, GapComparison } from "./comparison.ts";
import { questionOf, type ToldQuestion } from "./gap.harness.ts";
import { forgetOld } from "./keeping.ts";
import { type Noted, noteQuestion } from "./noting.ts";

const DAY_MS = 86_400_000;
const KEY = "Where is the spare key of the boat house?";
const ALIKE = "the boat house's spare keys, where?";
const OTHER = "Who signs the travel form for Norway?";

/** What every engine must do with gaps. */
export function gapContract(engine: string, databases: Databases): void {
  describe(`gaps in ${engine}`, () => {
    let store: Store;
    let close: () => Promise<void> | void;
    beforeEach(async () => {
      ({ store, close } = await databases.open());
    });
    afterEach(() => close());

    let next = 0;
    const note = (
      words: string,
      comparison: Pick<GapComparison, "placeOf">,
      more: Partial<ToldQuestion> = {},
    ): Promise<Noted> => {
      const ref = `q${next++}`;
      const question = questionOf({ ref, caller: "bot", asker: ref, words, ...more });
      return store.write(() => noteQuestion(question, comparison));
    };
    const open = async () => store.read(listGaps("open", 50));
    const ingest = (id: string): Promise<boolean> =>
      store.write(() =>
        upsertDocument({ id, semantic_identifier: id, sections: [{ text: "x" }], source: "web", metadata: {} }, 1, 0),
      );

    it("are the same to whoever looks at the truth for the first time, and to who has seen some of it", async () => {
      const [one, other] = [new GapComparison(), new GapComparison()];
      const { gap } = await note(KEY, one);
      await note(OTHER, other);
      expect((await note(ALIKE, other)).gap).toBe(gap);
      const late = new GapComparison();
      await late.catchUp(store);
      expect((await note(ALIKE, late)).gap).toBe(gap);
      expect((await note(ALIKE, one)).gap).toBe(gap);
      expect((await open()).map(({ questions }) => questions)).toEqual([4, 1]);
    });

    it("hold what is noted while two at once forget what is old, and count it", async () => {
      const comparison = new GapComparison();
      const keeping = { store, now: () => 400 * DAY_MS, days: 365 };
      for (let round = 1; round <= 8; round += 1) {
        for (let at = 0; at < 5; at += 1) await note(at % 2 === 0 ? KEY : OTHER, comparison, { askedAt: DAY_MS });
        const [noted] = await Promise.all([
          Promise.all([KEY, OTHER, ALIKE].map((words) => note(words, comparison, { askedAt: 399 * DAY_MS }))),
          forgetOld(keeping),
          forgetOld(keeping),
        ]);
        const gaps = await open();
        expect(gaps.reduce((sum, { questions }) => sum + questions, 0)).toBe(3 * round);
        for (const { gap } of noted) expect(gaps.map(({ id }) => id)).toContain(gap);
      }
    });

    it("forget what people were asked, with its words and the name that was given, when its days are over", async () => {
      const asked = { ref: askRef("ann", KEY), caller: OWN, asker: "ann", isShared: true, askedAt: DAY_MS };
      await note(KEY, new GapComparison(), asked);
      await store.write(() => addAsk("ann", { question: KEY, name: "Ann" }, DAY_MS));
      await forgetOld({ store, now: () => 365 * DAY_MS, days: 365 });
      expect(await store.read(all("SELECT question, name FROM gap_asks"))).toEqual([{ question: KEY, name: "Ann" }]);
      await forgetOld({ store, now: () => 367 * DAY_MS, days: 365 });
      expect(await store.read(all("SELECT question, name FROM gap_asks"))).toEqual([]);
    });

    it("are not joined by what was forgotten, or never came to be", async () => {
      const [one, other] = [new GapComparison(), new GapComparison()];
      const { gap } = await note(KEY, one, { ref: "first" });
      await note(OTHER, other);
      const failing = store.write(function* () {
        yield* noteQuestion(questionOf({ ref: "never", caller: "bot", asker: "a", words: "Whose is the crane?" }), one);
        throw new Error("it came to nothing");
      });
      await expect(failing).rejects.toThrow("nothing");
      await store.write(() => forgetQuestion("bot", "first"));
      for (const comparison of [one, other]) {
        const { gap: made, isNew } = await note(KEY, comparison, { ref: "again" });
        expect([made === gap, isNew]).toEqual([false, true]);
        await store.write(() => forgetQuestion("bot", "again"));
      }
      expect((await note("Whose is the crane?", one)).isNew).toBe(true);
      expect(await open()).toHaveLength(2);
    });

    it("that turn out to be one are one, under either number, for everybody who looked before", async () => {
      const [one, other] = [new GapComparison(), new GapComparison()];
      const first = await note(KEY, one, { isShared: true });
      const second = await note(OTHER, other, { isShared: true });
      const linking = {
        *placeOf() {
          yield* values<number>("SELECT 1");
          return { gap: first.gap, also: [second.gap] };
        },
      };
      expect(await note("Both of them?", linking)).toMatchObject({ gap: first.gap });
      expect(await open()).toMatchObject([{ id: first.gap, questions: 3, people: 3 }]);
      expect((await store.read(findGap(second.gap)))?.id).toBe(first.gap);
      for (const comparison of [one, other, new GapComparison()])
        expect((await note(OTHER, comparison)).gap).toBe(first.gap);
      await ingest("answer");
      expect(await store.write(() => closeGap(second.gap, { id: "answer", pairId: 1 }, 5))).toBeUndefined();
      expect(await store.read(findGap(first.gap))).toMatchObject({ state: "closed", closed_at: 5 });
    });

    it("keep words and a vector of shared questions alone, and compare by vectors of one model", async () => {
      const comparison = new GapComparison("one");
      const numbers = Float32Array.from([0.6, 0.8, 0]);
      const vector = { model: "one", numbers };
      const { gap } = await note(KEY, comparison, { vector });
      await note(OTHER, comparison, {
        vector: { model: "one", numbers: Float32Array.from([0, 0, 1]) },
        isShared: true,
      });
      const rows = () =>
        store.read(
          all<{ question: string | null; model: string | null; vector: Uint8Array | null }>(
            "SELECT question, model, vector FROM gap_questions ORDER BY id",
          ),
        );
      expect((await rows())[0]).toEqual({ question: null, model: null, vector: null });
      expect((await rows())[1]).toMatchObject({ question: OTHER, model: "one" });
      expect((await note(ALIKE, comparison, { ref: "shared", vector })).gap).toBe(gap);
      await note(ALIKE, comparison, { ref: "shared", vector, isShared: true });
      expect(await store.read(sharedQuestionsOf(gap))).toMatchObject([{ question: ALIKE }]);
      const kept = (await rows())[2]?.vector ?? new Uint8Array();
      expect(floatsOf(kept)).toEqual(numbers);
      expect((await note(ALIKE, new GapComparison("another"), { vector })).gap).toBe(gap);
    });

    it("are open again when their document is deleted or cannot be found, and never closed by one that is not there", async () => {
      const { gap } = await note(KEY, new GapComparison());
      const state = async () => (await store.read(findGap(gap)))?.state;
      expect(await store.write(() => closeGap(gap, { id: "answer", pairId: 1 }, 5))).toBe("document");
      await ingest("answer");
      expect(await store.write(() => closeGap(7, { id: "answer", pairId: 1 }, 5))).toBe("gap");
      await store.write(() => closeGap(gap, { id: "answer", pairId: 1 }, 5));
      expect(await ingest("answer")).toBe(true);
      expect(await state()).toBe("closed");
      const undone = store.write(function* () {
        yield* deleteDocument("answer", 1);
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      expect(await state()).toBe("closed");
      await store.write(() => deleteDocument("answer", 1));
      expect(await state()).toBe("open");
      await ingest("other");
      await store.write(() => closeGap(gap, { id: "other", pairId: 1 }, 6));
      const [number = 0] = await store.read(values<number>("SELECT number FROM documents WHERE id = 'other'"));
      await store.write(() => failDocument(number, "no text"));
      expect(await state()).toBe("open");
    });

    it("say nothing of questions a caller cannot know of, and count a user's own", async () => {
      const comparison = new GapComparison();
      await note(KEY, comparison, { caller: OWN, asker: "ann" });
      const told = await note(KEY, comparison, { caller: "bot" });
      expect(told.isNew).toBe(true);
      expect((await note(KEY, comparison, { caller: "bot" })).isNew).toBe(false);
      expect((await note(KEY, comparison, { caller: "another", isShared: true })).isNew).toBe(true);
      expect((await note(KEY, comparison, { caller: "a third" })).isNew).toBe(false);
      expect(await store.read(countQuestionsOf("ann"))).toBe(1);
      expect(await store.read(countQuestionsOf("bot"))).toBe(2);
    });
  });
}
