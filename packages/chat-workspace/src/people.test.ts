import { describe, expect, it } from "vitest";
import { boltApp, callApi, connect, startPlace, type Place } from "./testing/bolt.harness.ts";
import type { WorkspaceOptions } from "./index.ts";

/** A place whose app keeps every event it hears. */
async function listening(options: WorkspaceOptions = {}): Promise<
  Place & {
    events: Record<string, unknown>[];
    bodies: Record<string, unknown>[];
    heard: (type: string) => Promise<unknown>;
  }
> {
  const place = await startPlace(options);
  const app = boltApp(place.workspace);
  const events: Record<string, unknown>[] = [];
  const bodies: Record<string, unknown>[] = [];
  app.use(async ({ body, next }) => {
    if ("event" in body) {
      events.push({ ...body.event });
      bodies.push({ ...body });
    }
    await next();
  });
  await connect(app, place.workspace);
  const heard = (type: string) =>
    place.workspace.until(() => events.find((event) => event["type"] === type || event["subtype"] === type));
  return { ...place, events, bodies, heard };
}

describe("what people do is told as Slack tells it", () => {
  it("an edit and a deletion, with what stood before", async () => {
    const { ann, general, heard } = await listening();
    const ts = await ann.say(general.id, "first");
    await ann.edit(general.id, ts, "second");
    await ann.delete(general.id, ts);
    expect(await heard("message_changed")).toMatchObject({
      type: "message",
      channel: general.id,
      channel_type: "channel",
      hidden: true,
      message: { ts, text: "second", edited: { user: ann.user.id } },
      previous_message: { ts, text: "first" },
    });
    expect(await heard("message_deleted")).toMatchObject({ deleted_ts: ts, previous_message: { text: "second" } });
  });

  it("a direct message, where a mention is none", async () => {
    const { workspace, ann, events, bodies, heard } = await listening();
    await ann.dm(`<@${workspace.app.botUserId}> hello`);
    expect(await heard("message")).toMatchObject({ channel_type: "im", channel: workspace.dmOf(ann.user.id).id });
    await ann.openMessages();
    await heard("app_home_opened");
    expect(events.map(({ type }) => type)).toEqual(["message", "app_home_opened"]);
    expect(bodies[0]).toMatchObject({
      team_id: workspace.team.id,
      api_app_id: workspace.app.appId,
      is_ext_shared_channel: false,
      authorizations: [{ user_id: workspace.app.botUserId, is_bot: true }],
    });
  });

  it("coming and going, of the app too", async () => {
    const { workspace, ann, events, heard } = await listening();
    const away = workspace.addChannel({ name: "away", members: [], withApp: false });
    await ann.join(away.id);
    workspace.inviteApp(away.id, ann.user.id);
    expect(await heard("member_joined_channel")).toMatchObject({ user: workspace.app.botUserId, inviter: ann.user.id });
    await ann.leave(away.id);
    expect(await heard("member_left_channel")).toMatchObject({ user: ann.user.id, channel: away.id });
    workspace.removeApp(away.id);
    expect(await heard("channel_left")).toMatchObject({ channel: away.id });
    await ann.say(away.id, "unheard");
    workspace.archive(workspace.addChannel({ name: "old" }).id);
    await heard("channel_archive");
    expect(events.some(({ text }) => text === "unheard")).toBe(false);
  });

  it("a channel that is shared with another company, and what strangers say there", async () => {
    const { workspace, general, bodies, heard } = await listening();
    workspace.share(general.id, "yes");
    expect(await heard("channel_shared")).toMatchObject({ channel: general.id });
    const sam = workspace.addUser({ name: "sam", kind: "stranger" });
    await sam.say(general.id, "hello from outside");
    expect(await heard("message")).toMatchObject({
      team: sam.user.teamId,
      user_team: sam.user.teamId,
      user: sam.user.id,
    });
    expect(bodies.at(-1)).toMatchObject({ is_ext_shared_channel: true, team_id: workspace.team.id });
    workspace.share(general.id, "no");
    expect(await heard("channel_unshared")).toMatchObject({ channel: general.id });
  });

  it("a channel that is renamed, made private and made public again, by its same id", async () => {
    const { workspace, ann, general, heard, events } = await listening();
    workspace.rename(general.id, "harbour");
    expect(await heard("channel_rename")).toMatchObject({ channel: { id: general.id, name: "harbour" } });
    expect(await heard("channel_name")).toMatchObject({ channel: general.id, channel_type: "channel" });
    workspace.convert(general.id, "private");
    expect(await heard("channel_convert_to_private")).toMatchObject({ channel: general.id, channel_type: "group" });
    expect(workspace.channel(general.id)).toMatchObject({ id: general.id, name: "harbour", kind: "private" });
    await ann.say(general.id, "hidden by now");
    await workspace.until(() =>
      events.some(({ text, channel_type: type }) => text === "hidden by now" && type === "group"),
    );
    workspace.rename(general.id, "quay");
    expect(await heard("group_rename")).toMatchObject({ channel: { id: general.id, name: "quay" } });
    workspace.convert(general.id, "public");
    expect(await heard("channel_convert_to_public")).toMatchObject({ channel_type: "channel" });
  });

  it("the end of the installation", async () => {
    const { workspace, ann, general, events, heard } = await listening();
    workspace.faults.uninstall();
    await heard("app_uninstalled");
    await heard("tokens_revoked");
    const before = events.length;
    await ann.say(general.id, "nobody hears");
    expect(events).toHaveLength(before);
  });
});

