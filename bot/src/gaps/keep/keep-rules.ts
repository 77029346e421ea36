import { placeWords, settingsFor, type Rules, type Situation } from "../../rules/rules.ts";
import type { PinDecision, PinRefusal } from "../../pins/pin-rules.ts";

/** Where somebody replied to a call, and who. */
interface Replied extends Pick<Situation, "channel" | "user"> {
  /** They are among the helpers the place's rules name. */
  readonly isHelper: boolean;
}

/**
 * Whether somebody's own reply to a call may become a document. Pure. Naming helpers opts a channel in to that, as pins do;
 * a private one only by its own entry. Everybody has only their own words kept, so that who may pin what others wrote does
 * not matter here, but for places that name those whose words are kept.
 */
export function decideKeep(rules: Rules, { channel, user, isHelper }: Replied): PinDecision {
  const settings = settingsFor(rules, channel);
  const { pins, helpers } = settings;
  const trace = [placeWords(channel, settings)];
  const refuse = (code: PinRefusal["code"], because: string, words: string): PinRefusal => ({
    kind: "refuse",
    code,
    words,
    trace: [...trace, because, "So nothing is kept."],
  });
  if (channel.kind === "im") {
    return refuse(
      "direct_message",
      "Direct messages are never kept.",
      "Messages of direct conversations are never kept.",
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
