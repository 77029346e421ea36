import { placeWords, settingsFor, type Rules, type Situation } from "../rules/rules.ts";

/** Whether a message may become a document. */
export type PinDecision =
  | {
      readonly kind: "keep";
      /** Pair of the place's own rule; absent: the configured one. */
      readonly pair?: number;
      readonly trace: readonly string[];
    }
  | PinRefusal;

/** Why a message is not kept. */
export interface PinRefusal {
  readonly kind: "refuse";
  readonly code: "direct_message" | "not_opted_in" | "private" | "shared_channel" | "archived" | "not_allowed";
  readonly words: string;
  readonly trace: readonly string[];
}

/**
 * Whether somebody's pin, or their shortcut "Add to knowledge", turns a message into a document (docs/threats.md,
 * T32). Pure. Never from direct messages; from private places only by their own rule; never by guests, strangers or apps.
 */
export function decidePin(rules: Rules, { channel, user }: Pick<Situation, "channel" | "user">): PinDecision {
  const settings = settingsFor(rules, channel);
  const { pins } = settings;
  const trace = [placeWords(channel, settings)];
  const refuse = (code: PinRefusal["code"], because: string, words: string): PinRefusal => ({
    kind: "refuse",
    code,
    words,
    trace: [...trace, because, "So nothing is kept."],
  });
  if (channel.kind === "im") {
    const words =
      "Messages of direct conversations are never added to the knowledge. Post it in a channel, and add it there.";
    return refuse("direct_message", "Direct messages are never kept.", words);
  }
  if (pins.who === "off") {
    const words =
      "This channel has not opted in to keeping messages. Whoever runs me can switch it on in my rules (`pins`).";
    return refuse("not_opted_in", "The channel has not opted in (`pins: off`).", words);
  }
  if (channel.kind !== "public" && !pins.explicit) {
    const words = "Messages of private channels are kept only where the channel's own rules say so (`pins`).";
    return refuse("private", "The channel is private, and only the defaults say `pins`, not its own rules.", words);
  }
  if (channel.archived === true) return refuse("archived", "The channel is archived.", "This channel is archived.");
  if (channel.shared !== false && settings.slack_connect === "refuse") {
    const words =
      "This channel is shared with another company, or I cannot see whether it is, so nothing of it is kept.";
    return refuse("shared_channel", "The channel is or may be shared (`slack_connect: refuse`).", words);
  }
  const known = user.kind === "member" || user.kind === "admin";
  if (!known || user.self === true || (pins.who !== "members" && !pins.who.includes(user.id))) {
    const words =
      "Only some people may add messages of this channel to the knowledge. Ask one of them, or whoever runs me.";
    return refuse("not_allowed", `${user.id} is not among those whose pins are kept here (\`pins\`).`, words);
  }
  trace.push(`${user.id} may have messages kept here.`);
  return { kind: "keep", pair: pins.pair, trace };
}
