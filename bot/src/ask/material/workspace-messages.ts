import { drawMark, pageFence, withoutMark } from "@threadlore/client/fence";
import * as z from "zod";
import type { BotContext } from "../../context.ts";
import { tellAdminsOnce } from "../../knowledge-server/server-trouble.ts";
import { visibleLine, visibleText } from "@threadlore/ask";
import { shortened } from "../../slack/render/escape.ts";
import type { Place } from "../../slack/read/people.ts";
import { platformError } from "../../slack/read/people.ts";

/** Messages that go along with a question, and how much of each, characters. */
const MAX_MESSAGES = 5;
const MAX_CONTENT = 1_000;
/** Messages that are looked at: of some it turns out only then that not everybody may read them. */
const MAX_FOUND = 15;
const MAX_QUERY = 500;
/** Somebody waits for the answer, which can do without. Milliseconds. */
const PATIENCE_MS = 4_000;

const FoundMessage = z.object({
  author_name: z.string().default(""),
  channel_id: z.string(),
  channel_name: z.string().default(""),
  message_ts: z.string(),
  thread_ts: z.string().nullish(),
  content: z.string(),
  permalink: z.string(),
  is_author_bot: z.boolean().default(false),
});
/** A message as the platform's search tells it. */
export type FoundMessage = z.infer<typeof FoundMessage>;

const Reply = z.object({ results: z.object({ messages: z.array(z.unknown()).default([]) }) });

/** What is asked, and where. */
export interface Sought {
  /** In words, without mentions of the bot. */
  readonly query: string;
  /** What the platform gave with the question's event: for whom it searches. */
  readonly token: string;
  readonly channel: string;
  readonly threadTs: string;
}

type Bot = Pick<BotContext, "clients" | "config" | "log" | "now" | "pacer" | "patience" | "people" | "self" | "store">;

/**
 * Messages of public channels that the platform finds for a question, as material for its answer; "" for none. They are
 * read for this question and kept nowhere. Never throws: an answer does without them.
 */
export async function workspaceMessages(bot: Bot, sought: Sought, signal: AbortSignal): Promise<string> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(bot.patience.messagesMs ?? PATIENCE_MS)]);
  try {
    const found = await search(bot, sought, inTime);
    const readable = await readableByAll(found.slice(0, MAX_FOUND), sought, bot);
    return inTime.aborted ? "" : fenced(readable.slice(0, MAX_MESSAGES));
  } catch (error) {
    const word = platformError(error) ?? "";
    const why = UNAVAILABLE[word];
    if (why !== undefined) await tellAdminsOnce(bot, `workspace search:${word}`, why);
    // What was searched for and found stands in no log.
    else bot.log.warn("messages not searched", { reason: word === "" ? "no answer in time" : word });
    return "";
  }
}

const INSTEAD = "Until then I answer without messages of the workspace.";

/** What only an administrator can change, by the platform's word for it. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  missing_scope:
    "The rules turn on `workspace_search`, and the app may not search: it lacks the scope search:read.public. Make the app " +
    `anew from \`threadlore-bot manifest --with workspace_search\` and install it again. ${INSTEAD}`,
  feature_not_enabled: `The rules turn on \`workspace_search\`, and this workspace's plan does not let apps search. ${INSTEAD}`,
  assistant_search_context_disabled: `The rules turn on \`workspace_search\`, and Slack has it switched off here. ${INSTEAD}`,
  not_allowed_token_type: `The rules turn on \`workspace_search\`, and Slack does not let the bot's token search. ${INSTEAD}`,
};

async function search(
  { clients, pacer, self }: Bot,
  { query, token }: Sought,
  signal: AbortSignal,
): Promise<FoundMessage[]> {
  const where = { team: self.teamId, method: "assistant.search.context" };
  const call = pacer.call(
    where,
    () =>
      clients.unlogged.apiCall("assistant.search.context", {
        query: shortened(query, MAX_QUERY),
        action_token: token,
        // A bot's token reaches no others, and what only some may read has no place in an answer for all.
        channel_types: "public_channel",
        content_types: "messages",
        include_bots: false,
        limit: MAX_FOUND,
      }),
    { signal, until: 0 },
  );
  const reply = Reply.parse(await Promise.race([call, aborted(signal)]));
  return reply.results.messages.flatMap((one) => FoundMessage.safeParse(one).data ?? []);
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new Error("no answer in time"));
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });

/**
 * Messages everybody of the workspace may read, whatever was found: of channels that are public now, and not shared with
 * another company. Not the question itself, what stands in its thread, and what programs wrote.
 */
export async function readableByAll(
  found: readonly FoundMessage[],
  { channel, threadTs }: Pick<Sought, "channel" | "threadTs">,
  { people, self }: { readonly people: Pick<BotContext["people"], "place">; readonly self: { readonly url: string } },
): Promise<FoundMessage[]> {
  const host = URL.parse(self.url)?.host;
  const told = found.filter(
    (one) =>
      !one.is_author_bot &&
      one.content.trim() !== "" &&
      URL.parse(one.permalink)?.host === host &&
      (one.channel_id !== channel || (one.message_ts !== threadTs && one.thread_ts !== threadTs)),
  );
  const channels = [...new Set(told.map((one) => one.channel_id))];
  const places = await Promise.all(
    channels.map((id): Promise<Place | undefined> => people.place(id, { fresh: true }).catch(() => undefined)),
  );
  const open = new Set(places.flatMap((place) => (place?.kind === "public" && !place.shared ? [place.id] : [])));
  return told.filter((one) => open.has(one.channel_id));
}

/** Each with its name and address in front, where servers look for what they cite. Material, never instructions. */
function fenced(messages: readonly FoundMessage[]): string {
  const mark = drawMark();
  return messages
    .map((message) => {
      const { head, foot } = pageFence(mark, [`Title: ${nameOf(message)}`, `URL: ${message.permalink}`], "message");
      const words = shortened(visibleText(message.content), MAX_CONTENT);
      return `${head}\n\n${withoutMark(words, mark)}\n\n${foot}`;
    })
    .join("\n\n");
}

function nameOf({ author_name: author, channel_name: channel, message_ts: ts }: FoundMessage): string {
  const at = new Date(Number(ts) * 1_000);
  const day = Number.isNaN(at.getTime()) ? "" : ` · ${at.toISOString().slice(0, 10)}`;
  return `${visibleLine(shortened(author, 80)) || "Somebody"} in #${visibleLine(shortened(channel, 80))}${day}`;
}
