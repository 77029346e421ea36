import type { AskingKey, Settings } from "./settings.ts";
import type { TextFacts } from "./text-facts.ts";
import type { Talk } from "./utterance.ts";

/** How a question reached the bot, in words for a trace. */
const ENTRY_WORDS = {
  mention: "The bot was mentioned.",
  dm: "The message is a direct message to the bot.",
  agent: "The message was written in the bot's own conversation.",
  command: "The question came by slash command.",
  shortcut: "The question came by message shortcut.",
  follow_up: "The message stands in a thread and does not mention the bot.",
  eager: "The message stands in the channel and does not mention the bot.",
} as const;

/** How a question reached the bot. `follow_up`: in a thread, without a mention; `eager`: at a channel's root, without one. */
export type Entry = keyof typeof ENTRY_WORDS;

/** Every {@link Entry}. */
export const ENTRIES = Object.keys(ENTRY_WORDS) as readonly Entry[];

/** A moment of each week, in a time zone (an IANA name; absent: that of the machine). `day`: 1 is Monday. */
export interface DigestTime {
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly zone?: string | undefined;
}

/** The rules file, read and checked. */
export interface Rules {
  /** By channel id, defaults filled in. */
  readonly channels: ReadonlyMap<string, Settings>;
  /** Every channel the file does not name. */
  readonly otherChannels: Settings;
  readonly directMessages: Settings;
  /** Whoever asks through Slack's own assistant; absent: nobody may. */
  readonly assistants?: Settings | undefined;
  /** Channel id: where people are asked what somebody wants to know in the side panel. Absent: nowhere. */
  readonly panelQuestions?: string | undefined;
  /** When the digest is posted; absent: never. */
  readonly digest?: DigestTime | undefined;
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
  /** User groups of {@link groupsToLookUp} the asker is in; `any`: not looked up yet. Absent: they could not be. */
  readonly groups?: readonly string[] | "any";
}

/** What is known of a thread. Absent for a message that is not in one. */
export interface ThreadFacts {
  /** The bot answered in it before, or was asked in it. */
  readonly own: boolean;
  /** Besides the bot, only the person who speaks now has spoken since the thread's first question to the bot. */
  readonly onlyAsker: boolean;
  /** The bot's answer to whoever speaks now stands right before: what they say is most likely said to it. */
  readonly afterAnswer: boolean;
  /** People were asked in it, and nobody's answer is kept yet. Default false. */
  readonly called?: boolean;
}

/** Everything a decision is made from. */
export interface Situation {
  readonly entry: Entry;
  readonly channel: ChannelFacts;
  readonly user: Asker;
  readonly thread?: ThreadFacts;
  readonly text: TextFacts;
}

/** What is to be done, and why, in plain words. Nothing of it holds message text. */
export type Decision = { readonly trace: readonly string[] } & (
  | {
      readonly kind: "answer";
      readonly settings: Settings;
      readonly key: AskingKey;
      /** It is no question: a nod, or how to ask, is enough. */
      readonly talk?: Talk;
    }
  /** `words`, for the person who asked: what happened and what to do. */
  | { readonly kind: "refuse"; readonly code: string; readonly words: string }
  | { readonly kind: "stay_out"; readonly code: string }
);

/** The settings of a place. */
export function settingsFor(rules: Rules, channel: Pick<ChannelFacts, "id" | "kind">): Settings {
  if (channel.kind === "im") return rules.directMessages;
  return rules.channels.get(channel.id) ?? rules.otherChannels;
}

/** The user groups that must be looked up before a decision about a place with these settings; usually none. */
export function groupsToLookUp({ who_may_ask }: Pick<Settings, "who_may_ask">): readonly string[] {
  return who_may_ask === "everyone" ? [] : who_may_ask.filter((one) => one.startsWith("S"));
}

/**
 * Answer, refuse with a reason, or stay out. Pure. Somebody who addressed the bot always learns why there is no answer;
 * a message nobody addressed to it never gets one but an answer. To be asked again right before posting: a channel can
 * be shared meanwhile (docs/threats.md, T15).
 */
