import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import { createGaps } from "@threadlore/client/gaps";
import { IngestionDocument } from "@threadlore/client/models";
import { createGoodAnswers, type GoodAnswers } from "@threadlore/client/good-answers";
import { afterThisTest } from "@threadlore/testkit";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { forgetOld } from "../gaps/keeping.ts";
import { type Instance, startInstance } from "../instances/instance.harness.ts";
import { Database } from "../store/sqlite/database.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { value } from "../store/steps.ts";
import { upsertDocument } from "../store/documents.ts";
import { listGoodAnswers, noteGoodAnswer } from "./good-answers.ts";

const ADMIN = "tl_TEST_instances";
const PAGE = IngestionDocument.parse({ semantic_identifier: "Page", sections: [{ text: "x" }], source: "web" });
const QUESTION = "How many days of leave does everyone have?";

/** What every engine must do with good answers, over HTTP. */
function goodAnswersOver(engine: string, database: () => Promise<string | undefined>): void {
  describe(`good answers over HTTP, in ${engine}`, () => {
    let instance: Instance;
    let good: GoodAnswers;
    beforeEach(async () => {
      instance = await startInstance(await database());
      afterThisTest(instance.close);
      good = createGoodAnswers({ baseUrl: instance.url, apiKey: ADMIN });
      for (const id of ["leave", "Straße/ä (2)"]) await ingest(id);
    });
    const ingest = (id: string) =>
      createClient({ baseUrl: instance.url, apiKey: ADMIN }).ingest({
        document: {
          id,
          semantic_identifier: id,
          sections: [{ text: "28 days of leave." }],
          metadata: { kind: "rule" },
        },
      });
    const note = (ref: string, question = QUESTION, document_ids = ["leave"], asker = "T:U1") =>
      good.note({ ref, question, document_ids, asker });
    const questions = async () => (await good.list()).good_answers.map(({ question }) => question);

    it("are told once by their name, with words and documents of the last time, and listed in their order", async () => {
      await note("C1/1.5?#");
      await note("C1/1.5?#", `${QUESTION} \u0007\u{1F3D6}`, ["leave", "Straße/ä (2)", "unknown"]);
      await note("q2", "Who signs?", ["Straße/ä (2)"]);
      await note("q3", "Who waits?", ["unknown"]);
      const { good_answers: listed, next } = await good.list();
      expect(next).toBeNull();
      expect(listed).toMatchObject([
        { question: `${QUESTION} \u0007\u{1F3D6}`, document_ids: ["leave", "Straße/ä (2)"] },
        { question: "Who signs?", document_ids: ["Straße/ä (2)"] },
      ]);
      const first = await good.list({ most: 1 });
      expect(first.good_answers).toHaveLength(1);
      expect(await good.list({ after: first.next ?? "" })).toMatchObject({
        good_answers: [{ question: "Who signs?" }],
      });
      await expect(good.list({ after: "x" })).rejects.toMatchObject({ status: 422 });
    });

    it("go with what they cited, their question, their asker, and everything their caller told", async () => {
      for (const [ref, document, asker] of [
        ["q1", "leave", "T:U1"],
        ["q2", "Straße/ä (2)", "T:U1"],
        ["q3", "Straße/ä (2)", "T:U2"],
        ["q4", "Straße/ä (2)", "T:U2"],
      ] as const)
        await note(ref, ref, [document], asker);
      await createDeployment({ baseUrl: instance.url, apiKey: ADMIN }).deleteDocument("leave", { pairId: "all" });
      expect(await questions()).toEqual(["q2", "q3", "q4"]);
      await createGaps({ baseUrl: instance.url, apiKey: ADMIN }).forgetAsker("T:U1");
      expect(await questions()).toEqual(["q3", "q4"]);
      await good.forget("q3");
      await good.forget("q3");
      expect(await questions()).toEqual(["q4"]);
      await good.forgetAll();
      expect(await questions()).toEqual([]);
    });

    it("a document's text comes with what is said of it as a whole", async () => {
      const shown = await createDeployment({ baseUrl: instance.url, apiKey: ADMIN }).documentText("leave");
      expect(shown.metadata).toEqual({ kind: "rule" });
    });
  });
}

goodAnswersOver("SQLite", async () => undefined);
await testWithPostgres((postgres) => goodAnswersOver("PostgreSQL", () => postgres.createDatabase()));

it("are forgotten when their days are over, and of a caller who tells too many the first ones", async () => {
  const db = new Database(":memory:");
  afterThisTest(() => db.close());
  db.transact(upsertDocument({ ...PAGE, id: "page" }, 1, 1));
  const documents = [{ id: "page", pairId: 1 }];
  const note = (ref: number, askedAt: number) =>
    db.transact(noteGoodAnswer({ user: "bot", ref: `${ref}`, asker: "U", question: `${ref}`, documents, askedAt }));
  for (let ref = 0; ref < 5_003; ref += 1) note(ref, ref < 300 ? 0 : 400 * 86_400_000);
  expect(db.perform(value("SELECT count(*) FROM good_answers"))).toBe(5_000);
  expect(db.perform(listGoodAnswers(0, 1))[0]?.question).toBe("3");
  await forgetOld({ store: new SqliteStore(db), now: () => 401 * 86_400_000, days: 365 });
  expect(db.perform(listGoodAnswers(0, 1))[0]?.question).toBe("300");
});
