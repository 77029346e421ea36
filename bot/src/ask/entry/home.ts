import type { KnownBlock } from "@slack/types";
import type { BotContext, Register } from "../../context.ts";
import { pendingSignIn } from "../../accounts/pending.ts";
import { mayConnect } from "../../accounts/choose-key.ts";
import { accountBlocks } from "../../accounts/account-blocks.ts";
import { waitingBlocks } from "../../gaps/waiting-blocks.ts";
import { plainText, section, sections } from "../block-kit.ts";
import { settingsFor } from "../../rules/rules.ts";
import type { Settings } from "../../rules/settings.ts";
import { mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { minute } from "../../slack/render/sources.ts";
import { channelsWith } from "../../slack/read/channels.ts";
import { troubles } from "../../knowledge-server/server-trouble.ts";
import type { ServerCondition } from "../../knowledge-server/server-watch.ts";
import type { Place } from "../../slack/read/people.ts";
import type { PinRecord } from "@threadlore/inbox";
import { lineOf } from "../../pins/pins-command.ts";

const MAX_CHANNELS = 25;
const MAX_PINS = 15;
const MAX_REFUSALS = 10;

/** The bot's own tab: how to ask, what holds in the person's channels, what is kept of them, and what is left. */
export const registerHome: Register = (app, context) => {
  app.event("app_home_opened", ({ event }) => {
    if (event.tab !== "home") return Promise.resolve();
    context.later("publish a home", () => publishHome(context, event.user));
    return Promise.resolve();
  });
};

/** Makes this person's Home what it is to be now; `said`: why their account was not connected, until they look again. */
export async function publishHome(context: BotContext, user: string, said?: string): Promise<void> {
  const blocks = (await blocksFor(context, user, said)).slice(0, 100);
  await context.clients.posts.views.publish({ user_id: user, view: { type: "home", blocks } });
}

async function blocksFor(context: BotContext, user: string, said?: string): Promise<KnownBlock[]> {
  const { people, self, rules } = context;
  const account = await people.account(user);
  const channels = await channelsOf(context, user);
  const places = channels.slice(0, MAX_CHANNELS + 1).map(({ id, kind, shared }) => {
    const settings = settingsFor(rules(), { id, kind });
    return `*<#${id}>* ${shared && settings.slack_connect === "refuse" ? SHARED : rulesInWords(settings, kind)}`;
  });
  return [
    header(`Ask what ${self.teamName || "this workspace"} knows`),
    section(HOW_TO_ASK),
    ...(await ownAccount(context, user, said)),
    ...part("In your channels", places, NO_CHANNELS),
    ...part("Kept of your channels", await pinLines(context, channels), "Nothing yet."),
    ...(await waitingBlocks(context, user)),
    ...part("Left for you", await budgetLines(context, user), "There is no limit on how much you ask."),
    ...(account?.kind === "admin" ? await adminBlocks(context) : []),
  ];
}

const HOW_TO_ASK = [
  "• Mention me in a channel; I answer in the thread, and you can go on asking there.",
  "• Write to me directly, in *Messages*.",
  "• `/ask` and your question: only you see the answer, and you can share it.",
  "• On any message: *Ask about this*, *Add to knowledge*, *Why no answer?*",
].join("\n");
const NO_CHANNELS = "You and I share no channel yet. Invite me to one: `/invite` and my name.";

/** What people may do with their own account, where they may ask for themselves at all. */
async function ownAccount(context: BotContext, user: string, said?: string): Promise<KnownBlock[]> {
  const { accounts } = context;
  if (!accounts.isOffered) return [];
  const account = await accounts.of(user);
  // Whoever connected one can always take it back.
  return (await mayConnect(context, user)) || account !== undefined
    ? accountBlocks(account, await pendingSignIn(context, user), said)
    : [];
}

type SharedChannel = Awaited<ReturnType<typeof channelsOf>>[number];

const SHARED = "It is shared with another company, so I answer nothing here, and nothing is kept.";

/** Channels both the person and the bot are in. */
async function channelsOf(context: BotContext, user: string) {
  const types = "public_channel,private_channel";
  const [theirs, ours] = await Promise.all([channelsWith(context, { user, types }), channelsWith(context, { types })]);
  const own = new Set(ours.map(({ id }) => id));
  return theirs.flatMap((channel) => {
    const { id, name = "", is_private: hidden } = channel;
    if (id === undefined || !own.has(id)) return [];
    const kind = hidden === true ? ("private" as const) : ("public" as const);
    // With another company, or about to be.
    const shared = channel.is_ext_shared === true || channel.is_pending_ext_shared === true;
    return [{ id, name, kind, shared }];
  });
}

/** What a channel's rules mean for the people in it. */
export function rulesInWords(settings: Settings, kind: Place["kind"]): string {
  if (!settings.enabled) return "I am switched off here.";
  const { pins, helpers, namesHelpers } = settings;
  const kept = pins.who !== "off" && (kind === "public" || pins.explicit);
  const keepsAnswers = kept || (helpers.length > 0 && (kind === "public" || namesHelpers));
  return [
    settings.listen === "eager" ? "I answer questions, also when I am not mentioned." : "I answer when I am mentioned.",
    settings.follow_ups === "off" ? "In threads, too, only then." : "In my own threads you need not mention me again.",
    ...(settings.who_may_ask === "everyone" ? [] : ["Only some people may ask."]),
    ...(settings.document_sets.length === 0 ? [] : [`I look in: ${mrkdwnText(settings.document_sets.join(", "))}.`]),
    ...(settings.answer === "ephemeral" ? ["Only who asks sees the answer."] : []),
    ...(kept ? [`Pinned messages are kept${pins.who === "members" ? "" : ", if some people pin them"}.`] : []),
    keepsAnswers ? "An answer is kept if whoever gave it says so." : "Nothing is kept.",
  ].join(" ");
}

async function pinLines({ store }: BotContext, channels: readonly SharedChannel[]): Promise<string[]> {
  const pins: PinRecord[] = [];
  let kept = 0;
  for (const { id } of channels.slice(0, MAX_CHANNELS)) {
    const { newest, count } = await store.newestPins(id, MAX_PINS);
    pins.push(...newest);
    kept += count;
  }
  const shown = pins.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, MAX_PINS);
  const lines = shown.map((pin) => `${lineOf(pin)} in <#${pin.channel}>`);
  const more = kept - lines.length;
  return more > 0 ? [...lines, `… and ${more} more. \`/ask pins\` in a channel lists its own.`] : lines;
}

