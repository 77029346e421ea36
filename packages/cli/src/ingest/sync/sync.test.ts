import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterThisTest, type RecordedRequest, type Reply, startFaultServer } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { deployed, personAt } from "../../testing/deployed.ts";
import { runHere } from "../../testing/in-process.ts";
import { onOneService } from "../../testing/one-service.ts";
import { Presences } from "./presence.ts";
import { asOrdinaryUser } from "../../testing/ordinary-user.ts";

const here = onOneService();

/** Writes files whose titles say in which test they were written. */
function write(...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(here.home, name)), { recursive: true });
    writeFileSync(
      join(here.home, name),
      `# ${here.round}: ${name}\n\nThe text of ${name}, as it was written in the test.\n`,
    );
  }
}

const remove = (...names: string[]): void => {
  for (const name of names) rmSync(join(here.home, name), { recursive: true });
};

const ingest = (...args: string[]) => here.ingest(...args);
const sync = (...args: string[]) => ingest("--sync", ...args);

/** Names of the files of this test that have a document on the server. */
async function onServer(): Promise<string[]> {
  const listed = await here.documents();
  const own = `${here.round}: `;
  return listed
    .flatMap(({ semantic_id: title }) => (title?.startsWith(own) === true ? [title.slice(own.length)] : []))
    .toSorted();
}

