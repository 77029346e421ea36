import type { Town } from "./running-bot.ts";

/** What the bot said in a thread below its answer, oldest first. */
export const toldBelow = (place: Town, channel: string, ts: string): readonly string[] =>
  place
    .answers(channel, ts)
    .slice(1)
    .map(({ text }) => text);
