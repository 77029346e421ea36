import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { App, HTTPReceiver, LogLevel } from "@slack/bolt";
import { afterEach, describe, expect, it } from "vitest";
import { policyOf, startWorkspace, type ApiCall, type Channel, type Person, type Workspace } from "./index.ts";

/**
 * A small app as its authors would write it, over nothing but Bolt. Whatever it sends that Slack takes, the workspace
 * has to take.
 */
function equip(app: App): void {
  app.event("app_mention", async ({ event, client, context, say, sayStream }) => {
    const thread_ts = event.thread_ts ?? event.ts;
    const quiet = { unfurl_links: false, unfurl_media: false } as const;
    if (event.text.includes("chatStream")) {
      const stream = client.chatStream({
        channel: event.channel,
        thread_ts,
        recipient_user_id: event.user ?? "",
        recipient_team_id: context.teamId ?? "",
        buffer_size: 8,
      });
      await stream.append({
        chunks: [
          { type: "plan_update", title: "Two steps" },
          { type: "task_update", id: "look", title: "Looking", status: "in_progress", details: "in the handbook" },
        ],
      });
      await stream.append({ markdown_text: "Holidays are " });
      await stream.append({ markdown_text: "**30** days." });
      await stream.stop({
        chunks: [
          {
            type: "task_update",
            id: "look",
            title: "Looked",
            status: "complete",
            details: " and the wiki",
            output: "one page",
            sources: [{ type: "url", url: "https://example.org/handbook", text: "Handbook" }],
          },
        ],
        blocks: [
          {
            type: "context_actions",
            elements: [
              {
                type: "feedback_buttons",
                action_id: "feedback",
                positive_button: { text: { type: "plain_text", text: "Good" }, value: "good" },
                negative_button: { text: { type: "plain_text", text: "Bad" }, value: "bad" },
              },
            ],
          },
        ],
        metadata: { event_type: "answer", event_payload: { session: "7" } },
      });
    } else if (event.text.includes("short stream")) {
      // So short that nothing is sent before the end.
      const stream = sayStream();
      await stream.append({ markdown_text: "Yes." });
      await stream.stop();
    } else if (event.text.includes("choice")) {
      await say({
        thread_ts,
        text: "Which?",
        ...quiet,
        blocks: [
          { type: "section", text: { type: "mrkdwn", text: "*Which* one?" } },
          {
            type: "actions",
            block_id: "which",
            elements: [
              { type: "button", action_id: "choose", value: "left", text: { type: "plain_text", text: "Left" } },
              { type: "button", action_id: "form", text: { type: "plain_text", text: "Ask more" }, style: "primary" },
            ],
          },
        ],
      });
    } else if (event.text.includes("file")) {
      await client.filesUploadV2({
        channel_id: event.channel,
        thread_ts,
        initial_comment: "The long answer",
        filename: "answer.md",
        content: "# Answer\n",
      });
    } else if (event.text.includes("secret")) {
      await client.chat.postEphemeral({
        channel: event.channel,
        user: event.user ?? "",
        text: "Only you see this.",
        blocks: [
          { type: "section", text: { type: "plain_text", text: "Only you see this." } },
          {
            type: "actions",
            elements: [{ type: "button", action_id: "share", text: { type: "plain_text", text: "Share" } }],
          },
        ],
      });
    } else if (event.text.includes("markdown")) {
      await client.chat.postMessage({ channel: event.channel, thread_ts, markdown_text: "# Title", ...quiet });
    } else {
      await say({ thread_ts, text: `Hello <@${event.user ?? ""}>!`, ...quiet });
    }
  });

  app.action("choose", async ({ ack, body, client, action }) => {
    await ack();
    if (body.type !== "block_actions" || action.type !== "button" || body.message === undefined) return;
    const channel = body.channel?.id ?? "";
    await client.chat.update({ channel, ts: body.message.ts, text: `You chose ${action.value ?? ""}.`, blocks: [] });
  });

  app.action("share", async ({ ack, respond, body, client }) => {
    await ack();
    await respond({ delete_original: true });
    if (body.channel === undefined) return;
    await client.chat.postMessage({
      channel: body.channel.id,
      text: "Shared.",
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  app.action("form", async ({ ack, body, client }) => {
    await ack();
    if (body.type !== "block_actions") return;
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: "modal",
        callback_id: "more",
        private_metadata: JSON.stringify({ channel: body.channel?.id }),
        title: { type: "plain_text", text: "Ask more" },
        submit: { type: "plain_text", text: "Ask" },
        blocks: [
          {
            type: "input",
            block_id: "question",
            label: { type: "plain_text", text: "Question" },
            element: { type: "plain_text_input", action_id: "text", multiline: true },
          },
        ],
      },
    });
  });

  app.view("more", async ({ ack, view, body, client }) => {
    const question = view.state.values["question"]?.["text"]?.value ?? "";
    if (question.length < 3) {
      await ack({ response_action: "errors", errors: { question: "Please say a little more." } });
      return;
    }
    await ack();
    const { channel } = JSON.parse(view.private_metadata) as { channel: string };
    const text = `<@${body.user.id}> asks: ${question}`;
    await client.chat.postMessage({ channel, text, unfurl_links: false, unfurl_media: false });
  });

  app.action("feedback", async ({ ack, body, client, action }) => {
    await ack();
    if (body.type !== "block_actions" || body.channel === undefined || !("value" in action)) return;
    const { channel, user } = body;
    await client.chat.postEphemeral({ channel: channel.id, user: user.id, text: `Noted: ${String(action.value)}` });
  });

  app.command("/ask", async ({ command, ack, respond }) => {
    await ack({ response_type: "ephemeral", text: "Let me see…" });
    await respond({ response_type: "ephemeral", replace_original: true, text: `About ${command.text}: nothing.` });
    await respond({ response_type: "in_channel", text: `Somebody asked about ${command.text}.` });
  });

  app.shortcut("ask_message", async ({ ack, shortcut, client }) => {
    await ack();
    if (shortcut.type !== "message_action") return;
    await client.views.open({
      trigger_id: shortcut.trigger_id,
      view: {
        type: "modal",
        title: { type: "plain_text", text: "About this" },
        blocks: [{ type: "section", text: { type: "plain_text", text: shortcut.message.text ?? "?" } }],
      },
    });
  });

  app.event("app_home_opened", async ({ event, client }) => {
    if (event.tab !== "home") return;
    await client.views.publish({
      user_id: event.user,
      view: { type: "home", blocks: [{ type: "header", text: { type: "plain_text", text: "Welcome" } }] },
    });
  });

  app.event("pin_added", async ({ event, client }) => {
    if (event.item.type !== "message") return;
    const { items } = await client.pins.list({ channel: event.channel_id });
    const { permalink } = await client.chat.getPermalink({
      channel: event.channel_id,
      message_ts: event.item.message?.ts ?? "",
    });
    await client.chat.postMessage({
      channel: event.channel_id,
      text: `${items?.length ?? 0} pinned, last: ${permalink ?? ""}`,
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  app.message(async ({ message, sayStream }) => {
    if (message.channel_type !== "im" || message.subtype !== undefined) return;
    const stream = sayStream({ buffer_size: 1 });
    await stream.append({ markdown_text: "You said: " });
    await stream.append({ markdown_text: message.text ?? "" });
    await stream.stop();
  });
}

interface Scene {
  readonly workspace: Workspace;
  readonly app: App;
  readonly ann: Person;
  readonly general: Channel;
}

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function overSockets(): Promise<{ workspace: Workspace; app: App }> {
  const workspace = await startWorkspace();
  open.push(() => workspace.close());
  const { botToken, appToken } = workspace.credentials;
  const clientOptions = { slackApiUrl: workspace.slackApiUrl };
  const app = new App({ token: botToken, appToken, socketMode: true, logLevel: LogLevel.ERROR, clientOptions });
  equip(app);
  await app.start();
  open.push(() => app.stop());
  return { workspace, app };
}

async function overHttp(): Promise<{ workspace: Workspace; app: App }> {
  let receiver: HTTPReceiver | undefined;
  const server = createServer((request, response) => receiver?.requestListener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => closed(server));
  const requestUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`;
  const workspace = await startWorkspace({ app: { requestUrl } });
  open.push(() => workspace.close());
  const { botToken, signingSecret } = workspace.credentials;
  receiver = new HTTPReceiver({ signingSecret, logLevel: LogLevel.ERROR });
  const clientOptions = { slackApiUrl: workspace.slackApiUrl };
  const app = new App({ token: botToken, receiver, logLevel: LogLevel.ERROR, clientOptions });
  equip(app);
  return { workspace, app };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

describe.each([
  ["Socket Mode", overSockets],
  ["HTTP", overHttp],
])("a small app over %s", (_name, connect) => {
  async function start(): Promise<Scene> {
    const { workspace, app } = await connect();
    const ann = workspace.addUser({ name: "ann" });
    const general = workspace.addChannel({ name: "general" });
    return { workspace, app, ann, general };
  }

  /** The first reply in a thread for which the condition holds. */
  function reply(scene: Scene, ts: string, holds: (shown: string) => boolean = () => true) {
    const { workspace, general } = scene;
    return workspace.until(() => workspace.messages(general.id, ts).find((one, at) => at > 0 && holds(one.shown)));
  }

  function expectAccepted({ workspace }: Scene): void {
    const refused = (call: ApiCall) => call.response["ok"] !== true || call.refusals.length > 0;
    expect(workspace.calls.filter(refused)).toEqual([]);
    expect(workspace.calls.flatMap(({ method, args }) => policyOf(method, { ...args }))).toEqual([]);
  }

  it("says hello in the thread of a mention", async () => {
    const scene = await start();
    const ts = await scene.ann.mention(scene.general.id, "hi there");
    const { text, user, threadTs } = await reply(scene, ts);
    expect([text, user, threadTs]).toEqual([`Hello <@${scene.ann.user.id}>!`, scene.workspace.app.botUserId, ts]);
    expectAccepted(scene);
  });

  it("streams text, tasks, blocks and metadata with the streaming helper", async () => {
    const scene = await start();
    const { workspace, general, ann } = scene;
    const ts = await ann.mention(general.id, "chatStream please");
    const answer = await workspace.until(() =>
      workspace.messages(general.id, ts).find(({ stream }) => stream?.state === "stopped"),
    );
    expect(answer.text).toBe("Holidays are **30** days.");
    expect(answer.stream?.tasks).toEqual([
      {
        type: "task_card",
        task_id: "look",
        title: "Looked",
        status: "complete",
        details: "in the handbook and the wiki",
        output: "one page",
        sources: [{ type: "url", url: "https://example.org/handbook", text: "Handbook" }],
      },
    ]);
    expect(answer.shown.split("\n")).toEqual([
      "Two steps",
      "(complete) Looked",
      "in the handbook and the wiki",
      "one page",
      "Handbook",
      "Holidays are **30** days.",
      "[Good] [Bad]",
    ]);
    expect(answer.metadata).toEqual({ event_type: "answer", event_payload: { session: "7" } });
    expect(workspace.session(general.id, ts)?.status).toBe("active");
    await ann.press({ channel: general.id, ts: answer.ts }, "feedback", "bad");
    await workspace.until(() => ann.ephemerals(general.id).find(({ text }) => text === "Noted: bad"));
    expectAccepted(scene);
  });

  it("streams an answer so short that start and stop are one", async () => {
    const scene = await start();
    const ts = await scene.ann.mention(scene.general.id, "short stream");
    const { text } = await reply(scene, ts, (shown) => shown !== "");
    expect(text).toBe("Yes.");
    expectAccepted(scene);
  });

  it("streams in the direct conversation", async () => {
    const scene = await start();
    const { workspace, ann } = scene;
    const ts = await ann.dm("knock knock");
    const dm = workspace.dmOf(ann.user.id).id;
    const answer = await workspace.until(() =>
      workspace.messages(dm, ts).find(({ stream }) => stream?.state === "stopped"),
    );
    expect(answer.text).toBe("You said: knock knock");
    expectAccepted(scene);
  });

  it("changes a message when its button is pressed", async () => {
    const scene = await start();
    const { workspace, general, ann } = scene;
    const ts = await ann.mention(general.id, "choice");
    const question = await reply(scene, ts);
    expect(question.shown).toBe("*Which* one?\n[Left] [Ask more]");
    await ann.press({ channel: general.id, ts: question.ts }, "choose");
    await workspace.until(() => workspace.message(general.id, question.ts)?.shown === "You chose left.");
    expectAccepted(scene);
  });

  it("opens a modal, refuses one submission and takes the next", async () => {
    const scene = await start();
    const { workspace, general, ann } = scene;
    const ts = await ann.mention(general.id, "choice");
    const question = await reply(scene, ts);
    await ann.press({ channel: general.id, ts: question.ts }, "form");
    const modal = await workspace.until(() => ann.modals()[0]);
    expect(await ann.submit(modal.id, { text: "?" })).toEqual({
      response_action: "errors",
      errors: { question: "Please say a little more." },
    });
    expect(ann.modals()).toHaveLength(1);
    await ann.submit(modal.id, { text: "How many?" });
    expect(ann.modals()).toHaveLength(0);
    const asked = `<@${ann.user.id}> asks: How many?`;
    await workspace.until(() => workspace.messages(general.id).find(({ text }) => text === asked));
    expectAccepted(scene);
  });

  it("answers a slash command at once, then twice through its response_url", async () => {
    const scene = await start();
    const { workspace, general, ann } = scene;
    expect(await ann.command(general.id, "/ask", "tea")).toMatchObject({ text: "Let me see…" });
    await workspace.until(() => ann.ephemerals(general.id).find(({ text }) => text === "About tea: nothing."));
    await workspace.until(() =>
      workspace.messages(general.id).find(({ text }) => text === "Somebody asked about tea."),
    );
    expectAccepted(scene);
  });

  it("opens a modal about a message", async () => {
    const scene = await start();
    const { workspace, general, ann } = scene;
    const ts = await ann.say(general.id, "The kettle is broken.");
    await ann.shortcut("ask_message", { channel: general.id, ts });
    const modal = await workspace.until(() => ann.modals()[0]);
    expect(JSON.stringify(modal)).toContain("The kettle is broken.");
    expectAccepted(scene);
  });

  it("publishes its Home", async () => {
    const scene = await start();
    await scene.ann.openHome();
    const home = await scene.workspace.until(() => scene.ann.home());
    expect(JSON.stringify(home)).toContain("Welcome");
    expectAccepted(scene);
  });

  it("hears of a pin and finds it in the list", async () => {
    const scene = await start();
    const { workspace, general, ann } = scene;
    const ts = await ann.say(general.id, "The office opens at nine.");
    await ann.pin(general.id, ts);
    const said = await workspace.until(() =>
      workspace.messages(general.id).find(({ text }) => text.includes("pinned")),
    );
    expect(said.text).toContain("1 pinned, last: http");
    expect(said.text).toContain(`/archives/${general.id}/p${ts.replace(".", "")}`);
    expectAccepted(scene);
  });

  it("uploads a file into the thread", async () => {
    const scene = await start();
    const { workspace, ann, general } = scene;
    const ts = await ann.mention(general.id, "file");
    const message = await workspace.until(() =>
      workspace.messages(general.id, ts).find(({ files }) => files.length > 0),
    );
    const file = workspace.file(message.files[0] ?? "");
    expect(file?.name).toBe("answer.md");
    expect(new TextDecoder().decode(file?.content)).toBe("# Answer\n");
    expect(message.text).toBe("The long answer");
    expectAccepted(scene);
  });

  it("tells one person alone, who shares it", async () => {
    const scene = await start();
    const { workspace, general, ann } = scene;
    const bob = workspace.addUser({ name: "bob" });
    await ann.mention(general.id, "secret");
    const secret = await workspace.until(() => ann.ephemerals(general.id)[0]);
    expect(bob.ephemerals(general.id)).toEqual([]);
    expect(secret.shown).toBe("Only you see this.\n[Share]");
    await ann.press({ channel: general.id, ts: secret.ts }, "share");
    await workspace.until(() => workspace.messages(general.id).find(({ text }) => text === "Shared."));
    await workspace.until(() => ann.ephemerals(general.id).length === 0);
    expectAccepted(scene);
  });

  it("posts markdown as it is", async () => {
    const scene = await start();
    const ts = await scene.ann.mention(scene.general.id, "markdown");
    expect((await reply(scene, ts)).blocks).toMatchObject([{ type: "markdown", text: "# Title" }]);
    expectAccepted(scene);
  });
});
