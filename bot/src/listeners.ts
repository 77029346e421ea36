import type { BotContext, Register } from "./context.ts";
import { registerMore } from "./accounts/more/offer-more.ts";
import { registerAccounts } from "./accounts/connect.ts";
import { registerFeedback } from "./ask/after/feedback.ts";
import { registerNext } from "./ask/after/next.ts";
import { registerHow, registerWhy } from "./ask/after/why.ts";
import { registerRegenerate, registerShare, registerStop } from "./ask/entry/buttons.ts";
import { registerCommand } from "./ask/entry/command.ts";
import { publishHome, registerHome } from "./ask/entry/home.ts";
import { hearOfPlaces, registerLifecycle } from "./ask/entry/lifecycle.ts";
import { hearQuestion } from "./ask/entry/question-listener.ts";
import { registerSessions } from "./ask/entry/session.ts";
import { registerShortcuts } from "./ask/entry/shortcut.ts";
import { forgetGapsCommand, hearOfNoted } from "./gaps/forget-questions.ts";
import { registerChanges } from "./gaps/changes/change-presses.ts";
import { registerSame } from "./gaps/same/offer-same.ts";
import { registerForget } from "./gaps/waiting-blocks.ts";
import { gapsCommand } from "./gaps/gaps-command.ts";
import { registerCalls } from "./gaps/calls/call-listener.ts";
import { digestCommand } from "./gaps/digest/digest-command.ts";
import { registerDigest } from "./gaps/digest/digest-presses.ts";
import { registerStillTrue } from "./gaps/still-true/still-presses.ts";
import { hearOfCalls } from "./gaps/calls/call-replies.ts";
import { registerPreviews } from "./lookups/previews.ts";
import { registerSearch } from "./lookups/search.ts";
import { registerAdd } from "./pins/add-listener.ts";
import { hearOfKept, registerPins } from "./pins/pin-listener.ts";
import { pinsCommand } from "./pins/pins-command.ts";
import { type MessageEvent, readMessageEvent } from "./slack/read/message-event.ts";

/** Who hears of messages. A mention comes twice, as a message and as a mention. */
export type Hearer = (context: BotContext, event: MessageEvent) => Promise<void>;

/** Messages, each read once for all who hear of them. */
export function registerMessages(hearers: readonly Hearer[]): Register {
  return (app, context) => {
    const hear = async (event: object, body: object): Promise<void> => {
      const message = readMessageEvent(event, body);
      if (message === undefined) return;
      const heard = await Promise.allSettled(hearers.map((one) => one(context, message)));
      const failed = heard.find((one) => one.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    };
    app.event("app_mention", ({ event, body }) => hear(event, body));
    app.event("message", ({ event, body }) => hear(event, body));
  };
}

/** Everything the bot hears. */
export const LISTENERS: readonly Register[] = [
  registerMessages([hearOfPlaces, hearQuestion, hearOfKept, hearOfNoted, hearOfCalls]),
  registerStop,
  registerSessions,
  registerCommand([pinsCommand, gapsCommand, forgetGapsCommand, digestCommand]),
  registerShortcuts,
  registerRegenerate,
  registerShare,
  registerPins,
  registerAdd,
  registerFeedback,
  registerCalls,
  registerStillTrue,
  registerDigest,
  registerHome,
  registerForget(publishHome),
  registerAccounts,
  registerMore,
  registerSame,
  registerChanges,
  registerNext,
  registerHow,
  registerWhy,
  registerLifecycle,
  registerSearch,
  registerPreviews,
];
