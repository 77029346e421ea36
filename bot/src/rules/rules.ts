import type { TextFacts } from "./text-facts.ts";
import { type Talk, whyNoFollowUp } from "./utterance.ts";

/** How a question reached the bot. `follow_up`: in a thread, without a mention; `eager`: at a channel's root, without one. */
export type Entry = "mention" | "dm" | "agent" | "command" | "shortcut" | "follow_up" | "eager";

/** Which key of the server a question is asked with. `dm` is the wider one. */
export type AskingKey = "channel" | "dm";

/** Whether messages of a thread the bot answered in are questions without a mention. */
export type FollowUps = "off" | "own_threads" | "own_threads_asker";

/** Who may have messages kept by pinning them, and where those go. */
export interface PinRules {
  /** `members`: every full member of the workspace; a list: only these user ids. */
  readonly who: "off" | "members" | readonly string[];
  /** Connector/credential pair of this place's documents. Absent: the one configured for the bot. */
  readonly pair?: number;
  /** The place's own entry says so, not the defaults. Private places need that. */
  readonly explicit: boolean;
}

/** What holds in one place: a channel, or direct messages. */
export interface Settings {
  /** The rules file names this place. */
  readonly named: boolean;
  readonly enabled: boolean;
  /** A list holds user ids, user group ids, and `admins`. */
  readonly whoMayAsk: "everyone" | readonly string[];
  /** Absent: the server's own assistant. */
  readonly persona?: number;
  /** Names. Empty: every document the key may see. */
  readonly documentSets: readonly string[];
  /** Kinds of sources, as the server names them. Empty: all. */
  readonly sources: readonly string[];
  readonly followUps: FollowUps;
  /** `eager`: questions at the channel's root are answered without a mention. */
  readonly listen: "quiet" | "eager";
  /** `ephemeral`: only the asker sees it, and can share it. */
  readonly answer: "thread" | "ephemeral";
  readonly key: AskingKey;
  readonly pins: PinRules;
  /** Whether people of other companies may see answers here. */
  readonly slackConnect: "refuse" | "allow";
  readonly guests: "refuse" | "allow";
  /** User ids or bot ids of apps that may ask. */
  readonly bots: readonly string[];
  /** User ids and user group ids of those who are called when somebody needs a human. */
  readonly helpers: readonly string[];
}

/** The rules file, read and checked. */
export interface Rules {
  /** By channel id, defaults filled in. */
  readonly channels: ReadonlyMap<string, Settings>;
  /** Every channel the file does not name. */
  readonly otherChannels: Settings;
  readonly directMessages: Settings;
  /** A wider key for direct messages is configured. */
  readonly dmKey: boolean;
}

/** Where a question was asked. */
export interface ChannelFacts {
  readonly id: string;
  readonly kind: "public" | "private" | "mpim" | "im";
  /**
   * Shared with another company, or about to be: the event's `is_ext_shared_channel`, or `is_ext_shared` or
   * `is_pending_ext_shared` of the channel. `unknown`: Slack would not say, which counts as shared.
   */
  readonly shared: boolean | "unknown";
  readonly archived?: boolean;
}

/** Who asks. */
export interface Asker {
  readonly id: string;
  /**
   * `admin`: owner or administrator of the workspace; `guest`: restricted or ultra-restricted; `stranger`: is_stranger
   * or of another workspace; `bot`: anything with a bot id, and Slackbot; `unknown`: Slack would not say, which counts
   * as a stranger.
   */
  readonly kind: "member" | "admin" | "guest" | "stranger" | "bot" | "unknown";
  /** The bot's own user, bot or app id. */
  readonly self?: boolean;
  /** Its `bot_id`, where there is one. */
  readonly botId?: string;
  /** User groups of {@link groupsToLookUp} the asker is in. Absent: they could not be looked up. */
  readonly groups?: readonly string[];
}

/** What is known of a thread. Absent for a message that is not in one. */
export interface ThreadFacts {
  /** The bot answered in it before, or was asked in it. */
  readonly own: boolean;
  /** Besides the bot, only the person who speaks now has spoken since the thread's first question to the bot. */
  readonly onlyAsker: boolean;
  /** The bot's answer to whoever speaks now stands right before: what they say is most likely said to it. */
  readonly afterAnswer: boolean;
}

