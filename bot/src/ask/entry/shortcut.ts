import { escapeControl } from "@threadlore/documents/slack";
import type { PlainTextOption, View } from "@slack/types";
import * as z from "zod";
import type { BotContext, Register } from "../../context.ts";
import { taskKey } from "@threadlore/inbox";
import { modal, plainText, wordsField, wordsIn } from "../block-kit.ts";
import { acceptQuestion, type NewQuestion } from "../question.ts";
import { mrkdwnText } from "../../slack/render/escape.ts";
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
  const open = (trigger_id: string, carried?: Carried) =>
    context.clients.posts.views.open({ trigger_id, view: askModal(carried) });
  app.shortcut({ type: "message_action", callback_id: "ask_message" }, async ({ shortcut, ack }) => {
    await ack();
    const { channel, message, trigger_id, response_url: responseUrl } = shortcut;
    const root: unknown = message["thread_ts"];
    const threadTs = typeof root === "string" ? root : message.ts;
    const inThread = typeof root === "string";
    await open(trigger_id, { channel: channel.id, about: message.ts, threadTs, inThread, responseUrl });
  });
  app.shortcut({ type: "shortcut", callback_id: "ask_global" }, async ({ shortcut, ack }) => {
    await ack();
    await open(shortcut.trigger_id);
  });
  app.view(ASK_VIEW, async ({ view, body, ack }) => {
    const words = wordsIn(view, QUESTION_BLOCK);
    if (words === "") {
      return ack({ response_action: "errors", errors: { [QUESTION_BLOCK]: "Write what you would like to know." } });
    }
    const asked = { ...unwritten(context, body.user.id, escapeControl(words)), entry: "shortcut" as const };
    let question: NewQuestion;
    if (view.private_metadata === "") {
      const channel = await directChannel(context, asked.user);
      question = { ...asked, channel, begins: `You asked: ${mrkdwnText(words)}` };
    } else {
      const { inThread: aboutThread, ...carried } = Carried.parse(JSON.parse(view.private_metadata));
      const audience = view.state.values[AUDIENCE_BLOCK]?.["who"]?.selected_option?.value;
      question = { ...asked, ...carried, inThread: true, private: audience !== "thread", aboutThread };
    }
    await acceptQuestion(context, question, taskKey("question", { ...question, ts: view.id }));
    await ack();
  });
};

/** A question from nowhere is answered in the direct conversation, where the bot writes down what was asked. */
async function directChannel({ clients }: BotContext, user: string): Promise<string> {
  const opened = await clients.posts.conversations.open({ users: user });
  const channel = opened.channel?.id;
  if (channel === undefined) throw new Error("The direct conversation could not be opened.");
  return channel;
}

function askModal(carried?: Carried): View {
  const field = (placeholder: string) => wordsField(QUESTION_BLOCK, "Your question", placeholder);
  const form = { callback_id: ASK_VIEW, submit: "Ask", close: "Cancel" };
  if (carried === undefined) return modal({ ...form, title: "Ask" }, [field("What would you like to know?")]);
  const onlyMe: PlainTextOption = { text: plainText("Only me"), value: "me" };
  return modal({ ...form, title: "Ask about this", private_metadata: JSON.stringify(carried) }, [
    field("What would you like to know about it?"),
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
