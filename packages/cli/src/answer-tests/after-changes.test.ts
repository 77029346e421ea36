import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import { temporaryFolder } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { InterruptedError } from "../exit-codes.ts";
import { runHere } from "../testing/in-process.ts";
import { byAddress, serve } from "../testing/replaced-server.ts";
import type { TestRun } from "./record.ts";

const LEAVE = "Everyone has 28 working days of annual leave a year.";
const TESTS = "- ask: How many days of annual leave does everyone have a year?\n  says: 28 working days\n";

it("asks again once something changed and it is quiet: a document, one that is gone, a file of rules; until Ctrl-C", async () => {
  const home = temporaryFolder();
  const serving = await serve(join(home, "data"));
  const server = { baseUrl: serving.url, apiKey: serving.apiKey ?? "" };
  const put = async (text: string) => {
    const sections = [{ text }];
    await createClient(server).ingest({ document: { id: "leave", semantic_identifier: "leave.md", sections } });
    await serving.listening.service.drain();
  };
  await put(LEAVE);
  writeFileSync(join(home, "q.yaml"), TESTS);
  writeFileSync(join(home, "rules.yaml"), "version: 1\n");
  const ends = new AbortController();
  let [written, notes] = ["", ""];
  const args = ["test", "q.yaml", "--after-changes", "--every", "1", "--rules", "rules.yaml", "--report", "r.json"];
  const running = runHere(args, {
    ...byAddress(home, serving),
    interrupted: ends.signal,
    onOutput: (all) => (written = all),
    onNotes: (all) => (notes = all),
  });
  const summaries = () => written.split("\n").filter((line) => /\d (?:passed|failed)/.test(line));
  const runs = async (count: number) => await expect.poll(() => summaries().length, { timeout: 20_000 }).toBe(count);
  const ok = () => (JSON.parse(readFileSync(join(home, "r.json"), "utf8")) as TestRun).ok;
  await runs(1);
  await expect.poll(() => notes).toContain("Looking for changes every 1 s");
  await put(LEAVE.replace("28", "25"));
  await runs(2);
  expect(written).toContain("because   leave.md was changed");
  await expect.poll(ok).toBe(false);
  await createDeployment(server).deleteDocument("leave", { pairId: "all" });
  await runs(3);
  expect(written).toContain("leave.md is gone");
  writeFileSync(join(home, "rules.yaml"), "version: 2\n");
  await runs(4);
  // Somebody is in the middle of editing it.
  writeFileSync(join(home, "q.yaml"), "- aks: x\n");
  await expect.poll(() => notes, { timeout: 10_000 }).toContain("is no field of a test");
  writeFileSync(join(home, "q.yaml"), TESTS);
  await put(LEAVE);
  await runs(5);
  await expect.poll(ok).toBe(true);
  ends.abort(new InterruptedError());
  expect((await running).code).toBe(130);
}, 90_000);

it("says at once of what it cannot look at", async () => {
  const home = temporaryFolder();
  const serving = await serve(join(home, "data"));
  const run = (args: readonly string[], input?: string) =>
    runHere(["test", ...args, "--after-changes"], {
      ...byAddress(home, serving),
      ...(input !== undefined && { input }),
    });
  expect(await run(["-"], TESTS)).toMatchObject({ code: 2, stderr: expect.stringContaining("must stand in a file") });
  writeFileSync(join(home, "q.yaml"), TESTS);
  expect(await run(["q.yaml", "--rules", "none.yaml"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("The file none.yaml cannot be read"),
  });
});