describe("ingest --sync", () => {
  it("deletes what vanished from the folder, shown first, and nothing else", async () => {
    write("docs/a.md", "docs/b.md", "docs/inner/c.md", "other/x.md");
    expect((await ingest("docs", "other")).stderr).toContain("4 added.");
    remove("docs/b.md", "docs/inner", "other");
    write("docs/new.md");
    writeFileSync(join(here.home, "docs/a.md"), `# ${here.round}: docs/a.md\n\nOther words now.\n`);
    expect(await ingest("docs")).toMatchObject({ code: 0, stderr: expect.stringContaining("1 added, 1 updated.") });
    expect(await onServer()).toHaveLength(5);

    write("docs/newer.md");
    const dry = await sync("--dry-run", "docs");
    expect(dry).toMatchObject({ code: 0, stdout: "add newer.md\ndelete b.md\ndelete inner/c.md\n" });
    expect(dry.stderr).toContain("2 unchanged, 1 would be added, 2 would be deleted.");
    expect(await onServer()).toHaveLength(5);

    expect(await sync("docs")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("1 added, 2 unchanged, 2 deleted."),
    });
    expect(await onServer()).toEqual(["docs/a.md", "docs/new.md", "docs/newer.md", "other/x.md"]);
    // What comes back is new there.
    write("docs/b.md");
    expect((await sync("docs")).stderr).toContain("1 added, 3 unchanged.");
  });

  it("looks at the part of a collection that was pointed at, and keeps what was only left out", async () => {
    write("docs/a.md", "docs/part/b.md", "docs/part/c.md", "docs/t.tmp.md");
    await ingest("docs");
    remove("docs/a.md", "docs/part/b.md");
    expect((await sync("docs/part")).stderr).toContain("1 unchanged, 1 deleted.");
    expect(await onServer()).toEqual(["docs/a.md", "docs/part/c.md", "docs/t.tmp.md"]);
    expect((await sync("--exclude", "*.tmp.md", "docs")).stderr).toContain("1 unchanged, 1 deleted, 1 left out.");
    expect(await onServer()).toEqual(["docs/part/c.md", "docs/t.tmp.md"]);
  });

  it("counts and deletes each document once, whichever folders of its collection are pointed at", async () => {
    write("docs/one/a.md", "docs/one/b.md", "docs/two/c.md", "docs/two/d.md");
    await ingest("docs");
    remove("docs/one/b.md", "docs/two/d.md");
    const dry = await sync("--dry-run", "--max-delete", "1", "docs/one", "docs/two", "docs");
    expect(dry.stderr).toContain("2 of 4 documents are of files that vanished");
    expect(dry.stdout.trimEnd().split("\n").toSorted()).toEqual(["delete b.md", "delete d.md"]);
    const { stderr } = await sync("docs/one", "docs/two");
    expect(stderr).toContain("2 deleted.");
    expect(stderr.match(/collection docs-/g)).toHaveLength(1);
    expect(await onServer()).toEqual(["docs/one/a.md", "docs/two/c.md"]);
  });

  it("deletes what is named otherwise now: by its letters' case, or in another folder", async () => {
    write("docs/Readme.md", "docs/b.md");
    await ingest("docs");
    renameSync(join(here.home, "docs/Readme.md"), join(here.home, "docs/README.md"));
    expect((await sync("docs")).stderr).toContain("1 added, 1 unchanged, 1 deleted.");
  });

  it("leaves other pairs, other collections and other journals alone", async () => {
    write("docs/a.md", "docs/b.md", "else/y.md", "else/z.md");
    await ingest("docs", "else");
    remove("docs/b.md", "else/z.md");
    // A journal that never sent it knows of nothing to delete.
    const elsewhere = {
      home: here.home,
      env: { THREADLORE_URL: here.serving.url, THREADLORE_API_KEY: here.serving.apiKey ?? "" },
    };
    const other = await runHere(["ingest", "--pair", "1", "--no-wait", "--sync", "docs"], elsewhere);
    expect(other.stderr).not.toContain("deleted");
    expect((await sync("docs")).stderr).toContain("1 deleted.");
    expect(await onServer()).toEqual(["docs/a.md", "else/y.md", "else/z.md"]);
  });

  it("deletes nothing where more vanished than a run may delete, and says what allows it", async () => {
    const names = Array.from({ length: 14 }, (_, n) => `docs/${n}.md`);
    write("docs/kept.md", ...names);
    await ingest("docs");
    remove(...names.slice(0, 11));
    const refused = await sync("docs");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      "Nothing was deleted: 11 of 15 documents are of files that vanished, and one run deletes at most 10 unless it is told (ten, or a tenth of all). --dry-run lists them, --max-delete 11 allows it.",
    );
    const dry = await sync("--dry-run", "docs");
    expect([dry.code, dry.stdout.match(/^delete /gm)]).toEqual([2, expect.objectContaining({ length: 11 })]);
    expect((await sync("--max-delete", "3", "docs")).stderr).toContain("one run deletes at most 3. ");
    expect(await onServer()).toHaveLength(15);
    expect((await sync("--max-delete", "11", "docs")).stderr).toContain("4 unchanged, 11 deleted.");
    expect(await onServer()).toHaveLength(4);
  });

  it("deletes nothing of a folder that is empty as if its disk were not mounted, whole or in part", async () => {
    write("docs/a.md", "docs/disk/b.md", "docs/disk/deep/c.md");
    await ingest("docs");
    remove("docs/disk");
    mkdirSync(join(here.home, "docs/disk/lost+found"), { recursive: true });
    const part = await sync("docs");
    expect(part).toMatchObject({ code: 0, stderr: expect.stringContaining("2 kept though not found.") });
    expect(part.stderr).toContain(
      "kept disk/b.md: its folder is there and empty, as one is whose disk is not mounted.",
    );
    remove("docs/a.md", "docs/disk");
    const whole = await sync("docs");
    expect(whole.code).toBe(2);
    expect(whole.stderr).toContain(`Nothing was deleted: ${join(here.home, "docs")} is empty`);
    expect(await onServer()).toHaveLength(3);
    expect(await sync("--allow-empty", "docs")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("3 deleted."),
    });
    expect(await onServer()).toEqual([]);
  });

  it("refuses before anything is sent where nothing it could compare is there", async () => {
    write("docs/a.md");
    for (const path of ["gone", "docs/a.md"]) {
      expect(await sync(path)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("nothing you named is a folder"),
      });
    }
    expect(await ingest("--max-delete", "3", "docs")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("only with --sync"),
    });
    expect(await onServer()).toEqual([]);
  });

  it("keeps the documents of a folder that cannot be looked at", async () => {
    write("docs/a.md", "docs/locked/b.md", "docs/gone.md");
    await ingest("docs");
    remove("docs/gone.md");
    for (const folder of [here.home, here.data]) chmodSync(folder, 0o755);
    chmodSync(join(here.home, "docs/locked"), 0o700);
    const presence = await asOrdinaryUser(() => new Presences().of(join(here.home, "docs/locked/b.md"), here.home));
    expect(presence).toBe("unreadable");
    // No permission stops root, a link that leads nowhere does.
    remove("docs/locked");
    symlinkSync("nowhere", join(here.home, "docs/locked"));
    const run = await sync("docs");
    expect(run.stderr).toContain("kept locked/b.md: its folder cannot be looked at");
    expect(run.stderr).toContain("1 deleted, 1 kept though not found.");
    expect(await onServer()).toEqual(["docs/a.md", "docs/locked/b.md"]);
  });

  it("is done by two at once without harm", async () => {
    const names = Array.from({ length: 9 }, (_, n) => `docs/${n}.md`);
    write("docs/kept.md", ...names);
    await ingest("docs");
    remove(...names);
    const runs = await Promise.all([sync("docs"), sync("docs")]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(await onServer()).toEqual(["docs/kept.md"]);
    expect((await sync("docs")).stderr).toMatch(/^1 unchanged\.$/m);
  });

  it("tells a program each file on a line, and the whole last", async () => {
    write("docs/a.md", "docs/b.md");
    await ingest("docs");
    remove("docs/b.md");
    writeFileSync(join(here.home, "docs/photo.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
    const { code, stdout } = await sync("--json", "docs");
    const lines = stdout.trimEnd().split("\n");
    const [first, second, third, summary] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(4);
    const fields = ["type", "path", "id", "outcome", "reason", "bytes", "pair", "notes"];
    for (const line of [first, second, third]) expect(Object.keys(line ?? {})).toEqual(fields);
    expect(
      [first, second].toSorted((one, other) => String(one?.["path"]).localeCompare(String(other?.["path"]))),
    ).toEqual([
      expect.objectContaining({
        path: "a.md",
        outcome: "unchanged",
        reason: null,
        bytes: statSync(join(here.home, "docs/a.md")).size,
      }),
      expect.objectContaining({
        path: "photo.png",
        outcome: "failed",
        reason: expect.stringMatching(/./),
        bytes: null,
      }),
    ]);
    expect(third).toMatchObject({
      type: "file",
      path: "b.md",
      outcome: "deleted",
      id: expect.stringMatching(/^file_/),
    });
    expect(summary).toMatchObject({
      type: "summary",
      ok: false,
      counts: { unchanged: 1, failed: 1, deleted: 1 },
      exit_code: 9,
      error: null,
    });
    expect(code).toBe(9);
  });
});

/** A server that takes documents, and answers deletions as it is told. */
async function serverWith(deletion: (request: RecordedRequest) => Reply) {
  const server = await startFaultServer((request) => {
    if (request.method === "DELETE") return deletion(request);
    if (request.path.endsWith("/ingestion") && request.method === "POST") {
      const { document } = JSON.parse(request.text) as { document: { id: string } };
      return { json: { already_existed: false, document_id: document.id } };
    }
    return { status: 404, json: { detail: "Not Found" } };
  });
  afterThisTest(() => server.close());
  const env = { THREADLORE_URL: `${server.url}/api`, THREADLORE_API_KEY: "tl_TESTsync0000" };
  const run = (...args: string[]) =>
    runHere(["ingest", "--pair", "3", "--no-wait", "--concurrency", "1", ...args], { home: here.home, env });
  return { server, run, deletions: () => server.requests.filter(({ method }) => method === "DELETE") };
}

describe("a server", () => {
  it("without deletion: it is said once, with what can be done, and the exit code is 9", async () => {
    const { run, deletions } = await serverWith(() => ({ status: 404, json: { detail: "Not Found" } }));
    write("docs/a.md", "docs/b.md", "docs/c.md");
    await run("docs");
    remove("docs/b.md", "docs/c.md");
    const { code, stderr } = await run("--sync", "docs");
    expect(code).toBe(9);
    expect(stderr).toContain("This server has no operation to delete documents");
    expect(stderr).toContain("Whoever administers it can delete them there");
    expect(deletions()).toHaveLength(1);
  });

  it("that goes away in the middle ends the run; the next one deletes the rest", async () => {
    let isAway = true;
    const { run, deletions } = await serverWith((request) => {
      if (isAway && request.path.includes("2.md")) return { status: 401, json: { detail: "Invalid key" } };
      return { json: null };
    });
    write("docs/a.md", ...["1", "2", "3"].map((n) => `docs/${n}.md`));
    await run("docs");
    remove("docs/1.md", "docs/2.md", "docs/3.md");
    const first = await run("--sync", "docs");
    expect(first).toMatchObject({ code: 4, stderr: expect.stringContaining("1 unchanged, 1 deleted.") });
    isAway = false;
    expect(await run("--sync", "docs")).toMatchObject({ code: 0, stderr: expect.stringContaining("2 deleted.") });
    expect(deletions().map(({ path }) => /(\d)\.md/.exec(path)?.[1])).toEqual(["1", "2", "2", "3"]);
  });

  it("is asked for nothing more after Ctrl-C in the middle, and the next run goes on", async () => {
    const interrupt = new AbortController();
    const { run, server, deletions } = await serverWith((request) => {
      if (request.path.includes("1.md")) interrupt.abort(new Error("Stopped."));
      return { json: null };
    });
    write("docs/a.md", "docs/1.md", "docs/2.md");
    await run("docs");
    remove("docs/1.md", "docs/2.md");
    const env = { THREADLORE_URL: `${server.url}/api`, THREADLORE_API_KEY: "tl_TESTsync0000" };
    const args = ["ingest", "--pair", "3", "--no-wait", "--concurrency", "1", "--sync", "docs"];
    const stopped = await runHere(args, { home: here.home, env, interrupted: interrupt.signal });
    expect(stopped.stderr).toContain("Run the same command again");
    expect(deletions()).toHaveLength(1);
    expect((await run("--sync", "docs")).stderr).toContain("2 deleted.");
  });

  it("that is deployed deletes by its own ids, and keeps what another pair has from here too", async () => {
    const server = await deployed();
    const person = personAt(server);
    for (const name of ["a", "b", "c d"]) person.write(`docs/${name}.md`, `# ${name}\n\nThe text of ${name}.\n`);
    const args = ["ingest", "--collection", "notes", "--no-wait", "docs"];
    await person.run([...args, "--pair", "none"]);
    rmSync(join(person.home, "docs/c d.md"));
    expect(await person.run([...args, "--pair", "none", "--sync"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("2 unchanged, 1 deleted."),
    });
    expect([...server.documents.values()].map(({ semanticIdentifier }) => semanticIdentifier)).toEqual(["a", "b"]);
    await person.run([...args, "--pair", "1"]);
    rmSync(join(person.home, "docs/b.md"));
    const kept = await person.run([...args, "--pair", "none", "--sync"]);
    expect(kept.stderr).toContain(
      "kept b.md: it was sent to pair 1 too, and this server may delete a document from all",
    );
  });
});
