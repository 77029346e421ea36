import { asFlag, type Arguments } from "../fields.ts";
import { permalinkOf } from "../objects.ts";
import type { State, StoredChannel, StoredMessage, StoredToken } from "../state.ts";
import { LIMITS } from "../validator/limits.ts";
import { count, method, names, required, requireScope, SlackError, text, type Methods } from "../web-api/method.ts";

/**
 * Scope that each kind of channel needs. A bot's token takes `search:read.public` alone: the others are a person's
 * (Using the Real-time Search API, "Required scopes").
 */
const SCOPES: Readonly<Record<string, string>> = {
  public_channel: "search:read.public",
  private_channel: "search:read.private",
  mpim: "search:read.mpim",
  im: "search:read.im",
};

/** Words that say what is sought: shorter ones stand everywhere. */
const SHORTEST_WORD = 4;

/** The platform's own search, for an app that somebody speaks to. */
export const searchMethods: Methods = {
  "assistant.search.context": method({ tier: 2, scope: "search:read.public" }, (args, { state, token }) => {
    const query = required(args, "query");
    const kinds = names(args, "channel_types") ?? ["public_channel"];
    for (const kind of kinds) needScope(token, kind);
    const asking = state.actionTokens.get(text(args, "action_token") ?? "");
    if (asking === undefined) throw new SlackError("invalid_action_token");
    if (!(names(args, "content_types") ?? ["messages"]).includes("messages")) return { results: { messages: [] } };
    const limit = count(args, "limit") ?? LIMITS.searchContextResults;
    if (limit < 1 || limit > LIMITS.searchContextResults) throw new SlackError("invalid_arguments");
    const found = sorted(matching(state, query, asking, args), args).slice(0, limit);
    return {
      results: { messages: found.map(({ message, channel }) => told(state, message, channel)) },
      response_metadata: { next_cursor: "" },
    };
  }),
  "assistant.search.info": method({ tier: 2, scope: "search:read.public" }, () => ({ is_ai_search_enabled: false })),
};

function needScope(token: StoredToken, kind: string): void {
  const scope = SCOPES[kind];
  if (scope === undefined) throw new SlackError("invalid_arguments");
  requireScope(token, [scope]);
}

interface Match {
  readonly message: StoredMessage;
  readonly channel: StoredChannel;
  readonly score: number;
}

/** Messages of public channels that hold a word of the query. A guest finds those of their own channels only. */
function matching(state: State, query: string, asking: string, args: Arguments): Match[] {
  const sought = wordsOf(query);
  const isGuest = state.users.get(asking)?.kind.endsWith("guest") === true;
  return [...state.channels.values()]
    .filter(({ kind, archived }) => kind === "public" && (!archived || asFlag(args["include_archived_channels"])))
    .filter(({ members }) => !isGuest || members.has(asking))
    .flatMap((channel) => state.readable(channel.id).map((message) => ({ message, channel })))
    .filter(({ message }) => message.botId === undefined || asFlag(args["include_bots"]) === true)
    .map((one) => ({ ...one, score: [...wordsOf(one.message.text)].filter((word) => sought.has(word)).length }))
    .filter(({ score }) => score > 0);
}

const wordsOf = (words: string): Set<string> =>
  new Set((words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(({ length }) => length >= SHORTEST_WORD));

function sorted(matches: readonly Match[], args: Arguments): Match[] {
  const newestFirst = matches.toSorted((one, other) => (one.message.ts < other.message.ts ? 1 : -1));
  const listed =
    text(args, "sort") === "timestamp" ? newestFirst : newestFirst.toSorted((one, other) => other.score - one.score);
  return text(args, "sort_dir") === "asc" ? listed.toReversed() : listed;
}

function told(state: State, message: StoredMessage, { id, name }: StoredChannel): Record<string, unknown> {
  const author = state.users.get(message.user);
  return {
    author_name: author?.realName ?? "",
    author_user_id: message.user,
    team_id: author?.teamId ?? state.team.id,
    channel_id: id,
    channel_name: name,
    message_ts: message.ts,
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    content: message.text,
    is_author_bot: message.botId !== undefined,
    permalink: permalinkOf(state, message),
  };
}