export function decide(rules: Rules, situation: Situation): Decision {
  const { entry, text, channel } = situation;
  const settings = settingsFor(rules, channel);
  const trace = [ENTRY_WORDS[entry], placeWords(channel, settings)];
  const isAddressed = channel.kind === "im" || (entry !== "follow_up" && entry !== "eager");
  const considered = {
    ...settings,
    ...situation,
    isAddressed,
    isFollowUp: entry === "follow_up" && !isAddressed,
    isEager: entry === "eager" && !isAddressed,
  };
  const objection = OBJECTIONS.find(({ when }) => when(considered));
  if (objection !== undefined) {
    const { code, because, words } = objection;
    const say = (said: Said): string => (typeof said === "string" ? said : said(considered));
    trace.push(say(because));
    if (words === undefined || !isAddressed) {
      return { kind: "stay_out", code, trace: [...trace, "So the bot says nothing."] };
    }
    return { kind: "refuse", code, words: say(words), trace: [...trace, "So the bot declines, and says why."] };
  }
  // The wider key in direct messages where it is configured, elsewhere only by the place's own rule.
  const key = !rules.dmKey ? "channel" : channel.kind === "im" ? "dm" : settings.key;
  if (text.talk !== undefined && text.files === 0 && SPOKEN_TO.has(entry)) {
    trace.push("It is small talk, not a question: nothing is looked up for it.");
    return { kind: "answer", settings, key, talk: text.talk, trace };
  }
  return { kind: "answer", settings, key, trace: [...trace, ...answerWords(settings, situation, key)] };
}

/** Where people speak to the bot as to anybody; a command and a form hold questions only. */
const SPOKEN_TO: ReadonlySet<Entry> = new Set(["mention", "dm", "agent"]);

/** What an objection is made from: what was asked, how, and what holds there. */
type Considered = Settings &
  Situation & { readonly isAddressed: boolean; readonly isFollowUp: boolean; readonly isEager: boolean };

interface Objection {
  /** For metrics and tests; those of one meaning share it. */
  readonly code: string;
  readonly when: (considered: Considered) => boolean;
  /** For the trace. */
  readonly because: Said;
  /** For the asker. Absent: nothing is said, whoever asked. */
  readonly words?: Said;
}

type Said = string | ((considered: Considered) => string);

/** An allowed app was named by its own id; nobody else's list is about it. */
function isInvited({ who_may_ask, user }: Considered): boolean {
  if (who_may_ask === "everyone" || user.kind === "bot" || who_may_ask.includes(user.id)) return true;
  if (user.kind === "admin" && who_may_ask.includes("admins")) return true;
  return groupsToLookUp({ who_may_ask }).some((group) => user.groups === "any" || user.groups?.includes(group));
}

/**
 * The first that holds decides: first what must never be talked to (two bots that answer each other never stop;
 * docs/threats.md, T17), then whether the bot was meant, then who may see what.
 */
