import type { KnownBlock, ModalView, PlainTextOption } from "@slack/types";
import type { CallRecord } from "@threadlore/inbox";
import * as z from "zod";
import { modal, plainText, section } from "../../ask/block-kit.ts";
import { type AnswerBehind, answerBehind, type Press } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import { settingsFor } from "../../rules/rules.ts";
import { channelsWith } from "../../slack/read/channels.ts";
import { literalText, mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { noteQuestion } from "../note-question.ts";
import { digestWords } from "./offer-person.ts";
import { mentionOf } from "./call-message.ts";
import { directHelpers } from "./call-whom.ts";
import { MAX_CHARACTERS, wordsOfQuestion } from "./call-question.ts";

/** The form by which the asker of a private question agrees to have it asked. */
export const CALL_VIEW = "call_view";

/** What it carries; everything else is looked up and decided again when it is submitted. */
export const CarriedCall = z.object({ task: z.string(), channel: z.string() });

/** Its fields. */
export const CALL_FIELDS = { words: "call_words", place: "call_place", name: "call_name" } as const;
/** That the others do not learn who asks. */
export const UNNAMED = "unnamed";

/** Channels and people to choose from; a list has room for a hundred. */
const MAX_PLACES = 100;

/**
 * Opens the form for a question that only its asker knows of: its words, where it would be asked, and who would read it.
 * Nothing leaves before it is submitted.
 */
export async function openCallForm(context: BotContext, press: Press): Promise<void> {
  const answer = await answerBehind(context, press);
  if (answer === undefined) return;
  const { views } = context.clients.posts;
  // The platform waits three seconds for a form, and to see where somebody is a member can take longer.
  const opened = await views.open({ trigger_id: press.triggerId, view: notice("One moment, please.") });
  const view_id = opened.view?.id;
  if (view_id !== undefined) await views.update({ view_id, view: await viewFor(context, answer) });
}

async function viewFor(context: BotContext, answer: AnswerBehind): Promise<ModalView> {
  const { taskId, question } = answer;
  const known = await context.store.findCall(taskId);
  if (known?.ts !== undefined) return notice(askedIn(known));
  const [channels, words = ""] = await Promise.all([
    channelsToAskIn(context, question.user),
    wordsOfQuestion(context, question),
  ]);
  const people = await directHelpers(context, question.user, { anywhere: channels.length === 0 });
  if (channels.length === 0 && people.length === 0) {
    await noteQuestion(context, { taskId, question, reason: "human" });
    return notice(NOWHERE + digestWords(context));
  }
  const names = await Promise.all(people.map(async ({ user }) => (await context.people.account(user))?.name ?? user));
  const places = [
    ...channels.map(({ id, name }) => option(`#${shortened(literalText(name), 70)}`, id)),
    ...people.map(({ user }, at) => option(`Directly: ${shortened(literalText(names[at] ?? ""), 60)}`, user)),
  ];
  return form({ task: taskId, channel: question.channel }, words, places.slice(0, MAX_PLACES));
}

/** Where a question was asked already, for its asker, in mrkdwn. A direct message of others is no place they could open. */
export function askedIn({ channel, helpers }: Pick<CallRecord, "channel" | "helpers">): string {
  const where = channel.startsWith("D") ? `of ${helpers.map(mentionOf).join(" ")}, directly` : `in <#${channel}>`;
  return `This was asked already, ${where}.`;
}

const NOWHERE =
  "There is no channel with helpers that you and I are both in, and nobody whom I could ask directly. It is noted, without its words: " +
  "when somebody writes it down, you are told.";

/** Channels whose rules name helpers, and that both the asker and the bot are in. */
async function channelsToAskIn(context: BotContext, user: string): Promise<readonly { id: string; name: string }[]> {
  const types = "public_channel,private_channel";
  const [ours, theirs] = await Promise.all([channelsWith(context, { types }), channelsWith(context, { types, user })]);
  const isTheirs = new Set(theirs.map(({ id }) => id));
  return ours.flatMap(({ id = "", name = "", is_private: hidden, is_ext_shared: shared }) => {
    const settings = settingsFor(context.rules(), { id, kind: hidden === true ? "private" : "public" });
    const isOpen = shared !== true || settings.slack_connect === "allow";
    return isTheirs.has(id) && isOpen && settings.helpers.length > 0 ? [{ id, name }] : [];
  });
}

function form(carried: z.infer<typeof CarriedCall>, words: string, places: PlainTextOption[]): ModalView {
  const [first] = places;
  const names = [option("With my name", "named"), option("Without my name", UNNAMED)];
  const blocks: KnownBlock[] = [
    {
      type: "input",
      block_id: CALL_FIELDS.words,
      label: plainText("The question, as others will read it"),
      element: {
        type: "plain_text_input",
        action_id: CALL_FIELDS.words,
        multiline: true,
        max_length: MAX_CHARACTERS,
        ...(words !== "" && { initial_value: words }),
      },
    },
    select(CALL_FIELDS.place, "Where it is asked", places, first),
    select(CALL_FIELDS.name, "Who asks", names, names[0]),
    section(mrkdwnText(WHO_READS)),
  ];
  const head = { title: "Ask a person", submit: "Ask", close: "Cancel", callback_id: CALL_VIEW };
  return modal({ ...head, private_metadata: JSON.stringify(carried) }, blocks);
}

const WHO_READS =
  "Everybody in that channel reads these words, and its helpers are asked; directly, that person alone. Nothing else of our " +
  "conversation goes along. An answer may be kept as a document, with these words as its title; you are told here.";

const option = (text: string, value: string): PlainTextOption => ({ text: plainText(text), value });

function select(block: string, label: string, options: PlainTextOption[], first?: PlainTextOption): KnownBlock {
  const element = {
    type: "static_select" as const,
    action_id: block,
    options,
    ...(first && { initial_option: first }),
  };
  return { type: "input", block_id: block, label: plainText(label), element };
}

const notice = (words: string): ModalView => modal({ title: "Ask a person" }, [section(words)]);