/** Everything a decision is made from. */
export interface Situation {
  readonly entry: Entry;
  readonly channel: ChannelFacts;
  readonly user: Asker;
  readonly thread?: ThreadFacts;
  readonly text: TextFacts;
}

/** Why a question is not answered: one word each, for metrics and tests. */
export type RefusalCode =
  | "own_message"
  | "bot"
  | "archived"
  | "follow_ups_off"
  | "not_own_thread"
  | "not_eager"
  | "in_a_thread"
  | "not_a_question"
  | "to_somebody_else"
  | "others_speak"
  | "switched_off"
  | "shared_channel"
  | "channel_unknown"
  | "user_unknown"
  | "stranger"
  | "guest"
  | "not_allowed"
  | "groups_unknown"
  | "no_question";

/** What is to be done, and why, in plain words. Nothing of it holds message text. */
export type Decision =
  | {
      readonly kind: "answer";
      readonly settings: Settings;
      readonly key: AskingKey;
      /** It is no question: a nod, or how to ask, is enough. */
      readonly talk?: Talk;
      readonly trace: readonly string[];
    }
  | {
      readonly kind: "refuse";
      readonly code: RefusalCode;
      /** For the person who asked: what happened and what to do. */
      readonly words: string;
      readonly trace: readonly string[];
    }
  | { readonly kind: "stay_out"; readonly code: RefusalCode; readonly trace: readonly string[] };

/** The settings of a place. */
export function settingsFor(rules: Rules, channel: Pick<ChannelFacts, "id" | "kind">): Settings {
  if (channel.kind === "im") return rules.directMessages;
  return rules.channels.get(channel.id) ?? rules.otherChannels;
}

/** The user groups that must be looked up before a decision about this place; usually none. */
export function groupsToLookUp(rules: Rules, channel: Pick<ChannelFacts, "id" | "kind">): readonly string[] {
  const { whoMayAsk } = settingsFor(rules, channel);
  return whoMayAsk === "everyone" ? [] : whoMayAsk.filter((one) => one.startsWith("S"));
}

/**
 * Answer, refuse with a reason, or stay out. Pure. Somebody who addressed the bot always learns why there is no answer;
 * a message nobody addressed to it never gets one but an answer. To be asked again right before posting: a channel can
 * be shared meanwhile (docs/threats.md, T15).
 */
export function decide(rules: Rules, situation: Situation): Decision {
  const settings = settingsFor(rules, situation.channel);
  const trace = [ENTRY_WORDS[situation.entry], placeWords(situation.channel, settings)];
  for (const check of CHECKS) {
    const objection = check(settings, situation);
    if (objection === undefined) continue;
    const { code, because, words } = objection;
    if (words === undefined || !isAddressed(situation)) {
      return { kind: "stay_out", code, trace: [...trace, because, "So the bot says nothing."] };
    }
    return { kind: "refuse", code, words, trace: [...trace, because, "So the bot declines, and says why."] };
  }
  const key = keyFor(rules, settings, situation.channel);
  const { text, entry } = situation;
  if (text.talk !== undefined && text.files === 0 && SPOKEN_TO.has(entry)) {
    const because = "It is small talk, not a question: nothing is looked up for it.";
    return { kind: "answer", settings, key, talk: text.talk, trace: [...trace, because] };
  }
  return { kind: "answer", settings, key, trace: [...trace, ...answerWords(settings, situation, key)] };
}

/** Where people speak to the bot as to anybody; a command and a form hold questions only. */
const SPOKEN_TO: ReadonlySet<Entry> = new Set(["mention", "dm", "agent"]);

/** The key for a place: the wider one in direct messages where it is configured, elsewhere only by the place's own rule. */
function keyFor(rules: Rules, settings: Settings, channel: ChannelFacts): AskingKey {
  if (!rules.dmKey) return "channel";
  return channel.kind === "im" ? "dm" : settings.key;
}

function isAddressed({ entry, channel }: Situation): boolean {
  return channel.kind === "im" || (entry !== "follow_up" && entry !== "eager");
}

