import { describe, expect, it } from "vitest";
import { boltApp, callApi, connect, startPlace } from "../testing/bolt.harness.ts";

describe("pins", () => {
  it("are told with a copy of the message and its address, in a thread too", async () => {
    const { workspace, ann, general } = await startPlace();
    const app = boltApp(workspace);
    const events: Record<string, unknown>[] = [];
    app.event("pin_added", async ({ event }) => void events.push({ ...event }));
    app.event("pin_removed", async ({ event }) => void events.push({ ...event }));
    await connect(app, workspace);
    const root = await ann.say(general.id, "The kettle is in the attic");
    const reply = await ann.say(general.id, "third step", { threadTs: root });
    await ann.pin(general.id, reply);
    await ann.unpin(general.id, reply);
    await workspace.until(() => events.length === 2);
    const permalink = `${workspace.url}archives/${general.id}/p${reply.replace(".", "")}?thread_ts=${root}&cid=${general.id}`;
    expect(events[0]).toMatchObject({
      type: "pin_added",
      user: ann.user.id,
      channel_id: general.id,
      item_user: ann.user.id,
      pin_count: "1",
      item: {
        type: "message",
        channel: general.id,
        created_by: ann.user.id,
        message: { text: "third step", ts: reply, thread_ts: root, pinned_to: [general.id], permalink },
      },
      pinned_info: { channel: general.id, pinned_by: ann.user.id },
    });
    expect(events[1]).toMatchObject({ type: "pin_removed", has_pins: false, item: { message: { ts: reply } } });
  });

  it("are listed and taken off by the app, each refusal with its word", async () => {
    const { workspace, ann, general } = await startPlace();
    const timestamp = await ann.say(general.id, "note");
    const args = { channel: general.id, timestamp };
    expect(await callApi(workspace, "pins.remove", args)).toMatchObject({ error: "no_pin" });
    expect(await callApi(workspace, "pins.add", args)).toEqual({ ok: true });
    expect(await callApi(workspace, "pins.add", args)).toMatchObject({ error: "already_pinned" });
    expect(await callApi(workspace, "pins.list", { channel: general.id })).toMatchObject({
      items: [{ type: "message", created_by: workspace.app.botUserId, message: { ts: timestamp, text: "note" } }],
    });
    expect(workspace.message(general.id, timestamp)?.pinned).toBe(true);
    expect(await callApi(workspace, "pins.remove", args)).toEqual({ ok: true });
    expect(await callApi(workspace, "pins.add", { ...args, timestamp: "1.0" })).toMatchObject({
      error: "message_not_found",
    });
    const away = workspace.addChannel({ name: "away", withApp: false });
    expect(await callApi(workspace, "pins.list", { channel: away.id })).toMatchObject({ error: "not_in_channel" });
  });

  it("are a hundred at most in a channel", async () => {
    const { workspace, ann, general } = await startPlace();
    for (let each = 0; each < 100; each += 1) await ann.pin(general.id, await ann.say(general.id, String(each)));
    const timestamp = await ann.say(general.id, "one too many");
    await expect(ann.pin(general.id, timestamp)).rejects.toThrow("no more than 100 pins");
    expect(await callApi(workspace, "pins.add", { channel: general.id, timestamp })).toMatchObject({
      error: "too_many_pins",
    });
    const { items } = await callApi(workspace, "pins.list", { channel: general.id });
    expect(items).toHaveLength(100);
  });

  it("go with their message, and follow its edits", async () => {
    const { workspace, ann, general } = await startPlace();
    const kept = await ann.say(general.id, "first words");
    const gone = await ann.say(general.id, "a mistake");
    await ann.pin(general.id, kept);
    await ann.pin(general.id, gone);
    await ann.edit(general.id, kept, "better words");
    await ann.delete(general.id, gone);
    const { items } = await callApi(workspace, "pins.list", { channel: general.id });
    expect(items).toMatchObject([{ message: { ts: kept, text: "better words", edited: { user: ann.user.id } } }]);
  });
});

describe("reactions", () => {
  it("are told, counted, and refused twice", async () => {
    const { workspace, ann, general } = await startPlace();
    const app = boltApp(workspace);
    const events: unknown[] = [];
    app.event("reaction_added", async ({ event }) => void events.push(event));
    app.event("reaction_removed", async ({ event }) => void events.push(event));
    await connect(app, workspace);
    const ts = await ann.say(general.id, "tea?");
    await ann.react(general.id, ts, "tea");
    await ann.unreact(general.id, ts, "tea");
    await workspace.until(() => events.length === 2);
    const item = { type: "message", channel: general.id, ts };
    expect(events).toMatchObject([
      { type: "reaction_added", reaction: "tea", user: ann.user.id, item_user: ann.user.id, item },
      { type: "reaction_removed", reaction: "tea", item },
    ]);
    const args = { channel: general.id, timestamp: ts, name: "eyes" };
    expect(await callApi(workspace, "reactions.add", args)).toEqual({ ok: true });
    expect(await callApi(workspace, "reactions.add", args)).toMatchObject({ error: "already_reacted" });
    expect(await callApi(workspace, "reactions.get", args)).toMatchObject({
      message: { reactions: [{ name: "eyes", users: [workspace.app.botUserId], count: 1 }] },
    });
    expect(await callApi(workspace, "reactions.remove", args)).toEqual({ ok: true });
    expect(await callApi(workspace, "reactions.remove", args)).toMatchObject({ error: "no_reaction" });
  });
});
