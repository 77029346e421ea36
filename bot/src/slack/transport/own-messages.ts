import type { Self } from "../../context.ts";

/** What of a message or event tells who wrote it. */
export interface Authorship {
  readonly user?: string | undefined;
  readonly bot_id?: string | undefined;
  readonly app_id?: string | undefined;
  readonly subtype?: string | undefined;
  readonly bot_profile?: unknown;
}

/** The platform's own account, which sends notices and reminders. */
const SLACKBOT = "USLACKBOT";

/** Whether the bot wrote it itself, under whichever of its names. */
export function isOwn(message: Authorship, self: Pick<Self, "userId" | "botId" | "appId">): boolean {
  if (message.user === self.userId || message.bot_id === self.botId) return true;
  return self.appId !== undefined && message.app_id === self.appId;
}

/** Whether a program wrote it. */
export function isByProgram(message: Authorship): boolean {
  return (
    message.bot_id !== undefined ||
    message.bot_profile !== undefined ||
    message.subtype === "bot_message" ||
    message.user === SLACKBOT
  );
}
