import type { KnownBlock, View } from "@slack/types";
import * as z from "zod";
import { modal, plainText, section } from "../ask/block-kit.ts";
import type { BotContext, Register } from "../context.ts";
import { answerFormFor } from "../gaps/keep/keep-form.ts";
import { decideFor } from "./pin-to-document.ts";
import { beginPinTask } from "./pin-work.ts";
import { button } from "../slack/render/answer-actions.ts";
import { mrkdwnText, shortened } from "../slack/render/escape.ts";
import { CALLBACKS } from "../settings/manifest.ts";
import { markdownOf, type Message, readMessage } from "@threadlore/documents/slack";
import { CANNOT_SEE, isMember, STATE_WORDS } from "./pin-notices.ts";
import { tell } from "../tell.ts";
import { visibilityWords } from "./visibility.ts";
import type { PinState } from "@threadlore/inbox";

const ADD_VIEW = "add_view";
const REMOVE = "kept_remove";
const TITLE_BLOCK = "title";
const MAX_PREVIEW = 1_500;
const MAX_TITLE = 120;

/** What the modal carries; everything else is looked up and decided again when it is submitted. */
const Carried = z.object({ channel: z.string(), ts: z.string(), suggested: z.string() });
type Carried = z.infer<typeof Carried>;

/** "Add to knowledge" on a message: a look at what would be kept and who would find it, then the way of the pins. */
export const registerAdd: Register = (app, context) => {
  app.shortcut({ type: "message_action", callback_id: CALLBACKS.addToKnowledge }, async ({ shortcut, ack }) => {
    await ack();
    const { channel, user, trigger_id, message } = shortcut;
    const view = await viewFor(context, channel.id, user.id, readMessage(message));
    await context.clients.posts.views.open({ trigger_id, view }).catch(async (error: unknown) => {
      context.log.warn("add not shown", { error });
      await tell(context, channel.id, user.id, "I could not open the window in time. Please try again.");
    });
  });
  app.view(ADD_VIEW, async ({ view, body, ack }) => {
    const carried = Carried.parse(JSON.parse(view.private_metadata));
    const typed = view.state.values[TITLE_BLOCK]?.["title"]?.value?.trim() ?? "";
    const { channel, ts, suggested } = carried;
    // A title nobody changed follows the message when it is edited.
    const title = typed === "" || typed === suggested ? {} : { title: typed };
    const work = { channel, ts, by: body.user.id, moment: context.now(), certain: true, ...title };
    await beginPinTask(context, "add", work, view.id);
    await ack();
  });
  app.action({ type: "block_actions", action_id: REMOVE }, async ({ body, ack }) => {
    const carried = Carried.safeParse(JSON.parse(body.view?.private_metadata ?? "{}")).data;
    const viewId = body.view?.id;
    if (carried !== undefined && viewId !== undefined) await remove(context, body.user.id, carried, viewId);
    await ack();
  });
};

async function remove(context: BotContext, user: string, { channel, ts }: Carried, viewId: string): Promise<void> {
  const { people, clients, later, now } = context;
  const place = await people.place(channel);
  const decision = place && (await decideFor(context, place, user));
  const may = decision?.kind === "keep";
  const work = { channel, ts, by: user, moment: now(), certain: true, why: "removed" as const };
  if (may) await beginPinTask(context, "unpin", work, viewId);
  const words = may ? "It is being removed." : (decision?.words ?? CANNOT_SEE);
  later("show that it is removed", () => clients.posts.views.update({ view_id: viewId, view: notice(words) }));
}

async function viewFor(context: BotContext, channel: string, user: string, message: Message): Promise<View> {
  const { people, clients, self, store, config } = context;
  const place = await people.place(channel, { fresh: true });
  const { ts } = message;
  if (place === undefined || ts === "") return notice(CANNOT_SEE);
  const asAnswer = await answerFormFor(context, { place, message, user });
  if (asAnswer !== undefined) return asAnswer;
  const [decision, inChannel, known] = await Promise.all([
    decideFor(context, place, user),
    isMember(clients.reads, channel, self.userId),
    store.findPin(channel, ts),
  ]);
  if (decision.kind === "refuse") return notice(decision.words);
  if (!inChannel) return notice(CANNOT_SEE);
  const pair = decision.pair ?? config.pair;
  if (pair === undefined) {
    return notice("Nobody has decided yet where kept messages go. Whoever runs me has to; then try again.");
  }
  const files = message.files.map(({ name }) => name).join(", ");
  const notes = [
    visibilityWords(place, pair),
    "Replies in its thread go along. It follows edits, and goes when the message is deleted; unpinning does not remove it.",
    ...(files === "" ? [] : [`Not read, only named: ${files}.`]),
  ];
  const text = (await markdownOf(message.words, people)).trim();
  return addModal({ channel, ts }, text, notes, known?.state === "tombstone" ? undefined : known?.state);
}

/** `kept`: how far a message is that is kept already. */
function addModal(message: Omit<Carried, "suggested">, text: string, notes: readonly string[], kept?: PinState): View {
  const suggested = shortened(text.split("\n", 1)[0]?.trim() ?? "", MAX_TITLE);
  const carried: Carried = { ...message, suggested };
  const form = {
    title: "Add to knowledge",
    submit: kept === undefined ? "Add" : "Update",
    close: "Cancel",
    callback_id: ADD_VIEW,
    private_metadata: JSON.stringify(carried),
  };
  const again = kept && `It is kept already: ${STATE_WORDS[kept]}. Adding it again brings it up to date.`;
  const removal: KnownBlock = { type: "actions", elements: [button("Remove it", REMOVE, "remove")] };
  return modal(form, [
    ...(again === undefined ? [] : [section(again), removal]),
    {
      type: "input",
      block_id: TITLE_BLOCK,
      optional: true,
      label: plainText("Title"),
      element: {
        type: "plain_text_input",
        action_id: "title",
        max_length: MAX_TITLE,
        ...(suggested !== "" && { initial_value: suggested }),
      },
    },
    // Plain text: nothing in somebody's message is markup here.
    { type: "section", text: plainText(text === "" ? "(no text)" : shortened(text, MAX_PREVIEW)) },
    { type: "context", elements: notes.map((note) => ({ type: "mrkdwn", text: mrkdwnText(note) })) },
  ]);
}

const notice = (words: string): View => modal({ title: "Add to knowledge" }, [section(mrkdwnText(words))]);