const OBJECTIONS: readonly Objection[] = [
  { code: "own_message", when: ({ user }) => user.self === true, because: "The message is the bot's own." },
  {
    code: "bot",
    when: ({ bots, user }) =>
      user.kind === "bot" && !bots.includes(user.id) && (user.botId === undefined || !bots.includes(user.botId)),
    because: ({ user }) => `${user.id} is an app, and not one of those allowed to ask here (\`bots\`).`,
  },
  { code: "archived", when: ({ channel }) => channel.archived === true, because: "The channel is archived." },
  {
    code: "follow_ups_off",
    when: ({ isFollowUp, follow_ups }) => isFollowUp && follow_ups === "off",
    because: "In threads the bot answers only when mentioned (`follow_ups: off`).",
  },
  {
    code: "not_own_thread",
    when: ({ isFollowUp, thread }) => isFollowUp && thread?.own !== true,
    because: "The bot has no part in this thread, and was not mentioned.",
  },
  {
    code: "not_eager",
    when: ({ isEager, listen }) => isEager && listen !== "eager",
    because: "Without a mention the bot does not answer here (`listen: quiet`).",
  },
  {
    code: "in_a_thread",
    when: ({ isEager, thread }) => isEager && thread !== undefined,
    because: "The message replies to somebody; eager is for a channel's root only.",
  },
  {
    code: "to_somebody_else",
    when: ({ isAddressed, text }) => !isAddressed && text.mentionsOthers,
    because: "The message mentions somebody else, so it is for them.",
  },
  {
    code: "people_asked",
    when: ({ isFollowUp, entry, thread }) =>
      (isFollowUp || entry === "dm" || entry === "agent") && thread?.called === true,
    because: "People were asked in this thread; without a mention what follows is for them.",
  },
  {
    code: "others_speak",
    when: ({ isFollowUp, follow_ups, thread }) =>
      isFollowUp && follow_ups === "own_threads_asker" && thread?.onlyAsker !== true,
    because: "Others speak in this thread by now (`follow_ups: own_threads_asker`), so a mention is needed.",
  },
  {
    code: "not_a_question",
    when: ({ isFollowUp, text }) => isFollowUp && text.smallTalk,
    because: "The message is thanks or a nod, not a question.",
  },
  {
    code: "not_a_question",
    when: ({ isFollowUp, text }) => isFollowUp && text.aside,
    because: "The message is an address or a promise to look, no more.",
  },
  {
    code: "not_a_question",
    when: ({ isFollowUp, text, thread }) => isFollowUp && !text.question && thread?.afterAnswer !== true,
    because: "The message does not read like a question, and does not follow an answer to the same person.",
  },
  {
    code: "not_a_question",
    when: ({ isEager, text }) => isEager && !text.question,
    because: "The message does not read like a question.",
  },
  {
    code: "switched_off",
    when: ({ enabled }) => !enabled,
    because: "The bot is switched off here (`enabled: false`).",
    words: ({ channel }) =>
      channel.kind === "im"
        ? "I am switched off in direct messages here. Ask me in a channel, or have whoever runs me change my rules."
        : "I am switched off in this channel. Ask me elsewhere, or have whoever runs me change the rules of this channel.",
  },
  {
    code: "channel_unknown",
    when: ({ channel, slack_connect }) => channel.shared === "unknown" && slack_connect === "refuse",
    because: "Slack does not tell the bot whether this channel is shared with another company; that counts as shared.",
    words: "I cannot see this channel, so I do not know who would read the answer. Invite me to it, then ask again.",
  },
  {
    code: "shared_channel",
    when: ({ channel, slack_connect }) => channel.shared !== false && slack_connect === "refuse",
    because: "The channel is shared with another company (`slack_connect: refuse`).",
    words:
      "This channel is shared with another company, and I answer from internal documents. " +
      "Ask me in an internal channel or in a direct message.",
  },
  {
    code: "user_unknown",
    when: ({ user }) => user.kind === "unknown",
    because: "Slack does not tell the bot who the asker is; that counts as a stranger.",
    words: "I could not find out whose account this is, so I cannot answer. Try again in a minute.",
  },
  {
    code: "stranger",
    when: ({ user, slack_connect }) => user.kind === "stranger" && slack_connect === "refuse",
    because: "The asker belongs to another workspace (`slack_connect: refuse`).",
    words: "I answer members of this workspace only, since I answer from its internal documents.",
  },
  {
    code: "guest",
    when: ({ user, guests }) => user.kind === "guest" && guests === "refuse",
    because: "The asker is a guest (`guests: refuse`).",
    words: "I answer full members only, since I answer from internal documents.",
  },
  {
    code: "groups_unknown",
    when: (considered) =>
      !isInvited(considered) && considered.user.groups === undefined && groupsToLookUp(considered).length > 0,
    because: "Only some user groups may ask here, and Slack would not say who is in them.",
    words: "I could not find out whether you may ask here: Slack did not tell me who is in the user group. Try again.",
  },
  {
    code: "not_allowed",
    when: (considered) => !isInvited(considered),
    because: "The asker is not among those who may ask here (`who_may_ask`).",
    words: "Only some people may ask me here. Ask me elsewhere, or have whoever runs me add you to this place's rules.",
  },
  {
    // A bare mention in a thread asks about the thread; anywhere else there is nothing to answer.
    code: "no_question",
    when: ({ text, thread }) => text.empty && text.files === 0 && thread === undefined,
    because: "The message holds no text besides the mention.",
    words: "What would you like to know? Write your question in the same message.",
  },
];

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
  const sets =
    settings.document_sets.length === 0 ? "every document the key may see" : settings.document_sets.join(", ");
  const sources = settings.sources.length === 0 ? "" : `, sources ${settings.sources.join(", ")}`;
  const keyName = key === "dm" ? "key for direct messages" : "channel key";
  const messages = settings.workspace_search === "public" && channel.shared === false;
  const ephemeral = channel.kind !== "im" && settings.answer === "ephemeral";
  return [
    `The asker is ${who}, and may ask here.`,
    `The question goes to ${assistant}, with the ${keyName}; the answer comes from ${sets}${sources}.`,
    ...(messages
      ? ["Messages that Slack finds in public channels go along with it (`workspace_search: public`)."]
      : []),
    ephemeral ? "The answer is shown to the asker alone, who can share it." : "The answer goes into the thread.",
  ];
}
