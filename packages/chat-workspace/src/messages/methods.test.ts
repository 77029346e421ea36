import { afterEach, describe, expect, it } from "vitest";
import { startWorkspace, type Channel, type Person, type Workspace, type WorkspaceOptions } from "../index.ts";

type Fields = Record<string, unknown>;

const open: Workspace[] = [];
afterEach(async () => {
  for (const workspace of open.splice(0)) await workspace.close();
});

interface Scene {
  readonly workspace: Workspace;
  readonly ann: Person;
  readonly general: Channel;
  /** Calls a method as the app; resolves with the answer. */
  readonly call: (method: string, args: Fields) => Promise<Fields>;
  /** The error of a call, or `ok`. */
  readonly outcome: (method: string, args: Fields) => Promise<unknown>;
}

async function start(options: WorkspaceOptions = {}): Promise<Scene> {
  const workspace = await startWorkspace(options);
  open.push(workspace);
  const ann = workspace.addUser({ name: "ann" });
  const general = workspace.addChannel({ name: "general", members: [ann.user.id] });
  const call = async (method: string, args: Fields): Promise<Fields> => {
    const response = await fetch(new URL(method, workspace.slackApiUrl), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${workspace.credentials.botToken}`,
      },
      body: JSON.stringify(args),
    });
    return (await response.json()) as Fields;
  };
  const outcome = async (method: string, args: Fields) => {
    const { ok, error } = await call(method, args);
    return ok === true ? "ok" : error;
  };
  return { workspace, ann, general, call, outcome };
}

const section = (text: string): Fields => ({ type: "section", text: { type: "plain_text", text } });
const words = (length: number, word = "x") => word.repeat(length);

describe("chat.postMessage", () => {
  it("answers with the message, metadata included", async () => {
    const { general, call } = await start();
    const metadata = { event_type: "answer", event_payload: { session: "7" } };
    const answer = await call("chat.postMessage", { channel: general.id, text: "Hi", metadata });
    expect(answer).toMatchObject({ ok: true, channel: general.id, message: { text: "Hi", metadata } });
  });

  it("refuses what the validator refuses, in the words Slack's libraries print", async () => {
    const { general, call } = await start();
    const blocks = [section(words(3001))];
    expect(await call("chat.postMessage", { channel: general.id, text: "x", blocks })).toMatchObject({
      ok: false,
      error: "invalid_blocks",
      errors: ["no more than 3000 characters allowed [json-pointer:/blocks/0/text/text]"],
      response_metadata: {
        messages: ["[ERROR] no more than 3000 characters allowed [json-pointer:/blocks/0/text/text]"],
      },
    });
  });

  it("reaches public channels from outside only with the scope for that, private ones never", async () => {
    const scopes = ["chat:write"];
    const { workspace, outcome } = await start({ app: { scopes } });
    const away = workspace.addChannel({ name: "away", withApp: false });
    const hidden = workspace.addChannel({ name: "hidden", kind: "private", withApp: false });
    expect(await outcome("chat.postMessage", { channel: away.id, text: "x" })).toBe("not_in_channel");
    expect(await outcome("chat.postMessage", { channel: hidden.id, text: "x" })).toBe("channel_not_found");
    expect(await outcome("chat.postMessage", { channel: "C0", text: "x" })).toBe("channel_not_found");
    const wide = await start({ app: { scopes: [...scopes, "chat:write.public"] } });
    const other = wide.workspace.addChannel({ name: "away", withApp: false });
    expect(await wide.outcome("chat.postMessage", { channel: other.id, text: "x" })).toBe("ok");
    expect(await wide.outcome("chat.postMessage", { channel: "#away", text: "x" })).toBe("ok");
  });

  it("refuses archived channels and threads that are not there", async () => {
    const { workspace, general, outcome } = await start();
    const thread_ts = "1.000000";
    expect(await outcome("chat.postMessage", { channel: general.id, thread_ts, text: "x" })).toBe("thread_not_found");
    workspace.archive(general.id);
    expect(await outcome("chat.postMessage", { channel: general.id, text: "x" })).toBe("is_archived");
  });

  it("puts an answer to a reply into the thread of that reply", async () => {
    const { workspace, ann, general, call } = await start();
    const root = await ann.say(general.id, "root");
    const reply = await ann.say(general.id, "reply", { threadTs: root });
    await call("chat.postMessage", { channel: general.id, thread_ts: reply, text: "x" });
    expect(workspace.messages(general.id, root).map(({ text }) => text)).toEqual(["root", "reply", "x"]);
  });

  it("opens the direct conversation when a person is named", async () => {
    const { workspace, ann, call } = await start();
    const answer = await call("chat.postMessage", { channel: ann.user.id, text: "psst" });
    expect(answer["channel"]).toBe(workspace.dmOf(ann.user.id).id);
  });
});

describe("chat.update", () => {
  async function posted(fields: Fields = {}) {
    const scene = await start();
    const metadata = { event_type: "answer", event_payload: { session: "7" } };
    const first = { channel: scene.general.id, text: "one", blocks: [section("one")], metadata, ...fields };
    const { ts } = await scene.call("chat.postMessage", first);
    const at = { channel: scene.general.id, ts: String(ts) };
    return { ...scene, at, now: () => scene.workspace.message(scene.general.id, at.ts) };
  }

  it("drops the blocks when only text comes, and marks the message as edited", async () => {
    const { at, call, now } = await posted();
    await call("chat.update", { ...at, text: "two" });
    expect(now()).toMatchObject({ text: "two", blocks: [], edited: true });
  });

  it("does not mark a message as edited whose blocks are new", async () => {
    const { at, call, now } = await posted();
    await call("chat.update", { ...at, text: "two", blocks: [section("two")] });
    expect(now()).toMatchObject({ text: "two", edited: false, shown: "two" });
  });

  it("keeps metadata, replaces it, or takes it away with an empty object", async () => {
    const { at, call, now } = await posted();
    await call("chat.update", { ...at, text: "two" });
    expect(now()?.metadata?.event_payload).toEqual({ session: "7" });
    await call("chat.update", { ...at, text: "two", metadata: { event_type: "b", event_payload: { session: "8" } } });
    expect(now()?.metadata?.event_payload).toEqual({ session: "8" });
    await call("chat.update", { ...at, text: "two", metadata: {} });
    expect(now()?.metadata).toBeUndefined();
  });

  it("refuses messages of others, missing ones, and channels that are closed", async () => {
    const { workspace, general, ann, at, outcome } = await posted();
    const theirs = { channel: general.id, ts: await ann.say(general.id, "mine") };
    expect(await outcome("chat.update", { ...theirs, text: "x" })).toBe("cant_update_message");
    expect(await outcome("chat.update", { ...at, ts: "1.000000", text: "x" })).toBe("message_not_found");
    expect(await outcome("chat.update", { ...at, text: words(4001) })).toBe("msg_too_long");
    workspace.archive(general.id);
    expect(await outcome("chat.update", { ...at, text: "x" })).toBe("is_inactive");
  });
});

describe("chat.delete", () => {
  it("takes away the app's own messages only", async () => {
    const { workspace, ann, general, call, outcome } = await start();
    const { ts } = await call("chat.postMessage", { channel: general.id, text: "x" });
    const theirs = await ann.say(general.id, "mine");
    expect(await outcome("chat.delete", { channel: general.id, ts: theirs })).toBe("cant_delete_message");
    expect(await outcome("chat.delete", { channel: general.id, ts })).toBe("ok");
    expect(await outcome("chat.delete", { channel: general.id, ts })).toBe("message_not_found");
    expect(workspace.messages(general.id).map(({ text }) => text)).toEqual(["mine"]);
  });
});

describe("chat.postEphemeral", () => {
  it("reaches members only, and cannot be changed as a message", async () => {
    const { workspace, ann, general, call, outcome } = await start();
    const bob = workspace.addUser({ name: "bob" });
    await bob.leave(general.id);
    const args = { channel: general.id, text: "x" };
    expect(await outcome("chat.postEphemeral", { ...args, user: bob.user.id })).toBe("user_not_in_channel");
    const { message_ts } = await call("chat.postEphemeral", { ...args, user: ann.user.id });
    expect(ann.ephemerals(general.id).map(({ text }) => text)).toEqual(["x"]);
    expect(workspace.messages(general.id)).toEqual([]);
    expect(await outcome("chat.update", { ...args, ts: message_ts })).toBe("message_not_found");
  });

  it("is shown in a thread only where somebody has replied; before that nobody sees it, which is noted", async () => {
    const { workspace, ann, general, call } = await start();
    const ts = await ann.say(general.id, "Hello");
    const args = { channel: general.id, user: ann.user.id, thread_ts: ts };
    expect(await call("chat.postEphemeral", { ...args, text: "early" })).toMatchObject({ ok: true });
    await ann.say(general.id, "Anybody?", { threadTs: ts });
    await call("chat.postEphemeral", { ...args, text: "late" });
    expect(ann.ephemerals(general.id).map(({ text }) => text)).toEqual(["late"]);
    const noted = workspace.calls.map(({ args: { text }, breaches }) => [text, breaches.length]);
    expect(noted).toEqual([
      ["early", 1],
      ["late", 0],
    ]);
  });
});

describe("chat.unfurl", () => {
  it("shows something below a message for an address in it", async () => {
    const { workspace, ann, general, outcome } = await start({ app: { unfurlDomains: ["example.org"] } });
    const url = "https://example.org/handbook";
    const ts = await ann.say(general.id, `Look at ${url}`);
    const unfurl = (unfurls: Fields) => outcome("chat.unfurl", { channel: general.id, ts, unfurls });
    expect(await unfurl({})).toBe("missing_unfurls");
    expect(await unfurl({ "https://example.org/other": { text: "x" } })).toBe("cannot_unfurl_message");
    expect(await unfurl({ [url]: { blocks: [{ type: "hologram" }] } })).toBe("invalid_blocks");
    expect(await unfurl({ [url]: { title: "Handbook", text: "of the harbour" } })).toBe("ok");
    expect(workspace.message(general.id, ts)?.shown).toBe(`Look at ${url}\nHandbook\nof the harbour`);
  });
});

describe("a streamed message", () => {
  async function streaming(options: WorkspaceOptions & { first?: Fields } = {}) {
    const { first, ...rest } = options;
    const scene = await start(rest);
    const { workspace, general, ann } = scene;
    const thread_ts = await ann.mention(general.id, "?");
    const recipient = { recipient_user_id: ann.user.id, recipient_team_id: workspace.team.id };
    const begun = await scene.call("chat.startStream", { channel: general.id, thread_ts, ...recipient, ...first });
    expect(begun["error"]).toBeUndefined();
    const at = { channel: general.id, ts: String(begun["ts"]) };
    return {
      ...scene,
      at,
      thread: thread_ts,
      now: () => workspace.message(general.id, at.ts),
      append: (fields: Fields) => scene.outcome("chat.appendStream", { ...at, ...fields }),
      chunks: (...chunks: Fields[]) => scene.outcome("chat.appendStream", { ...at, chunks }),
      stop: (fields: Fields = {}) => scene.outcome("chat.stopStream", { ...at, ...fields }),
    };
  }

  const text = (said: string): Fields => ({ type: "markdown_text", text: said });
  const task = (fields: Fields = {}): Fields => ({
    type: "task_update",
    id: "1",
    title: "Look",
    status: "in_progress",
    ...fields,
  });

  it("needs a thread, and outside direct conversations somebody it is for", async () => {
    const { workspace, ann, general, outcome } = await start();
    const channel = general.id;
    const thread_ts = await ann.say(channel, "?");
    const recipient_user_id = ann.user.id;
    expect(await outcome("chat.startStream", { channel })).toBe("invalid_arguments");
    expect(await outcome("chat.startStream", { channel, thread_ts })).toBe("missing_recipient_user_id");
    expect(await outcome("chat.startStream", { channel, thread_ts, recipient_user_id })).toBe(
      "missing_recipient_team_id",
    );
    const dm = workspace.dmOf(ann.user.id).id;
    expect(await outcome("chat.startStream", { channel: dm, thread_ts: await ann.dm("?") })).toBe("ok");
  });

  it("grows, and its session works until it stops", async () => {
    const { workspace, general, thread, now, append, stop } = await streaming();
    expect(workspace.session(general.id, thread)?.status).toBe("processing");
    expect(await append({ markdown_text: "One " })).toBe("ok");
    expect(await append({ markdown_text: "two" })).toBe("ok");
    expect(now()).toMatchObject({ text: "One two", edited: false, stream: { state: "in_progress" } });
    expect(await stop({ markdown_text: ".", session_status: "processing" })).toBe("ok");
    expect(now()).toMatchObject({ text: "One two.", stream: { state: "stopped" } });
    expect(workspace.session(general.id, thread)?.status).toBe("processing");
  });

  it("takes an empty last stop, and nothing after it", async () => {
    const { workspace, general, thread, append, stop } = await streaming({ first: { markdown_text: "One" } });
    expect(await stop({ chunks: [] })).toBe("ok");
    expect(workspace.session(general.id, thread)?.status).toBe("active");
    expect(await stop({ chunks: [] })).toBe("message_not_in_streaming_state");
    expect(await append({ markdown_text: "x" })).toBe("message_not_in_streaming_state");
  });

  it("is written in text or in chunks, whichever came first", async () => {
    const inText = await streaming({ first: { markdown_text: "One" } });
    expect(await inText.chunks(text("two"))).toBe("streaming_mode_mismatch");
    const inChunks = await streaming();
    expect(await inChunks.chunks(text("One"))).toBe("ok");
    expect(await inChunks.append({ markdown_text: "two" })).toBe("streaming_mode_mismatch");
    expect(await inChunks.stop({ markdown_text: "two" })).toBe("streaming_mode_mismatch");
    expect(inChunks.now()?.text).toBe("One");
  });

  it("can be neither written nor stopped by who does not own it", async () => {
    const { ann, general, outcome, call } = await streaming();
    const theirs = { channel: general.id, ts: await ann.say(general.id, "mine") };
    expect(await outcome("chat.appendStream", { ...theirs, markdown_text: "x" })).toBe("message_not_owned_by_app");
    const { ts } = await call("chat.postMessage", { channel: general.id, text: "x" });
    expect(await outcome("chat.stopStream", { channel: general.id, ts })).toBe("message_not_in_streaming_state");
    expect(await outcome("chat.stopStream", { channel: general.id, ts: "1.000000" })).toBe("message_not_found");
  });

  it("cannot be updated while it grows", async () => {
    const { at, now, outcome, stop } = await streaming({ first: { chunks: [task(), text("One")] } });
    expect(await outcome("chat.update", { ...at, text: "x" })).toBe("streaming_state_conflict");
    await stop();
    expect(await outcome("chat.update", { ...at, text: "x" })).toBe("ok");
    expect(now()?.shown).toBe("x");
  });

  it("takes no more once a person has pressed Stop, and still wants to be stopped", async () => {
    const { ann, general, thread, append, stop } = await streaming({ first: { markdown_text: "One" } });
    await ann.stop(general.id, thread);
    expect(await append({ markdown_text: "x" })).toBe("stopped_by_user");
    expect(await stop()).toBe("ok");
  });

  it("expires five minutes after its start, whatever came in between; then it may be updated", async () => {
    let now = 1_800_000_000_000;
    const scene = await streaming({ now: () => now, first: { markdown_text: "One" } });
    const { workspace, general, thread, at, append, stop, outcome } = scene;
    now += 299_999;
    expect(await append({ markdown_text: " two" })).toBe("ok");
    now += 1;
    expect(await append({ markdown_text: " three" })).toBe("message_not_in_streaming_state");
    expect(await stop()).toBe("message_not_in_streaming_state");
    expect(scene.now()).toMatchObject({ text: "One two", stream: { state: "expired" } });
    expect(workspace.session(general.id, thread)?.status).toBe("active");
    expect(await outcome("chat.update", { ...at, text: "One two three" })).toBe("ok");
  });

  it("lives as long as the workspace is told", async () => {
    let now = 1_800_000_000_000;
    const { append } = await streaming({ now: () => now, streamLifeMs: 1000, first: { markdown_text: "One" } });
    now += 1000;
    expect(await append({ markdown_text: "x" })).toBe("message_not_in_streaming_state");
  });

  it("takes 11,000 bytes of text in all, and stays as it was when more comes", async () => {
    const { append, now } = await streaming();
    expect(await append({ markdown_text: words(10_999) })).toBe("ok");
    expect(await append({ markdown_text: "ä" })).toBe("msg_too_long");
    expect(await append({ markdown_text: "a" })).toBe("ok");
    expect(await append({ markdown_text: "a" })).toBe("msg_too_long");
    expect(now()?.text).toHaveLength(11_000);
  });

  it("counts titles and twice the details of its tasks once there is text", async () => {
    const { chunks, now } = await streaming();
    const tasks = Array.from({ length: 20 }, (_, id) => task({ id: `${id}`, title: words(48), details: words(250) }));
    expect(await chunks(...tasks)).toBe("ok");
    expect(await chunks(text(words(40)))).toBe("ok");
    expect(await chunks(text("x"))).toBe("msg_too_long");
    expect(await chunks(task({ id: "0", title: words(49) }))).toBe("msg_too_long");
    expect(await chunks(task({ id: "0", title: words(47) }), text("x"))).toBe("ok");
    expect(now()?.text).toBe(words(41));
  });

  it("takes 50 blocks within it, and 50 below it", async () => {
    const { chunks, stop, now } = await streaming();
    const dividers = (count: number) => Array.from({ length: count }, () => ({ type: "divider" }));
    expect(await chunks({ type: "blocks", blocks: dividers(30) })).toBe("ok");
    expect(await chunks({ type: "blocks", blocks: dividers(21) })).toBe("msg_blocks_too_many");
    expect(await chunks({ type: "blocks", blocks: dividers(20) })).toBe("ok");
    expect(await stop({ blocks: dividers(50) })).toBe("ok");
    expect(now()?.blocks).toHaveLength(100);
  });

  it("shows a task's latest title and state, all its details and its first output", async () => {
    const { chunks, now } = await streaming();
    await chunks(task({ details: "one" }), text("Well, "));
    await chunks(task({ title: "Looked", status: "complete", details: ", two", output: "found" }));
    await chunks(task({ title: "Looked", status: "complete", output: "again" }), text("yes."));
    expect(now()?.stream?.tasks).toMatchObject([
      { task_id: "1", title: "Looked", status: "complete", details: "one, two", output: "found" },
    ]);
    expect(now()?.shown).toBe("(complete) Looked\none, two\nfound\nWell, yes.");
  });

  it("keeps the ids of blocks that were streamed, and takes metadata at its end", async () => {
    const { chunks, stop, now } = await streaming();
    await chunks({ type: "blocks", blocks: [{ type: "divider" }] });
    const [before] = now()?.blocks ?? [];
    await chunks(text("x"));
    await stop({ metadata: { event_type: "answer", event_payload: { session: "7" } } });
    expect(now()?.blocks).toEqual([before]);
    expect(now()?.metadata?.event_payload).toEqual({ session: "7" });
  });

  it("tells who looks at the workspace of every step", async () => {
    const { workspace, append, now } = await streaming();
    const seen: (string | undefined)[] = [];
    workspace.onChange(() => seen.push(now()?.text));
    await append({ markdown_text: "One" });
    await append({ markdown_text: " two" });
    expect(seen).toEqual(expect.arrayContaining(["One", "One two"]));
  });
});

describe("blocks.validate", () => {
  it("tells what is wrong with blocks, or that nothing is", async () => {
    const { call } = await start();
    expect(await call("blocks.validate", { blocks: [section("x")] })).toMatchObject({ ok: true });
    expect(await call("blocks.validate", { blocks: [{ type: "hologram" }] })).toMatchObject({
      ok: false,
      error: "invalid_blocks",
      errors: [{ pointer: "/blocks/0/type", message: "unsupported type: hologram" }],
    });
  });
});