interface Objection {
  readonly code: RefusalCode;
  /** For the trace. */
  readonly because: string;
  /** For the asker. Absent: nothing is said, whoever asked. */
  readonly words?: string;
}

type Check = (settings: Settings, situation: Situation) => Objection | undefined;

/** In this order: first what must never be talked to, then whether the bot was meant, then who may see what. */
const CHECKS: readonly Check[] = [
  refuseBots,
  refuseArchived,
  refuseFollowUp,
  refuseEager,
  refuseSwitchedOff,
  refuseShared,
  refuseOutsiders,
  refuseUninvited,
  refuseEmpty,
];

/** Two bots that answer each other never stop (docs/threats.md, T17). */
function refuseBots({ bots }: Settings, { user }: Situation): Objection | undefined {
  if (user.self === true) return { code: "own_message", because: "The message is the bot's own." };
  if (user.kind !== "bot") return undefined;
  if (bots.includes(user.id) || (user.botId !== undefined && bots.includes(user.botId))) return undefined;
  return { code: "bot", because: `${user.id} is an app, and not one of those allowed to ask here (\`bots\`).` };
}

function refuseArchived(_: Settings, { channel }: Situation): Objection | undefined {
  return channel.archived === true ? { code: "archived", because: "The channel is archived." } : undefined;
}

function refuseFollowUp({ followUps }: Settings, situation: Situation): Objection | undefined {
  if (situation.entry !== "follow_up" || isAddressed(situation)) return undefined;
  const { thread, text } = situation;
  if (followUps === "off") {
    return { code: "follow_ups_off", because: "In threads the bot answers only when mentioned (`follow_ups: off`)." };
  }
  if (thread?.own !== true) {
    return { code: "not_own_thread", because: "The bot has no part in this thread, and was not mentioned." };
  }
  if (text.mentionsOthers) {
    return { code: "to_somebody_else", because: "The message mentions somebody else, so it is for them." };
  }
  if (followUps === "own_threads_asker" && !thread.onlyAsker) {
    const because = "Others speak in this thread by now (`follow_ups: own_threads_asker`), so a mention is needed.";
    return { code: "others_speak", because };
  }
  const because = whyNoFollowUp(text, thread);
  return because === undefined ? undefined : { code: "not_a_question", because };
}

function refuseEager({ listen }: Settings, situation: Situation): Objection | undefined {
  if (situation.entry !== "eager" || isAddressed(situation)) return undefined;
  const { thread, text } = situation;
  if (listen !== "eager") {
    return { code: "not_eager", because: "Without a mention the bot does not answer here (`listen: quiet`)." };
  }
  if (thread !== undefined) {
    return { code: "in_a_thread", because: "The message replies to somebody; eager is for a channel's root only." };
  }
  if (text.mentionsOthers) {
    return { code: "to_somebody_else", because: "The message mentions somebody else, so it is for them." };
  }
  if (!text.question) return { code: "not_a_question", because: "The message does not read like a question." };
  return undefined;
}

function refuseSwitchedOff({ enabled }: Settings, { channel }: Situation): Objection | undefined {
  if (enabled) return undefined;
  const words =
    channel.kind === "im"
      ? "I am switched off in direct messages here. Ask me in a channel, or have whoever runs me change my rules."
      : "I am switched off in this channel. Ask me elsewhere, or have whoever runs me change the rules of this channel.";
  return { code: "switched_off", because: "The bot is switched off here (`enabled: false`).", words };
}

function refuseShared({ slackConnect }: Settings, { channel }: Situation): Objection | undefined {
  if (channel.shared === false || slackConnect === "allow") return undefined;
  if (channel.shared === "unknown") {
    return {
      code: "channel_unknown",
      because:
        "Slack does not tell the bot whether this channel is shared with another company; that counts as shared.",
      words: "I cannot see this channel, so I do not know who would read the answer. Invite me to it, then ask again.",
    };
  }
  return {
    code: "shared_channel",
    because: "The channel is shared with another company (`slack_connect: refuse`).",
    words:
      "This channel is shared with another company, and I answer from internal documents. " +
      "Ask me in an internal channel or in a direct message.",
  };
}

