import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runIn } from "../testing/in-process.ts";
import { newHome } from "../testing/spawn-cli.ts";
import { startServing } from "./serving.ts";

await testWithPostgres((postgres) => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  /** A person's home, with a database that may be named in it. */
  async function newPlace() {
    const home = newHome();
    const url = await postgres.createDatabase();
    const folder = join(home.folder, ".local/share/threadlore");
    const serve = async (databaseUrl?: string) => {
      const serving = await startServing({ folder, port: 0, databaseUrl, log: () => undefined });
      cleanups.push(serving.close);
      return serving;
    };
    const run = (args: string[], env: Record<string, string> = { DATABASE_URL: url }) => runIn(home, args, { env });
    return { home, url, folder, serve, run };
  }

  describe("the embedded service's commands, with DATABASE_URL", () => {
    it("move its data there, and go on with the same keys, documents and record of what was sent", async () => {
      const { home, url, folder, serve, run } = await newPlace();
      const file = join(home.folder, "pump.md");
      writeFileSync(file, "The pump runs at forty bar.");
      const before = await serve();
      expect(await run(["ingest", "--pair", "none", file], {})).toMatchObject({ code: 0 });
      await before.close();
      const moved = await run(["migrate", "--json"]);
      expect(JSON.parse(moved.stdout)).toMatchObject({ ok: true });
      expect(moved.code).toBe(0);
      const after = await serve(url);
      expect(existsSync(join(folder, "copy.db"))).toBe(true);
      await vi.waitFor(
        async () => {
          const answer = await run(["ask", "How many bar does the pump run at?"]);
          expect(answer.stdout).toContain("forty bar");
        },
        { timeout: 10_000 },
      );
      expect((await run(["ingest", "--pair", "none", file])).stderr).toContain("1 unchanged");
      expect((await run(["key", "add", "ann"])).stdout).toMatch(/^tl_/);
      expect((await run(["key", "list"])).stdout).toMatch(/owner[\s\S]*ann/);
      const doctor = await run(["doctor", "--data", folder]);
      expect(doctor.stdout).toMatch(/database: PostgreSQL at .* answers, with 1 documents/);
      await after.close();
      // What was sent since a backup is sent again.
      expect(await run(["restored"])).toMatchObject({ code: 0 });
      await serve(url);
      expect((await run(["ingest", "--pair", "none", file])).stderr).not.toContain("unchanged");
    });

    it("say what else copies it, what keeps it away, and what the variable must be", async () => {
      const { serve, run } = await newPlace();
      const refused = await run(["backup", "copy.db"]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("pg_dump --format=custom") });
      expect((await run(["restore", "copy.db"])).stderr).toContain("`threadlore restored`");
      expect((await run(["restored"], {})).stderr).toContain("DATABASE_URL names no PostgreSQL database");
      expect((await run(["migrate"])).stderr).toContain("There is no database at");
      expect((await run(["migrate"], {})).stderr).toContain("Set DATABASE_URL to the database to move to");
      const away = await run(["key", "list"], { DATABASE_URL: "postgres://ann:hush@127.0.0.1:1/x" });
      expect(away.stderr).toContain("The PostgreSQL server at 127.0.0.1:1/x cannot be reached");
      expect(away.stderr).not.toContain("hush");
      expect((await run(["key", "list"], { DATABASE_URL: "mysql://x" })).stderr).toContain(
        "must begin with postgres://",
      );
      // The bot's file is none of the service's.
      await (await serve()).close();
      expect(await run(["key", "list"], { DATABASE_URL: "sqlite:bot.db" })).toMatchObject({ code: 0 });
    });

    it("names the database where a folder has only a copy of it", async () => {
      const { url, serve, run } = await newPlace();
      await (await serve(url)).close();
      expect((await run(["key", "list"], {})).stderr).toContain("Set DATABASE_URL as it has it");
    });
  });
});
