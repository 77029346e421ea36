import { type ChannelFacts, placeWords, type Rules, settingsFor, type Situation } from "../../rules/rules.ts";
import type { PinDecision, PinRefusal } from "../../pins/pin-rules.ts";

/** Where somebody replied to a call, and who. */
interface Replied extends Pick<Situation, "channel" | "user"> {
  /** They are among the helpers the place's rules name. */
  readonly isHelper: boolean;
  /** In a direct message: the channel whose own rules name them, and hold for their answer; absent: those of direct messages. */
  readonly under?: string | undefined;
}

/** Whose rules hold for an answer. */
export function ruleOf(channel: Replied["channel"], under: string | undefined): Pick<ChannelFacts, "id" | "kind"> {
  return channel.kind === "im" && under !== undefined ? { id: under, kind: "private" } : channel;
}

/**
 * Whether somebody's own reply to a call may become a document. Pure. Naming helpers opts a channel in to that, as pins do;
 * a private one only by its own entry. Everybody has only their own words kept, so that who may pin what others wrote does
 * not matter here, but for places that name those whose words are kept. Of direct messages only an answer is kept that one of
 * the helpers was asked for there, whom rules of their own name.
 */
export function decideKeep(rules: Rules, { channel, user, isHelper, under }: Replied): PinDecision {
  const settings = settingsFor(rules, ruleOf(channel, under));
  const { pins, helpers } = settings;
  const trace = [placeWords(channel, settings)];
  const refuse = (code: PinRefusal["code"], because: string, words: string): PinRefusal => ({
    kind: "refuse",
    code,
    words,
    trace: [...trace, because, "So nothing is kept."],
  });
  if (channel.kind === "im" && !(settings.namesHelpers && isHelper)) {
    return refuse(
      "direct_message",
      "Of direct messages only answers of helpers are kept whom rules of their own name.",
      "Messages of direct conversations are never kept, but for answers of helpers whom the rules name.",
    );
  }
  if (pins.who === "off" && helpers.length === 0) {
    return refuse(
      "not_opted_in",
      "The channel names no helpers, and has not opted in to pins (`helpers`, `pins`).",
      "Nothing of this channel is kept. Whoever runs me can switch it on in my rules (`helpers` or `pins`).",
    );
  }
  if (channel.kind !== "public" && !settings.namesHelpers && !(pins.explicit && pins.who !== "off")) {
    return refuse(
      "private",
      "The channel is private, and only the defaults say `helpers` or `pins`, not its own rules.",
      "Answers of private channels are kept only where the channel's own rules say so (`helpers` or `pins`).",
    );
  }
  if (channel.archived === true) return refuse("archived", "The channel is archived.", "This channel is archived.");
  if (channel.shared !== false && settings.slack_connect === "refuse") {
    return refuse(
      "shared_channel",
      "The channel is or may be shared (`slack_connect: refuse`).",
      "This channel is shared with another company, or I cannot see whether it is, so nothing of it is kept.",
    );
  }
  const isKnown = user.kind === "member" || user.kind === "admin";
  const isNamed = isHelper || typeof pins.who === "string" || pins.who.includes(user.id);
  if (!isKnown || user.self === true || !isNamed) {
    return refuse(
      "not_allowed",
      `${user.id} is not among those whose answers are kept here (\`helpers\`, \`pins\`).`,
      "Only some people's words may be kept here. Ask one of them, or whoever runs me.",
    );
  }
  trace.push(`${user.id} may have their own answer kept here.`);
  return { kind: "keep", ...(pins.pair !== undefined && { pair: pins.pair }), trace };
}