async function budgetLines({ store, config, self, now }: BotContext, user: string): Promise<string[]> {
  const budgets = [
    { name: `user:${self.teamId}:${user}`, limit: config.limits.user, whose: "You" },
    { name: `workspace:${self.teamId}`, limit: config.limits.workspace, whose: "Everybody together" },
  ];
  const lines: string[] = [];
  for (const { name, limit, whose } of budgets) {
    if (!limit) continue;
    const count = await store.hitsLeft({ name, ...limit }, now());
    lines.push(`• ${whose}: ${count} of ${limit.most} questions, in ${durationWords(limit.windowMs)}.`);
  }
  return lines;
}

function durationWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes >= 60 && minutes % 60 === 0) return minutes === 60 ? "an hour" : `${minutes / 60} hours`;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/** What only administrators see: words of the server, and what whoever runs the bot has to do. */
async function adminBlocks(context: BotContext): Promise<KnownBlock[]> {
  const failures = (await troubles(context)).map(({ at, task, kind, detail }) => {
    return `• ${minute(at)} UTC, ${kind}, reference ${task}: ${mrkdwnText(shortened(detail, 300))}`;
  });
  return [
    ...part("The knowledge server (only admins see this)", serverLines(context.serverWatch.condition()), ALL_WELL),
    ...(context.accounts.isOffered ? [] : part("Own accounts (only admins see this)", [NO_ACCOUNTS], "")),
    ...part("Lately not answered (only admins see this)", await refusalLines(context.store), "None."),
    ...part("Lately failed (only admins see this)", failures, "None."),
  ];
}

const NO_ACCOUNTS =
  "Nobody can connect their own account: set ACCOUNTS_SECRET (`threadlore-bot setup` makes it), and start me again.";
const ALL_WELL = ":white_check_mark: All is well.";

function serverLines({ ok, findings }: ServerCondition): string[] {
  if (ok === "unknown") return ["Nobody has looked at it yet."];
  return findings
    .filter((finding) => finding.ok === false)
    .map(({ what, evidence, fix }) => {
      const words = mrkdwnText(shortened(`${what}: ${evidence}`, 600));
      return `:warning: ${words}${fix === "" ? "" : ` *${mrkdwnText(fix)}*`}`;
    });
}

async function refusalLines(store: BotContext["store"]): Promise<string[]> {
  const refusals = await store.recentRefusals(MAX_REFUSALS);
  return Promise.all(
    refusals.map(async ({ place, words, at }) => {
      const [, channel = ""] = place.split(":");
      const where = /^[CG]/.test(channel) ? `<#${channel}>` : "a direct message";
      // The reason stands before the last step, which only says that it was declined.
      const trace = (await store.traceOf(place)).map((step) => step.words);
      const why = trace.length === 0 ? words : trace.slice(-2).join(" ");
      return `• ${minute(at)} UTC, ${where}: ${mrkdwnText(shortened(why, 300))}`;
    }),
  );
}

const header = (text: string): KnownBlock => ({ type: "header", text: plainText(shortened(text, 150)) });

/** A heading and what stands below it; `none`, where that is nothing. */
const part = (title: string, lines: readonly string[], none: string): KnownBlock[] => [
  header(title),
  ...sections(lines.length === 0 ? [none] : lines),
];
