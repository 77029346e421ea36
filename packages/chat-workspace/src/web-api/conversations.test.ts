import { describe, expect, it } from "vitest";
import { callApi, startPlace } from "../testing/bolt.harness.ts";

interface Page {
  readonly ok: boolean;
  readonly messages: readonly { readonly text: string; readonly ts: string; readonly metadata?: unknown }[];
  readonly has_more: boolean;
  readonly response_metadata?: { readonly next_cursor: string };
}

async function filled(count: number) {
  const place = await startPlace();
  const stamps: string[] = [];
  for (let each = 0; each < count; each += 1) stamps.push(await place.ann.say(place.general.id, String(each)));
  const read = async (method: string, args: Record<string, unknown>) =>
    (await callApi(place.workspace, method, { channel: place.general.id, ...args })) as unknown as Page;
  return { ...place, stamps, read };
}

const texts = (page: Page) => page.messages.map(({ text }) => text);

describe("the history of a channel", () => {
  it("comes newest first, page by page, until there is no more", async () => {
    const { read } = await filled(5);
    const first = await read("conversations.history", { limit: 2 });
    expect([texts(first), first.has_more]).toEqual([["4", "3"], true]);
    const second = await read("conversations.history", { limit: 2, cursor: first.response_metadata?.next_cursor });
    expect([texts(second), second.has_more]).toEqual([["2", "1"], true]);
    const third = await read("conversations.history", { limit: 2, cursor: second.response_metadata?.next_cursor });
    expect([texts(third), third.has_more, third.response_metadata]).toEqual([["0"], false, undefined]);
  });

  it("has a window that counts its ends only when told to", async () => {
    const { read, stamps } = await filled(5);
    const window = { oldest: stamps[1], latest: stamps[3] };
    expect(texts(await read("conversations.history", window))).toEqual(["2"]);
    expect(texts(await read("conversations.history", { ...window, inclusive: true }))).toEqual(["3", "2", "1"]);
    const one = await read("conversations.history", { latest: stamps[3], inclusive: "true", limit: 1 });
    expect(texts(one)).toEqual(["3"]);
  });

  it("leaves out replies, deleted and ephemeral messages", async () => {
    const { workspace, ann, general, stamps, read } = await filled(3);
    await ann.say(general.id, "a reply", { threadTs: stamps[0] });
    await ann.delete(general.id, String(stamps[1]));
    await callApi(workspace, "chat.postEphemeral", { channel: general.id, user: ann.user.id, text: "psst" });
    expect(texts(await read("conversations.history", {}))).toEqual(["2", "0"]);
  });

  it("is refused where the app is not, with a word for each reason", async () => {
    const { workspace, general } = await startPlace();
    const open = workspace.addChannel({ name: "open", withApp: false });
    const hidden = workspace.addChannel({ name: "hidden", kind: "private", withApp: false });
    const error = async (args: Record<string, unknown>) =>
      (await callApi(workspace, "conversations.history", args))["error"];
    expect(await error({ channel: open.id })).toBe("not_in_channel");
    expect(await error({ channel: hidden.id })).toBe("channel_not_found");
    expect(await error({ channel: general.id, cursor: "nonsense" })).toBe("invalid_cursor");
    expect(await error({ channel: general.id, limit: 5000 })).toBe("invalid_limit");
  });
});

describe("a thread", () => {
  it("comes with its root on every page, oldest first, found by any of its messages", async () => {
    const { ann, general, stamps, read } = await filled(1);
    const [threadTs] = stamps;
    const replies: string[] = [];
    for (const word of ["a", "b", "c"]) replies.push(await ann.say(general.id, word, { threadTs }));
    const first = await read("conversations.replies", { ts: threadTs, limit: 3 });
    expect([texts(first), first.has_more]).toEqual([["0", "a", "b"], true]);
    const cursor = first.response_metadata?.next_cursor;
    expect(texts(await read("conversations.replies", { ts: threadTs, limit: 3, cursor }))).toEqual(["0", "c"]);
    expect(texts(await read("conversations.replies", { ts: replies[1] }))).toEqual(["0", "a", "b", "c"]);
    expect(texts(await read("conversations.replies", { ts: threadTs, oldest: replies[1] }))).toEqual(["0", "c"]);
    expect(await read("conversations.replies", { ts: "1.000000" })).toMatchObject({ error: "thread_not_found" });
  });

  it("shows metadata only to who asks for it", async () => {
    const { workspace, general, read } = await filled(0);
    const metadata = { event_type: "answered", event_payload: { session: "s1" } };
    const { ts } = await callApi(workspace, "chat.postMessage", { channel: general.id, text: "x", metadata });
    expect((await read("conversations.replies", { ts })).messages[0]).not.toHaveProperty("metadata");
    const asked = await read("conversations.replies", { ts, include_all_metadata: true });
    expect(asked.messages[0]?.metadata).toEqual(metadata);
  });

  it("keeps its replies when the root is deleted", async () => {
    const { ann, general, stamps, read } = await filled(1);
    await ann.say(general.id, "reply", { threadTs: stamps[0] });
    await ann.delete(general.id, String(stamps[0]));
    expect((await read("conversations.replies", { ts: stamps[0] })).messages).toMatchObject([
      { subtype: "tombstone" },
      { text: "reply" },
    ]);
  });
});