describe("the agent's session in a thread", () => {
  it("shows its status and title, and is stopped and renamed by people", async () => {
    const { workspace, ann, heard } = await listening();
    const { id: channel_id } = workspace.dmOf(ann.user.id);
    const thread_ts = await ann.dm("a long question");
    await expect(ann.stop(channel_id, thread_ts)).rejects.toThrow("There is no Stop button");
    const args = { channel_id, thread_ts };
    await callApi(workspace, "agents.sessions.setStatus", { ...args, status: "processing", title: "Kettles" });
    expect(workspace.session(channel_id, thread_ts)).toEqual({ status: "processing", words: "", title: "Kettles" });
    await ann.stop(channel_id, thread_ts);
    expect(await heard("agent_session_stopped")).toMatchObject({ channel: channel_id, user: ann.user.id, thread_ts });
    expect(workspace.session(channel_id, thread_ts)?.status).toBe("processing");
    await callApi(workspace, "agents.sessions.setStatus", { ...args, status: "active" });
    await ann.renameSession(channel_id, thread_ts, "Teapots");
    expect(await heard("agent_session_title_changed")).toMatchObject({ title: "Teapots", previous_title: "Kettles" });
    expect(workspace.session(channel_id, thread_ts)).toEqual({ status: "active", words: "", title: "Teapots" });
  });

  it("names the streamed messages that were stopped, which take no more", async () => {
    const { workspace, ann, general, heard } = await listening();
    const thread_ts = await ann.mention(general.id, "tell me");
    const started = await callApi(workspace, "chat.startStream", {
      channel: general.id,
      thread_ts,
      recipient_user_id: ann.user.id,
      recipient_team_id: workspace.team.id,
      markdown_text: "Well",
    });
    await ann.stop(general.id, thread_ts);
    expect(await heard("agent_session_stopped")).toMatchObject({ streaming_message_ts: [started["ts"]] });
    const more = { channel: general.id, ts: started["ts"], markdown_text: ", then" };
    expect(await callApi(workspace, "chat.appendStream", more)).toMatchObject({ error: "stopped_by_user" });
  });

  it("has no Stop button when the app does not listen to it, and says so", async () => {
    const { workspace, ann } = await listening({ app: { events: ["message.im"] } });
    const { id: channel_id } = workspace.dmOf(ann.user.id);
    const thread_ts = await ann.dm("question");
    const args = { channel_id, thread_ts, status: "processing" };
    expect(await callApi(workspace, "agents.sessions.setStatus", args)).toMatchObject({
      warning: "missing_agent_session_stopped_event_subscription",
    });
    await expect(ann.stop(channel_id, thread_ts)).rejects.toThrow("not subscribed to agent_session_stopped");
  });

  it("has a status line that lasts two minutes, and prompts", async () => {
    let now = Date.now();
    const { workspace, ann } = await startPlace({ now: () => now });
    const { id: channel_id } = workspace.dmOf(ann.user.id);
    const thread_ts = await ann.dm("question");
    await callApi(workspace, "assistant.threads.setStatus", { channel_id, thread_ts, status: "is reading…" });
    expect(workspace.session(channel_id, thread_ts)).toMatchObject({ status: "processing", words: "is reading…" });
    now += 121_000;
    expect(workspace.session(channel_id, thread_ts)).toMatchObject({ status: "active", words: "" });
    const prompts = [{ title: "Kettle", message: "Where is the kettle?" }];
    await callApi(workspace, "assistant.threads.setSuggestedPrompts", { channel_id, prompts });
    expect(workspace.prompts(channel_id)).toEqual(prompts);
  });
});

describe("what people may not do", () => {
  it("is said in plain words", async () => {
    const { workspace, ann, general } = await startPlace();
    const bob = workspace.addUser({ name: "bob", realName: "Bob Roe" });
    const ts = await ann.say(general.id, "mine");
    await expect(bob.edit(general.id, ts, "his")).rejects.toThrow("Only its author");
    await expect(ann.unpin(general.id, ts)).rejects.toThrow("not pinned");
    await expect(ann.say("C404", "x")).rejects.toThrow("There is no channel C404.");
    const closed = workspace.addChannel({ name: "closed", kind: "private", members: [ann.user.id] });
    await expect(bob.say(closed.id, "x")).rejects.toThrow("Bob Roe is not in #closed.");
    workspace.deactivate(bob.user.id);
    await expect(bob.say(general.id, "x")).rejects.toThrow("The account of Bob Roe is deactivated.");
    expect(await callApi(workspace, "users.info", { user: bob.user.id })).toMatchObject({ user: { deleted: true } });
    workspace.archive(general.id);
    await expect(ann.say(general.id, "x")).rejects.toThrow("#general is archived");
    await expect(ann.submit("V1", {})).rejects.toThrow("The modal V1 is not open.");
    const waiting = workspace.until(() => undefined, 50);
    await expect(waiting).rejects.toThrow(/Waited 50 ms in vain/);
  });
});
