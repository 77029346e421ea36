import type { ModalView } from "@slack/types";
import { describe, expect, it } from "vitest";
import { boltApp, callApi, connect, startPlace } from "./testing/bolt.harness.ts";

const plain = (text: string) => ({ type: "plain_text" as const, text });

/** A modal with one input that must be filled in and one that need not. */
function noteModal(title: string): ModalView {
  return {
    type: "modal",
    callback_id: "note",
    private_metadata: "from tests",
    title: plain(title),
    submit: plain("Save"),
    notify_on_close: true,
    blocks: [
      {
        type: "input",
        block_id: "words",
        label: plain("Words"),
        element: { type: "plain_text_input", action_id: "text" },
      },
      {
        type: "input",
        block_id: "kind",
        optional: true,
        label: plain("Kind"),
        element: {
          type: "static_select",
          action_id: "chosen",
          options: [
            { text: plain("Fact"), value: "fact" },
            { text: plain("Rule"), value: "rule" },
          ],
        },
      },
    ],
  };
}

describe("slash commands", () => {
  it("are answered at once and later, alone to the person or to all", async () => {
    const { workspace, ann, general } = await startPlace({ app: { commands: ["/ask"] } });
    const app = boltApp(workspace);
    app.command("/ask", async ({ ack, respond, command }) => {
      await ack({ response_type: "ephemeral", text: `Looking for ${command.text}` });
      await respond({ response_type: "in_channel", text: "Found it" });
    });
    await connect(app, workspace);
    expect(await ann.command(general.id, "/ask", "the kettle")).toEqual({
      response_type: "ephemeral",
      text: "Looking for the kettle",
    });
    const [public_] = await workspace.until(
      () => workspace.messages(general.id).length > 0 && workspace.messages(general.id),
    );
    expect(public_?.text).toBe("Found it");
    expect(ann.ephemerals().map(({ text }) => text)).toEqual(["Looking for the kettle"]);
    await expect(ann.command(general.id, "/shout", "")).rejects.toThrow("/shout is not a valid command.");
  });

  it("fail aloud when nobody is connected or nobody acknowledges", async () => {
    const { workspace, ann, general } = await startPlace({ ackTimeoutMs: 200 });
    await expect(ann.command(general.id, "/ask", "x")).rejects.toThrow("did not acknowledge it (dispatch_failed)");
    const app = boltApp(workspace);
    app.command("/ask", async () => undefined);
    await connect(app, workspace);
    await expect(ann.command(general.id, "/ask", "x")).rejects.toThrow("did not acknowledge it (timeout)");
  });
});

describe("an address to answer to", () => {
  it("takes five answers, within half an hour", async () => {
    let now = Date.now();
    const { workspace, ann, general } = await startPlace({ now: () => now });
    const app = boltApp(workspace);
    const addresses: string[] = [];
    app.command("/ask", async ({ ack, command }) => {
      addresses.push(command.response_url);
      await ack();
    });
    await connect(app, workspace);
    expect(await ann.command(general.id, "/ask", "x")).toBeUndefined();
    await ann.command(general.id, "/ask", "y");
    const post = async (at: number, body: Record<string, unknown>) => {
      const response = await fetch(String(addresses[at]), { method: "POST", body: JSON.stringify(body) });
      return [response.status, await response.text()];
    };
    for (let each = 1; each <= 5; each += 1) expect(await post(0, { text: `${each}` })).toEqual([200, "ok"]);
    expect(await post(0, { text: "6" })).toEqual([404, '{"ok":false,"error":"used_url"}']);
    now += 31 * 60_000;
    expect(await post(1, { text: "late" })).toEqual([404, '{"ok":false,"error":"expired_url"}']);
    expect(ann.ephemerals().map(({ text }) => text)).toEqual(["1", "2", "3", "4", "5"]);
    expect(workspace.calls.filter(({ method }) => method === "response_url")).toHaveLength(7);
  });

  it("replaces and deletes the message acted on, an ephemeral one too", async () => {
    const { workspace, ann, general } = await startPlace();
    const app = boltApp(workspace);
    const blocks = [
      {
        type: "actions",
        elements: ["keep", "drop"].map((name) => ({ type: "button", action_id: name, text: plain(name), value: name })),
      },
    ];
    app.action("keep", async ({ ack, respond }) => {
      await ack();
      await respond({ replace_original: true, text: "Kept" });
    });
    app.action("drop", async ({ ack, respond }) => {
      await ack();
      await respond({ delete_original: true });
    });
    await connect(app, workspace);
    const { channel, user } = { channel: general.id, user: ann.user.id };
    const first = await callApi(workspace, "chat.postEphemeral", { channel, user, text: "Keep?", blocks });
    await ann.press({ channel, ts: String(first["message_ts"]) }, "keep");
    await workspace.until(() => ann.ephemerals(channel)[0]?.text === "Kept");
    const second = await callApi(workspace, "chat.postMessage", { channel, text: "Drop?", blocks });
    await ann.press({ channel, ts: String(second["ts"]) }, "drop");
    await workspace.until(() => workspace.messages(channel).length === 0);
    expect(ann.ephemerals(channel)).toHaveLength(1);
  });
});

