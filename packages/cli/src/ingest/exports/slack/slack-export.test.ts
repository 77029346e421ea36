import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { zipOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { onOneService } from "../../../testing/one-service.ts";

const here = onOneService();
/** Each test has a workspace of its own: the ids of one would be those of the other. */
const team = () => `T00${here.round}`;

const users = () => [
  { id: "U1", team_id: team(), name: "ada", profile: { display_name: "Ada Berg", email: "ada@harbour.example" } },
  { id: "U2", team_id: team(), name: "li", profile: { display_name: "", real_name: "李雷" } },
  { id: "U3", team_id: team(), name: "omar", profile: { real_name: "عمر الحسن" } },
  { id: "U9", team_id: "T9ELSE", name: "guest", profile: {} },
];
const channels = [
  { id: "C1", name: "general" },
  { id: "C2", name: "港口" },
];

/** 2026-05-01T08:00:00Z and so many minutes. */
const at = (minutes: number, part = "000100") => `${1_777_622_400 + minutes * 60}.${part}`;
const DAY = 24 * 60;
const said = (minutes: number, user: string, text: string, more: object = {}) => ({
  type: "message",
  ts: at(minutes),
  user,
  text,
  ...more,
});

type Files = Record<string, unknown>;
const jsonFiles = (files: Files): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ "users.json": users(), "channels.json": channels, ...files }).map(([path, content]) => [
      path,
      typeof content === "string" ? content : JSON.stringify(content),
    ]),
  );

function asZip(name: string, files: Files): string {
  writeFileSync(join(here.home, name), zipOf(jsonFiles(files)));
  return name;
}

function asFolder(name: string, files: Files): string {
  for (const [path, content] of Object.entries(jsonFiles(files))) {
    mkdirSync(dirname(join(here.home, name, path)), { recursive: true });
    writeFileSync(join(here.home, name, path), content);
  }
  return name;
}

const ingest = (...args: string[]) => here.ingest("--export", "slack", ...args);

/** The documents of this test's workspace, by id. */
async function onServer(): Promise<Map<string, string>> {
  const listed = await here.documents();
  return new Map(
    listed.flatMap(({ document_id: id = "", semantic_id: title }) =>
      id.startsWith(`slack-${team()}-`) ? [[id.slice(`slack-${team()}-`.length), title ?? ""] as const] : [],
    ),
  );
}

const thread = () => [
  said(0, "U1", "When does the *sluice* open, <@U2>?", { thread_ts: at(0), reply_count: 2, team: team() }),
  said(5, "U2", "At nine. See <#C2>", { thread_ts: at(0) }),
];
const workspace = () => ({
  "general/2026-05-01.json": [
    ...thread(),
    said(10, "U3", "مرحبا، الميناء مغلق اليوم"),
    { ...said(11, "U9", "<@U9> has joined the channel"), subtype: "channel_join" },
    said(12, "U1", "Mind the tide ⚓"),
  ],
  "general/2026-05-02.json": [said(DAY, "U1", "Thanks!", { thread_ts: at(0) })],
  "港口/2026-05-02.json": [said(DAY + 3, "U2", "船费是四百元", { files: [{ id: "F1", name: "价目表.pdf" }] })],
});

