import { markdownOf } from "@threadlore/documents/slack";
import type { DoubtRecord } from "@threadlore/inbox";
import { modal, section } from "../../ask/block-kit.ts";
import type { BotContext, Register } from "../../context.ts";
import { readOne } from "../../slack/read/replies.ts";
import { mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { tellSeldom } from "../../tell.ts";
import { linkTo, STILL_ACTIONS } from "./still-message.ts";
import { beginRetiring, beginStill } from "./still-tasks.ts";

/** The buttons below "is this still true?". What is pressed is kept before it is acknowledged. */
export const registerStillTrue: Register = (app, context) => {
  const on = (action: string, pressed: (press: StillPress, doubt: DoubtRecord) => Promise<unknown>): void => {
    app.action({ type: "block_actions", action_id: action }, async ({ body, action: element, ack }) => {
      const value: unknown = Reflect.get(element, "value");
      const press = { user: body.user.id, channel: body.channel?.id ?? "", triggerId: body.trigger_id };
      const doubt = await doubtBehind(context, press, typeof value === "string" ? value : "");
      if (doubt !== undefined) await pressed(press, doubt);
      await ack();
    });
  };
  on(STILL_ACTIONS.holds, ({ user, triggerId }, { channel, ts }) =>
    beginStill(context, { do: "holds", channel, ts, by: user }, triggerId),
  );
  on(STILL_ACTIONS.retire, ({ user, triggerId }, { channel, ts }) =>
    beginRetiring(context, { channel, ts, by: user }, triggerId),
  );
  on(STILL_ACTIONS.edit, ({ triggerId }, doubt) => {
    context.later("show what is kept", () => openWords(context, triggerId, doubt));
    return Promise.resolve();
  });
};

interface StillPress {
  readonly user: string;
  readonly channel: string;
  readonly triggerId: string;
}

/** The doubt a button belongs to, where whoever pressed may have a say in it: the owner, or an administrator. */
async function doubtBehind(context: BotContext, press: StillPress, id: string): Promise<DoubtRecord | undefined> {
  const doubt = await context.store.findDoubt(id);
  if (doubt === undefined || doubt.state === "over") {
    await tellSeldom(context, press, "Nothing is asked about this any more.");
    return undefined;
  }
  if (press.user === doubt.owner) return doubt;
  // A message of another place can only have been forged.
  if (!doubt.messages.some(({ channel }) => channel === press.channel)) return undefined;
  if ((await context.people.account(press.user))?.kind === "admin") return doubt;
  await tellSeldom(context, press, "Only administrators of this workspace can say so for somebody who has left.");
  return undefined;
}

/**
 * The words that are kept, and how they are changed. Nobody but its author can edit a message, and what is kept follows the
 * message: so that is where it is done, and both always say the same.
 */
async function openWords(context: BotContext, triggerId: string, { channel, ts }: DoubtRecord): Promise<void> {
  const { clients, store, people } = context;
  const { views } = clients.posts;
  const opened = await views.open({ trigger_id: triggerId, view: page(["One moment, please."]) });
  const pin = await store.findPin(channel, ts);
  const message = await readOne({ bot: context, channel }, ts).catch(() => undefined);
  const words = message === undefined ? "" : await markdownOf(message.words, people);
  const link = linkTo("Open your message", pin?.permalink, "Open your message");
  const quote = words
    .split("\n")
    .map((line) => `> ${mrkdwnText(line)}`)
    .join("\n");
  const view = page([HOW, ...(words === "" ? [] : [shortened(quote, MAX_SHOWN)]), link]);
  if (opened.view?.id !== undefined) await views.update({ view_id: opened.view.id, view });
}

const MAX_SHOWN = 2_900;
const HOW =
  "Edit your message in its thread: what I answer from follows it within a minute, and I ask no more. To keep it as it is, press “Yes, still true”.";

const page = (texts: readonly string[]) => modal({ title: "Edit your answer" }, texts.map(section));
