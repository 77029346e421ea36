import type { Register } from "../../context.ts";
import type { BotContext } from "../../context.ts";
import { placeOf, taskKey } from "../place.ts";
import { askedMark, changedMark, laneOf, questionOf } from "../question.ts";
import { decide, type Entry, type Situation } from "../../rules/rules.ts";
import { isByProgram, isOwn } from "../../slack/transport/own-messages.ts";
import { isThere, rawMessage } from "../../slack/read/thread.ts";
import { textFacts } from "../../rules/text-facts.ts";
import { openChannelOf } from "./session.ts";

/** Subtypes of messages that can be questions; none of the others was said to anybody. */
const SPOKEN: ReadonlySet<string | undefined> = new Set([
  undefined,
  "file_share",
  "thread_broadcast",
  "me_message",
  "bot_message",
]);

/** Mentions, direct messages, and messages in channels that may be questions by the rules of their channel. */
export const registerQuestions: Register = (app, context) => {
  app.event("app_mention", ({ event, body }) => heard(context, { ...event }, { ...body }));
  app.event("message", ({ event, body }) => {
    if (!SPOKEN.has(event.subtype)) return changed(context, { ...event }, { ...body });
    return heard(context, { ...event }, { ...body });
  });
};

type Fields = Readonly<Record<string, unknown>>;