describe("what people press", () => {
  it("arrives with value, place and a way to answer", async () => {
    const { workspace, ann, general } = await startPlace();
    const app = boltApp(workspace);
    const bodies: Record<string, unknown>[] = [];
    app.action(/.*/, async ({ ack, body }) => {
      await ack();
      bodies.push({ ...body });
    });
    await connect(app, workspace);
    const options = ["a", "b"].map((value) => ({ text: plain(value), value }));
    const answered = await callApi(workspace, "chat.postMessage", {
      channel: general.id,
      text: "Well?",
      blocks: [
        {
          type: "section",
          block_id: "pick",
          text: plain("Pick"),
          accessory: { type: "static_select", action_id: "choose", options },
        },
        {
          type: "context_actions",
          elements: [
            {
              type: "feedback_buttons",
              action_id: "rate",
              positive_button: { text: plain("Good"), value: "up" },
              negative_button: { text: plain("Bad"), value: "down" },
            },
          ],
        },
      ],
    });
    const target = { channel: general.id, ts: String(answered["ts"]) };
    await ann.press(target, "choose", "b");
    await ann.press(target, "rate", "negative");
    expect(bodies).toMatchObject([
      {
        type: "block_actions",
        user: { id: ann.user.id },
        channel: { id: general.id, name: "general" },
        container: { type: "message", message_ts: target.ts, is_ephemeral: false },
        message: { ts: target.ts, text: "Well?" },
        response_url: expect.stringContaining("/response/"),
        actions: [{ type: "static_select", action_id: "choose", block_id: "pick", selected_option: { value: "b" } }],
      },
      { actions: [{ type: "feedback_buttons", action_id: "rate", value: "down" }] },
    ]);
    await expect(ann.press(target, "choose", "z")).rejects.toThrow('no option "z" in "choose". It offers: a, b.');
    await expect(ann.press(target, "chose")).rejects.toThrow('called "chose". There is: choose, rate.');
  });
});

describe("shortcuts", () => {
  it("of a message come with it; those of the app come alone", async () => {
    const shortcuts = [
      { name: "Keep this", callbackId: "keep", type: "message" as const },
      { name: "Ask", callbackId: "ask", type: "global" as const },
    ];
    const { workspace, ann } = await startPlace({ app: { shortcuts } });
    const app = boltApp(workspace);
    const bodies: Record<string, unknown>[] = [];
    app.shortcut(/.*/, async ({ ack, body }) => {
      await ack();
      bodies.push({ ...body });
    });
    await connect(app, workspace);
    const away = workspace.addChannel({ name: "away", withApp: false });
    const ts = await ann.say(away.id, "worth keeping");
    await ann.shortcut("keep", { channel: away.id, ts });
    await ann.globalShortcut("ask");
    expect(bodies).toMatchObject([
      { type: "message_action", callback_id: "keep", message_ts: ts, message: { text: "worth keeping" } },
      { type: "shortcut", callback_id: "ask", trigger_id: expect.any(String) },
    ]);
    await expect(ann.globalShortcut("keep")).rejects.toThrow('The app has no global shortcut "keep".');
  });
});

