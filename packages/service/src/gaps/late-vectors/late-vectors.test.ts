import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { EmbeddingError, type Embeddings } from "../../search/embeddings.ts";
import { Database } from "../../store/sqlite/database.ts";
import { SqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { GapComparison } from "../comparison.ts";
import { questionOf } from "../gap.harness.ts";
import { noteQuestion } from "../noting.ts";
import { giveVectors } from "./late-vectors.ts";

const KEY = "Where is the spare key of the boat house?";
/** Means the same, and shares no word with it. */
const ALIKE = "Locked out down at the jetty, any ideas?";
const OTHER = "Who signs the travel form for Norway?";

/** A model of which all questions are either about keys or not; it refuses what is unreadable, fails on what is broken, and may be away. */
function modelOf(name: string): Embeddings & { isAway: boolean; asked: number; awayAfter: number } {
  return {
    model: name,
    isAway: false,
    asked: 0,
    awayAfter: Infinity,
    async embed(texts) {
      this.asked += 1;
      const isRefused = texts.some((text) => text.includes("unreadable"));
      if (texts.some((text) => text.includes("broken"))) throw new EmbeddingError("no", false, undefined);
      if (this.asked > this.awayAfter) throw new EmbeddingError("gone", false, undefined);
      if (this.isAway || isRefused) throw new EmbeddingError("no", isRefused && !this.isAway, undefined);
      return Promise.resolve(texts.map((text) => Float32Array.from(/key|Locked/.test(text) ? [1, 0, 0] : [0, 1, 0])));
    },
  };
}

function opened() {
  const db = new Database(":memory:");
  afterThisTest(() => db.close());
  const comparison = new GapComparison("new");
  const model = modelOf("new");
  let next = 0;
  const note = async (words: string, { by, isShared = true }: { by?: Embeddings; isShared?: boolean } = {}) => {
    const [numbers] = by === undefined ? [] : await by.embed([words], 1_000);
    const ref = `q${next++}`;
    const vector = numbers && by && { vector: { model: by.model, numbers } };
    return db.transact(
      noteQuestion(questionOf({ ref, caller: "bot", asker: ref, words, isShared, ...vector }), comparison),
    );
  };
  const given = { store: new SqliteStore(db), embeddings: model, closing: new AbortController().signal };
  const refused = new Set<number>();
  const give = () => giveVectors({ ...given, refused });
  const changes = () =>
    db
      .all<{ change: number }>("SELECT change FROM gap_questions WHERE traits IS NOT NULL ORDER BY id")
      .map(({ change }) => change);
  const models = () =>
    db.all<{ model: string | null }>("SELECT model FROM gap_questions ORDER BY id").map((row) => row.model);
  return { model, note, give, models, changes };
}

it("a question that was noted while the model was away joins what means the same once that can be asked", async () => {
  const { model, note, give, models } = opened();
  const { gap } = await note(KEY);
  await note(OTHER, { isShared: false });
  model.isAway = true;
  await expect(give()).rejects.toThrow(EmbeddingError);
  model.isAway = false;
  await give();
  // Of a private one no vector is kept.
  expect(models()).toEqual(["new", null]);
  expect((await note(ALIKE, { by: model })).gap).toBe(gap);
});

it("another model reads what the one before has read, once", async () => {
  const { model, note, give, models } = opened();
  const { gap } = await note(KEY, { by: modelOf("old") });
  await give();
  await give();
  expect([models(), model.asked]).toEqual([["new"], 1]);
  expect((await note(ALIKE, { by: model })).gap).toBe(gap);
});

it("what the model fails on keeps no other question from its vector, and is not asked for again", async () => {
  const { model, note, give, models } = opened();
  for (const words of [KEY, "Is the broken crane mended?", OTHER]) await note(words);
  await give();
  expect(models()).toEqual(["new", null, "new"]);
  const asked = model.asked;
  await give();
  expect(model.asked).toBe(asked);
});

it("what a server that went away in between was not asked for in vain is asked for again", async () => {
  const { model, note, give, models } = opened();
  for (const words of [KEY, "Is the broken crane mended?", OTHER, "Whose is the lamp at pier nine?"]) await note(words);
  model.awayAfter = 2;
  await give();
  expect(models()).toEqual(["new", null, null, null]);
  model.awayAfter = Infinity;
  await give();
  expect(models()).toEqual(["new", null, "new", "new"]);
});

it("of many that another model reads the newest stay those that are compared", async () => {
  const { note, give, changes } = opened();
  for (let at = 0; at < 70; at++) await note(`Which pier number ${at} of the ${at}th ferry?`, { by: modelOf("old") });
  await give();
  expect(changes()).toEqual(changes().toSorted((one, other) => one - other));
});

it("what the model refuses keeps no other question from its vector, however many there are", async () => {
  const { note, give, models } = opened();
  for (let at = 0; at < 40; at++)
    await note(`${at % 2 === 0 ? "unreadable" : "Which"} pier number ${at} of the ${at}th ferry?`);
  await give();
  expect(models()).toEqual(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? null : "new")));
});