const text = (fields: Fields, key: string): string | undefined => {
  const value = fields[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** Something was said. Kept if it may be a question; whoever sends it again finds it kept. */
async function heard(context: BotContext, event: Fields, body: Fields): Promise<void> {
  const { self, inbox, store, later, log } = context;
  const channel = text(event, "channel");
  const message = rawMessage(event);
  const author = {
    user: message.user,
    bot_id: message.botId,
    app_id: text(event, "app_id"),
    subtype: text(event, "subtype"),
  };
  if (channel === undefined || message.ts === "" || isOwn(author, self)) return;
  const threadTs = text(event, "thread_ts");
  const entry = entryOf(event, message.text, self.userId, threadTs !== undefined && threadTs !== message.ts);
  const place = { team: self.teamId, channel, ts: message.ts };
  const userTeam = text(event, "user_team") ?? text(event, "source_team");
  const looksAt = openChannelOf(event["app_context"]) ?? (await openBeside(context, entry, message.user));
  const question = questionOf(message, {
    entry,
    team: self.teamId,
    channel,
    ...(threadTs === undefined ? {} : { threadTs }),
    shared: body["is_ext_shared_channel"] === true,
    ...(userTeam === undefined ? {} : { userTeam }),
    ...(looksAt === undefined ? {} : { looksAt }),
  });
  const own = (await store.conversations.get(askedMark(question))) !== undefined;
  const name = `asker:${laneOf(question)}`;
  const asker = own && question.inThread ? await store.recall(name) : undefined;
  const early = earlyDecision(context, event, {
    entry,
    channel,
    own,
    inThread: question.inThread,
    mayFollow: asker === undefined || asker === message.user,
    byProgram: isByProgram({ ...author, bot_profile: event["bot_profile"] }),
    message,
  });
  if (early.kind === "stay_out") {
    // Only where a person could wonder: ordinary talk is no business of the bot and leaves nothing behind.
    if (own || entry === "mention" || entry === "dm") {
      for (const words of early.trace) await store.trace(placeOf(place), { at: context.now(), words });
    }
    // Somebody else has the word; nobody follows the bot's answer any more.
    if (asker !== undefined && asker !== "" && asker !== message.user) await store.remember(name, "");
    return;
  }
  await store.remember(name, message.user);
  await store.conversations.set(askedMark(question), {});
  const lane = laneOf(question);
  const isNew = await inbox.accept({ key: taskKey("question", place), kind: "question", lane, body: question });
  if (!isNew) return;
  log.info("question accepted", { entry, team: place.team, channel, ts: place.ts });
  later("tell that a question waits", () => tellQueue(context, taskKey("question", place), question));
}

function entryOf(event: Fields, said: string, self: string, inThread: boolean): Entry {
  if (event["channel_type"] === "im" || text(event, "channel")?.startsWith("D") === true) {
    return event["app_context"] === undefined && event["assistant_thread"] === undefined ? "dm" : "agent";
  }
  if (event["type"] === "app_mention" || said.includes(`<@${self}>`) || said.includes(`<@${self}|`)) return "mention";
  return inThread ? "follow_up" : "eager";
}

/** What the rules say already now, from the event alone: most of what is said in a channel is none of the bot's business. */
function earlyDecision(
  { rules, self }: BotContext,
  event: Fields,
  facts: {
    entry: Entry;
    channel: string;
    own: boolean;
    inThread: boolean;
    /** Whoever speaks is the one the bot answered last in this thread, as far as is known. */
    mayFollow: boolean;
    byProgram: boolean;
    message: { text: string; user: string; botId?: string; files: readonly unknown[] };
  },
): { kind: "answer" | "refuse" | "stay_out"; trace: readonly string[] } {
  const { entry, channel, own, inThread, mayFollow, byProgram, message } = facts;
  const type = event["channel_type"];
  const kind =
    entry === "dm" || entry === "agent" ? "im" : type === "mpim" ? "mpim" : type === "group" ? "private" : "public";
  const situation: Situation = {
    entry,
    channel: { id: channel, kind, shared: false },
    user: {
      id: message.user,
      kind: byProgram ? "bot" : "member",
      ...(message.botId === undefined ? {} : { botId: message.botId }),
      ...(byProgram ? {} : { groups: [] }),
    },
    ...(inThread ? { thread: { own, onlyAsker: true, afterAnswer: mayFollow } } : {}),
    text: textFacts(message.text, { botUserId: self.userId, botName: self.name, files: message.files.length }),
  };
  const decision = decide(rules(), situation);
  // Who asks and where is only known after looking it up; what is said to the person is decided then.
  return decision.kind === "refuse" ? { kind: "answer", trace: decision.trace } : decision;
}

/** A question that has to wait for the one before it says so, to its asker alone. */
async function tellQueue(
  { store, clients, pacer }: BotContext,
  key: string,
  question: { team: string; channel: string; threadTs: string; inThread: boolean; user: string; entry: Entry },
): Promise<void> {
  const task = await store.findByKey(key);
  if (task === undefined || task.state !== "waiting") return;
  const ahead = await store.ahead(task.id);
  if (ahead === 0) return;
  const words =
    ahead === 1
      ? "I answer this next: I am still at the question before it."
      : `I have seen this. ${ahead} questions of this thread come before it.`;
  await pacer.call({ team: question.team, method: "chat.postEphemeral", channel: question.channel }, () =>
    clients.posts.chat.postEphemeral({
      channel: question.channel,
      user: question.user,
      text: words,
      ...(question.inThread ? { thread_ts: question.threadTs } : {}),
    }),
  );
}

/** A question was edited or deleted. Before anything of its answer was shown, that counts. */
async function changed(context: BotContext, event: Fields, body: Fields): Promise<void> {
  const channel = text(event, "channel");
  const inner = event["message"];
  const ts =
    text(event, "deleted_ts") ?? (typeof inner === "object" && inner !== null ? text({ ...inner }, "ts") : undefined);
  if (channel === undefined || ts === undefined) return;
  const isGone = typeof inner === "object" && inner !== null && !isThere(inner);
  const what =
    event["subtype"] === "message_deleted" || isGone
      ? "deleted"
      : event["subtype"] === "message_changed"
        ? "edited"
        : undefined;
  if (what === undefined) return;
  const place = { team: context.self.teamId, channel, ts };
  const key = taskKey("question", place);
  if (what === "edited" && isMentionedNow(event, context.self.userId)) {
    const { channel_type: type } = event;
    return heard(context, { ...fieldsOf(inner), type: "message", channel, channel_type: type }, body);
  }
  // Also where it waits, and for another instance.
  if ((await context.store.findByKey(key)) !== undefined) await context.store.remember(changedMark(place), what);
  context.turns.changed(key, what);
}

/** Somebody added the mention afterwards: only now is it a question. */
function isMentionedNow(event: Fields, self: string): boolean {
  const says = (message: unknown): boolean => (text(fieldsOf(message), "text") ?? "").includes(`<@${self}`);
  return says(event["message"]) && event["previous_message"] !== undefined && !says(event["previous_message"]);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

async function openBeside(context: BotContext, entry: Entry, user: string): Promise<string | undefined> {
  if (entry !== "dm" && entry !== "agent") return undefined;
  const known = await context.store.recall(`looks at:${user}`);
  return known === undefined || known === "" ? undefined : known;
}
