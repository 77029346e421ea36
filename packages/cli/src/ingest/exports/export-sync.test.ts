import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pdfOf, zipOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { onOneService } from "../../testing/one-service.ts";

const here = onOneService();

type Files = Readonly<Record<string, unknown>>;
const written = (files: Files): Record<string, string | Uint8Array> =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content),
    ]),
  );

function asZip(files: Files, name = "export.zip"): string {
  writeFileSync(join(here.home, name), zipOf(written(files)));
  return name;
}

function asFolder(files: Files): string {
  rmSync(join(here.home, "unpacked"), { recursive: true, force: true });
  for (const [path, content] of Object.entries(written(files))) {
    mkdirSync(dirname(join(here.home, "unpacked", path)), { recursive: true });
    writeFileSync(join(here.home, "unpacked", path), content);
  }
  return "unpacked";
}

const ingest = (...args: string[]) => here.ingest("--export", ...args);

/** Ids on the server that begin like this, without that. */
async function onServer(prefix: string): Promise<string[]> {
  const listed = await here.documents();
  return listed
    .flatMap(({ document_id: id = "" }) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []))
    .toSorted();
}

/** The same files without some. */
const without = (files: Files, ...paths: readonly string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path)));

describe("ingest --export slack --sync", () => {
  const team = () => `T0SYNC${here.round}`;
  const users = (of = team()) => [{ id: "U1", team_id: of, name: "ada", profile: { real_name: "Ada" } }];
  const channels = [
    { id: "C1", name: "general" },
    { id: "C2", name: "港口" },
  ];
  const said = (day: number, text: string, more: object = {}) => ({
    type: "message",
    ts: `${1_777_622_400 + (day - 1) * 86_400}.000100`,
    user: "U1",
    text,
    ...more,
  });
  const thread = (day: number) => said(day, `Thread of ${day}`, { thread_ts: said(day, "").ts });
  /** 2026-05-01 to 2026-05-09: a day of messages each, a thread on the fourth. */
  const may = (more: Files = {}): Files => ({
    "users.json": users(),
    "channels.json": channels,
    ...Object.fromEntries(
      [1, 2, 3, 5, 6, 9].map((day) => [`general/2026-05-0${day}.json`, [said(day, `Said on ${day}`)]]),
    ),
    "general/2026-05-04.json": [thread(4)],
    "港口/2026-05-05.json": [said(5, "船期")],
    ...more,
  });
  const has = () => onServer(`slack-${team()}-`);
  const day = (channel: string, n: number) => `${channel}-2026-05-0${n}`;
  const all = () => [...[1, 2, 3, 5, 6, 9].map((n) => day("C1", n)), `C1-${said(4, "").ts}`, day("C2", 5)].toSorted();

  it("deletes threads and days that are gone, and follows a channel that was renamed", async () => {
    await ingest("slack", asZip(may()));
    expect(await has()).toEqual(all());
    const later = {
      ...without(may(), "general/2026-05-03.json", "general/2026-05-04.json", "港口/2026-05-05.json"),
      "channels.json": [{ id: "C1", name: "général" }, channels[1]],
    };
    const renamed = Object.fromEntries(
      Object.entries(later).map(([path, content]) => [path.replace("general/", "général/"), content]),
    );
    const dry = await ingest("slack", "--sync", "--dry-run", asZip(renamed));
    expect(
      dry.stdout
        .trimEnd()
        .split("\n")
        .filter((line) => line.startsWith("delete"))
        .toSorted(),
    ).toEqual(["delete general/2026-05-03", `delete general/2026-05-04/${said(4, "").ts}`, "delete 港口/2026-05-05"]);
    expect(await has()).toEqual(all());
    const run = await ingest("slack", "--sync", asFolder(renamed));
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("3 deleted.") });
    expect(await has()).toEqual([1, 2, 5, 6, 9].map((n) => day("C1", n)));
    // Left out is not gone.
    expect((await ingest("slack", "--sync", "--exclude", "général/", asFolder(renamed))).stderr).toContain(
      "5 left out.",
    );
    expect(await has()).toHaveLength(5);
  });

  it("leaves alone the days an export does not go over, also between two of them", async () => {
    await ingest("slack", asZip(may()));
    const only = (...days: readonly number[]): Files => ({
      "users.json": users(),
      "channels.json": channels,
      ...Object.fromEntries(days.map((n) => [`general/2026-05-0${n}.json`, [said(n, `Said on ${n}`)]])),
    });
    const early = asZip(only(1, 2), "early.zip");
    const run = await ingest("slack", "--sync", early, asZip(only(6, 9), "late.zip"));
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("4 unchanged.") });
    expect(run.stderr).toContain("4 documents of other days than this export has");
    // One that goes over all of them has lost what is between: a thread of its last day may be of the next one elsewhere.
    const whole = await ingest("slack", "--sync", asZip(only(1, 2, 3, 6, 9)));
    expect(whole.stderr).toContain("3 deleted.");
    expect(await has()).toEqual([1, 2, 3, 6, 9].map((n) => day("C1", n)));
  });

  it("never takes another workspace's export for this one, whatever both are called", async () => {
    const ours = asZip(may(), "ours.zip");
    const theirs = asZip(without({ ...may(), "users.json": users("T0ELSE") }, "general/2026-05-03.json"), "theirs.zip");
    const named = ["--collection", `acme${here.round}`];
    for (const more of [[], named]) {
      await ingest("slack", ...more, ours);
      expect((await ingest("slack", ...more, "--sync", theirs)).stderr).not.toContain("deleted");
    }
    expect(await has()).toEqual(all());
    expect(await onServer(`slack-acme${here.round}-`)).toEqual(all());
    const teamless = asZip({ ...may(), "users.json": [] }, "teamless.zip");
    const unclear = await ingest("slack", "--sync", teamless);
    expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining("does not tell the workspace's id") });
  });

  it("deletes nothing where the export could not be read whole, or looks like one of something else", async () => {
    await ingest("slack", asZip(may()));
    const less = without(may(), "general/2026-05-03.json");
    for (const broken of ["general/2026-05-05.json", "港口/2026-05-05.json"]) {
      const run = await ingest("slack", "--sync", asFolder({ ...less, [broken]: "[{" }));
      expect(run).toMatchObject({ code: 9, stderr: expect.stringContaining("Nothing was deleted: 1 day of messages") });
    }
    const unlisted = await ingest("slack", "--sync", asFolder({ ...less, "channels.json": [channels[0]] }));
    expect(unlisted).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("1 folder of messages belong to no conversation the export lists"),
    });
    const cut = zipOf(written(less)).subarray(0, 700);
    writeFileSync(join(here.home, "cut.zip"), cut);
    expect((await ingest("slack", "--sync", "cut.zip")).code).toBe(2);
    const whole = Buffer.from(zipOf(written(less)));
    // A byte of what is packed, and not of the directory.
    const at = whole.indexOf("2026-05-05.json") + 20;
    whole[at] = (whole[at] ?? 0) ^ 0xff;
    writeFileSync(join(here.home, "bent.zip"), whole);
    const bent = await ingest("slack", "--sync", "bent.zip");
    expect([bent.code, bent.stderr.includes("Nothing was deleted")]).toEqual([9, true]);
    const other = {
      "users.json": users(),
      "channels.json": [{ id: "C7", name: "elsewhere" }],
      "elsewhere/2026-05-01.json": [said(1, "Hello")],
      "elsewhere/2026-05-09.json": [said(9, "Hello")],
    };
    expect(await ingest("slack", "--sync", asZip(other))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nothing of the 8 documents that were sent before is in this export"),
    });
    expect(await has()).toEqual(all());
    expect((await ingest("slack", "--sync", "--allow-empty", asZip(other))).stderr).toContain("8 deleted.");
  });

  it("deletes nothing where most channels are missing, as in an export of single ones", async () => {
    const three = may({
      "channels.json": [...channels, { id: "C3", name: "third" }],
      "third/2026-05-05.json": [said(5, "Of the third")],
    });
    await ingest("slack", asZip(three));
    const single = without({ ...may(), "channels.json": [channels[0]] }, "港口/2026-05-05.json");
    expect(await ingest("slack", "--sync", asZip(single))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "2 of 3 channels are not in this export. One of single channels looks like that.",
      ),
    });
    expect(await has()).toHaveLength(9);
    expect((await ingest("slack", "--sync", "--allow-empty", asZip(single))).stderr).toContain("2 deleted.");
  });

  it("keeps conversations that are left out since they are not for everybody", async () => {
    const open = may({ "港口/2026-05-06.json": [said(6, "船期")] });
    await ingest("slack", asZip(open));
    const closed = { ...open, "channels.json": [channels[0]], "groups.json": [channels[1]] };
    const run = await ingest("slack", "--sync", asZip(closed));
    expect(run.stderr).toContain("2 documents of conversations that are not for everybody (now) can be found");
    expect(run.stderr).not.toContain("deleted.");
    expect(await has()).toHaveLength(9);
  });
});

