import { mkdtempSync, rmSync } from "node:fs";
import { createServer, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, describe, expect, it } from "vitest";
import { type Client, Connections } from "./connections.ts";
import { reasonOf } from "./trouble.ts";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

await testWithPostgres((server) => {
  describe("connections to PostgreSQL", () => {
    it("write once what was committed when the answer was lost, and once what was not", async () => {
      const url = await server.createDatabase();
      const cut = await cutting(url);
      const connections = open(cut.url);
      await connections.once((client) => client.query("CREATE TABLE public.written (word TEXT)"));
      const write = (word: string): Promise<string> =>
        connections.transaction(async (client) => {
          await client.query("INSERT INTO public.written VALUES ($1)", [word]);
          return word;
        });
      // The same, where the last statement and the end go together.
      const writeAtOnce = (word: string): Promise<string> =>
        connections.transaction(async (client) => {
          await client.query("INSERT INTO public.written VALUES ($1)", [`${word}, begun`]);
          await client.last("INSERT INTO public.written VALUES ($1)", [word]);
          return word;
        });
      for (const [name, how] of [
        ["by itself", write],
        ["together", writeAtOnce],
      ] as const) {
        cut.at = "the answer to COMMIT";
        expect(await how(`committed ${name}`)).toBe(`committed ${name}`);
        cut.at = "COMMIT itself";
        expect(await how(`not arrived ${name}`)).toBe(`not arrived ${name}`);
      }
      expect(cut.cuts).toBe(4);
      await expect(
        connections.transaction(async (client) => {
          await client.query("INSERT INTO public.written VALUES ($1)", ["undone"]);
          await client.last("INSERT INTO public.nowhere VALUES ($1)", ["undone"]);
        }),
      ).rejects.toThrow("nowhere");
      const { rows } = await connections.once((client) =>
        client.query<{ word: string }>("SELECT word FROM public.written"),
      );
      const words = ["committed by itself", "not arrived by itself", "committed together", "not arrived together"];
      const begun = words.slice(2).map((word) => `${word}, begun`);
      expect(rows.map(({ word }) => word).toSorted()).toEqual([...words, ...begun].toSorted());
    });

    it("do again what another transaction was in the way of, and pass on every other refusal", async () => {
      const connections = open(await server.createDatabase());
      await connections.once((client) => client.query("CREATE TABLE public.held (id INT, n INT)"));
      await connections.once((client) => client.query("INSERT INTO public.held VALUES (1, 0), (2, 0)"));
      const addTo = (first: number, second: number): Promise<unknown> =>
        connections.transaction(async (client) => {
          await client.query("UPDATE public.held SET n = n + 1 WHERE id = $1", [first]);
          await new Promise((resolve) => setTimeout(resolve, 200));
          await client.query("UPDATE public.held SET n = n + 1 WHERE id = $1", [second]);
        });
      // Each holds what the other waits for: the server ends one of them.
      await Promise.all([addTo(1, 2), addTo(2, 1)]);
      const { rows } = await connections.once((client) => client.query("SELECT n FROM public.held"));
      expect(rows).toEqual([{ n: 2 }, { n: 2 }]);
      await expect(connections.transaction((client) => client.query("SELECT nothing"))).rejects.toThrow(/nothing/);
    });

    it("get what a process holds that is paused within a transaction, before their own wait is over", async () => {
      const url = await server.createDatabase();
      const [paused, waiting] = [open(url), open(url)];
      const lock = (client: Client) => client.query("SELECT pg_advisory_xact_lock(4711)");
      const { promise: held, resolve: hold } = Promise.withResolvers<void>();
      const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
      let tries = 0;
      const holding = paused.transaction(async (client) => {
        await lock(client);
        hold();
        if (++tries === 1) await woken;
      });
      await held;
      const begun = performance.now();
      await waiting.transaction(lock);
      expect(performance.now() - begun).toBeLessThan(9_000);
      wake();
      // It was undone, and is done again.
      await holding;
      expect(tries).toBe(2);
    }, 20_000);

    it("change tables for as long as that takes, though nobody waits so long for an answer", async () => {
      const connections = open(await server.createDatabase());
      const change = "SET LOCAL statement_timeout = '1min'; SELECT pg_sleep(16); CREATE TABLE public.changed (a INT)";
      await connections.transaction((client) => client.script(change, 60_000));
      const { rows } = await connections.once((client) => client.query("SELECT * FROM public.changed"));
      expect(rows).toEqual([]);
    }, 60_000);

    it("wait for each other's connections, and plan anew what an update of the tables changed", async () => {
      const url = await server.createDatabase();
      const connections = new Connections({ url, application: "test", schema: "public", most: 2 });
      cleanups.push(() => connections.close());
      await connections.once((client) =>
        client.query("CREATE TABLE public.grown (a INT); INSERT INTO public.grown VALUES (1)"),
      );
      const read = () => connections.once((client) => client.query("SELECT * FROM public.grown WHERE a = $1", [1]));
      const all = await Promise.all(Array.from({ length: 40 }, () => read()));
      expect(all.every(({ rows }) => rows.length === 1)).toBe(true);
      await connections.once((client) => client.query("ALTER TABLE public.grown ADD COLUMN b INT DEFAULT 2"));
      for (let at = 0; at < 4; at++) expect((await read()).rows).toEqual([{ a: 1, b: 2 }]);
    });

    it("ask over one what is asked in the same moment, and answer each for itself", async () => {
      const connections = open(await server.createDatabase());
      const asked = await Promise.allSettled(
        [0, 1, 2, 3].map((at) =>
          connections.ask("SELECT pg_backend_pid() AS process, 6 / (2 - $1::int) AS part", [at]),
        ),
      );
      const rows = asked.map((one) => (one.status === "rejected" ? String(one.reason) : one.value.rows[0]));
      const { process } = rows[0] as { process: number };
      expect(rows).toEqual([
        { process, part: 3 },
        { process, part: 6 },
        "error: division by zero",
        { process, part: -6 },
      ]);
    });

    it("say in plain words what keeps them from a server, without the password", async () => {
      const closed = "postgres://ann:hush@127.0.0.1:1/threadlore";
      const error: unknown = await open(closed)
        .once((client) => client.query("SELECT 1"))
        .catch((cause: unknown) => cause);
      const reason = reasonOf(error, closed, "the service", "DATABASE_URL");
      expect(reason).toMatch(
        /^The PostgreSQL server at 127\.0\.0\.1:1\/threadlore cannot be reached .* is DATABASE_URL right\?$/,
      );
      expect(reason).not.toContain("hush");
    });
  });
});

function open(url: string): Connections {
  const connections = new Connections({ url, application: "test", schema: "public" });
  cleanups.push(() => connections.close());
  return connections;
}

/** A way to the server that is cut once at a moment of a transaction's end. */
async function cutting(url: string) {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-cut-"));
  const real = join(new URL(url).searchParams.get("host") ?? "", ".s.PGSQL.5432");
  const cut = {
    url: url.replace(/host=.*/, `host=${folder}`),
    at: undefined as "COMMIT itself" | "the answer to COMMIT" | undefined,
    cuts: 0,
  };
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(real);
    let isCutAtAnswer = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => (near.destroy(), far.destroy()));
    }
    near.on("data", (bytes) => {
      if (cut.at !== undefined && bytes.includes("COMMIT")) {
        cut.cuts++;
        isCutAtAnswer = cut.at === "the answer to COMMIT";
        cut.at = undefined;
        if (!isCutAtAnswer) return near.destroy();
      }
      far.write(bytes);
    });
    far.on("data", (bytes) => (isCutAtAnswer ? near.destroy() : near.write(bytes)));
  });
  await new Promise<void>((resolve) => void proxy.listen(join(folder, ".s.PGSQL.5432"), resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return cut;
}
