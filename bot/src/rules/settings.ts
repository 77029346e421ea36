import * as z from "zod";

const one = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: () => `must be one of: ${words.join(", ")}` });

const ids = (form: RegExp, error: string) => z.array(z.string().regex(form, { error }));

const askers = z.union(
  [
    z.literal("everyone"),
    ids(
      /^(?:admins|[UWS][A-Z0-9]{2,})$/,
      "is no user id (U…), user group id (S…) or `admins`; names do not work, since people change them",
    ).min(1, { error: "is empty; write `enabled: false` to answer nobody" }),
  ],
  { error: "must be `everyone`, or a list of user ids (U…), user group ids (S…) and `admins`" },
);

const pinners = z.union(
  [
    one(["off", "members"]),
    ids(/^[UW][A-Z0-9]{2,}$/, "is no user id (U…)").min(1, { error: "is empty; write `pins: off` to keep nothing" }),
  ],
  { error: "must be `off`, `members`, or a list of user ids (U…)" },
);

const name = z.string({ error: "must be text" }).min(1, { error: "is empty" });

/** What one place may say in the rules file; everything absent follows the defaults. */
export const PlaceRules = z.strictObject({
  /** For people only: the channel's name, why it is so. */
  note: z.string().optional(),
  enabled: z.boolean({ error: "must be true or false" }).optional(),
  /** A list holds user ids, user group ids, and `admins`. */
  who_may_ask: askers.optional(),
  /** Absent: the server's own assistant. */
  persona: z.int({ error: "must be the whole number the server gave the persona" }).min(0).optional(),
  /** Names. Empty: every document the key may see. */
  document_sets: z.array(name, { error: "must be a list of names" }).optional(),
  /** Kinds of sources, as the server names them. Empty: all. */
  sources: z.array(name, { error: "must be a list of the server's names of sources" }).optional(),
  /** Whether messages of a thread the bot answered in are questions without a mention. */
  follow_ups: one(["off", "own_threads", "own_threads_asker"]).optional(),
  /** `eager`: questions at the channel's root are answered without a mention. */
  listen: one(["quiet", "eager"]).optional(),
  /** `ephemeral`: only the asker sees it, and can share it. */
  answer: one(["thread", "ephemeral"]).optional(),
  /** Below each answer it says how the answer came to be, and that what matters is to be checked. */
  disclaimer: one(["off", "on"]).optional(),
  /** Which key of the server a question is asked with. `dm` is the wider one. */
  key: one(["channel", "dm"]).optional(),
  /** Whether what only its asker reads is asked with their own account, where they connected one; `only`: with nothing else. */
  own_account: one(["off", "on", "only"]).optional(),
  /**
   * Whether searches in Slack are made with the searcher's own account. By Slack's documentation a workflow that anybody builds can
   * run the same search in the name of whoever starts it, and take the results elsewhere; nothing tells the two apart.
   */
  own_account_in_search: one(["off", "on"]).optional(),
  pins: pinners.optional(),
  pair: z.int({ error: "must be the whole number of a connector/credential pair" }).min(0).optional(),
  /** Whether people of other companies may see answers here. */
  slack_connect: one(["refuse", "allow"]).optional(),
  guests: one(["refuse", "allow"]).optional(),
  /** User ids or bot ids of apps that may ask. */
  bots: ids(/^[UWB][A-Z0-9]{2,}$/, "is no user id (U…) or bot id (B…)").optional(),
  /** `public`: what Slack's own search finds in public channels goes along with questions. */
  workspace_search: one(["off", "public"]).optional(),
  /** User ids and user group ids of those who are asked when somebody needs a person. Their answers may be kept. */
  helpers: ids(/^[UWS][A-Z0-9]{2,}$/, "is no user id (U…) or user group id (S…)").optional(),
  /** After how long those who were asked, and did not reply, are reminded, once: `8h`, `1d`; `off`: never. */
  remind_after: z
    .string()
    .regex(/^(?:off|[1-9]\d{0,2}[hd])$/, { error: "must be a time such as `8h` or `2d`, or `off`" })
    .optional(),
  /** After how many days the owner of a kept answer is asked whether it still holds: `180d`; `off`: never for its age. */
  still_true_after: z
    .string()
    .regex(/^(?:off|[1-9]\d{0,3}d)$/, { error: "must be a number of days such as `180d`, or `off`" })
    .optional(),
});
export type PlaceRules = z.infer<typeof PlaceRules>;

/** What holds in one place: a channel, or direct messages. Each rule under its name in the file. */
export interface Settings
  extends Required<Omit<PlaceRules, "note" | "persona" | "pins" | "pair">>, Pick<PlaceRules, "note" | "persona"> {
  /** The rules file names this place. */
  readonly named: boolean;
  /** The place's own entry names its helpers, not the defaults. Keeping answers of private places needs that, or `pins`. */
  readonly namesHelpers: boolean;
  /** Who may have messages kept by pinning them, and where those go. */
  readonly pins: {
    /** `members`: every full member of the workspace; a list: only these user ids. */
    readonly who: NonNullable<PlaceRules["pins"]>;
    /** Connector/credential pair of this place's documents. Absent: the one configured for the bot. */
    readonly pair?: number;
    /** The place's own entry says so, not the defaults. Private places need that. */
    readonly explicit: boolean;
  };
}

/** Which key of the server a question is asked with. */
export type AskingKey = Settings["key"];

/** What holds where nothing is said: answers to members who mention the bot, in internal channels; nothing is kept. */
export const BUILT_IN: Settings = {
  named: false,
  namesHelpers: false,
  enabled: true,
  who_may_ask: "everyone",
  document_sets: [],
  sources: [],
  follow_ups: "own_threads",
  listen: "quiet",
  answer: "thread",
  disclaimer: "off",
  key: "channel",
  own_account: "on",
  own_account_in_search: "off",
  pins: { who: "off", explicit: false },
  slack_connect: "refuse",
  guests: "refuse",
  bots: [],
  workspace_search: "off",
  helpers: [],
  remind_after: "1d",
  still_true_after: "180d",
};

/** What holds in a place by its own rules, and where they say nothing, as it does in `base`. */
export function settingsOf(base: Settings, { pins, pair, ...rules }: PlaceRules, named: boolean): Settings {
  const who = pins ?? base.pins.who;
  const kept = { who, pair: pair ?? base.pins.pair, explicit: named && pins !== undefined };
  const namesHelpers = named && (rules.helpers ?? []).length > 0;
  return { ...base, ...rules, named, namesHelpers, pins: kept };
}
