import { createClient } from "@threadlore/client";
import { createGaps, type Gaps } from "@threadlore/client/gaps";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Instance, startInstance } from "../instances/instance.harness.ts";

const ADMIN = "tl_TEST_instances";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Questions about nothing in common. */
const APART = [
  "When does the ferry to Bergen leave?",
  "Who may open the sauna on Sundays?",
  "How do I order toner for the printer?",
  "What is the refund policy for broken lamps?",
  "Which insurance covers rented boats?",
  "Where are invoices from suppliers archived?",
  "How long are passwords of servers valid?",
];

/** What every engine must do with gaps, over HTTP. */
function gapsOver(engine: string, database: () => Promise<string | undefined>): void {
  describe(`gaps over HTTP, in ${engine}`, () => {
    let instance: Instance;
    let gaps: Gaps;
    beforeEach(async () => {
      instance = await startInstance(await database());
      cleanups.push(instance.close);
      gaps = createGaps({ baseUrl: instance.url, apiKey: ADMIN });
    });

    const KEY = "Where is the spare key of the boat house?";
    const noted = (ref: string, question: string, more: Partial<Parameters<Gaps["note"]>[0]> = {}) =>
      gaps.note({ ref, question, asker: `asker of ${ref}`, is_shared: true, reason: "nothing", ...more });
    const ingest = (id: string, text = "The spare key of the boat house hangs behind the door.") =>
      createClient({ baseUrl: instance.url, apiKey: ADMIN }).ingest({
        document: { id, semantic_identifier: id, sections: [{ text }], source: "web", metadata: {} },
      });
    const only = async () => {
      const { gaps: listed } = await gaps.list();
      expect(listed).toHaveLength(1);
      return listed[0] as (typeof listed)[0];
    };

    it("are alike questions together, counted by people, with words of shared ones alone", async () => {
      const first = await noted("q1", KEY, { asker: "ann" });
      expect(first).toMatchObject({ state: "open", document_id: null, is_new: true });
      const second = await noted("q2", "the boat house's spare keys, where?", { asker: "bo", is_shared: false });
      expect(second).toMatchObject({ gap_id: first.gap_id, is_new: false });
      await noted("q3", KEY, { asker: "bo", is_shared: false, reason: "human" });
      const other = await noted("q4", "Who signs the travel form for Norway?", { is_shared: false });
      expect(other.gap_id).not.toBe(first.gap_id);
      const { gaps: listed, next } = await gaps.list();
      expect(next).toBeNull();
      expect(listed).toMatchObject([
        { gap_id: first.gap_id, people: 2, questions: 3, private_questions: 2, question: KEY },
        { gap_id: other.gap_id, people: 1, questions: 1, private_questions: 1, question: null },
      ]);
      expect(listed[0]?.reasons).toEqual({ nothing: 2, bad_mark: 0, human: 1 });
      const detail = await gaps.find(first.gap_id);
      expect(detail.shared_questions.map(({ question }) => question)).toEqual([KEY]);
      expect((await gaps.find(other.gap_id)).shared_questions).toEqual([]);
    });

    it("say where many questions stand at once, to whoever noted them alone", async () => {
      const { gap_id: closed } = await noted("q1", KEY);
      const { gap_id: open } = await noted("q2", APART[0] ?? "", { is_shared: false });
      await ingest("boat");
      await gaps.close(closed, "boat");
      expect((await gaps.standings(["q2", "nobody's", "q1"])).questions).toEqual([
        { ref: "q2", gap_id: open, state: "open", document_id: null },
        { ref: "q1", gap_id: closed, state: "closed", document_id: "boat" },
      ]);
      await gaps.forget("q2");
      expect((await gaps.standings(["q2"])).questions).toEqual([]);
      const many = Array.from({ length: 201 }, (_, at) => `q${at}`);
      await expect(gaps.standings(many)).rejects.toMatchObject({ name: "InvalidRequestError" });
    });

    it("know a question that is told again: reasons gather, it may become shared, and it is forgotten by its name", async () => {
      const { gap_id } = await noted("C1/1.5?#", KEY, { is_shared: false });
      await noted("C1/1.5?#", KEY, { is_shared: false, reason: "human" });
      await noted("C1/1.5?#", KEY, { is_shared: false, reason: "human" });
      expect(await only()).toMatchObject({
        people: 1,
        questions: 1,
        question: null,
        reasons: { nothing: 1, human: 1 },
      });
      expect(await noted("C1/1.5?#", KEY, { is_shared: true })).toMatchObject({ gap_id, is_new: false });
      expect(await only()).toMatchObject({ question: KEY, private_questions: 0, questions: 1 });
      await gaps.forget("C1/1.5?#");
      await gaps.forget("C1/1.5?#");
      expect((await gaps.list()).gaps).toEqual([]);
      await expect(gaps.find(gap_id)).rejects.toMatchObject({ name: "NotFoundError" });
    });

    it("forget whoever asked, as the caller named them, and nobody whom another caller named so", async () => {
      const { body } = await instance.call("POST", "/gaps/questions", {
        ref: "q1",
        question: KEY,
        asker: "U1/x",
        is_shared: true,
        reason: "nothing",
      });
      expect(body).toMatchObject({ is_new: true });
      await noted("q2", KEY, { asker: "U1/x" });
      await noted("q3", KEY, { asker: "U2" });
      await gaps.forgetAsker("U1/x");
      await gaps.forgetAsker("U1/x");
      expect(await only()).toMatchObject({ people: 1, questions: 1 });
    });

    it("are closed by a document there is, and open again once it is gone", async () => {
      const { gap_id } = await noted("q1", KEY);
      await expect(gaps.close(gap_id, "key")).rejects.toMatchObject({ name: "NotFoundError" });
      await ingest("key");
      const closed = await gaps.close(gap_id, "key");
      expect(closed).toMatchObject({ state: "closed", document_id: "key" });
      expect(await gaps.close(gap_id, "key")).toEqual(closed);
      expect((await gaps.list()).gaps).toEqual([]);
      expect((await gaps.list({ state: "closed" })).gaps).toMatchObject([
        { gap_id, document_id: "key", document_title: "key" },
      ]);
      expect(await noted("q2", KEY)).toMatchObject({ gap_id, state: "closed", document_id: "key" });
      await instance.call("DELETE", "/service-api/ingestion/key");
      expect(await only()).toMatchObject({ gap_id, document_id: null, closed_at: null, questions: 2 });
    });

    it("are dismissed and opened again, and alike questions join them either way", async () => {
      const { gap_id } = await noted("q1", KEY);
      expect(await gaps.dismiss(gap_id)).toMatchObject({ state: "dismissed" });
      expect(await noted("q2", KEY)).toMatchObject({ gap_id, state: "dismissed" });
      expect(await gaps.reopen(gap_id)).toMatchObject({ state: "open", questions: 2 });
      for (const ask of [gaps.reopen, gaps.dismiss, gaps.find])
        await expect(ask(5)).rejects.toMatchObject({ name: "NotFoundError" });
    });

    const SHED = "I am locked out: who keeps a key to the boat shed?";

    it("are named to whoever tells of a question that may be of them, by words others may read, and it joins that which it is said to be", async () => {
      const { gap_id } = await noted("q1", KEY);
      const second = await noted("q2", SHED);
      expect(second).toMatchObject({ is_new: true, maybe: [{ gap_id, state: "open", question: KEY, people: 1 }] });
      expect((await noted("q2", SHED)).maybe).toEqual(second.maybe);
      for (const _ of [1, 2])
        expect(await gaps.same("q2", gap_id)).toMatchObject({ gap_id, state: "open", is_new: false });
      expect(await only()).toMatchObject({ gap_id, people: 2, questions: 2 });
      expect((await gaps.find(second.gap_id)).gap_id).toBe(gap_id);
      // The next ones in the words of either are of it.
      expect(await noted("q3", SHED)).toMatchObject({ gap_id, maybe: [] });
      for (const [ref, id] of [
        ["nobody's", gap_id],
        ["q2", 5],
      ] as const)
        await expect(gaps.same(ref, id)).rejects.toMatchObject({ name: "NotFoundError" });
    });

    it("that are closed take a question alone, and open ones with all that is in its gap", async () => {
      const { gap_id } = await noted("q1", KEY);
      const shed = await noted("q2", SHED);
      await noted("q3", SHED);
      await ingest("key");
      await gaps.close(gap_id, "key");
      expect(await gaps.same("q2", gap_id)).toMatchObject({ gap_id, state: "closed", document_id: "key" });
      expect(await gaps.find(shed.gap_id)).toMatchObject({ state: "open", questions: 1 });
      expect(await gaps.find(gap_id)).toMatchObject({ state: "closed", questions: 2 });
      await gaps.reopen(gap_id);
      expect(await gaps.same("q3", gap_id)).toMatchObject({ gap_id, state: "open" });
      expect(await only()).toMatchObject({ gap_id, questions: 3 });
    });

    it("are not named where all of them is private, or they were dismissed", async () => {
      const first = await noted("q1", KEY, { is_shared: false });
      expect((await noted("q2", SHED)).maybe).toEqual([]);
      await noted("q1", KEY);
      expect((await noted("q2", SHED)).maybe).toMatchObject([{ gap_id: first.gap_id }]);
      await gaps.dismiss(first.gap_id);
      expect((await noted("q2", SHED)).maybe).toEqual([]);
    });

    it("are listed page by page, each once, whatever is asked meanwhile", async () => {
      for (const [at, question] of APART.entries()) {
        for (let people = 0; people < 3 - (at % 3); people++) await noted(`${at} ${people}`, question);
      }
      const seen: number[] = [];
      let next: string | null | undefined;
      do {
        const page: Awaited<ReturnType<Gaps["list"]>> = await gaps.list({ most: 2, after: next ?? undefined });
        expect(page.gaps.length).toBeLessThanOrEqual(2);
        seen.push(...page.gaps.map(({ gap_id: id }) => id));
        next = page.next;
        // Who comes to be first meanwhile is on no further page.
        for (let people = 0; people < 4; people++)
          await noted(`new ${people}`, "Whose bicycle stands behind the crane?");
      } while (next != null);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThanOrEqual(APART.length);
      expect((await instance.call("GET", "/gaps?after=x")).status).toBe(422);
      expect((await instance.call("GET", "/gaps?state=new")).status).toBe(422);
    });
  });
}

gapsOver("SQLite", async () => undefined);

await testWithPostgres((postgres) => {
  gapsOver("PostgreSQL", () => postgres.createDatabase());

  it("two instances that are told alike questions at one moment make one gap of them", async () => {
    const url = await postgres.createDatabase();
    const [one, other] = await Promise.all([startInstance(url), startInstance(url)]);
    cleanups.push(one.close, other.close);
    const clients = [one, other].map(({ url: baseUrl }) => createGaps({ baseUrl, apiKey: ADMIN }));
    const told = Array.from({ length: 40 }, (_, at) =>
      clients[at % 2]?.note({
        ref: `q${at}`,
        asker: `a${at % 20}`,
        question: at % 4 < 2 ? "Where is the spare key of the boat house?" : "Who signs the travel form for Norway?",
        is_shared: at % 8 === 0,
        reason: "nothing",
      }),
    );
    const ids = (await Promise.all(told)).map((noted) => noted?.gap_id);
    expect(new Set(ids).size).toBe(2);
    const { gaps } = (await clients[0]?.list()) ?? { gaps: [] };
    expect(gaps.map(({ people, questions }) => [people, questions])).toEqual([
      [10, 20],
      [10, 20],
    ]);
  });
});