describe("an export of Slack", () => {
  it("becomes a document for each thread, over days, and for what else was said on a day", async () => {
    const file = asZip("export.zip", workspace());
    const run = await ingest("--link-base", "https://acme.slack.com/", file);
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("3 added.") });
    expect(run.stderr).toContain(`Slack ${team()}: 2 channels, 3 days of messages.`);
    expect(await onServer()).toEqual(
      new Map([
        ["C1-2026-05-01", "#general, 2026-05-01"],
        [`C1-${at(0)}`, "When does the sluice open, @李雷?"],
        ["C2-2026-05-02", "#港口, 2026-05-02"],
      ]),
    );
    // The folder it was unpacked to is the same, and so is a second run.
    const again = await ingest("--link-base", "https://acme.slack.com", asFolder("unpacked/acme export", workspace()));
    expect(again.stderr).toContain("3 unchanged.");
  });

  it("that is larger brings the same documents up to date, and none twice", async () => {
    await ingest(asZip("may.zip", workspace()));
    const files = workspace();
    // What was alone on its day has replies by now.
    const root = { ...said(DAY + 3, "U2", "船费是四百元"), thread_ts: at(DAY + 3), reply_count: 1 };
    const later = asZip("june.zip", {
      ...files,
      "港口/2026-05-02.json": [root],
      "港口/2026-06-01.json": [said(31 * DAY, "U1", "五百元", { thread_ts: at(DAY + 3) })],
    });
    expect((await ingest("--json", later)).stdout).toContain('"created":1,"updated":1,"unchanged":2');
    expect(await onServer()).toEqual(
      new Map([
        ["C1-2026-05-01", "#general, 2026-05-01"],
        [`C1-${at(0)}`, "When does the sluice open, @李雷?"],
        ["C2-2026-05-02", "#港口, 2026-05-02"],
        [`C2-${at(DAY + 3)}`, "船费是四百元"],
      ]),
    );
    expect((await ingest(later)).stderr).toContain("4 unchanged.");
  });

  it("of later months only keeps the beginning of a thread that was sent whole, and says how to send all", async () => {
    const may = asZip("may.zip", workspace());
    await ingest(may);
    const june = asZip("june.zip", {
      "general/2026-06-01.json": [said(31 * DAY, "U3", "And tomorrow?", { thread_ts: at(0) })],
    });
    const run = await ingest(june);
    expect(run.stderr).toContain("the thread began before this export, and was sent from another one");
    expect(run.stderr).toContain("1 not taken.");
    expect((await ingest(may, june)).stderr).toContain("1 updated, 2 unchanged.");
  });

  it("whose thread began before it says so in the document", async () => {
    const file = asZip("june.zip", {
      "general/2026-06-01.json": [said(31 * DAY, "U3", "And tomorrow?", { thread_ts: at(0) })],
    });
    expect((await ingest(file)).stderr).toContain("1 added.");
    expect(await onServer()).toEqual(new Map([[`C1-${at(0)}`, "And tomorrow?"]]));
  });

  it("sends public channels only, unless it is told, and then says who will see the others", async () => {
    const file = asZip("all.zip", {
      ...workspace(),
      "groups.json": [{ id: "G1", name: "board" }],
      "dms.json": [{ id: "D1", members: ["U1", "U3"] }],
      "mpims.json": [{ id: "G2", name: "mpdm-ada--li-1" }],
      "channels.json": [...channels, { id: "C3", name: "hidden", is_private: true }],
      "board/2026-05-01.json": [said(0, "U1", "Secret of the board")],
      "hidden/2026-05-01.json": [said(0, "U1", "Secret of the hidden")],
      "D1/2026-05-01.json": [said(0, "U1", "Secret of two")],
      "mpdm-ada--li-1/2026-05-01.json": [said(0, "U1", "Secret of three")],
      "nobody-knows/2026-05-01.json": [said(0, "U1", "Secret of nobody")],
    });
    const run = await ingest(file);
    expect(run.stderr).toContain("3 added.");
    expect(run.stderr).toContain(
      "left out 2 private channels, 1 group conversation, 1 direct conversation: only public channels are sent.",
    );
    expect(run.stderr).toContain("left out 1 folder of messages that no list of the export names");
    const told = await ingest("--include-private", file);
    expect(told.stderr).toContain("4 added, 3 unchanged.");
    expect(told.stderr).toContain("Everybody who may read this pair sees what is said there.");
    // What was sent is not forgotten by leaving it out the next time.
    const after = await ingest(file);
    expect(after.stderr).toContain("4 documents of conversations that are not for everybody (now) can be found");
    expect((await onServer()).get("D1-2026-05-01")).toBe("Ada Berg, عمر الحسن, 2026-05-01");
  });

  it("goes by the ids of channels, whatever they were called, and by the strictest that is said of them", async () => {
    const may = asZip("may.zip", {
      "channels.json": [
        { id: "C1", name: "general" },
        { id: "C5", name: "plans" },
      ],
      "general/2026-05-01.json": [said(0, "U1", "Of the old general")],
      "plans/2026-05-01.json": [said(0, "U1", "A plan")],
    });
    const june = asZip("june.zip", {
      "channels.json": [
        { id: "C1", name: "everybody" },
        { id: "C9", name: "general" },
      ],
      "groups.json": [{ id: "C5", name: "secret-plans" }],
      "everybody/2026-05-01.json": [said(0, "U1", "Of the old general"), said(1, "U2", "And this")],
      "general/2026-05-01.json": [said(0, "U3", "Of the new general")],
      "secret-plans/2026-05-01.json": [said(0, "U1", "A plan")],
    });
    const run = await ingest(may, june);
    expect(run.stderr).toContain("2 added.");
    expect(run.stderr).toContain("left out 1 private channel");
    expect(await onServer()).toEqual(
      new Map([
        ["C1-2026-05-01", "#everybody, 2026-05-01"],
        ["C9-2026-05-01", "#general, 2026-05-01"],
      ]),
    );
  });

  it("is chosen from by the names shown, and changes nothing in a dry run", async () => {
    const file = asZip("export.zip", workspace());
    const run = await ingest("--dry-run", "--exclude", "港口/", file);
    expect(run).toMatchObject({
      code: 0,
      stdout: `add general/2026-05-01\nadd general/2026-05-01/${at(0)}\n`,
    });
    expect(run.stderr).toContain("2 would be added, 1 left out.");
    expect(await onServer()).toEqual(new Map());
  });

  it("goes on past a day that cannot be read, and names it", async () => {
    const file = asZip("export.zip", {
      ...workspace(),
      "general/2026-05-03.json": "[{",
      "general/2026-05-04.json": "{}",
    });
    const run = await ingest(file);
    expect(run).toMatchObject({ code: 9, stderr: expect.stringContaining("3 added, 2 not sent.") });
    expect(run.stderr).toContain("general/2026-05-03: it is not the JSON that Slack writes");
  });

  it("is refused in words where it is none, or is not asked for what it can do", async () => {
    writeFileSync(join(here.home, "other.zip"), zipOf({ "a.txt": "a" }));
    writeFileSync(join(here.home, "text.zip"), zipOf({ "channels/general/2026.txt": "a" }));
    writeFileSync(join(here.home, "cut.zip"), zipOf(jsonFiles(workspace())).subarray(0, 900));
    for (const [args, words] of [
      [["other.zip"], "other.zip is no export of Slack: it has no channels.json."],
      [["text.zip"], "Export it in the format JSON."],
      [["cut.zip"], "cut.zip is no whole ZIP archive"],
      [["gone.zip"], "gone.zip: there is no such file or folder."],
      [["--link-base", "acme.slack.com", asZip("export.zip", workspace())], "--link-base takes the web address"],
      [["-"], "With --export only exports are named"],
      [["--title", "x", "other.zip"], "--title means nothing with --export"],
      [["--exclude", "", "other.zip"], "A pattern of --include or --exclude is empty."],
    ] as const) {
      expect(await ingest(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    }
  });
});
