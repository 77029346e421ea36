import { sayInstead } from "../../ask/presses.ts";
import type { BotContext, Register } from "../../context.ts";
import { tell, tellSeldom } from "../../tell.ts";
import { beginStill } from "../still-true/still-tasks.ts";
import { CHANGED } from "./offer-changes.ts";
import { findOffer, type Offer } from "./offers.ts";
import { askedWords } from "./whom-asked.ts";

/** "It changes this". What is pressed is kept before it is acknowledged; a press names a place in what was offered, and nothing else. */
export const registerChanges: Register = (app, context) => {
  app.action(
    { type: "block_actions", action_id: new RegExp(`^${CHANGED}_\\d$`) },
    async ({ body, action: element, ack }) => {
      const value: unknown = Reflect.get(element, "value");
      const [at = "", ref = ""] = typeof value === "string" ? value.split(":") : [];
      const press = { user: body.user.id, channel: body.channel?.id ?? "", responseUrl: body.response_url };
      const said = await pressed(context, { ...press, at, ref, triggerId: body.trigger_id });
      await ack();
      if (said !== undefined) context.later("say what becomes of a press", () => said());
    },
  );
};

interface ChangePress {
  readonly user: string;
  readonly channel: string;
  readonly responseUrl: string | undefined;
  readonly triggerId: string;
  /** Which of those that were offered. */
  readonly at: string;
  readonly ref: string;
}

/** Has what was pressed done; resolves with how to say what becomes of it. */
async function pressed(context: BotContext, press: ChangePress): Promise<(() => Promise<void>) | undefined> {
  const { user, channel, at, ref, triggerId } = press;
  const offer = await findOffer(context, ref);
  const kept = /^\d$/.test(at) ? offer?.kept[Number(at)] : undefined;
  if (offer === undefined || kept === undefined) return () => tellSeldom(context, press, FORGOTTEN);
  // A button of another channel's message can only have been forged.
  if (offer.channel !== channel) return undefined;
  if (offer.to !== user) return () => tellSeldom(context, press, "This was asked of somebody else.");
  const { ts } = offer;
  const pin = await context.store.findPin(channel, ts);
  if (pin === undefined || pin.state === "tombstone") return () => sayInstead(context, press, NOT_KEPT);
  await beginStill(context, { do: "doubted", channel, ts, kept: kept.id, by: user }, triggerId);
  return () => thank(context, press, offer, kept.owner);
}

/** In place of the question; where more was asked below it, so that it can be said of each, the question stays. */
async function thank(context: BotContext, press: ChangePress, { kept }: Offer, owner: string | null): Promise<void> {
  const words = `Thank you. ${await askedWords(context, press.user, owner)}`;
  if (kept.length > 1) return tell(context, press.channel, press.user, words);
  return sayInstead(context, press, words);
}

const FORGOTTEN = "It is too long ago that I asked this. Tell whoever gave the answer yourself, please.";
const NOT_KEPT = "Your message is not kept any more, so nobody is asked anything.";
