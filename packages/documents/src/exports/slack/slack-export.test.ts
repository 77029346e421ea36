import { describe, expect, it } from "vitest";
import { ConversationPlan, type ExportedGroup, messagesIn } from "./conversation-plan.ts";
import { slackDirectory } from "./directory.ts";
import { emptiedGroup, groupDocument, groupId, type GroupPlace } from "./group-document.ts";

/** Days in their order, each a list of messages as the export has them. */
function groupsOf(...days: readonly object[][]): ExportedGroup[] {
  const read = days.map((day) => messagesIn(structuredClone(day)));
  const plan = new ConversationPlan();
  for (const day of read) plan.note(day);
  return read.flatMap((day, index) => [...plan.take(index, `2026-05-0${index + 1}`, day)]);
}

const at = (n: number): string => `17776224${String(n).padStart(2, "0")}.000100`;
const said = (n: number, text: string, more: object = {}) => ({
  type: "message",
  ts: at(n),
  user: "U1",
  text,
  ...more,
});

const shown = (groups: readonly ExportedGroup[]) =>
  groups.map(({ kind, key, messages }) => [kind, key, messages.map(({ words }) => words).join(" ")]);

describe("the messages of a conversation", () => {
  it("are sorted into threads, given out on their last day, and days", () => {
    const groups = groupsOf(
      [said(1, "root", { thread_ts: at(1) }), said(2, "alone"), said(3, "old root")],
      [said(12, "second", { thread_ts: at(1) }), said(11, "first", { thread_ts: at(1) })],
      [said(20, "late", { thread_ts: at(3) }), said(21, "before this export", { thread_ts: at(0) })],
    );
    expect(shown(groups)).toEqual([
      ["day", "2026-05-01", "alone"],
      ["day", "2026-05-02", ""],
      ["thread", at(1), "root first second"],
      ["day", "2026-05-03", ""],
      ["thread", at(3), "old root late"],
      ["thread", at(0), "before this export"],
    ]);
  });

  it("are there once, as they were edited last", () => {
    const edited = { edited: { ts: at(9) } };
    const [group] = groupsOf([said(1, "now", edited), said(1, "before"), said(2, "x"), said(2, "x")]);
    expect(group?.messages.map(({ words }) => words)).toEqual(["now", "x"]);
  });

  it("of any other shape are passed over, and no name in them is taken for a time", () => {
    expect(() => messagesIn({})).toThrow("no list");
    const groups = groupsOf([
      {},
      said(1, "a", { thread_ts: "9".repeat(40) }),
      said(2, "b", { thread_ts: "__proto__" }),
      { ...said(3, "c"), ts: "soon" },
    ]);
    expect(shown(groups)).toEqual([["day", "2026-05-01", "a b"]]);
    expect(shown(groupsOf([said(1, "a", { thread_ts: at(1), user: 7, files: "x", attachments: [null] })]))).toEqual([
      ["day", "2026-05-01", ""],
      ["thread", at(1), "a"],
    ]);
  });
});

describe("who and what an export names", () => {
  it("is told by its lists, the workspace by most of its people", () => {
    const { team, conversations, person } = slackDirectory({
      users: [
        { id: "U1", team_id: "T01", name: "ada", profile: { display_name: "  ", real_name: "Ada 🌊" } },
        { id: "U2", team_id: "T01", name: "bo" },
        { id: "U3", team_id: "T02" },
        { id: "U4", team_id: "../x" },
        "nobody",
      ],
      channels: [{ id: "C1", name: "運河" }, { name: "without id" }, { id: "C2", name: "x", is_private: true }],
      dms: [{ id: "D1", members: ["U2", "U9"] }],
      mpims: "no list",
    });
    expect(team).toBe("T01");
    expect([person("U1"), person("U2"), person("U3"), person("U9")]).toEqual([
      { name: "Ada 🌊" },
      { name: "bo" },
      { name: "U3" },
      undefined,
    ]);
    expect(conversations.map(({ id, name, kind, folder }) => [id, name, kind, folder])).toEqual([
      ["C1", "運河", "public", "運河"],
      ["C2", "x", "private", "x"],
      ["D1", "bo, U9", "direct", "D1"],
    ]);
    expect(slackDirectory({}).team).toBeUndefined();
  });
});

describe("a conversation that a list of channels has", () => {
  it.each([
    { id: "C2", name: "x", is_private: true },
    { id: "G1", name: "x", is_group: true },
    { id: "G2", name: "mpdm-a--b", is_mpim: true },
    { id: "D1", is_im: true },
    { id: "D2" },
    { id: "G3", name: "old-board" },
  ])("is none of everybody's where it says so: %j", (listed) => {
    const [one] = slackDirectory({ channels: [listed] }).conversations;
    expect(one?.kind).toBe("private");
  });
});

