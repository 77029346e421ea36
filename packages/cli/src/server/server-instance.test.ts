import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDeployment } from "@threadlore/client/deployment";
import { startFaultServer, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import type { Serving } from "../embedded/serving.ts";
import { runHere } from "../testing/in-process.ts";
import { byAddress, replaceServer, serve, write } from "../testing/replaced-server.ts";

const INGEST = ["ingest", "--pair", "1", "docs"];

describe("another database behind the same address", () => {
  it("is sent every document again, which are found", async () => {
    const { said, found } = await replaceServer(temporaryFolder(), 60);
    expect(said).toEqual([
      expect.stringContaining("60 added."),
      expect.stringContaining("60 unchanged."),
      expect.stringMatching(/other data than what was sent here before: everything is sent again\.\n60 added\./),
    ]);
    expect(found).toContain("06:40");
  });

  it("is told from one that was restored from an older backup", async () => {
    const home = temporaryFolder();
    write(join(home, "docs/a.md"), "# A\n\ntext\n");
    const data = join(home, "data");
    const first = await serve(data);
    expect(await runHere(["backup", "--data", data, "copy.db", "--json"], { home })).toMatchObject({ code: 0 });
    expect((await runHere(INGEST, byAddress(home, first))).stderr).toContain("1 added.");
    await first.close();
    for (const _time of ["once", "twice"]) {
      expect(await runHere(["restore", "--data", data, "copy.db"], { home })).toMatchObject({ code: 0 });
      const restored = await serve(data, Number(new URL(first.url).port));
      const again = await runHere(INGEST, byAddress(home, restored));
      expect(again.stderr).toContain("restored from a backup since: everything is sent again.");
      expect(again.stderr).toContain("1 added.");
      await restored.close();
    }
  });

  it("is noticed too where a backup was put back by hand", async () => {
    const home = temporaryFolder();
    write(join(home, "docs/a.md"), "# A\n\ntext\n");
    const data = join(home, "data");
    const first = await serve(data);
    await runHere(["backup", "--data", data, "copy.db"], { home });
    await runHere(INGEST, byAddress(home, first));
    await first.close();
    for (const suffix of ["-wal", "-shm"]) rmSync(join(data, `threadlore.db${suffix}`), { force: true });
    writeFileSync(join(data, "threadlore.db"), readFileSync(join(home, "copy.db")));
    const second = await serve(data, Number(new URL(first.url).port));
    expect((await runHere(INGEST, byAddress(home, second))).stderr).toContain("1 added.");
  });
});

describe("--verify", () => {
  it("sends what the journal knows and the server has not", async () => {
    const home = temporaryFolder();
    for (const name of ["a", "b", "c"]) write(join(home, `docs/${name}.md`), `# ${name}\n\ntext\n`);
    const serving = await serve(join(home, "data"));
    await runHere(INGEST, byAddress(home, serving));
    const deployment = createDeployment({ baseUrl: serving.url, apiKey: serving.apiKey });
    const [lost] = await deployment.documents({ pairId: 1 });
    await deployment.deleteDocument(lost?.document_id ?? "");
    expect((await runHere(INGEST, byAddress(home, serving))).stderr).toContain("3 unchanged.");
    expect((await runHere([...INGEST, "--verify"], byAddress(home, serving))).stderr).toContain(
      "1 added, 2 unchanged.",
    );
    expect(await deployment.documents({ pairId: 1 })).toHaveLength(3);
  });

  it("says so where the server cannot be asked, and sends nothing", async () => {
    const server = await startFaultServer(() => ({ status: 404, json: { detail: "Not Found" } }));
    const home = temporaryFolder();
    write(join(home, "docs/a.md"), "text");
    const env = { THREADLORE_URL: `${server.url}/api`, THREADLORE_API_KEY: "tl_TESTverify" };
    const run = await runHere([...INGEST, "--verify"], { home, env });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("--again sends everything") });
    expect(server.requests.some(({ method }) => method === "POST")).toBe(false);
    await server.close();
  });
});

