import { createClient } from "@threadlore/client";
import { type Asks, createAsks } from "@threadlore/client/asks";
import { createDeployment } from "@threadlore/client/deployment";
import { createGaps } from "@threadlore/client/gaps";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addKey } from "../http/keys.ts";
import { Database } from "../store/sqlite/database.ts";
import { type Instance, startInstance } from "../instances/instance.harness.ts";

const ADMIN = "tl_TEST_instances";
const KEYS = { ann: "tl_TEST_ann", bo: "tl_TEST_bo", bot: "tl_TEST_bot" };
const ROLES = { ann: "ordinary", bo: "ordinary", bot: "editor" } as const;
const WORDS = "Where is the spare key of the boat house? CANARY-OF-ANN";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** What every engine must do with questions people agreed to have read by others, over HTTP. */
function asksOver(engine: string, database: () => Promise<string | undefined>): void {
  describe(`asking a person, in ${engine}`, () => {
    let instance: Instance;
    let of: Record<keyof typeof KEYS | "admin", Asks>;
    beforeEach(async () => {
      const url = await database();
      instance = await startInstance(url);
      cleanups.push(() => instance.close());
      await addKeys(url, instance.copy);
      const baseUrl = instance.url;
      const as = (apiKey: string): Asks => createAsks({ baseUrl, apiKey });
      of = { ann: as(KEYS.ann), bo: as(KEYS.bo), bot: as(KEYS.bot), admin: as(ADMIN) };
    });
    const ingest = (id: string) =>
      createClient({ baseUrl: instance.url, apiKey: KEYS.bot }).ingest({
        document: {
          id,
          semantic_identifier: "Spare key",
          sections: [{ text: "It hangs behind the door of the shed.", link: "https://chat.example/1" }],
          source: "slack",
          metadata: {},
        },
      });
    const me = (apiKey: string) => createDeployment({ baseUrl: instance.url, apiKey }).whoami();

    it("is offered where a program looks for what people are to be shown, and refused in plain words where none does", async () => {
      expect(await me(KEYS.ann)).toMatchObject({ asks_people: false });
      await expect(of.ann.ask({ question: WORDS })).rejects.toMatchObject({
        name: "InvalidRequestError",
        code: "NO_PERSON_HERE",
      });
      await of.bot.waiting();
      expect(await me(KEYS.ann)).toMatchObject({ asks_people: true, untold_asks: 0 });
      expect(await of.ann.ask({ question: WORDS })).toMatchObject({
        state: "waiting",
        question: WORDS,
        is_told: false,
      });
    });

    it("goes from waiting to asked and answered, and is told of once, to whoever asked", async () => {
      await of.bot.waiting();
      const asked = await of.ann.ask({ question: ` ${WORDS} `, name: " Ann " });
      const { asks } = await of.bot.waiting();
      expect(asks).toMatchObject([{ ask_id: asked.ask_id, question: WORDS, name: "Ann" }]);
      await of.bot.taken(asked.ask_id, "https://chat.example/thread");
      await of.bot.taken(asked.ask_id);
      expect((await of.bot.waiting()).asks).toEqual([]);
      expect(await of.ann.mine()).toMatchObject([{ state: "asked", answer: null }]);
      await ingest("key");
      await createGaps({ baseUrl: instance.url, apiKey: KEYS.bot }).close(asks[0]?.gap_id ?? 0, "key");
      expect(await me(KEYS.ann)).toMatchObject({ untold_asks: 1 });
      expect(await me(KEYS.bo)).toMatchObject({ untold_asks: 0 });
      const answer = {
        title: "Spare key",
        link: "https://chat.example/1",
        beginning: "It hangs behind the door of the shed.",
      };
      expect(await of.ann.mine()).toMatchObject([{ state: "answered", answer, is_told: false }]);
      await of.ann.told(asked.ask_id);
      await of.ann.told(asked.ask_id);
      expect(await me(KEYS.ann)).toMatchObject({ untold_asks: 0 });
      expect(await of.ann.mine()).toMatchObject([{ is_told: true }]);
      await instance.call("DELETE", "/service-api/ingestion/key");
      expect(await of.ann.mine()).toMatchObject([{ state: "asked", answer: null }]);
    });

    it("is one ask however often the same words are sent, and of at most twenty that wait", async () => {
      await of.bot.waiting();
      const [one, other] = await Promise.all([of.ann.ask({ question: WORDS }), of.ann.ask({ question: WORDS })]);
      expect(other.ask_id).toBe(one.ask_id);
      expect((await of.bo.ask({ question: WORDS })).ask_id).not.toBe(one.ask_id);
      for (let at = 0; at < 19; at++) await of.ann.ask({ question: `What is behind the door number ${at}${at}?` });
      await expect(of.ann.ask({ question: "And behind this one?" })).rejects.toMatchObject({ code: "TOO_MANY_ASKS" });
      await of.ann.withdraw(one.ask_id);
      await of.ann.ask({ question: "And behind this one?" });
    });

    it("is withdrawn with its words, and what people were shown of it is told to whoever has to take it away", async () => {
      await of.bot.waiting();
      const waiting = await of.ann.ask({ question: WORDS });
      await of.bo.withdraw(waiting.ask_id);
      expect(await of.ann.mine()).toHaveLength(1);
      await of.ann.withdraw(waiting.ask_id);
      await of.ann.withdraw(waiting.ask_id);
      expect(await of.bot.waiting()).toEqual({ asks: [], withdrawn: [] });
      await expect(of.bot.taken(waiting.ask_id)).rejects.toMatchObject({ name: "NotFoundError" });
      const shown = await of.ann.ask({ question: WORDS });
      await of.bot.taken(shown.ask_id, "https://chat.example/thread");
      await of.ann.withdraw(shown.ask_id);
      const { withdrawn } = await of.bot.waiting();
      expect(withdrawn).toEqual([{ ask_id: shown.ask_id, where: "https://chat.example/thread" }]);
      await of.bot.gone(shown.ask_id);
      expect((await of.bot.waiting()).withdrawn).toEqual([]);
      expect((await createGaps({ baseUrl: instance.url, apiKey: ADMIN }).list()).gaps).toEqual([]);
    });

    it("tells its words to its asker, the program and administrators, and in no other reply", async () => {
      await of.bot.waiting();
      const { ask_id: id } = await of.ann.ask({ question: WORDS, name: "CANARY-NAME" });
      const replies: string[] = [];
      for (const key of [KEYS.bo, "tl_TESTnobody"]) {
        for (const path of ["/gaps/asks", "/gaps/mine", `/gaps/mine/${id}`, "/gaps", "/gaps/asks?x", "/me", "/persona"])
          replies.push(JSON.stringify((await instance.call("GET", path, undefined, key)).body));
        replies.push(JSON.stringify(await instance.call("POST", `/gaps/asks/${id}/taken`, {}, key)));
        replies.push(JSON.stringify(await instance.call("POST", `/gaps/mine/${id}/told`, {}, key)));
        replies.push(JSON.stringify(await instance.call("POST", "/search", { query: "spare key boat house" }, key)));
      }
      expect(replies.filter((reply) => reply.includes("CANARY"))).toEqual([]);
      expect(await of.ann.mine()).toMatchObject([{ state: "waiting", is_told: false }]);
      const gaps = createGaps({ baseUrl: instance.url, apiKey: ADMIN });
      const [gap] = (await gaps.list()).gaps;
      expect(gap).toMatchObject({ question: WORDS, reasons: { human: 1 } });
      expect(JSON.stringify(await gaps.find(gap?.gap_id ?? 0))).not.toContain("CANARY-NAME");
    });

    it("is no question for this knowledge where an administrator says so", async () => {
      await of.bot.waiting();
      await of.ann.ask({ question: WORDS });
      const gaps = createGaps({ baseUrl: instance.url, apiKey: ADMIN });
      await gaps.dismiss((await gaps.list()).gaps[0]?.gap_id ?? 0);
      expect((await of.bot.waiting()).asks).toEqual([]);
      expect(await of.ann.mine()).toMatchObject([{ state: "dismissed" }]);
      expect(await me(KEYS.ann)).toMatchObject({ untold_asks: 1 });
    });
  });
}

async function addKeys(url: string | undefined, copy: string): Promise<void> {
  const adding = Object.entries(KEYS).map(([name, key]) =>
    addKey(key, { name, role: ROLES[name as keyof typeof ROLES] }, 0),
  );
  if (url === undefined) {
    const db = new Database(copy);
    for (const steps of adding) db.transact(steps);
    db.close();
    return;
  }
  const { openStore } = await import("../index.ts");
  const store = await openStore(url);
  for (const steps of adding) await store.write(() => steps);
  await store.close();
}

asksOver("SQLite", async () => undefined);

await testWithPostgres((postgres) => {
  asksOver("PostgreSQL", () => postgres.createDatabase());
});