describe("ingest --export confluence --sync", () => {
  const page = (title: string) =>
    `<title>Docks : ${title}</title><h1 id="title-text">Docks : ${title}</h1><div id="main-content"><p>${title} of the docks.</p></div>`;
  const space = (key: string, ...numbers: readonly number[]): Files => ({
    "index.html": `<table><tr><th>Key</th><td>${key}</td></tr></table>${numbers.map((n) => `<a href="Page_1000${n}.html">P</a>`).join("")}`,
    ...Object.fromEntries(numbers.map((n) => [`Page_1000${n}.html`, page(`Page ${n}`)])),
  });
  const key = () => `SYNC${here.round}`;
  const has = () => onServer(`confluence-${key()}-`);

  it("deletes pages and attached files that are gone, and follows those that were renamed", async () => {
    const files = { ...space(key(), 1, 2, 3), "attachments/10001/500.pdf": pdfOf([["A tariff."]]) };
    await ingest("confluence", asZip(files));
    expect(await has()).toEqual(["10001", "10001-500.pdf", "10002", "10003"]);
    const later = { ...space(key(), 1, 3), "10003.html": page("船期") };
    const run = await ingest("confluence", "--sync", asFolder(without(later, "Page_10003.html")));
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("1 updated, 1 unchanged, 2 deleted.") });
    expect(await has()).toEqual(["10001", "10003"]);
  });

  it("deletes nothing of another space, nor where pages are missing that the export lists or files are damaged", async () => {
    await ingest("confluence", asZip(space(key(), 1, 2, 3)));
    expect((await ingest("confluence", "--sync", asZip(space("ELSE", 1)))).stderr).not.toContain("deleted");
    // Called as ours by a person, it is told apart by what it says of itself.
    const misnamed = await ingest("confluence", "--sync", "--collection", key(), asZip(space("ELSE", 1)));
    expect(misnamed.stderr).not.toContain("deleted");
    const broken = await ingest("confluence", "--sync", asFolder(without(space(key(), 1, 2, 3), "Page_10002.html")));
    expect(broken).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("index.html lists 1 page that the export"),
    });
    const others = await ingest("confluence", "--sync", asFolder(space(key(), 8)));
    expect(others).toMatchObject({ code: 2, stderr: expect.stringContaining("One of another place") });
    expect(await has()).toEqual(["10001", "10002", "10003"]);
  });
});

