import type { App } from "@slack/bolt";
import type { PlainTextOption, View } from "@slack/types";
import * as z from "zod";
import type { BotContext, Register } from "../../context.ts";
import { taskKey } from "@threadlore/inbox";
import { modal, plainText, wordsField, wordsIn } from "../block-kit.ts";
import { acceptQuestion, type NewQuestion } from "../question.ts";
import { escapeControl, mrkdwnText } from "../../slack/render/escape.ts";
import { unwritten } from "./command.ts";

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
    const words = wordsIn(view, QUESTION_BLOCK);
    if (words === "") {
      return ack({ response_action: "errors", errors: { [QUESTION_BLOCK]: "Write what you would like to know." } });
    }
    const audience = view.state.values[AUDIENCE_BLOCK]?.["who"]?.selected_option?.value;
    const carried = view.private_metadata === "" ? undefined : Carried.parse(JSON.parse(view.private_metadata));
    const asked = { ...unwritten(context, body.user.id, escapeControl(words)), entry: "shortcut" as const };
    const question: NewQuestion =
      carried === undefined
        ? { ...asked, channel: await directChannel(context, asked.user), begins: `You asked: ${mrkdwnText(words)}` }
        : {
            ...asked,
            channel: carried.channel,
            threadTs: carried.threadTs,
            inThread: true,
            private: audience !== "thread",
            responseUrl: carried.responseUrl,
            about: carried.about,
            aboutThread: carried.inThread,
          };
    const key = taskKey("question", { ...question, ts: view.id });
    await acceptQuestion(context, question, key);
    await ack();
  });
}

/** A question from nowhere is answered in the direct conversation, where the bot writes down what was asked. */
async function directChannel({ clients }: BotContext, user: string): Promise<string> {
  const opened = await clients.posts.conversations.open({ users: user });
  const channel = opened.channel?.id;
  if (channel === undefined) throw new Error("The direct conversation could not be opened.");
  return channel;
}

function askModal(carried: Carried | undefined): View {
  const placeholder = carried === undefined ? "What would you like to know?" : "What would you like to know about it?";
  const field = wordsField(QUESTION_BLOCK, "Your question", placeholder);
  const form = { callback_id: ASK_VIEW, submit: "Ask", close: "Cancel" };
  if (carried === undefined) return modal({ ...form, title: "Ask" }, [field]);
  const onlyMe: PlainTextOption = { text: plainText("Only me"), value: "me" };
  return modal({ ...form, title: "Ask about this", private_metadata: JSON.stringify(carried) }, [
    field,
    {
      type: "input",
      block_id: AUDIENCE_BLOCK,
      label: plainText("Who sees the answer"),
      element: {
        type: "static_select",
        action_id: "who",
        initial_option: onlyMe,
        options: [onlyMe, { text: plainText("Everybody in the thread"), value: "thread" }],
      },
    },
  ]);
}