describe("restore", () => {
  it("onto a new machine makes its folder and a key that works", async () => {
    const home = temporaryFolder();
    write(join(home, "docs/a.md"), "# A\n\nThe harbour gate opens at 06:40.\n");
    const first = await serve(join(home, "old"));
    await runHere(INGEST, byAddress(home, first));
    await runHere(["backup", "--data", join(home, "old"), "copy.db"], { home });
    const data = join(home, "not", "there", "yet");
    const restored = await runHere(["restore", "--data", data, "copy.db", "--json"], { home });
    expect(JSON.parse(restored.stdout)).toMatchObject({ ok: true, documents: 1, kept: null, made_key: true });
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, "key")).mode & 0o777).toBe(0o600);
    const serving = await serve(data);
    const asked = await runHere(["ask", "--data", data, "When does the harbour gate open?"], { home });
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining("06:40") });
    // The former owner's key is valid there too, and so is the conversation.
    const before = { home, env: { THREADLORE_URL: serving.url, THREADLORE_API_KEY: first.apiKey ?? "" } };
    expect(await runHere(["ask", "When does the harbour gate open?"], before)).toMatchObject({ code: 0 });
  });

  it("exchanges a key that is of another database, and leaves one that fits", async () => {
    const home = temporaryFolder();
    const [one, two] = [join(home, "one"), join(home, "two")];
    for (const data of [one, two]) await (await serve(data)).close();
    await runHere(["backup", "--data", one, "copy.db"], { home });
    const keys = () => [one, two].map((data) => readFileSync(join(data, "key"), "utf8"));
    const [ofOne, ofTwo] = keys();
    await runHere(["restore", "--data", one, "copy.db"], { home });
    const other = await runHere(["restore", "--data", two, "copy.db"], { home });
    expect(other.stderr).toContain(`a new one for its owner is in ${join(two, "key")}`);
    expect(keys()[0]).toBe(ofOne);
    expect(readFileSync(join(two, "key.old"), "utf8")).toBe(ofTwo);
    await serve(two);
    expect(await runHere(["doctor", "--data", two], { home })).toMatchObject({ code: 0 });
  });
});

describe("which server", () => {
  it("is the one that was named, by flag or environment, before the one logged in to; and it is said", async () => {
    const home = temporaryFolder();
    const [kept, named] = [await serve(join(home, "kept")), await serve(join(home, "named"))];
    await runHere(["login", kept.url], { home, env: { THREADLORE_API_KEY: kept.apiKey ?? "" } });
    write(join(home, "docs/a.md"), "# A\n\ntext\n");
    const data = join(home, "named");
    const documentsOf = async ({ url, apiKey }: Serving) =>
      (await createDeployment({ baseUrl: url, apiKey }).documents()).length;
    const byVariable = await runHere(INGEST, { home, env: { THREADLORE_DATA: data } });
    expect(byVariable.stderr).toMatch(
      new RegExp(`^Embedded service ${named.url}, key in .*; pair 1; collection docs-`),
    );
    const byFlag = await runHere([...INGEST, "--data", data, "--json"], { home, env: { THREADLORE_URL: kept.url } });
    expect(JSON.parse(byFlag.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      server: named.url,
      pair: 1,
      counts: { unchanged: 1 },
    });
    expect([await documentsOf(kept), await documentsOf(named)]).toEqual([0, 1]);
    const usual = await runHere(INGEST, { home });
    expect(usual.stderr).toContain(`Server ${kept.url} (logged in); pair 1`);
    expect([await documentsOf(kept), await documentsOf(named)]).toEqual([1, 1]);
  });

  it("is none where the named data has no service, or two are named", async () => {
    const home = temporaryFolder();
    const kept = await serve(join(home, "kept"));
    await runHere(["login", kept.url], { home, env: { THREADLORE_API_KEY: kept.apiKey ?? "" } });
    write(join(home, "docs/a.md"), "text");
    const idle = await runHere(INGEST, { home, env: { THREADLORE_DATA: join(home, "idle") } });
    expect(idle).toMatchObject({ code: 2, stderr: expect.stringContaining("threadlore serve --data") });
    const both = { THREADLORE_DATA: join(home, "kept"), THREADLORE_URL: kept.url };
    expect(await runHere(INGEST, { home, env: both })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("name two servers"),
    });
    expect(existsSync(join(home, ".local/state/threadlore/ingested.jsonl"))).toBe(false);
  });
});