describe("ingest --export notion --sync", () => {
  const ids = (n: number) => `${here.round}f${n}`.padStart(32, "b");
  const files = (...numbers: readonly number[]): Files =>
    Object.fromEntries(numbers.map((n) => [`夜班/Page ${n} ${ids(n)}.md`, `# Page ${n}\n\nText of ${n}.\n`]));
  const has = async () => (await onServer("notion-")).filter((id) => [1, 2, 3, 4].some((n) => id === ids(n)));

  it("compares what was sent under one name, which has to be said, and follows pages that moved", async () => {
    await ingest("notion", asZip(files(1, 2, 3)));
    const unnamed = await ingest("notion", "--sync", asZip(files(1, 2)));
    expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining("Give it a name with --collection") });
    const named = ["notion", "--collection", `wiki${here.round}`, "--sync"];
    // What was sent without the name belongs to it from now on, and is not sent once more.
    expect((await ingest(...named, asZip(files(1, 2, 3)))).stderr).toContain("3 unchanged.");
    const moved = { ...files(1), [`港口/Page 2 ${ids(2)}.md`]: "# Page 2\n\nText of 2.\n" };
    const run = await ingest(...named, asZip(moved));
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("1 deleted.") });
    expect(run.stderr).not.toContain("added");
    expect(await has()).toEqual([ids(1), ids(2)]);
    const other = await ingest(...named, asZip(files(4)));
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nothing of the 2 documents that were sent before"),
    });
    // Everything in it is looked at, whatever is taken of it.
    expect((await ingest(...named, "--include", "港口/", asZip(moved))).stderr).toContain("1 unchanged, 1 left out.");
    expect(await has()).toEqual([ids(1), ids(2)]);
  });
});
