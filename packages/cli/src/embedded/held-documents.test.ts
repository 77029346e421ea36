import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Database } from "@threadlore/service";
import { expect, it } from "vitest";
import { startEmbedded } from "../testing/embedded-service.ts";
import { newHome, runCli } from "../testing/spawn-cli.ts";

it("documents no pair shows are named at each start, and listed with what to do whenever it is asked", async () => {
  const home = newHome();
  const folder = join(home.folder, "data");
  mkdirSync(folder, { mode: 0o700 });
  const db = new Database(join(folder, "threadlore.db"));
  db.run("INSERT INTO pairs VALUES (2, 'HR', 1, 1, 'private')");
  db.run(
    `INSERT INTO documents (id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
     VALUES ('index.md', 1, 'Start page', '', 'file', '[]', '{}', 0, 'indexed')`,
  );
  db.run("INSERT INTO held_pairs SELECT number, pairs.id FROM documents, pairs");
  db.close();

  const service = await startEmbedded(home, ["--data", folder]);
  await expect.poll(service.said).toContain("Held back: 1 document (index.md).");
  expect(service.said()).toMatch(/threadlore pair held.*Ingest each again under every\s+one of its pairs/s);
  const told = await runCli(["pair", "held", "--data", folder], { home });
  expect(told.stdout).toMatch(/index\.md +1,2 +Start page/);
  expect(told.stderr).toContain("threadlore ingest --pair NUMBER");
  await service.stop();

  const listed = JSON.parse((await runCli(["pair", "held", "--json", "--data", folder], { home })).stdout) as unknown;
  const pairs = [
    { id: 1, name: "Default" },
    { id: 2, name: "HR" },
  ];
  expect(listed).toEqual({ ok: true, entries: [{ id: "index.md", semanticIdentifier: "Start page", pairs }] });
  const none = newHome();
  const other = await startEmbedded(none);
  expect((await runCli(["pair", "held"], { home: none })).stderr).toContain("No document is held back.");
  expect(other.said()).not.toContain("Held back");
  await other.stop();
});