describe("modals", () => {
  it("open by a trigger, tell what was filled in, and show errors until it is right", async () => {
    const { workspace, ann } = await startPlace();
    const app = boltApp(workspace);
    app.shortcut("ask", async ({ ack, shortcut, client }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: noteModal("Note") });
    });
    const submitted: unknown[] = [];
    app.view("note", async ({ ack, view }) => {
      submitted.push([view.state.values, view.private_metadata]);
      const { value } = view.state.values["words"]?.["text"] ?? {};
      await ack(value === "short" ? { response_action: "errors", errors: { words: "Too short" } } : undefined);
    });
    await connect(app, workspace);
    await ann.globalShortcut("ask");
    const { id } = await workspace.until(() => ann.modals()[0]);
    await expect(ann.submit(id, {})).rejects.toThrow('"text" must be filled in');
    await expect(ann.submit(id, { text: "x", colour: "red" })).rejects.toThrow("no input called colour");
    expect(await ann.submit(id, { words: "short" })).toEqual({
      response_action: "errors",
      errors: { words: "Too short" },
    });
    expect(ann.modals()).toHaveLength(1);
    expect(await ann.submit(id, { text: "long enough", chosen: "rule" })).toBeUndefined();
    expect(ann.modals()).toEqual([]);
    expect(submitted.at(-1)).toMatchObject([
      { words: { text: { value: "long enough" } }, kind: { chosen: { selected_option: { value: "rule" } } } },
      "from tests",
    ]);
  });

  it("are three at most, one above the other, and tell when they are closed", async () => {
    const { workspace, ann } = await startPlace();
    const app = boltApp(workspace);
    const closed: unknown[] = [];
    let last: string | undefined;
    app.shortcut("ask", async ({ ack, shortcut, client }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: noteModal("1") });
    });
    app.view("note", async ({ ack, body }) => {
      last = "trigger_id" in body ? String(body.trigger_id) : undefined;
      await ack({ response_action: "push", view: noteModal("next") });
    });
    app.view({ type: "view_closed", callback_id: "note" }, async ({ ack, view }) => {
      await ack();
      closed.push(view.title.text);
    });
    await connect(app, workspace);
    await ann.globalShortcut("ask");
    await workspace.until(() => ann.modals().length === 1);
    const submitTop = () => ann.submit(String(ann.modals().at(-1)?.id), { text: "x" });
    await submitTop();
    await submitTop();
    expect(ann.modals().map(({ previous_view_id }) => previous_view_id)).toEqual([
      null,
      ann.modals()[0]?.id,
      ann.modals()[1]?.id,
    ]);
    const pushed = await callApi(workspace, "views.push", { trigger_id: last, view: noteModal("4") });
    expect(pushed).toMatchObject({ error: "push_limit_reached" });
    await ann.dismiss(String(ann.modals()[1]?.id));
    await workspace.until(() => closed.length === 2);
    expect(ann.modals()).toHaveLength(1);
  });

  it("need a trigger that is fresh and unused", async () => {
    let now = Date.now();
    const { workspace, ann } = await startPlace({ now: () => now });
    const app = boltApp(workspace);
    const triggers: string[] = [];
    app.shortcut("ask", async ({ ack, shortcut }) => {
      triggers.push(shortcut.trigger_id);
      await ack();
    });
    await connect(app, workspace);
    await ann.globalShortcut("ask");
    await ann.globalShortcut("ask");
    const open = (trigger_id: string) => callApi(workspace, "views.open", { trigger_id, view: noteModal("Note") });
    expect(await open(String(triggers[0]))).toMatchObject({ ok: true, view: { title: { text: "Note" } } });
    expect(await open(String(triggers[0]))).toMatchObject({ error: "exchanged_trigger_id" });
    now += 3_001;
    expect(await open(String(triggers[1]))).toMatchObject({ error: "expired_trigger_id" });
    expect(await open("1.2.abc")).toMatchObject({ error: "invalid_trigger_id" });
  });

  it("are refused when Slack could not show them", async () => {
    const { workspace } = await startPlace();
    const view = { ...noteModal("A title that is much too long for it"), blocks: [] };
    expect(await callApi(workspace, "views.open", { trigger_id: "x", view })).toMatchObject({ ok: false });
    expect(workspace.calls.at(-1)?.refusals.join()).toContain("/view/title");
  });
});

describe("the Home", () => {
  it("is published, pressed in, and guarded by its hash", async () => {
    const { workspace, ann } = await startPlace();
    const app = boltApp(workspace);
    const home = (words: string) => ({
      type: "home" as const,
      blocks: [
        { type: "section", text: plain(words), block_id: "words" },
        { type: "actions", block_id: "acts", elements: [{ type: "button", action_id: "again", text: plain("Again") }] },
      ],
    });
    const opened: unknown[] = [];
    app.event("app_home_opened", async ({ event, client }) => {
      opened.push(event);
      if (event.tab === "home") await client.views.publish({ user_id: event.user, view: home("Welcome") as never });
    });
    const pressed: unknown[] = [];
    app.action("again", async ({ ack, body }) => {
      await ack();
      pressed.push(body);
    });
    await connect(app, workspace);
    await ann.openMessages();
    await ann.openHome();
    const shown = await workspace.until(() => ann.home());
    expect(shown).toMatchObject({ type: "home", blocks: [{ text: { text: "Welcome" } }, {}] });
    const channel = workspace.dmOf(ann.user.id).id;
    expect(opened).toMatchObject([
      { tab: "messages", channel, user: ann.user.id },
      { tab: "home", channel },
    ]);
    await ann.press({ viewId: String(shown["id"]) }, "again");
    expect(pressed).toMatchObject([{ container: { type: "view", view_id: shown["id"] }, view: { type: "home" } }]);
    const publish = (hash: unknown) =>
      callApi(workspace, "views.publish", { user_id: ann.user.id, view: home("Second"), hash });
    expect(await publish(shown["hash"])).toMatchObject({ ok: true });
    expect(await publish(shown["hash"])).toMatchObject({ error: "hash_conflict" });
    expect(ann.home()).toMatchObject({ blocks: [{ text: { text: "Second" } }, {}] });
  });
});
