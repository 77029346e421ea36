import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { repositoryRoot, runnableSections } from "@threadlore/testkit";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Home, newHome, runShell } from "../testing/spawn-cli.ts";
import { rateLimit } from "./serve-settings.ts";
import { type Serving, startServing } from "./serving.ts";

const page = runnableSections(readFileSync(join(repositoryRoot, "docs/backup.md"), "utf8"));
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Runs the commands under one heading of the page, as they stand there. */
async function follow(heading: string, home: Home, env: Record<string, string> = {}): Promise<string> {
  const { commands = "" } = page.find((one) => one.heading === heading) ?? {};
  expect(commands, heading).not.toBe("");
  const { code, stdout, stderr } = await runShell(`set -euo pipefail\n${commands}`, { home, env });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return stdout + stderr;
}

/** Two questions an hour for each person, so that what was used is seen. */
const settings = { rateLimits: rateLimit("user=2/3600") };

async function start(folder: string, databaseUrl?: string): Promise<Serving> {
  const serving = await startServing({ folder, port: 0, databaseUrl, settings, log: () => undefined });
  cleanups.push(serving.close);
  return serving;
}

const PUMP = "The pump runs at forty bar.";
const LATER = "The valve was replaced in autumn.";

const clientOf = ({ url }: Serving, apiKey: string) => createClient({ baseUrl: url, apiKey });
const document = (id: string, text: string) => ({ document: { id, semantic_identifier: id, sections: [{ text }] } });

/** Titles of what is found, in their order. */
async function found(serving: Serving, key: string, message: string): Promise<string[]> {
  const reply = await clientOf(serving, key).sendMessage({ message });
  return (reply.top_documents ?? []).map((one) => one.semantic_identifier);
}

/** What this address says to a key, as text. */
async function told({ url }: Serving, key: string, path: string): Promise<string> {
  const reply = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  expect(reply.status).toBe(200);
  return reply.text();
}

/** A key of somebody, by the commands an administrator has. */
async function keyOf(name: string, home: Home, env: Record<string, string>): Promise<string> {
  const { stdout } = await runShell(`threadlore key add ${name} --role editor`, { home, env });
  return stdout.trim();
}

await testWithPostgres((postgres) => {
  describe("docs/backup.md, of PostgreSQL", () => {
    it(
      "brings documents, keys, conversations and used budgets back, in place and elsewhere, to instances that answer alike",
      { timeout: 240_000 },
      async () => {
        const home = newHome();
        const url = await postgres.createDatabase();
        const env = { DATABASE_URL: url };
        const folders = [join(home.folder, "one"), join(home.folder, "two")] as const;
        const before = await start(folders[0], url);
        const [ann, bob] = [await keyOf("ann", home, env), await keyOf("bob", home, env)];
        for (let n = 0; n < 12; n++)
          await clientOf(before, ann).ingest(document(`pump-${n}`, `${PUMP} It is pump ${n}.`));
        await before.listening.service.drain();
        const asked = await found(before, bob, "How many bar does the pump run at?");
        expect(asked.length).toBeGreaterThan(0);

        await follow("PostgreSQL: back up", home, env);

        await clientOf(before, ann).ingest(document("later", LATER));
        const late = await keyOf("late", home, env);
        await runShell("threadlore key revoke 2", { home, env });
        await before.close();
        const said = await follow("PostgreSQL: restore", home, env);
        expect(said).toContain("The data has another epoch");

        const elsewhere = await postgres.createDatabase();
        await follow("PostgreSQL: restore", home, { DATABASE_URL: elsewhere });
        for (const database of [url, elsewhere]) {
          const instances = [await start(folders[0], database), await start(folders[1], database)];
          const [first, second] = instances as [Serving, Serving];
          for (const one of instances) {
            await vi.waitFor(
              async () => expect(await told(one, ann, "/service-api/ingestion")).not.toContain("later"),
              { timeout: 20_000 },
            );
            await one.listening.service.drain();
          }
          // The one question bob asked is counted still: he has one more, through either.
          expect(await found(second, bob, "How many bar does the pump run at?")).toEqual(asked);
          await expect(found(first, bob, "How many bar does the pump run at?")).rejects.toMatchObject({ status: 429 });
          expect(await found(first, ann, "How many bar does the pump run at?")).toEqual(asked);
          await expect(found(first, late, "Who?")).rejects.toMatchObject({ status: 401 });
          expect(await told(second, bob, "/chat/get-user-chat-sessions")).toMatch(/"id":"[0-9a-f-]{36}"/);
          for (const one of instances) await one.close();
        }
      },
    );
  });
});

describe("docs/backup.md, of the file", () => {
  it("brings it all back, and keeps beside it what was there", { timeout: 120_000 }, async () => {
    const home = newHome();
    const env = { THREADLORE_DATA: join(home.folder, "data") };
    const before = await start(env.THREADLORE_DATA);
    const ann = await keyOf("ann", home, env);
    await clientOf(before, ann).ingest(document("pump", PUMP));
    await before.listening.service.drain();
    const asked = await found(before, ann, "How many bar does the pump run at?");

    expect(await follow("The file: back up", home, env)).toContain("Copied 1 documents");

    await clientOf(before, ann).ingest(document("later", LATER));
    await before.close();
    expect(await follow("The file: restore", home, env)).toContain("is kept as");
    const after = await start(env.THREADLORE_DATA);
    await after.listening.service.drain();
    expect(await found(after, ann, "How many bar does the pump run at?")).toEqual(asked);
    const note = join(home.folder, "note.md");
    writeFileSync(note, LATER);
    expect((await runShell(`threadlore ingest --pair none ${note}`, { home, env })).code).toBe(0);
  });
});
