import { createHash } from "node:crypto";
import { ask, type Source } from "@threadlore/ask";
import { UnsupportedError } from "@threadlore/client";
import type { FoundPassage } from "@threadlore/client/deployment";
import type { BotContext } from "../context.ts";
import type { AskingKey, Settings } from "../rules/settings.ts";

/** A document the knowledge server found for one key. */
export interface FoundDocument {
  /** Stays the same for one address. */
  readonly id: string;
  readonly title: string;
  /** Where it lies; http or https. */
  readonly link: string;
  /** What was found of it, best first; may be empty. */
  readonly passages: readonly string[];
  /** ISO 8601. */
  readonly updatedAt?: string | undefined;
}

/** What is looked for, and with whose rights. */
export interface LookUp {
  readonly query: string;
  readonly key: AskingKey;
  readonly settings: Pick<Settings, "document_sets" | "sources" | "persona">;
}

type Bot = Pick<BotContext, "config" | "servers" | "serverWatch">;

/** Characters of a query; servers take no more. */
const MAX_QUERY = 2_000;

/**
 * Documents for a query that can be opened, best first: from the server's search, or where it has none, those an answer
 * to it is made from; the conversation that begins is deleted again. Throws the client's errors.
 */
export async function findDocuments(bot: Bot, lookUp: LookUp, signal: AbortSignal): Promise<FoundDocument[]> {
  const { keys } = bot.config;
  await bot.serverWatch.admit((lookUp.key === "dm" ? keys.dm : undefined) ?? keys.channel);
  const query = lookUp.query.slice(0, MAX_QUERY);
  try {
    const { document_sets: sets, sources, persona } = lookUp.settings;
    const passages = await bot.servers[lookUp.key].deployment.search(
      {
        query,
        ...(sets.length > 0 && { document_sets: sets }),
        ...(sources.length > 0 && { sources }),
        ...(persona !== undefined && { persona_id: persona }),
        skip_query_expansion: true,
      },
      { signal },
    );
    return together(passages.map(ofPassage));
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    return together((await sourcesOf(bot, { ...lookUp, query }, signal)).map(ofSource));
  }
}

/** What an answer to the query is made from. It is not waited for: its documents come first. */
async function sourcesOf(bot: Bot, { query, key, settings }: LookUp, signal: AbortSignal): Promise<readonly Source[]> {
  const { client, deployment } = bot.servers[key];
  const { document_sets: sets, sources, persona } = settings;
  const request = {
    message: query,
    origin: bot.config.server.profile.botOrigin,
    ...((sets.length > 0 || sources.length > 0) && {
      internal_search_filters: {
        ...(sets.length > 0 && { document_set: [...sets] }),
        ...(sources.length > 0 && { source_type: [...sources] }),
      },
    }),
    ...(persona !== undefined && { chat_session_info: { persona_id: persona } }),
  };
  let found: readonly Source[] = [];
  let session: string | undefined;
  let failure: string | undefined;
  for await (const answer of ask(client, request, { signal, isNamed: false })) {
    found = answer.sources;
    session = answer.conversation.chatSessionId ?? session;
    failure = answer.status === "failed" ? answer.failure?.message : undefined;
    if (answer.text !== "" && found.length > 0) break;
  }
  // Nobody asked anything: nothing of it is kept.
  if (session !== undefined) await deployment.deleteSession(session).catch(() => undefined);
  if (failure !== undefined && found.length === 0) throw new Error(failure);
  return found;
}

type Told = Omit<FoundDocument, "id" | "link"> & { readonly link: string | undefined };

const ofPassage = ({ title, content, link, updated_at: updatedAt }: FoundPassage): Told => ({
  title: title ?? "",
  link: link ?? undefined,
  passages: content == null || content === "" ? [] : [content],
  updatedAt: updatedAt ?? undefined,
});

const ofSource = ({ title, link, passages, updatedAt }: Source): Told => ({ title, link, passages, updatedAt });

/** One entry per document; those nobody can open are left out. */
function together(told: readonly Told[]): FoundDocument[] {
  const found = new Map<string, FoundDocument>();
  for (const one of told) {
    const { link, title, passages } = one;
    const address = link === undefined ? undefined : plainAddress(link);
    if (link === undefined || address === undefined) continue;
    const before = found.get(address);
    found.set(address, {
      id: before?.id ?? idOf(address),
      title: before?.title || title || address,
      link: before?.link ?? link,
      passages: [...new Set([...(before?.passages ?? []), ...passages])],
      updatedAt: before?.updatedAt ?? one.updatedAt,
    });
  }
  return [...found.values()];
}

/** An address of the web without the place in its page, so that two ways to write one are the same; undefined: none. */
export function plainAddress(link: string): string | undefined {
  const url = URL.parse(link);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  url.pathname = url.pathname.replace(/\/+$/, "") || "/";
  return url.href;
}

/** What an address is known by where only a short name has room. */
export function idOf(address: string): string {
  return createHash("sha256").update(address).digest("hex").slice(0, 32);
}
