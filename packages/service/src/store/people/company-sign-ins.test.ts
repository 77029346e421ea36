import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { PostgresStore } from "../postgres/postgres-store.ts";
import { Database } from "../sqlite/database.ts";
import { SqliteStore } from "../sqlite/sqlite-store.ts";
import { all, run, value } from "../steps.ts";
import type { Store } from "../store.ts";
import { keepPending, takePending } from "./company-sign-ins.ts";

const MINUTE = 60_000;

function pendingContract(engine: string, open: () => Promise<Store>): void {
  describe(`a sign-in that was begun, in ${engine}`, () => {
    const pending = (state: string) => ({
      issuer: "https://login.example.com",
      redirectUri: "https://knowledge.example.com/sign-in/callback",
      state,
      nonce: "nonce-canary",
      verifier: "verifier-canary",
      begunAt: 0,
    });

    it("is ended once, by the browser that began it, within ten minutes", async () => {
      const store = await open();
      const begin = (state: string) =>
        store.write(() => keepPending({ pending: pending(state), browser: "mine", next: "/people/me?a=ü" }, 0));
      await begin("one");
      await begin("two");
      const take = (state: string, browser: string, now: number) => store.write(() => takePending(state, browser, now));
      // Another's browser, and nobody's state: neither takes it from whoever it belongs to.
      expect(await take("one", "theirs", 1)).toBeUndefined();
      expect(await take("other", "mine", 1)).toBeUndefined();
      expect(await take("one", "mine", 9 * MINUTE)).toEqual({ pending: pending("one"), next: "/people/me?a=ü" });
      expect(await take("one", "mine", 9 * MINUTE)).toBeUndefined();
      expect(await take("two", "mine", 10 * MINUTE)).toBeUndefined();
      // What finds it, and whose it is, is not told by the database.
      await begin("three");
      expect(
        JSON.stringify(await store.read(all("SELECT state_hash, browser_hash FROM company_sign_ins"))),
      ).not.toMatch(/three|mine/);
    });

    it("of two instances that take it at once one has it", async () => {
      const store = await open();
      await store.write(() => keepPending({ pending: pending("one"), browser: "mine", next: "/" }, 0));
      const taken = await Promise.all(
        Array.from({ length: 8 }, () => store.write(() => takePending("one", "mine", 1))),
      );
      expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
    });

    it("leaves by itself, and when there are ten thousand others", async () => {
      const store = await open();
      const count = () => store.read(value<number>("SELECT count(*) FROM company_sign_ins"));
      const numbers = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => String(index)));
      await store.write(() =>
        run(
          `INSERT INTO company_sign_ins (state_hash, browser_hash, pending, next, expires_at)
           SELECT value, '', '{}', '/', CAST(value AS BIGINT) + ${MINUTE} FROM json_each(?)`,
          numbers,
        ),
      );
      const begin = (state: string, now: number) =>
        store.write(() => keepPending({ pending: pending(state), browser: "mine", next: "/" }, now));
      await begin("one", 0);
      await begin("two", 1);
      expect(await count()).toBe(10_000);
      expect(await store.write(() => takePending("one", "mine", 2))).toBeDefined();
      await begin("three", 2 * MINUTE);
      expect(await count()).toBe(2);
    });
  });
}

pendingContract("SQLite", async () => {
  const db = new Database(":memory:");
  afterThisTest(() => db.close());
  return new SqliteStore(db);
});

await testWithPostgres((postgres) => {
  pendingContract("PostgreSQL", async () => {
    const store = await PostgresStore.open(await postgres.createDatabase());
    afterThisTest(() => store.close());
    return store;
  });
});
