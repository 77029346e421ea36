import type { App } from "@slack/bolt";
import type { View } from "@slack/types";
import * as z from "zod";
import type { BotContext, Register } from "../../context.ts";
import { taskKey } from "@threadlore/inbox";
import { acceptQuestion, type NewQuestion } from "../question.ts";
import { escapeControl, mrkdwnText } from "../../slack/render/escape.ts";
import { madeUpTs } from "./command.ts";

const ASK_VIEW = "ask_view";
const QUESTION_BLOCK = "question";
const AUDIENCE_BLOCK = "audience";

/** What a modal carries from its opening to its submission. */
const Carried = z.object({
  channel: z.string(),
  /** The message it is about, and the root of its thread. */
  about: z.string(),
  threadTs: z.string(),
  /** There is a thread: it is a reply, or has replies. */
  inThread: z.boolean().default(false),
  /** Where the answer can be shown when the bot is not in the channel. */
  responseUrl: z.string().optional(),
});
type Carried = z.infer<typeof Carried>;

/** "Ask about this" on a message, and "Ask" from anywhere: both open a modal with the question. */
export const registerShortcuts: Register = (app, context) => {
  app.shortcut({ type: "message_action", callback_id: "ask_message" }, async ({ shortcut, ack }) => {
    await ack();
    const threadTs: unknown = shortcut.message["thread_ts"];
    const { ts } = shortcut.message;
    const carried: Carried = {
      channel: shortcut.channel.id,
      about: ts,
      threadTs: typeof threadTs === "string" ? threadTs : ts,
      inThread: typeof threadTs === "string",
      responseUrl: shortcut.response_url,
    };
    await context.clients.posts.views.open({ trigger_id: shortcut.trigger_id, view: askModal(carried) });
  });
  app.shortcut({ type: "shortcut", callback_id: "ask_global" }, async ({ shortcut, ack }) => {
    await ack();
    await context.clients.posts.views.open({ trigger_id: shortcut.trigger_id, view: askModal(undefined) });
  });
  submissions(app, context);
};

function submissions(app: App, context: BotContext): void {
  app.view(ASK_VIEW, async ({ view, body, ack }) => {
    const words = view.state.values[QUESTION_BLOCK]?.["words"]?.value?.trim() ?? "";
    if (words === "") {
      return ack({ response_action: "errors", errors: { [QUESTION_BLOCK]: "Write what you would like to know." } });
    }
    const audience = view.state.values[AUDIENCE_BLOCK]?.["who"]?.selected_option?.value;
    const carried = view.private_metadata === "" ? undefined : Carried.parse(JSON.parse(view.private_metadata));
    const asked = { user: body.user.id, words };
    const question =
      carried === undefined
        ? await globalQuestion(context, asked)
        : messageQuestion(context, asked, carried, audience !== "thread");
    const key = taskKey("question", { team: context.self.teamId, channel: question.channel, ts: view.id });
    await acceptQuestion(context, question, key);
    await ack();
  });
}

function messageQuestion(
  { self, now }: BotContext,
  asked: { user: string; words: string },
  carried: Carried,
  onlyAsker: boolean,
): NewQuestion {
  return {
    entry: "shortcut",
    team: self.teamId,
    channel: carried.channel,
    ts: madeUpTs(now()),
    isMessage: false,
    threadTs: carried.threadTs,
    inThread: true,
    user: asked.user,
    text: escapeControl(asked.words),
    private: onlyAsker,
    responseUrl: carried.responseUrl,
    about: carried.about,
    aboutThread: carried.inThread,
  };
}

/** A question from nowhere is answered in the direct conversation, where the bot writes down what was asked. */
async function globalQuestion(
  { self, now, clients }: BotContext,
  asked: { user: string; words: string },
): Promise<NewQuestion> {
  const opened = await clients.posts.conversations.open({ users: asked.user });
  const channel = opened.channel?.id;
  if (channel === undefined) throw new Error("The direct conversation could not be opened.");
  const ts = madeUpTs(now());
  return {
    entry: "shortcut",
    team: self.teamId,
    channel,
    ts,
    isMessage: false,
    threadTs: ts,
    inThread: false,
    user: asked.user,
    text: escapeControl(asked.words),
    begins: `You asked: ${mrkdwnText(asked.words)}`,
  };
}

function askModal(carried: Carried | undefined): View {
  return {
    type: "modal",
    callback_id: ASK_VIEW,
    title: { type: "plain_text", text: carried === undefined ? "Ask" : "Ask about this" },
    submit: { type: "plain_text", text: "Ask" },
    close: { type: "plain_text", text: "Cancel" },
    ...(carried === undefined ? {} : { private_metadata: JSON.stringify(carried) }),
    blocks: [
      {
        type: "input",
        block_id: QUESTION_BLOCK,
        label: { type: "plain_text", text: "Your question" },
        element: {
          type: "plain_text_input",
          action_id: "words",
          multiline: true,
          max_length: 3000,
          placeholder: {
            type: "plain_text",
            text: carried === undefined ? "What would you like to know?" : "What would you like to know about it?",
          },
        },
      },
      ...(carried === undefined
        ? []
        : [
            {
              type: "input" as const,
              block_id: AUDIENCE_BLOCK,
              label: { type: "plain_text" as const, text: "Who sees the answer" },
              element: {
                type: "static_select" as const,
                action_id: "who",
                initial_option: { text: { type: "plain_text" as const, text: "Only me" }, value: "me" },
                options: [
                  { text: { type: "plain_text" as const, text: "Only me" }, value: "me" },
                  { text: { type: "plain_text" as const, text: "Everybody in the thread" }, value: "thread" },
                ],
              },
            },
          ]),
    ],
  };
}