describe("channels and accounts", () => {
  it("are listed page by page, private ones only to members", async () => {
    const { workspace } = await startPlace();
    workspace.addChannel({ name: "second" });
    workspace.addChannel({ name: "hidden", kind: "private", withApp: false });
    workspace.addChannel({ name: "inside", kind: "private" });
    const types = "public_channel,private_channel";
    const first = await callApi(workspace, "conversations.list", { types, limit: 2 });
    expect(first["channels"]).toMatchObject([{ name: "general", is_member: true }, { name: "second" }]);
    const { next_cursor: cursor } = first["response_metadata"] as { next_cursor: string };
    const second = await callApi(workspace, "conversations.list", { types, limit: 2, cursor });
    expect(second).toMatchObject({
      channels: [{ name: "inside", is_private: true }],
      response_metadata: { next_cursor: "" },
    });
  });

  it("tell who is a member, and let the app join a public one", async () => {
    const { workspace, ann } = await startPlace();
    const open = workspace.addChannel({ name: "open", withApp: false });
    expect(await callApi(workspace, "conversations.members", { channel: open.id })).toMatchObject({
      members: [ann.user.id],
    });
    expect(await callApi(workspace, "conversations.join", { channel: open.id })).toMatchObject({ ok: true });
    expect(workspace.channel(open.id).members).toContain(workspace.app.botUserId);
    expect(await callApi(workspace, "conversations.join", { channel: open.id })).toMatchObject({
      warning: "already_in_channel",
    });
    workspace.archive(open.id);
    expect(await callApi(workspace, "conversations.join", { channel: open.id })).toMatchObject({
      error: "is_archived",
    });
  });

  it("open the one direct conversation with a person", async () => {
    const { workspace, ann } = await startPlace();
    const opened = await callApi(workspace, "conversations.open", { users: ann.user.id });
    expect(opened).toMatchObject({ ok: true, channel: { id: workspace.dmOf(ann.user.id).id } });
    expect(await callApi(workspace, "conversations.open", { users: "U404" })).toMatchObject({
      error: "user_not_found",
    });
    const info = await callApi(workspace, "conversations.info", { channel: workspace.dmOf(ann.user.id).id });
    expect(info).toMatchObject({ channel: { is_im: true, user: ann.user.id } });
  });

  it("say which companies a channel is shared with, and who is a stranger or a guest", async () => {
    const { workspace, general } = await startPlace();
    workspace.share(general.id, "pending");
    const info = () => callApi(workspace, "conversations.info", { channel: general.id });
    expect(await info()).toMatchObject({ channel: { is_ext_shared: false, is_pending_ext_shared: true } });
    workspace.share(general.id, "yes");
    expect(await info()).toMatchObject({ channel: { is_ext_shared: true, is_pending_ext_shared: false } });
    const sam = workspace.addUser({ name: "sam", kind: "stranger" });
    const stranger = await callApi(workspace, "users.info", { user: sam.user.id });
    expect(stranger).toMatchObject({ user: { is_stranger: true } });
    expect(sam.user.teamId).not.toBe(workspace.team.id);
    const gil = workspace.addUser({ name: "gil", kind: "single_channel_guest" });
    const guest = { is_restricted: true, is_ultra_restricted: true };
    expect(await callApi(workspace, "users.info", { user: gil.user.id })).toMatchObject({ user: guest });
  });

  it("show an address of mail only with the scope, and are found by it", async () => {
    const { workspace, ann } = await startPlace();
    const email = "ANN@harbour.example";
    expect(await callApi(workspace, "users.lookupByEmail", { email })).toMatchObject({ user: { id: ann.user.id } });
    const { workspace: other, ann: sameAnn } = await startPlace({ app: { scopes: ["users:read"] } });
    const { user } = await callApi(other, "users.info", { user: sameAnn.user.id });
    expect(user).toMatchObject({
      real_name: "Ann Lee",
      profile: expect.not.objectContaining({ email: expect.anything() }),
    });
  });

  it("list where an account is", async () => {
    const { workspace, ann, general } = await startPlace();
    workspace.addChannel({ name: "without", members: [ann.user.id], withApp: false });
    const mine = await callApi(workspace, "users.conversations");
    expect(mine["channels"]).toMatchObject([{ id: general.id }]);
    const hers = await callApi(workspace, "users.conversations", { user: ann.user.id });
    expect(hers["channels"]).toMatchObject([{ id: general.id }, { name: "without" }]);
  });
});