function refuseOutsiders({ slackConnect, guests }: Settings, { user }: Situation): Objection | undefined {
  if (user.kind === "unknown") {
    return {
      code: "user_unknown",
      because: "Slack does not tell the bot who the asker is; that counts as a stranger.",
      words: "I could not find out whose account this is, so I cannot answer. Try again in a minute.",
    };
  }
  if (user.kind === "stranger" && slackConnect === "refuse") {
    return {
      code: "stranger",
      because: "The asker belongs to another workspace (`slack_connect: refuse`).",
      words: "I answer members of this workspace only, since I answer from its internal documents.",
    };
  }
  if (user.kind === "guest" && guests === "refuse") {
    return {
      code: "guest",
      because: "The asker is a guest (`guests: refuse`).",
      words: "I answer full members only, since I answer from internal documents.",
    };
  }
  return undefined;
}

function refuseUninvited({ whoMayAsk }: Settings, { user }: Situation): Objection | undefined {
  // An allowed app was named by its own id; nobody else's list is about it.
  if (whoMayAsk === "everyone" || user.kind === "bot" || whoMayAsk.includes(user.id)) return undefined;
  if (user.kind === "admin" && whoMayAsk.includes("admins")) return undefined;
  const groups = whoMayAsk.filter((one) => one.startsWith("S"));
  if (groups.length > 0 && user.groups === undefined) {
    return {
      code: "groups_unknown",
      because: "Only some user groups may ask here, and Slack would not say who is in them.",
      words:
        "I could not find out whether you may ask here: Slack did not tell me who is in the user group. Try again.",
    };
  }
  if (groups.some((group) => user.groups?.includes(group) === true)) return undefined;
  return {
    code: "not_allowed",
    because: "The asker is not among those who may ask here (`who_may_ask`).",
    words: "Only some people may ask me here. Ask me elsewhere, or have whoever runs me add you to this place's rules.",
  };
}

/** A bare mention in a thread asks about the thread; anywhere else there is nothing to answer. */
function refuseEmpty(_: Settings, { text, thread }: Situation): Objection | undefined {
  if (!text.empty || text.files > 0 || thread !== undefined) return undefined;
  return {
    code: "no_question",
    because: "The message holds no text besides the mention.",
    words: "What would you like to know? Write your question in the same message.",
  };
}

const ENTRY_WORDS: Record<Entry, string> = {
  mention: "The bot was mentioned.",
  dm: "The message is a direct message to the bot.",
  agent: "The message was written in the bot's own conversation.",
  command: "The question came by slash command.",
  shortcut: "The question came by message shortcut.",
  follow_up: "The message stands in a thread and does not mention the bot.",
  eager: "The message stands in the channel and does not mention the bot.",
};

const ASKER_WORDS: Record<Asker["kind"], string> = {
  member: "a full member",
  admin: "an administrator",
  guest: "a guest",
  stranger: "from another workspace",
  bot: "an allowed app",
  unknown: "not known",
};

/** Which rules hold in a channel, for a trace. */
export function placeWords({ id, kind }: ChannelFacts, settings: Settings): string {
  if (kind === "im") return "The rules for direct messages hold.";
  const place = `${{ public: "public channel", private: "private channel", mpim: "group conversation" }[kind]} ${id}`;
  return settings.named
    ? `The ${place} has rules of its own.`
    : `The ${place} has no rules of its own; the defaults hold.`;
}

function answerWords(settings: Settings, { user, channel }: Situation, key: AskingKey): string[] {
  const who = ASKER_WORDS[user.kind];
  const assistant = settings.persona === undefined ? "the server's own assistant" : `persona ${settings.persona}`;
  const sets = settings.documentSets.length === 0 ? "every document the key may see" : settings.documentSets.join(", ");
  const sources = settings.sources.length === 0 ? "" : `, sources ${settings.sources.join(", ")}`;
  const keyName = key === "dm" ? "key for direct messages" : "channel key";
  const ephemeral = channel.kind !== "im" && settings.answer === "ephemeral";
  return [
    `The asker is ${who}, and may ask here.`,
    `The question goes to ${assistant}, with the ${keyName}; the answer comes from ${sets}${sources}.`,
    ephemeral ? "The answer is shown to the asker alone, who can share it." : "The answer goes into the thread.",
  ];
}