describe("the document of a thread or a day", () => {
  const directory = slackDirectory({
    users: [{ id: "U1", team_id: "T1", profile: { real_name: "Ada Berg", email: "ada@harbour.example" } }],
    channels: [{ id: "C1", name: "ops" }],
  });
  const [conversation] = directory.conversations;
  if (conversation === undefined) throw new Error("no channel");
  const place: GroupPlace = { team: "T1", conversation, directory, workspace: "https://acme.slack.com" };
  const documentOf = async (group: ExportedGroup | undefined) => group && (await groupDocument(group, place))?.document;

  it("has what people said, with names, quotes and files named, and no notices", async () => {
    const quoted = { is_share: true, author_name: "Bo", text: "*Old* rule" };
    const [, thread] = groupsOf([
      said(1, "Hi <@U1>, <https://x.example|see>", { thread_ts: at(1), edited: { ts: at(5) } }),
      said(2, "", {
        thread_ts: at(1),
        attachments: [quoted],
        files: [{ name: "plan.pdf" }],
        user: "U7",
        user_profile: { real_name: "李" },
      }),
      said(3, "<@U1> has joined", { thread_ts: at(1), subtype: "channel_join" }),
      said(4, "Deployed", { thread_ts: at(1), user: undefined, subtype: "bot_message", username: "ci" }),
      { ...said(5, "This message was deleted.", { thread_ts: at(1) }), subtype: "tombstone" },
    ]);
    const document = await documentOf(thread);
    expect(document).toMatchObject({
      id: `slack-T1-C1-${at(1)}`,
      semantic_identifier: "Hi @Ada Berg, see",
      metadata: { channel: "ops", channel_id: "C1", team: "T1", visibility: "public channel", messages: "3" },
      primary_owners: [
        { display_name: "Ada Berg", email: "ada@harbour.example" },
        { display_name: "李" },
        { display_name: "ci" },
      ],
      secondary_owners: [],
    });
    expect(document?.sections).toEqual([
      {
        link: `https://acme.slack.com/archives/C1/p${at(1).replace(".", "")}`,
        text: [
          "Ada Berg, 2026-05-01 08:00 UTC (edited):\nHi @Ada Berg, [see](https://x.example)",
          "李, 2026-05-01 08:00 UTC:\n> Forwarded message from Bo:\n> **Old** rule\n\n[Attached, not read: plan.pdf]",
          "ci, 2026-05-01 08:00 UTC:\nDeployed",
        ].join("\n\n"),
      },
    ]);
  });

  it("has nothing of what our own bot wrote, under whichever of its names", async () => {
    const [day] = groupsOf([
      said(1, "Where is the tariff?"),
      said(2, "In the handbook [1].", { bot_id: "B1", bot_profile: { name: "threadlore" } }),
      said(3, "On page 3.", { bot_id: "B1", user: "U8", user_profile: { real_name: "Threadlore" } }),
      said(4, "Deployed", { bot_id: "B2", username: "ci" }),
      said(5, "I am called so too.", { user: "U9", user_profile: { real_name: "Threadlore" } }),
    ]);
    const document = day && (await groupDocument(day, { ...place, ownApp: "Threadlore" }))?.document;
    expect(document?.metadata).toMatchObject({ messages: "3" });
    expect(document?.sections[0]?.text).not.toMatch(/handbook|page 3/);
  });

  it("says that its beginning is missing, but not where that was deleted", async () => {
    const [, headless] = groupsOf([said(2, "Yes.", { thread_ts: at(1) })]);
    expect((await documentOf(headless))?.sections[0]?.text).toMatch(/^\[This thread began earlier;/);
    const [, beheaded] = groupsOf([
      { ...said(1, "This message was deleted.", { thread_ts: at(1) }), subtype: "tombstone" },
      said(2, "Yes.", { thread_ts: at(1) }),
    ]);
    expect((await documentOf(beheaded))?.sections[0]?.text).toBe("Ada Berg, 2026-05-01 08:00 UTC:\nYes.");
  });

  it("is none where nobody said anything, and one that says so where there was one", async () => {
    const [day] = groupsOf([said(1, "joined", { subtype: "channel_join" })]);
    expect(day && (await groupDocument(day, place))).toBeUndefined();
    const emptied = day && emptiedGroup(day, place).document;
    expect(emptied).toMatchObject({ id: day && groupId(day, place), semantic_identifier: "#ops, 2026-05-01" });
  });
});
